/* A little TAP for the C tests of the modules that do not use PHP. */
#ifndef XHPROF_UNIT_H
#define XHPROF_UNIT_H

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int unit_tests, unit_failures;

#define CHECK(condition) unit_check((condition), __func__, #condition, __FILE__, __LINE__)

static void unit_check(int ok, const char *test, const char *what, const char *file, int line)
{
	unit_tests++;
	unit_failures += !ok;
	printf("%sok %d - %s: %s (%s:%d)\n", ok ? "" : "not ", unit_tests, test, what,
		   strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line);
}

/* The linker redirects the modules' mmap() here: with unit_mmaps >= 0 that many succeed, and then there is no memory; more
 * than unit_mmap_most bytes at once there are not, unless it is 0. Where the caller leaves the address to the system, it is
 * unit_mmap_place, if that is set and free. */
static int unit_mmaps = -1;
static size_t unit_mmap_most;
static void *unit_mmap_place;

void *__real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (unit_mmaps == 0 || (unit_mmap_most && length > unit_mmap_most)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	unit_mmaps -= unit_mmaps > 0;
	if (unit_mmap_place && !address) {
		address = unit_mmap_place;
	}
	return __real_mmap(address, length, protection, flags, fd, offset);
}

static int unit_end(void)
{
	printf("1..%d\n", unit_tests);
	return unit_failures != 0;
}

#endif
