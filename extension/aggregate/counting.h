/* A request, span or program that a window counts. It has the figures of its end, whether it is sampled until then
 * or not: when the program starts a profile or a span of its own, it goes on without samples. */
#ifndef XHPROF_AGGREGATE_COUNTING_H
#define XHPROF_AGGREGATE_COUNTING_H

#include "aggregate_files.h"
#include "merged.h"

#include "base/route.h"
#include "hook/answer.h"
#include "hook/outcome.h"
#include "trace/cpu_meter.h"

/* Limits of a process's data of a window, beyond which they go to the spool early; and of the samples of a request. */
#define XHPROF_COUNTING_NODES 32768
#define XHPROF_COUNTING_NAMES ((size_t)4 * 1024 * 1024)

/* A thread may end before its clock is stopped. */
#ifdef ZTS
#define XHPROF_COUNTING_CPU_CLOCK "syscall"
#else
#define XHPROF_COUNTING_CPU_CLOCK XHPROF_G(ini).cpu_clock
#endif

typedef enum xhprof_counting_kind {
	XHPROF_COUNTING_REQUEST,
	XHPROF_COUNTING_SPAN,
	XHPROF_COUNTING_PROGRAM, /* as a whole: it may last */
} xhprof_counting_kind;

typedef struct xhprof_counting xhprof_counting;
struct xhprof_counting {
	xhprof_aggregate_place place;
	bool own_folder; /* the place's folder is the user's own */
	char route[XHPROF_ROUTE_MAX + 1];
	size_t route_length;
	xhprof_counting_kind kind;
	xhprof_outcome begin; /* what had happened before */
	bool sampling;
	bool resumable; /* it was sampled until it began to wait, and may be again */
	bool of_parent; /* it began in the parent */
	bool parted;    /* some of its samples went to an earlier window, or its route before its end */
	bool of_job;    /* a span of several that were open at once (job.h): whole, with its CPU time as cpu_ns */
	bool whole, suspended;
	xhprof_trace_ids context; /* of a job */
	uint64_t started_ns;
	uint64_t stopped_ns; /* it is not sampled from here on; 0: it is */
	uint64_t missed_ns;  /* for which it was not sampled before that */
	uint64_t cpu_before; /* of the thread's meter, at its begin */
	bool counts;         /* operations, as xhprof.save_if asks for them; these were before: */
	uint64_t operations[XHPROF_OPERATION_KINDS];
	uint64_t cpu_ns; /* of a job */
	uint64_t suspended_ns;
	uint64_t resident; /* see kept_memory.h; 0: not known */
	uint64_t window;   /* of its samples */
	/* While it waits for its end, and another one may be sampled. */
	xhprof_merged *aside; /* its samples, where its route may still change; or NULL */
	double sampled_since; /* when these began: seconds since the epoch */
	xhprof_counting *next;
};

/* Sets where its data will go, by the current settings. `own_folder`: the folder is the user's own. NULL, or why
 * they cannot go there. */
const char *xhprof_counting_take_place(xhprof_counting *counting, const char *directory, bool own_folder);

/* Begins it. `route`: see xhprof_aggregate_begin(). `cpu_before`: as above. */
void xhprof_counting_begin(xhprof_counting *counting, const char *route, xhprof_counting_kind kind, uint64_t started_ns,
						   uint64_t cpu_before);

/* Samples it, or logs why not. `ahead`: called before a sample of a program, which may last; see sampler.h. */
void xhprof_counting_sample(xhprof_counting *counting, void (*ahead)(void));

/* Stop its samples, and start them again: what came in between is time without samples. Where allocations are
 * sampled they do not start again, as what is held at the peak can be added up in one stretch only. True if it is
 * sampled. */
void xhprof_counting_pause(xhprof_counting *counting, uint64_t now_ns);
bool xhprof_counting_resume(xhprof_counting *counting, void (*ahead)(void));

/* Copies the samples, so that the profile may be used for others; a later copy is added to an earlier one. False
 * without memory. */
bool xhprof_counting_set_aside(xhprof_counting *counting, const xhprof_tracer *profile);

/* Returns the copied samples as a profile, or NULL. */
const xhprof_tracer *xhprof_counting_samples(const xhprof_counting *counting);

/* Readies the copied samples to be written as a run. */
void xhprof_counting_finish_samples(xhprof_counting *counting);

/* Frees the copied samples. */
void xhprof_counting_forget_samples(xhprof_counting *counting);

/* Begins it anew in a forked child, which counts what follows. */
void xhprof_counting_forked(xhprof_counting *counting, uint64_t cpu_before);

/* Returns what a window counts of it if it ends now, without the peak and the time of day. `cpu_ns`: the thread's
 * CPU time since its begin. */
xhprof_merged_request xhprof_counting_end(const xhprof_counting *counting, const char *ended_by, uint64_t cpu_ns,
										  uint64_t now_ns);

/* Returns the thread's CPU time since its begin, in ns. */
static inline uint64_t xhprof_counting_cpu(const xhprof_counting *counting, xhprof_cpu_meter *meter, uint64_t now_ns)
{
	meter->before = counting->cpu_before;
	return xhprof_cpu_meter_end(meter, now_ns);
}

/* Gives its operations by kind until now, whatever was profiled meanwhile. False if they are not counted. */
bool xhprof_counting_operations(const xhprof_counting *counting, uint64_t numbers[XHPROF_OPERATION_KINDS]);

/* Removes one from its list and frees it. */
void xhprof_counting_drop(xhprof_counting **list, xhprof_counting *counting);

#endif
