#include "process.h"

#include "base/redact.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_BYTES ((size_t)64 << 20)

char *xhprof_process_file(pid_t pid, const char *name, size_t *length)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return xhprof_system_file(path, length);
}

char *xhprof_system_file(const char *path, size_t *length)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) {
		return NULL;
	}
	size_t size = 65536, used = 0;
	char *text = malloc(size);
	while (text) {
		ssize_t got = read(file, text + used, size - used - 1);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0) {
			int error = errno;
			free(text);
			close(file);
			errno = error;
			return NULL;
		}
		if (got == 0) {
			break;
		}
		used += (size_t)got;
		if (used + 1 == size) {
			char *more = size < MAX_BYTES ? realloc(text, size * 2) : NULL;
			if (!more) {
				break;
			}
			text = more;
			size *= 2;
		}
	}
	close(file);
	if (text) {
		text[used] = '\0';
		if (length) {
			*length = used;
		}
	}
	return text;
}

uint64_t xhprof_memory_available(void)
{
	static const char mark[] = "\nMemAvailable:";
	char *text = xhprof_system_file("/proc/meminfo", NULL);
	const char *at = text ? strstr(text, mark) : NULL;
	uint64_t bytes = at ? strtoull(at + sizeof(mark) - 1, NULL, 10) * 1024 : 0;
	free(text);
	return bytes;
}

int64_t xhprof_process_status(pid_t pid, const char *name)
{
	char wanted[64];
	int64_t number = -1;
	snprintf(wanted, sizeof(wanted), "\n%s:", name);
	char *status = xhprof_process_file(pid, "status", NULL);
	const char *at = status ? strstr(status, wanted) : NULL;
	if (at) {
		number = strtoll(at + strlen(wanted), NULL, 10);
	}
	free(status);
	return number;
}

/* Returns the state of a process, 'R', 'S', 'Z' ..., or 0 if there is no such process. */
static char process_state(pid_t pid)
{
	char *status = xhprof_process_file(pid, "stat", NULL);
	const char *after = status ? strrchr(status, ')') : NULL; /* the name before may contain anything */
	char letter = after && after[1] == ' ' ? after[2] : 0;
	free(status);
	return letter;
}

bool xhprof_process_ended(pid_t pid)
{
	char letter = process_state(pid);
	return letter == 0 || letter == 'Z' || letter == 'X';
}

xhprof_exit xhprof_process_gone(pid_t pid, xhprof_failure *failure)
{
	return xhprof_fail(failure, XHPROF_EXIT_GONE, "process %d ended meanwhile", (int)pid);
}

xhprof_exit xhprof_process_denied(pid_t pid, xhprof_failure *failure)
{
	char scope[16] = "", path[64], user[64] = "another user", rule[160] = "";
	int file = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		ssize_t got = read(file, scope, sizeof(scope) - 1);
		close(file);
		scope[got > 0 ? got : 0] = '\0';
		scope[strcspn(scope, "\n")] = '\0';
	}
	if (scope[0] && strcmp(scope, "0") != 0) {
		snprintf(rule, sizeof(rule), "; /proc/sys/kernel/yama/ptrace_scope is %s: 0 would allow your own processes%s",
				 scope, strcmp(scope, "3") == 0 ? "; 3 forbids it to everyone until the next boot" : "");
	}
	struct stat about;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	const struct passwd *entry = stat(path, &about) == 0 ? getpwuid(about.st_uid) : NULL;
	if (entry) {
		snprintf(user, sizeof(user), "%s", entry->pw_name);
	}
	return xhprof_fail(failure, XHPROF_EXIT_NO_PERMISSION,
					   "no permission to read the memory of process %d (%s): it needs root or CAP_SYS_PTRACE%s",
					   (int)pid, user, rule);
}

