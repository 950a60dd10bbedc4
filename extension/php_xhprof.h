/* The module: its entry, version and globals. Each global belongs to the module named beside it, which alone writes
 * it. */
#ifndef PHP_XHPROF_H
#define PHP_XHPROF_H

#include "aggregate/resident_memory.h"
#include "alloc/alloc_ledger.h"
#include "alloc/alloc_dump.h"
#include "alloc/carry.h"
#include "alloc/mark_log.h"
#include "base/pool.h"
#include "base/route.h"
#include "base/secret.h"
#include "base/table.h"
#include "compat/php_compat.h"
#include "compat/zend_heap.h"
#include "folder/heap_rule.h"
#include "trace/overhead.h"
#include "trace/tracer.h"

#include <signal.h>

extern zend_module_entry xhprof_module_entry;
#define phpext_xhprof_ptr &xhprof_module_entry

enum { XHPROF_HOOKS_OFF, XHPROF_HOOKS_AUTO, XHPROF_HOOKS_WALK };
enum { XHPROF_START_NO, XHPROF_START_YES, XHPROF_START_TRIGGER, XHPROF_START_SAMPLED };
#define XHPROF_TERMINATION_SIGNALS 3
enum { XHPROF_ROUTE_HOST_NONE, XHPROF_ROUTE_HOST_OF_SERVER, XHPROF_ROUTE_HOST_ASKED };
enum { XHPROF_RUN_EXACT, XHPROF_RUN_SAMPLE, XHPROF_RUN_ALLOC, XHPROF_RUN_AGGREGATE };

/* The activity of a thread: one at a time; see hook/session.h. */
typedef enum xhprof_session_state {
	XHPROF_IDLE,        /* nothing runs, nothing can be read */
	XHPROF_STOPPED,     /* nothing runs; the last profile, or sampling, can be read */
	XHPROF_CALIBRATING, /* a profile is about to start */
	XHPROF_TRACING,     /* an exact profile */
	XHPROF_SAMPLING,
	XHPROF_TRACKING, /* allocations alone: for memprof, or sampled ones for a run */
} xhprof_session_state;

/* What has happened in a thread; hook/outcome.h compares a begin with an end. */
typedef struct xhprof_outcome {
	uint64_t fatal_errors; /* that PHP is known to have taken itself */
	uint64_t unproven;     /* hash of the last one, until that is known; or 0 */
	uint64_t handed_over;  /* hash of the last one that the program's handler was asked about; or 0 */
	uint64_t statuses;     /* how often one from 500 on was set */
	int status;            /* at a begin; 0: none, or the server's own */
	bool gone;             /* the client, at a begin */
	int own_status;        /* of what ends now; or XHPROF_STATUS_* */
	bool own_failure;      /* what ends now has failed */
} xhprof_outcome;

enum { XHPROF_STATUS_NONE = -1, XHPROF_STATUS_OF_SERVER = 0 };

typedef enum xhprof_session_owner { XHPROF_BY_PROGRAM, XHPROF_BY_SETTINGS, XHPROF_BY_MEMPROF } xhprof_session_owner;

/* What the edges of tideways_xhprof_disable() have other than those of xhprof_disable(). */
typedef struct xhprof_edge_shape {
	const char *omitted_metric; /* a metric that they lack, or NULL */
	bool requests;              /* what the callees have asked the heap for */
	bool requested_as_mu;       /* the bytes of that as "mu" too */
} xhprof_edge_shape;

#define XHPROF_HEAP_CONDITION_RECENT 16

