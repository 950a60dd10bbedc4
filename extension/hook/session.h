/* The activity of a thread: one profile, sampling or tracking at a time, from its start to its stop. Nothing here
 * raises a warning: the caller of the start reports a refusal, as a warning, an exception or a line of the log.
 *
 *	IDLE, STOPPED --start--> CALIBRATING --> TRACING  --stop--> STOPPED --forget--> IDLE
 *	              --start------------------> SAMPLING --stop--> STOPPED
 *	              --start------------------> TRACKING --stop--> IDLE, or STOPPED where it is kept
 *
 * Only the owner stops it. If a profile of the settings' runs, the program's own is not refused: it replaces it. */
#ifndef XHPROF_HOOK_SESSION_H
#define XHPROF_HOOK_SESSION_H

#include "sampler.h"

#define XHPROF_FLAGS_NO_BUILTINS 1
#define XHPROF_FLAGS_CPU 2
#define XHPROF_FLAGS_MEMORY 4
#define XHPROF_FLAGS_ALLOC 8
#define XHPROF_FLAGS_TIMELINE 16
#define XHPROF_FLAGS_ALL \
	(XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_TIMELINE)

/* Reasons why nothing was started. */
typedef enum xhprof_refusal {
	XHPROF_STARTED = 0,       /* it was started */
	XHPROF_REFUSED_OVER,      /* the request is over */
	XHPROF_REFUSED_BUSY,      /* something else runs, or is being started or written */
	XHPROF_REFUSED_HOOKS_OFF, /* by xhprof.hooks */
	XHPROF_REFUSED_TOO_LATE,  /* dl() has loaded the module */
	XHPROF_REFUSED_BY_ENGINE, /* the engine cannot be interrupted */
	XHPROF_REFUSED_STACK,     /* allocations must not read the engine's stack */
	XHPROF_REFUSED_NO_MEMORY, /* or an exception was thrown meanwhile */
	XHPROF_REFUSED_NO_THREAD, /* errno says why */
} xhprof_refusal;

/* The reason in words, for all but XHPROF_STARTED. */
const char *xhprof_refusal_text(xhprof_refusal refusal);

typedef struct xhprof_session_request {
	xhprof_session_state kind; /* XHPROF_TRACING, XHPROF_SAMPLING or XHPROF_TRACKING */
	xhprof_session_owner owner;
	bool native; /* of a tracking, or a profile with XHPROF_FLAGS_ALLOC: native memory too, if available */
	/* XHPROF_TRACING */
	zend_long flags;    /* XHPROF_FLAGS_*; others are ignored */
	HashTable *options; /* see profile_options.h; or NULL */
	xhprof_edge_shape edge_shape;
	/* XHPROF_SAMPLING */
	const xhprof_sampler_options *sampling;
	uint64_t alloc_bytes; /* from one sampled allocation to the next, on average; 0: none is sampled. Where they cannot
						   * be, time alone is (xhprof_hook_alloc_recording()) */
	uint32_t max_nodes;   /* a bound beyond the settings'; 0: none */
	bool counts;          /* operations too, where that is not refused */
	/* XHPROF_TRACKING: exact ones need the tracer for their paths, sampled ones read the stack. */
	void (*at_limit)(void); /* see alloc_tracking.h */
	bool keep;              /* sampled ones, of the heap alone: what was recorded can be read after the stop */
} xhprof_session_request;

/* The reason why it would not be started now, without side effects. A session of the settings' is no obstacle to
 * others: the caller ends it before the start. */
xhprof_refusal xhprof_session_refusal(const xhprof_session_request *request);

/* NULL if a sampled profile can count operations; or why not. */
const char *xhprof_session_counting_refusal(void);

/* Operations go on to be counted when the session ends that counts them, whatever runs then; or no longer. */
void xhprof_session_keep_counting(bool keep);

/* NULL if the sampling session that runs samples allocations too; or why it cannot. */
const char *xhprof_session_allocation_refusal(void);

/* Starts it; drops the last stopped one, unless refused for a reason of the function above. */
xhprof_refusal xhprof_session_start(const xhprof_session_request *request);

/* Stops the session, if it has this kind and this owner. False if not, or while a dump is being written. */
bool xhprof_session_stop(xhprof_session_owner owner, xhprof_session_state kind);

/* Whether anything runs, or is being started or written. */
bool xhprof_session_busy(void);

/* Whether a session of this owner runs. */
bool xhprof_session_is_owned_by(xhprof_session_owner owner);

/* The last stopped profile, exact or sampled (sample_interval_us or sample_bytes is not 0), ready to be read; or NULL. */
const xhprof_tracer *xhprof_session_last(void);

/* Drops the last one. `warm`: all of its memory stays, for the next; else as much as xhprof.keep_memory says. Not while
 * anything runs. */
void xhprof_session_forget(bool warm);

/* Calls `work` while nothing can be started or stopped: it writes a dump, maybe to a stream of the program's. A bailout
 * passes through. */
void xhprof_session_lock(void (*work)(void *context), void *context);

void xhprof_session_rinit(void);

/* The request is over for us: nothing can be started from here on. Call it first at the request's end. */
void xhprof_session_over(void);

/* Ends the session of any owner. */
void xhprof_session_rshutdown(void);

/* Again, after all other extensions' shutdown. */
void xhprof_session_post_deactivate(void);
void xhprof_session_mshutdown(void);

/* At the end of a thread, or of the process: gives back what was kept for the next request. */
void xhprof_session_gshutdown(zend_xhprof_globals *globals);

#endif
