/* The sampler: records the call path that runs when an interval ends. A timer raises the engine's interrupt flag, and
 * the stack is read at the next place where the engine checks it. It works without the observer's hooks, and
 * costs nothing between samples. */
#ifndef XHPROF_HOOK_SAMPLER_H
#define XHPROF_HOOK_SAMPLER_H

#include "function_name.h"
#include "php_xhprof.h"

/* Takes the engine's interrupt hook, at start-up only: compiled code may call the hook of that time. */
void xhprof_sampler_minit(void);
void xhprof_sampler_mshutdown(void);

/* Ends the timer's thread and releases all memory, at the end of a thread or of the process. */
void xhprof_sampler_gshutdown(zend_xhprof_globals *globals);

/* Returns false if the module was loaded too late for the interrupt hook, by dl(). */
bool xhprof_sampler_ready(void);

static inline bool xhprof_sampler_running(void)
{
	return XHPROF_G(sampler).running != NULL;
}

/* Enclose work of the engine in which it takes no interrupts, the compiling of a file or string or a collection of
 * garbage: earlier intervals are charged to the running path, and those that end meanwhile to that work. */
void xhprof_sampler_engine_begins(void);
void xhprof_sampler_compiled(const xhprof_compiled *what);
void xhprof_sampler_collected(void);

/* Returns when the sampling that runs was started, CLOCK_MONOTONIC; 0 if there is no such. */
uint64_t xhprof_sampler_started_ns(void);

/* Returns when the last sampling was stopped, CLOCK_MONOTONIC. */
uint64_t xhprof_sampler_stopped_ns(void);

/* Begin and end to measure the CPU time of the thread that runs the sampling's part, which the part of a window measures
 * itself. End returns that since the last begin, ns; 0 where it is not measured. `now`: CLOCK_MONOTONIC. */
void xhprof_sampler_cpu_begin(uint64_t now);
uint64_t xhprof_sampler_cpu_end(uint64_t now);

/* Charges the intervals that have ended by `now`, CLOCK_MONOTONIC, to the running path, as another part of the session
 * (session_part.h), or another job, goes on. */
void xhprof_sampler_settle(uint64_t now);

/* Raises the interrupt that was deferred during a calibration, if there was one. */
void xhprof_sampler_raise_deferred(void);

#define XHPROF_SAMPLE_LEAST_US 100

/* Default intervals: of xhprof_sample_enable(), as in PECL's, and of requests and spans that settings sample, few of
 * which last that long. */
#define XHPROF_SAMPLE_CLASSIC_US 100000
#define XHPROF_SAMPLE_AUTOMATIC_US 10000

typedef struct xhprof_sampler_options {
	uint32_t interval_us; /* >= XHPROF_SAMPLE_LEAST_US */
	zend_long depth;      /* most functions of a path in the classic array, >= 1 */
	xhprof_sample_clock clock;
	bool lines;
	bool keep_log;       /* keeps the order of samples; false: only counts in the tree, without a limit on time */
	void (*ahead)(void); /* called before each sample while the program runs; may take the tree's counts; or NULL */
	/* Called in the sampler's thread, without PHP, at each of its looks; must be short and must not block. Or NULL. */
	void (*on_look)(void *context);
	void *look_context;
} xhprof_sampler_options;

/* Returns the options of the settings. If these set no interval, it is `interval_us`. */
xhprof_sampler_options xhprof_sampler_settings(uint32_t interval_us);

/* Begins to sample into the tracer's call tree and sample log, which have been prepared. `leaves`: the timer's thread
 * ends at the stop, as after the program's own sampling; otherwise it waits for the next start. Returns 0, or an errno
 * if no thread could be started. */
int xhprof_sampler_start(const xhprof_sampler_options *options, bool leaves);

/* Charges the intervals since the last sample to the running path. Does nothing unless sampling. */
void xhprof_sampler_stop(void);

/* Stops the sampling if the request ended without a stop. Its samples are lost. */
void xhprof_sampler_drop(void);

#endif
