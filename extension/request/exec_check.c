#include "exec_check.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEEPEST 5                    /* interpreters of interpreters: BINPRM_MAX_RECURSION of the kernel */
#define LONGEST ((size_t)128 * 1024) /* MAX_ARG_STRLEN of the kernel: 32 pages */
#define HEAD 256                     /* BINPRM_BUF_SIZE of the kernel */

/* Returns whether a file may be run, by the rights of the process, not of the user who started it; on a file system
 * that allows programs. */
static bool is_allowed(const char *file)
{
	struct stat info;
	return stat(file, &info) == 0 && S_ISREG(info.st_mode) && faccessat(AT_FDCWD, file, X_OK, AT_EACCESS) == 0;
}

/* Reads the beginning of a file. One that may be run but not read is believed to be a program. */
static ssize_t read_head(const char *file, char head[HEAD + 1])
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		return -1;
	}
	ssize_t length = read(fd, head, HEAD);
	close(fd);
	head[length > 0 ? length : 0] = '\0';
	return length;
}

/* Returns the name in "#! /usr/bin/env php", or NULL. */
static const char *interpreter_of(char *head)
{
	char *name = head + 2 + strspn(head + 2, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	return *name ? name : NULL;
}

static bool is_program(const char *file)
{
	char heads[2][HEAD + 1];
	for (int depth = 0; depth <= DEEPEST; depth++) {
		char *head = heads[depth % 2];
		ssize_t length = is_allowed(file) ? read_head(file, head) : 0;
		if (length < 0 || (length >= 4 && memcmp(head, "\177ELF", 4) == 0)) {
			return true;
		}
		if (length < 3 || memcmp(head, "#!", 2) != 0 || !(file = interpreter_of(head))) {
			return false;
		}
	}
	return false;
}

bool xhprof_exec_is_possible(const char *file, size_t bytes, size_t longest, size_t count)
{
	long most = sysconf(_SC_ARG_MAX);
	return longest < LONGEST && (most < 0 || bytes + count * (sizeof(char *) + 1) < (size_t)most) && is_program(file);
}
