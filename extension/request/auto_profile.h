/* Profiles that settings start (xhprof.start_with_request, or a span) and that save themselves at their end. The
 * program cannot stop or read them, and one that it starts itself replaces them. */
#ifndef XHPROF_REQUEST_AUTO_PROFILE_H
#define XHPROF_REQUEST_AUTO_PROFILE_H

#include "php_xhprof.h"

typedef struct xhprof_auto_start {
	const char *start; /* as in xhprof_run_info */
	const char *name;  /* of a span; or NULL */
	size_t name_length;
	const char *meta; /* JSON text, or NULL */
	size_t meta_length;
	double sample_rate; /* probability by which it was chosen; 0: not by chance */
} xhprof_auto_start;

void xhprof_auto_minit(void);
void xhprof_auto_mshutdown(void);

/* Begins the request's profile, if the settings say so. `memprof`: memory is tracked from now on instead; a window counts
 * the request all the same. */
void xhprof_auto_rinit(bool memprof);

/* Looks again whether the request asks for a profile: worker modes of servers (FrankenPHP) handle many between RINIT and
 * RSHUTDOWN. Only while no profile runs. */
void xhprof_auto_take_trigger(void);

/* Ends and saves the running one. Before the profiles' own shutdown. */
void xhprof_auto_rshutdown(void);

/* Begins one, in the configured mode. False on failure, which the log reports. */
bool xhprof_auto_begin(const xhprof_auto_start *start);

/* Ends it, and saves it if it should be saved; `ended_by`: the cause of an early end, or NULL. True if there is a run
 * now, whose id is XHPROF_G(automatic).saved. */
bool xhprof_auto_end(const char *ended_by);

/* The program starts a profile itself, by the function of that name: the running one ends. Windows go on to count what it
 * was of. */
void xhprof_auto_yield(const char *function);

/* What the program has started itself has ended, and nothing of it can be read any more; or a span has. What a window
 * counts meanwhile is sampled again. */
void xhprof_auto_go_on(void);

/* A span begins, and takes the place of the running profile, which ends. If that was of another span, a window counts
 * it as cut, when xhprof_auto_end_cut() ends it; else NULL. */
struct xhprof_counting *xhprof_auto_cut(void);
void xhprof_auto_end_cut(struct xhprof_counting *span);

/* Another fiber than those of the span whose profile runs goes on, and is in that profile. */
void xhprof_auto_mix(void);

/* Drops it: no run, and no window counts the request. Not one that bin/xhprof run has ordered. True if there was
 * one. */
bool xhprof_auto_drop(void);

static inline bool xhprof_auto_running(void)
{
	return XHPROF_G(automatic).running;
}

/* True for this share of all calls. The program's random numbers are not touched. */
bool xhprof_auto_by_chance(double rate);

#endif
