#include "run_delay.h"

#include "on_cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads the second of the numbers in the thread's schedstat, in ns: Linux, Documentation/scheduler/sched-stats.rst,
 * /proc/<pid>/schedstat. */
static int64_t delay_until_now(void)
{
	char text[128];
	int error = errno;
	int64_t ns = XHPROF_RUN_DELAY_UNKNOWN;
	int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, sizeof(text) - 1) : -1;
	if (length > 0) {
		char *second, *end;
		text[length] = '\0';
		unsigned long long ran = strtoull(text, &second, 10);
		unsigned long long waited = strtoull(second, &end, 10);
		/* A kernel that does not count has zeros only. */
		if (end != second && ran && waited <= INT64_MAX) {
			ns = (int64_t)waited;
		}
	}
	if (file >= 0) {
		close(file);
	}
	errno = error;
	return ns;
}

void xhprof_run_delay_begin(xhprof_run_delay *delay)
{
	delay->thread = xhprof_on_cpu_self();
	delay->before = delay_until_now();
}

int64_t xhprof_run_delay_end(const xhprof_run_delay *delay)
{
	if (delay->before < 0 || delay->thread != xhprof_on_cpu_self()) {
		return XHPROF_RUN_DELAY_UNKNOWN;
	}
	int64_t now = delay_until_now();
	return now >= delay->before ? now - delay->before : XHPROF_RUN_DELAY_UNKNOWN;
}
