#include "choice.h"

#include "php_process.h"
#include "process.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool xhprof_choice_add(xhprof_choice *choice, pid_t pid)
{
	for (size_t i = 0; i < choice->count; i++) {
		if (choice->list[i].pid == pid) {
			return true;
		}
	}
	if (choice->count == XHPROF_CHOICE_MAX) {
		return false;
	}
	choice->list[choice->count++] = (xhprof_chosen){.pid = pid, .thread = XHPROF_CHOICE_THREAD};
	return true;
}

/* Returns whether a process may be PHP. An unreadable one is treated as PHP: its command matches, and the cause is
 * reported later. */
static bool may_be_php(pid_t pid)
{
	xhprof_remote remote;
	xhprof_failure why;
	if (!xhprof_remote_open(&remote, pid, XHPROF_REMOTE_WALK, 64)) {
		return true;
	}
	size_t count;
	xhprof_exit code = xhprof_php_threads(&remote, 0, NULL, 0, &count, &why);
	xhprof_remote_close(&remote);
	return code != XHPROF_EXIT_NOT_PHP && code != XHPROF_EXIT_GONE && code != XHPROF_EXIT_NO_PROCESS;
}

xhprof_exit xhprof_choice_add_pool(xhprof_choice *choice, const char *text, xhprof_failure *failure)
{
	DIR *folder = opendir("/proc");
	const struct dirent *entry;
	size_t before = choice->count;
	bool room = true;
	while (folder && room && (entry = readdir(folder))) {
		char *end;
		long number = strtol(entry->d_name, &end, 10);
		if (number <= 0 || *end || number == getpid()) {
			continue;
		}
		if (xhprof_process_command_has((pid_t)number, text) && may_be_php((pid_t)number)) {
			room = xhprof_choice_add(choice, (pid_t)number);
		}
	}
	if (folder) {
		closedir(folder);
	}
	if (!room) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE, "too many processes: at most %d can be named",
						   XHPROF_CHOICE_MAX);
	}
	return choice->count == before
			   ? xhprof_fail(failure, XHPROF_EXIT_NO_PROCESS, "no PHP process has \"%s\" in its command", text)
			   : XHPROF_EXIT_OK;
}

bool xhprof_choice_list_threads(xhprof_chosen process, xhprof_chosen threads[XHPROF_CHOICE_MAX], size_t *count)
{
	xhprof_remote remote;
	xhprof_failure why;
	if (!xhprof_remote_open(&remote, process.pid, XHPROF_REMOTE_WALK, 64)) {
		return false;
	}
	xhprof_exit code = xhprof_php_threads(&remote, process.threads, threads, XHPROF_CHOICE_MAX, count, &why);
	xhprof_remote_close(&remote);
	return code == XHPROF_EXIT_OK && *count > 0;
}

xhprof_exit xhprof_choice_take_threads(xhprof_choice *choice, pid_t thread, xhprof_failure *failure)
{
	const xhprof_choice processes = *choice;
	choice->count = 0;
	for (size_t i = 0; i < processes.count; i++) {
		xhprof_chosen threads[XHPROF_CHOICE_MAX], process = {.pid = processes.list[i].pid};
		size_t count = 1;
		if (thread != XHPROF_CHOICE_THREADS || !xhprof_php_has_threads ||
			!xhprof_choice_list_threads(process, threads, &count)) {
			threads[0] = process;
			threads[0].thread = thread == XHPROF_CHOICE_THREADS ? XHPROF_CHOICE_THREAD : thread;
			count = 1;
		}
		if (count > XHPROF_CHOICE_MAX - choice->count) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "too many threads: at most %d can be read",
							   XHPROF_CHOICE_MAX);
		}
		for (size_t j = 0; j < count; j++) {
			choice->list[choice->count++] = threads[j];
		}
	}
	return XHPROF_EXIT_OK;
}

bool xhprof_choice_file(const char *pattern, pid_t pid, pid_t thread, char *to, size_t size)
{
	size_t used = 0;
	for (const char *at = pattern; *at && used + 1 < size; at++) {
		bool number = at[0] == '%' && (at[1] == 'p' || at[1] == 't');
		used += number ? xhprof_print_to(to + used, size - used, "%d", (int)(at[1] == 'p' ? pid : thread))
					   : xhprof_print_to(to + used, size - used, "%c", *at);
		at += number;
	}
	return used + 1 < size;
}
