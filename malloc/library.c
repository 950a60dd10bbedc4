/* The start and the end of a process, its forks, and the interface for PHP's extension. */
#include "library.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/malloc_api.h"
#include "counters.h"
#include "observe.h"
#include "output.h"
#include "profile_log.h"
#include "report.h"

#ifdef __GLIBC__
/* Registers a function, by the C++ ABI: unlike those of atexit() it runs when all libraries have ended. */
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
#endif

/* The number of the process. A child of vfork() has this memory, but its end is not that of the process. */
static pid_t process;
static _Atomic bool ended;
static bool profiled;

static void after_fork_in_child(void)
{
	xhprof_report_forked(process);
	process = getpid();
	atomic_store(&ended, false);
	xhprof_output_forked();
	xhprof_counters_forked();
	xhprof_observe_forked();
	if (profiled) {
		xhprof_profile_log_forked();
		xhprof_observe_profile(true);
	}
}

void xhprof_library_end(void)
{
	if (getpid() != process || atomic_exchange(&ended, true)) {
		return;
	}
	if (profiled) {
		xhprof_observe_profile(false);
		xhprof_profile_log_end();
	}
	xhprof_report_end();
}

/* glibc ends the libraries in a function of exit() itself, registered when they have begun: it runs before this one.
 * musl (src/exit/exit.c) ends them when all such functions have run, the one that began first last: that is the first of
 * LD_PRELOAD. */
#ifdef __GLIBC__
static void at_exit(void *unused)
{
	(void)unused;
	xhprof_library_end();
}
#else
__attribute__((destructor)) static void library_end(void)
{
	xhprof_library_end();
}
#endif

__attribute__((constructor)) static void library_begin(void)
{
	/* A program with more rights than its user's writes no files of the user's choice. */
	process = getpid();
	bool trusted = getauxval(AT_SECURE) == 0;
	xhprof_output_start();
	xhprof_counters_watch_threads();
	xhprof_report_start(trusted ? getenv("XHPROF_MALLOC_REPORT") : NULL);
	const char *profile = trusted ? getenv("XHPROF_MALLOC_PROFILE") : NULL;
	if (profile && profile[0] != '\0') {
		profiled = xhprof_profile_log_start(profile, getenv("XHPROF_MALLOC_RESOLUTION"));
		xhprof_observe_profile(profiled);
	}
	pthread_atfork(NULL, NULL, after_fork_in_child);
#ifdef __GLIBC__
	__cxa_atexit(at_exit, NULL, NULL);
#endif
}

XHPROF_MALLOC_FUNCTION void xhprof_malloc_read(xhprof_malloc_stats *stats)
{
	xhprof_counters_read(stats, NULL);
}

XHPROF_MALLOC_FUNCTION void xhprof_malloc_reset_peak(void)
{
	xhprof_counters_reset_peak();
}

static void read_bytes(uint64_t *current, uint64_t *peak)
{
	xhprof_malloc_stats stats;
	xhprof_counters_read(&stats, NULL);
	*current = stats.current_bytes;
	*peak = stats.peak_bytes;
}

/* The interface for PHP's extension. Its type has the same name, which C does not allow. */
extern const xhprof_malloc_api offered __asm__("xhprof_malloc_api") __attribute__((visibility("default")));
const xhprof_malloc_api offered = {
	.version = XHPROF_MALLOC_API_VERSION,
	.watch = xhprof_observe_watch,
	.unwatch = xhprof_observe_unwatch,
	.bytes = read_bytes,
};
