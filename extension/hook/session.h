/* What runs in a thread: one profile, sampling or tracking at a time, from its start to its stop. Nothing here raises a warning: who
 * starts something says why it could not be, as a warning, an exception or a line of the log.
 *
 *	IDLE, STOPPED --start--> CALIBRATING --> TRACING  --stop--> STOPPED --forget--> IDLE
 *	              --start------------------> SAMPLING --stop--> STOPPED
 *	              --start------------------> TRACKING --stop--> IDLE
 *
 * Only the owner stops it. Where a profile of the settings' runs, the program's own is not refused: it takes that one's place. */
#ifndef XHPROF_HOOK_SESSION_H
#define XHPROF_HOOK_SESSION_H

#include "sampler.h"

#define XHPROF_FLAGS_NO_BUILTINS 1
#define XHPROF_FLAGS_CPU 2
#define XHPROF_FLAGS_MEMORY 4
#define XHPROF_FLAGS_ALLOC 8
#define XHPROF_FLAGS_ALL (XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC)

/* Why nothing was started. */
typedef enum xhprof_refusal {
	XHPROF_STARTED = 0,       /* it was */
	XHPROF_REFUSED_OVER,      /* the request is */
	XHPROF_REFUSED_BUSY,      /* something else runs, or is being started or written */
	XHPROF_REFUSED_HOOKS_OFF, /* by xhprof.hooks */
	XHPROF_REFUSED_TOO_LATE,  /* dl() has loaded the module */
	XHPROF_REFUSED_BY_ENGINE, /* it cannot be interrupted */
	XHPROF_REFUSED_NO_MEMORY, /* or something was thrown meanwhile */
	XHPROF_REFUSED_NO_THREAD, /* errno says why */
} xhprof_refusal;

/* The reason in words, for all but XHPROF_STARTED. */
const char *xhprof_refusal_text(xhprof_refusal refusal);

typedef struct xhprof_session_request {
	xhprof_session_state kind; /* XHPROF_TRACING, XHPROF_SAMPLING or XHPROF_TRACKING */
	xhprof_session_owner owner;
	bool native; /* of a tracking, or a profile with XHPROF_FLAGS_ALLOC: native memory too, if that can be had */
	/* XHPROF_TRACING */
	zend_long flags;      /* XHPROF_FLAGS_*; others are ignored */
	HashTable *options;   /* see profile_options.h; or NULL */
	const char *unwanted; /* see the session's globals */
	/* XHPROF_SAMPLING */
	const xhprof_sampler_options *sampling;
	uint32_t most_nodes; /* beyond what the settings allow; 0: no such bound */
	/* XHPROF_TRACKING: exact ones need the tracer for their paths, sampled ones read the stack. */
	void (*at_limit)(void); /* see alloc_tracking.h */
} xhprof_session_request;

/* Why it would not be started now, without doing anything. What the settings have started is in nobody else's way: the caller
 * ends it before the start. */
xhprof_refusal xhprof_session_refusal(const xhprof_session_request *request);

/* Starts it; what was stopped before is forgotten, unless this is refused for what the function above says. */
xhprof_refusal xhprof_session_start(const xhprof_session_request *request);

/* Stops what runs, if it is of this kind and this owner's. False when it is not, or a dump is being written. */
bool xhprof_session_stop(xhprof_session_owner owner, xhprof_session_state kind);

/* Whether anything runs, or is being started or written. */
bool xhprof_session_busy(void);

/* Whether something of this owner's runs. */
bool xhprof_session_is_of(xhprof_session_owner owner);

/* The last stopped profile, exact or sampled (sample_interval_us is not 0), or NULL. */
const xhprof_tracer *xhprof_session_last(void);

/* There is no last one from here on. `warm`: its memory stays, for the next. Not while anything runs. */
void xhprof_session_forget(bool warm);

/* Calls `work` while nothing can be started or stopped: it writes a dump, maybe to a stream of the program's. A bailout goes on. */
void xhprof_session_lock(void (*work)(void *context), void *context);

void xhprof_session_rinit(void);

/* The request is over, as far as we are concerned: nothing is started from here on. First of all at its end. */
void xhprof_session_over(void);

/* Whoever owns what runs. */
void xhprof_session_rshutdown(void);

/* Once more, when all other extensions are done with the request. */
void xhprof_session_post_deactivate(void);
void xhprof_session_mshutdown(void);

#endif