ZEND_BEGIN_MODULE_GLOBALS(xhprof)
	xhprof_tracer tracer;   /* trace/tracer */
	xhprof_scratch scratch; /* base/scratch: for what reads the profile */
	struct {
		char *buffer; /* the text of one operation, or NULL */
	} operation;      /* operation/operation_subject */
	struct {
		bool counting, counted, kept;
		uint64_t counts[XHPROF_OPERATION_KINDS];
	} operation_count; /* hook/operation_count */
	struct {
		struct xhprof_sampler *running; /* or NULL */
		bool deferred;                  /* an interrupt has come during a calibration */
		zend_long depth;                /* of the paths in the last sampling's classic array */
		bool cut_short;                 /* the last one: a forked child could start no thread for it */
		int64_t carried_ns;             /* CPU time of aggregated requests without samples; below 0: too many samples */
		struct xhprof_sampler_kept *kept; /* or NULL */
	} sampler;                            /* hook/sampler */
	struct {
		const zend_execute_data *frame; /* the one that calls, or NULL; may be gone */
		const zend_function *function;
	} frameless; /* hook/frameless */
	struct {
		bool on;                           /* calls are watched in this request */
		struct xhprof_watched_call *calls; /* that are open, in the order of their begin; in mapped memory */
		uint32_t count;
		size_t room;
		xhprof_table fibers; /* that have such calls: their number */
	} watched;               /* hook/watched_call */
	struct {
		bool tried[8]; /* by flags: XHPROF_TRACE_CPU, XHPROF_TRACE_MEMORY, XHPROF_TRACE_TIMELINE */
		xhprof_overhead overhead[8];
	} calibration; /* hook/calibration */
	struct {
		xhprof_session_state state;
		xhprof_session_owner owner; /* of the running session */
		bool locked;                /* a dump is being written: nothing can be started or stopped meanwhile */
		bool over;                  /* the request is over for us: it could not end anything started now */
		/* Of the current or last profile. */
		zend_long user_flags; /* XHPROF_FLAGS_* */
		bool keep_run_init;
		xhprof_edge_shape edge_shape;
		const xhprof_overhead *overhead; /* or NULL */
		/* The source of the tracer's memory figures. */
		xhprof_heap_usage *heap;     /* in the Zend heap; NULL if its layout is unknown */
		bool heap_lists;             /* that heap's lists of free blocks may be used */
		xhprof_heap_usage heap_copy; /* used instead */
		uint64_t started_ns;         /* when a tracking that is kept was started; CLOCK_MONOTONIC */
		xhprof_run_delay delay;      /* of the thread, from the start */
		uint64_t kept_since_ns;      /* when a profile has left memory for the next; CLOCK_MONOTONIC; 0: none has */
		struct {
			struct xhprof_session_part *now;  /* the one that runs; NULL: what belongs to no part */
			struct xhprof_session_part *idle; /* of what belongs to no part; or NULL */
			struct xhprof_session_part *free; /* a list */
			uint32_t count, free_count;       /* count: open ones, without `idle` */
			xhprof_session_state stopped;     /* of the session, while a part is read that has ended */
		} parts;                              /* hook/session_part */
	} session;                                /* hook/session */
	struct {
		uint32_t watched; /* what laps are noted for; 0: nothing, and PHP's counter is the program's */
		/* The most bytes until the last lap, or 0: */
		size_t of_program;   /* since the program has reset the counter last */
		size_t before_reset; /* of the request, until then */
		size_t of_turn;      /* of the span whose turn it is */
		size_t of_spans;     /* while any span was open, since one was judged last */
	} heap_peak;             /* hook/heap_peak */
	struct {
		struct xhprof_known_heap *known; /* the heap that allocates recorded blocks; NULL: recorded in another way */
		bool recording;
		bool chained;                      /* the previous handlers are called, not the heap itself */
		zend_mm_heap *heap;                /* the one with our handlers, or NULL */
		xhprof_heap_handlers previous;     /* all NULL if there were none */
		xhprof_heap_handlers uncounted;    /* ours, where others count requests and call these */
		struct xhprof_stack_reader *stack; /* finds the paths of sampled allocations; NULL: the tracer has them */
		void (*at_limit)(void);            /* called at memory_limit, or NULL */
		xhprof_alloc_ledger ledger;
		xhprof_carry carry;       /* blocks of earlier requests */
		bool carries;             /* the recorded blocks can be added to it */
		bool resting;             /* nothing is recorded: the handlers are there for frees of blocks in it */
	} alloc;                      /* hook/hook_alloc */
	struct xhprof_native *native; /* hook/native_alloc; or NULL */
	struct {
		bool running; /* recorded blocks can be dumped; those that samples have are not for that */
		bool native;  /* native memory too */
		bool frozen;  /* it has ended: types are resolved, figures are kept */
		xhprof_alloc_sums at_end[XHPROF_ALLOCATORS];
		xhprof_alloc_types types;
		xhprof_mark_log marks;
		void *reserve; /* released at memory_limit */
	} tracking;        /* hook/alloc_tracking */
	struct {
		bool running; /* a request or span is being sampled */
		bool busy;    /* data are being moved: anything that comes meanwhile, in a signal's handler, is not counted */
		bool quiet;   /* in a signal's handler: nothing is logged */
		struct xhprof_aggregate *state;       /* or NULL */
	} aggregate;                              /* aggregate/aggregate */
	struct xhprof_request_info *request_info; /* request/request_info: of the running or last session; or NULL */
	struct xhprof_known_functions {
		struct xhprof_known_function *functions;
		uint32_t count;
		size_t capacity;
		xhprof_table places; /* by address: the place + 1 */
		uint32_t last;       /* the place + 1 of the one asked for last; or 0 */
		uint64_t drops;      /* of the symbols: theirs are of before the next */
	} known_functions;       /* hook/known_function */
	struct {
		uint64_t epoch;     /* of the profile that they belong to */
		uint32_t count;     /* labels */
		xhprof_table known; /* hash of a function and a text -> symbol */
	} labels;               /* hook/call_label */
	struct {
		char set[XHPROF_ROUTE_MAX + 1];   /* by xhprof_set_route(), or "" */
		char found[XHPROF_ROUTE_MAX + 1]; /* of a framework, or "" */
		bool aside;                       /* those of the request are kept, while a span has its own */
		char set_aside[XHPROF_ROUTE_MAX + 1], found_aside[XHPROF_ROUTE_MAX + 1];
	} route; /* request/request_route */
	struct {
		uint64_t finished_ns; /* when an answer was finished early, the last time; CLOCK_MONOTONIC; or 0 */
	} answer;                 /* hook/answer_watch */
	struct {
		xhprof_table fibers; /* fiber context -> xhprof_fiber_context */
		xhprof_arena arena;  /* of these */
		struct xhprof_fiber_context *free;
		xhprof_trace_ids of_request;              /* that came with the request */
		uint32_t classes;                         /* in the table when it was asked for OpenTelemetry's last */
		bool otel;                                /* which it had then */
	} context;                                    /* hook/code_context; the last two: hook/otel_context */
	xhprof_outcome outcome;                       /* hook/outcome: until now */
	struct xhprof_route_patterns *route_patterns; /* request/route_patterns: compiled; or NULL */
	struct xhprof_run_order *order; /* request/run_order: bin/xhprof run has started the program; or NULL */
	struct {
		bool ordered;   /* the running session was ordered */
		bool running;   /* a profile that settings, or a span, have started */
		bool triggered; /* the request has triggered it */
		bool left;      /* the process was about to become another program */
		zend_long mode; /* XHPROF_RUN_* of the running or last one */
		xhprof_outcome begin;
		uint64_t other_fibers; /* how often one that is not the span's ran since, where both have one profile */
		struct xhprof_counting
			*request_waits; /* in a window, without samples since something else is profiled; or NULL */
		char saved[33];     /* id of the last one's run, or "" */
		uint64_t random;    /* generator state; 0: not seeded */
		pid_t random_pid;
	} automatic; /* request/auto_profile */
	struct {
		struct xhprof_recording *first; /* a list of those of all spans */
		struct xhprof_recording *alone; /* the one that is the automatic profile, as it is the only one; or NULL */
		struct xhprof_recording *now;   /* the one that goes on; or NULL */
		int none;                       /* what runs without `now`; xhprof_recording_none */
		uint32_t count, apart;          /* apart: those that have begun and not ended, without `alone` */
		xhprof_pool pool;
		char saved[33]; /* id of the run of the one that ended last, or "" */
	} recording;        /* request/recording */
	struct {
		struct xhprof_open_span **open; /* spans that have begun and not ended, or NULL, by place; in mapped memory */
		uint32_t room, count;
		uint32_t free;         /* a place that may be free: those before are not */
		uint32_t abandoned;    /* that a later one has ended, and whose own end may come */
		uint64_t dropped;      /* beyond the most that may be open */
		uint64_t last;         /* serial number of the one that began last */
		uint64_t marked_epoch; /* of the profile in which the end of a span made the last mark; or 0 */
		uint32_t marked;       /* that one */
		uint32_t jobs_open;    /* spans that are jobs of a profile of the whole program */
		uint64_t jobs_begun;
		xhprof_table fibers; /* fiber context -> xhprof_span_fiber */
		xhprof_pool pool;
	} span; /* request/span, request/open_span */
	struct {
		bool on;                          /* runtimes of workers begin and end requests */
		bool begins;                      /* the span that begins now is of a request, not of a job */
		bool any;                         /* a request or job has begun */
		struct xhprof_open_request *open; /* in the order of their begin; in mapped memory */
		uint32_t count;
		size_t room;                                  /* request/open_request */
		const struct xhprof_given_request *beginning; /* of the span that begins now; or NULL */
		struct xhprof_given_request *given;           /* what was read last, in mapped memory; or NULL */
	} worker;                                         /* request/worker_request */
	struct xhprof_termination {
		volatile int held;    /* > 0: the profiler itself works */
		volatile int pending; /* a signal that has come, or 0 */
		pid_t pid;            /* of the process it came to */
		uint64_t first_ns;    /* when the first came; CLOCK_MONOTONIC as the next */
		uint64_t deadline_ns;
		int timer;
		volatile bool saving; /* and then the process ends */
		int awaited;          /* atomic: whether the sampler's thread is to arm; see hook/termination.c */
		pid_t arming;         /* the process in which it does, or did last */
		bool armed[XHPROF_TERMINATION_SIGNALS];
		pid_t main_of;                          /* the process whose first thread this one is known to be, or 0 */
		bool usual[XHPROF_TERMINATION_SIGNALS]; /* it had its default action when it was armed last */
		struct sigaction before[XHPROF_TERMINATION_SIGNALS];
		void *stack;          /* of the handler, or NULL */
		void *engine_handler; /* set by the engine for all signals that it defers; NULL: not seen yet */
		const struct _zend_signal_entry_t *wanted; /* the engine's, of this thread: what the program has set */
	} termination;                                 /* hook/termination */
	struct {
		bool armed;    /* take a snapshot when this request reaches memory_limit */
		void *reserve; /* released then */
	} heap_on_limit;   /* request/heap_on_limit */
	struct {
		xhprof_heap_rule rule; /* of this request; all 0: none */
		bool taking;
		uint64_t kept; /* bytes that the process kept of requests before this one, as far as known */
		/* Of requests. */
		xhprof_resident_memory memory;
		pid_t pid;         /* the process that they are of */
		uint32_t requests; /* that have begun */
		uint64_t settled_resident;
		/* Of spans of this request. */
		uint32_t spans, open;                        /* that have ended; that are open */
		uint64_t settled;                            /* bytes of the heap */
		uint32_t sizes;                              /* known ones that have settled it */
		uint32_t recents;                            /* ends since no other span was open */
		size_t recent[XHPROF_HEAP_CONDITION_RECENT]; /* sizes of the heap at the last of them, in a ring */
		xhprof_table names;                          /* of open ones, by number; by malloc() */
	} heap_condition;                                /* request/heap_condition */
	struct {
		const char *value;             /* xhprof.trigger_value */
		char *own;                     /* the same, unless it is that of the process; or NULL */
		struct _zend_ini_entry *entry; /* that still shows it */
	} trigger;                         /* request/trigger_secret */
	struct {
		char *output_dir;
		char *clock;
		char *cpu_clock;
		zend_long hooks;             /* XHPROF_HOOKS_* */
		zend_long sampling_interval; /* us; 0: the default of each start */
		zend_long sampling_depth;
		zend_long max_nodes;
		zend_long keep_memory;        /* bytes */
		zend_long timeline_threshold; /* us; 0: every call */
		zend_long timeline_max_calls;
		zend_long alloc_max_records;
		zend_long alloc_sample_bytes; /* 0: every block */
		char *memprof_output_dir;
		char *memprof_output_format;
		bool collect_additional_info, operation_values;
		char *label_calls; /* see hook/call_label */
		/* Profiles that settings start and save. */
		zend_long start_with_request; /* XHPROF_START_* */
		double sample_rate;
		zend_long mode;  /* XHPROF_RUN_* */
		zend_long flags; /* XHPROF_FLAGS_* */
		char *source;
		char *release; /* or ""; see xhprof_run_valid_release() */
		zend_long save_slower_than_ms;
		char *save_if;
		zend_long max_runs, max_bytes; /* 0: no bound */
		zend_long flush_seconds;
		char *redact;           /* fragments of names, "," between them */
		char *route_patterns;   /* see request/route_patterns */
		char *route_parameters; /* names, "," between them */
		zend_long route_host;   /* XHPROF_ROUTE_HOST_* */
		bool framework_routes;
		zend_long workers;        /* whether runtimes begin spans */
		zend_long sampling_clock; /* XHPROF_SAMPLE_* */
		bool sampling_lines;
		char *heap_on_limit; /* pattern of a path, or "" */
		char *heap_if;       /* see folder/heap_rule */
	} ini;                   /* settings */
ZEND_END_MODULE_GLOBALS(xhprof)

/* -fvisibility=hidden is for definitions only: without the pragma every function reads the address from a table first. */
#pragma GCC visibility push(hidden)
ZEND_EXTERN_MODULE_GLOBALS(xhprof)
#pragma GCC visibility pop
#define XHPROF_G(field) ZEND_MODULE_GLOBALS_ACCESSOR(xhprof, field)

#if defined(ZTS) && defined(COMPILE_DL_XHPROF)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

/* What is a secret, according to xhprof.redact and xhprof.trigger_value. */
static inline xhprof_secret_rules xhprof_secret_rules_now(void)
{
	return (xhprof_secret_rules){XHPROF_G(ini).redact, XHPROF_G(trigger).value};
}

/* Most bytes of the Zend heap that were in use since the request began, also if the program has reset PHP's counter. */
static inline size_t xhprof_heap_peak(void)
{
	size_t peak = zend_memory_peak_usage(false), before = XHPROF_G(heap_peak).of_program;
	peak = peak < before ? before : peak;
	return peak < XHPROF_G(heap_peak).before_reset ? XHPROF_G(heap_peak).before_reset : peak;
}

#endif
