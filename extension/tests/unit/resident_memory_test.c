#include "unit.h"

#include "aggregate/resident_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)
#define LARGE (64 * MB)

static char *map_and_touch(size_t size)
{
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(pages, 1, size);
	return pages;
}

static void memory_is_what_the_process_has_touched(void)
{
	xhprof_resident_memory memory = {0};
	uint64_t before = xhprof_resident_memory_now(&memory);
	if (access("/proc/self/statm", R_OK) != 0) {
		CHECK(before == 0 && memory.fd == -1);
		return;
	}
	CHECK(before > 0 && memory.fd > 2);
	char *pages = map_and_touch(LARGE);
	uint64_t more = xhprof_resident_memory_now(&memory);
	CHECK(more > before + LARGE - MB && more < before + LARGE + LARGE);
	munmap(pages, LARGE);
	CHECK(xhprof_resident_memory_now(&memory) < more - LARGE + MB);
	/* Memory that others share is not the process's own. */
	char *shared = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(shared, 1, LARGE);
	CHECK(xhprof_resident_memory_now(&memory) < before + LARGE / 2);
	munmap(shared, LARGE);
	xhprof_resident_memory_close(&memory);
	CHECK(memory.fd == 0 && xhprof_resident_memory_now(&memory) > 0);
	xhprof_resident_memory_close(&memory);
}

static void forked_child_reads_its_own(void)
{
	xhprof_resident_memory memory = {0};
	if (!xhprof_resident_memory_now(&memory)) {
		return;
	}
	pid_t child = fork();
	if (!child) {
		map_and_touch(LARGE);
		uint64_t parents = xhprof_resident_memory_now(&memory); /* not reopened */
		xhprof_resident_memory_close(&memory);
		_exit(xhprof_resident_memory_now(&memory) > parents + LARGE / 2 ? 0 : 1);
	}
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(status == 0);
	xhprof_resident_memory_close(&memory);
}

/* A program closes all descriptors that it finds, and another file gets the number. */
static void another_file_is_neither_believed_nor_closed(void)
{
	static const char *const texts[] = {"", "1", "9 9 9\n", "9 9 9 9 9 9 9", "9 9 9 9 9 9 9\n9\n", "a b c d e f g\n"};
	xhprof_resident_memory memory = {0};
	if (!xhprof_resident_memory_now(&memory)) {
		return;
	}
	char name[] = "/tmp/xhprof-unit-XXXXXX";
	int other = mkstemp(name), fd = memory.fd;
	dup2(other, fd);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		CHECK(ftruncate(other, 0) == 0 && pwrite(other, texts[i], strlen(texts[i]), 0) == (ssize_t)strlen(texts[i]));
		CHECK(xhprof_resident_memory_now(&memory) == 0);
	}
	xhprof_resident_memory_close(&memory);
	CHECK(fcntl(fd, F_GETFD) >= 0);
	close(fd);
	close(other);
	unlink(name);
}

int main(void)
{
	memory_is_what_the_process_has_touched();
	forked_child_reads_its_own();
	another_file_is_neither_believed_nor_closed();
	return unit_end();
}
