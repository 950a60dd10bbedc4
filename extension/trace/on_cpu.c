#include "on_cpu.h"

#include "clock.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define OF_THIS_THREAD_ONLY 2u /* CLOSE_RANGE_UNSHARE */

/* The ns that this thread may have used since it began to run. */
#define SAME_MOMENT_NS UINT64_C(100000)

uint64_t xhprof_on_cpu_clock(clockid_t clock)
{
	return xhprof_clock_read(clock);
}

pid_t xhprof_on_cpu_self(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static int open_file(pid_t thread, const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/task/%ld/%s", (long)thread, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static const char *read_file(int file, char *text, size_t size)
{
	ssize_t length = file >= 0 ? pread(file, text, size - 1, 0) : -1;
	text[length > 0 ? length : 0] = '\0';
	return text;
}

/* Returns whether the watched thread is ready on this processor, by "number (name) R ...", with the processor as the
 * 39th word. */
static bool is_ready_here(const xhprof_on_cpu *watched)
{
	char text[1024];
	const char *word = strrchr(read_file(watched->stat_file, text, sizeof(text)), ')');
	if (!word || word[1] != ' ' || word[2] != 'R') {
		return false;
	}
	for (int i = 2; word && i < 39; i++) {
		word = strchr(word + 1, ' ');
	}
	return word && atoi(word) == sched_getcpu();
}

/* Reads the time at which the scheduler last accounted for a thread, in ns; 0 if it does not show that. */
static uint64_t accounted_at(int file)
{
	static const char name[] = "\nse.exec_start ";
	char text[1024];
	const char *line = strstr(read_file(file, text, sizeof(text)), name), *value = line ? strchr(line, ':') : NULL;
	char *dot = NULL;
	uint64_t ms =
		value ? strtoull(value + 1, &dot, 10) : 0; /* "123.456789"; strtod() depends on the program's locale */
	return ms * 1000000 + (dot && *dot == '.' ? strtoull(dot + 1, NULL, 10) : 0);
}

/* Returns whether this thread has preempted the watched one. The kernel accounts for a preempted thread at the very
 * moment at which this one begins. A thread that waits for a processor, just woken or preempted by another program, was
 * accounted for earlier. */
static bool was_preempted(const xhprof_on_cpu *watched)
{
	if (watched->stat_file < 0) {
		return true; /* unknown, and on one processor it would never be seen running */
	}
	if (!is_ready_here(watched)) {
		return false;
	}
	uint64_t it = accounted_at(watched->sched_file), own = accounted_at(watched->own_sched_file);
	return it + SAME_MOMENT_NS > own;
}

bool xhprof_on_cpu_own_files(void)
{
	/* The program's descriptors and files are not touched. */
	return syscall(SYS_close_range, 0u, ~0u, OF_THIS_THREAD_ONLY) == 0;
}

void xhprof_on_cpu_open(xhprof_on_cpu *watched, clockid_t clock, pid_t thread, bool own_files)
{
	*watched = (xhprof_on_cpu){clock, watched->cpu_ns, -1, -1, -1};
	if (own_files) {
		watched->stat_file = open_file(thread, "stat");
		watched->sched_file = open_file(thread, "sched");
		watched->own_sched_file = open_file(xhprof_on_cpu_self(), "sched");
	}
}

/* Returns whether the watched thread runs: its clock then moves between two reads. */
bool xhprof_on_cpu_look(xhprof_on_cpu *watched)
{
	uint64_t before = watched->cpu_ns, first = xhprof_on_cpu_clock(watched->clock);
	if (first == before) {
		return false; /* has not run since the last look */
	}
	watched->cpu_ns = xhprof_on_cpu_clock(watched->clock);
	return watched->cpu_ns != first || was_preempted(watched);
}

void xhprof_on_cpu_close(xhprof_on_cpu *watched)
{
	int *files[] = {&watched->stat_file, &watched->sched_file, &watched->own_sched_file};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (*files[i] >= 0) {
			close(*files[i]);
		}
		*files[i] = -1;
	}
}
