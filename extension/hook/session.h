/* The session of a thread: one profile, sampling or tracking at a time, from its start to its stop. Nothing here raises
 * a warning: the caller of the start reports a refusal, as a warning, an exception or a line of the log.
 *
 *	IDLE, STOPPED --start--> CALIBRATING --> TRACING  --stop--> STOPPED --forget--> IDLE
 *	              --start------------------> SAMPLING --stop--> STOPPED
 *	              --start------------------> TRACKING --stop--> IDLE, or STOPPED where it is kept
 *
 * Only its owner stops a session. If settings have started the running one, the program's own is not refused, but
 * replaces it. */
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

/* Returns the reason in words, for all but XHPROF_STARTED. */
const char *xhprof_refusal_text(xhprof_refusal refusal);

typedef struct xhprof_session_request {
	xhprof_session_state kind; /* XHPROF_TRACING, XHPROF_SAMPLING or XHPROF_TRACKING */
	xhprof_session_owner owner;
	bool native; /* tracks native memory too, if available; of a tracking, or with XHPROF_FLAGS_ALLOC */
	/* XHPROF_TRACING */
	zend_long flags;    /* XHPROF_FLAGS_*; others are ignored */
	HashTable *options; /* see profile_options.h; or NULL */
	xhprof_edge_shape edge_shape;
	/* XHPROF_SAMPLING */
	const xhprof_sampler_options *sampling;
	uint64_t alloc_bytes; /* mean bytes between sampled allocations; 0: none are sampled */
	bool carries;         /* those that outlive it may be carried on, see hook_alloc.h */
	uint32_t max_nodes;   /* a bound in addition to the setting's; 0: none */
	bool counts;          /* counts operations too, where that is not refused */
	/* XHPROF_TRACKING: exact trackings need the tracer for their paths, sampled ones read the stack. */
	void (*at_limit)(void); /* see alloc_tracking.h */
	bool keep;              /* keeps the records after the stop, to be read; for sampled trackings of the heap alone */
} xhprof_session_request;

/* Returns the reason why a session would not be started now, without side effects. A running session of the settings'
 * is no reason: the caller ends it before the start. */
xhprof_refusal xhprof_session_refusal(const xhprof_session_request *request);

/* Returns NULL if a sampled profile can count operations, or the reason why it cannot. */
const char *xhprof_session_counting_refusal(void);

/* Sets whether operations are counted further when the session ends that counts them, whatever runs then. */
void xhprof_session_keep_counting(bool keep);

/* Returns NULL if the running sampling session samples allocations too, or the reason why it cannot. */
const char *xhprof_session_allocation_refusal(void);

/* Starts a session and drops the last stopped one, unless xhprof_session_refusal() gives a reason or another session
 * still runs. If allocations cannot be sampled, time alone is; xhprof_hook_alloc_recording() reports it. */
xhprof_refusal xhprof_session_start(const xhprof_session_request *request);

/* Stops the session, if it has this kind and this owner. False if not, or while a dump is being written. */
bool xhprof_session_stop(xhprof_session_owner owner, xhprof_session_state kind);

/* Returns whether anything runs, or is being started or written. */
bool xhprof_session_busy(void);

/* Returns whether a session of this owner runs. */
bool xhprof_session_is_owned_by(xhprof_session_owner owner);

/* Returns the last stopped profile, ready to be read; it is a sampled one if sample_interval_us or sample_bytes is not
 * 0. NULL without one. */
const xhprof_tracer *xhprof_session_last(void);

/* Drops the last stopped profile, while nothing runs. `warm`: all of its memory stays for the next one; otherwise as
 * much as xhprof.keep_memory allows. */
void xhprof_session_forget(bool warm);

/* Calls `work` while nothing can be started or stopped, as it writes a dump, perhaps to a stream of the program's. A
 * bailout passes through. */
void xhprof_session_lock(void (*work)(void *context), void *context);

void xhprof_session_rinit(void);

/* Lets nothing be started any more in this request. Called first at the request's end. */
void xhprof_session_over(void);

/* Ends the running session, of any owner. */
void xhprof_session_rshutdown(void);

/* Ends the session again, after the shutdown of all other extensions. */
void xhprof_session_post_deactivate(void);
void xhprof_session_mshutdown(void);

/* Releases memory that was kept for the next request, at the end of a thread or of the process. */
void xhprof_session_gshutdown(zend_xhprof_globals *globals);

#endif
