#include "resident_memory.h"

#include "folder/own_file.h"

#include <fcntl.h>
#include <unistd.h>

#define FIELDS 7
#define MOST_DIGITS 19

static void open_file(xhprof_resident_memory *memory)
{
	struct stat file;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	memory->fd = fd < 0 ? -1 : xhprof_own_file_move_up(fd);
	if (memory->fd >= 0 && fstat(memory->fd, &file) == 0) {
		memory->device = file.st_dev;
		memory->inode = file.st_ino;
	}
}

/* Reads the resident pages, from seven numbers of pages and nothing else: a program that closes all descriptors may
 * have put another file in its place. */
static uint64_t pages_of(const char *text)
{
	uint64_t fields[FIELDS];
	for (int i = 0; i < FIELDS; i++) {
		const char *start = text;
		uint64_t field = 0;
		for (unsigned digit; (digit = (unsigned)*text - '0') <= 9; text++) {
			field = field * 10 + digit;
		}
		if (text == start || text - start > MOST_DIGITS || *text++ != (i < FIELDS - 1 ? ' ' : '\n')) {
			return 0;
		}
		fields[i] = field;
	}
	return !*text && fields[1] > fields[2] ? fields[1] - fields[2] : 0;
}

uint64_t xhprof_resident_memory_now(xhprof_resident_memory *memory)
{
	char text[256];
	if (!memory->fd) {
		open_file(memory);
	}
	ssize_t length = memory->fd < 0 ? -1 : pread(memory->fd, text, sizeof(text) - 1, 0);
	if (length <= 0) {
		return 0;
	}
	text[length] = '\0';
	return pages_of(text) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void xhprof_resident_memory_close(xhprof_resident_memory *memory)
{
	if (memory->fd > 0 && xhprof_own_file_is(memory->fd, memory->device, memory->inode)) {
		close(memory->fd);
	}
	*memory = (xhprof_resident_memory){.fd = 0};
}