xhprof_exit xhprof_process_check(pid_t pid, xhprof_failure *failure)
{
	char letter = process_state(pid);
	if (letter == 0 && access("/proc/self/stat", R_OK) != 0) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "/proc is missing, from which processes are read");
	}
	if (letter == 0) {
		return xhprof_fail(failure, XHPROF_EXIT_NO_PROCESS, "there is no process %d", (int)pid);
	}
	if (letter == 'Z' || letter == 'X') {
		return xhprof_fail(failure, XHPROF_EXIT_NO_PROCESS, "process %d has ended and is a zombie", (int)pid);
	}
	errno = 0;
	size_t length = 0;
	char *maps = xhprof_process_file(pid, "maps", &length);
	if (!maps) {
		return errno == ENOENT || errno == ESRCH ? xhprof_process_gone(pid, failure)
			   : errno == ENOMEM                 ? xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory")
												 : xhprof_process_denied(pid, failure);
	}
	/* Reading its list of memory needs fewer rights than reading its memory: try that. */
	unsigned long long first = strtoull(maps, NULL, 16);
	free(maps);
	if (length == 0) {
		return xhprof_fail(failure, XHPROF_EXIT_NOT_PHP, "process %d is not PHP: it has no memory, like kernel threads",
						   (int)pid);
	}
	char byte;
	struct iovec local = {&byte, 1}, other = {(void *)first, 1};
	if (process_vm_readv(pid, &local, 1, &other, 1, 0) < 0) {
		if (errno == EPERM) {
			return xhprof_process_denied(pid, failure);
		}
		if (errno == ESRCH) {
			return xhprof_process_gone(pid, failure);
		}
		if (errno == ENOSYS) {
			return xhprof_fail(failure, XHPROF_EXIT_NO_PERMISSION,
							   "this system has no process_vm_readv(), or a seccomp filter forbids it");
		}
	}
	return XHPROF_EXIT_OK;
}

/* Reads the command line of a process. A title leaves '\0' in place of the remaining arguments. */
static char *command_line(pid_t pid, size_t *length)
{
	char *text = xhprof_process_file(pid, "cmdline", length);
	while (text && *length > 0 && text[*length - 1] == '\0') {
		--*length;
	}
	return text;
}

bool xhprof_process_command_has(pid_t pid, const char *wanted)
{
	size_t length = 0;
	char *text = command_line(pid, &length);
	for (size_t i = 0; text && i < length; i++) {
		text[i] = text[i] ? text[i] : ' ';
	}
	bool found = text && strstr(text, wanted);
	free(text);
	return found;
}

void xhprof_process_command(pid_t pid, char *to, size_t size)
{
	const xhprof_secret_rules rules = {.fragments = XHPROF_REDACT_NAMES};
	size_t length = 0;
	char *text = command_line(pid, &length);
	to[0] = '\0';
	if (text) {
		xhprof_redact_process(to, size, text, length, &rules);
	}
	free(text);
}

bool xhprof_process_mapping(const char **text, xhprof_mapping *mapping)
{
	while (**text) {
		const char *line = *text, *end = strchr(line, '\n');
		end = end ? end : line + strlen(line);
		*text = *end ? end + 1 : end;
		char *at;
		mapping->from = strtoull(line, &at, 16);
		if (*at != '-') {
			continue;
		}
		mapping->to = strtoull(at + 1, &at, 16);
		if (*at != ' ' || end - at < 6 || mapping->to <= mapping->from) {
			continue;
		}
		memcpy(mapping->rights, at + 1, 4);
		mapping->rights[4] = '\0';
		mapping->offset = strtoull(at + 5, &at, 16);
		for (int i = 0; i < 2 && at < end; i++) { /* device and inode */
			at += strspn(at, " ");
			at += strcspn(at, " \n");
		}
		while (at < end && *at == ' ') {
			at++;
		}
		mapping->path = at;
		mapping->path_length = at < end ? (size_t)(end - at) : 0;
		return true;
	}
	return false;
}
