/* Profiles that settings start (xhprof.start_with_request, or a span), which are saved at their end. The program
 * cannot stop or read them, and one that it starts itself replaces them. */
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

/* What is profiled beside the automatic profile (recording.h): how it makes room for a profile that the program starts, by
 * the function of that name, and how all of it ends; `at_rest`: in a signal's handler. */
typedef struct xhprof_auto_beside {
	void (*yield)(const char *function);
	void (*end_all)(const char *ended_by, bool at_rest);
} xhprof_auto_beside;

void xhprof_auto_minit(const xhprof_auto_beside *others);
void xhprof_auto_mshutdown(void);

/* Begins the request's profile, if the settings ask for one. `memprof`: memory is tracked from now on instead; a
 * window counts the request all the same. */
void xhprof_auto_rinit(bool memprof);

/* Looks again whether the request asks for a profile, as worker modes of servers (FrankenPHP) handle many requests
 * between RINIT and RSHUTDOWN. Called only while no profile runs. */
void xhprof_auto_take_trigger(void);

/* Ends and saves the running profile, before the shutdown of the session. */
void xhprof_auto_rshutdown(void);

/* Begins a profile in the configured mode. False on failure, which the log reports. */
bool xhprof_auto_begin(const xhprof_auto_start *start);

/* Ends the profile, and saves it if the settings ask for it. `ended_by`: the cause of an early end, or NULL. True if
 * there is a run now, whose id is XHPROF_G(automatic).saved. */
bool xhprof_auto_end(const char *ended_by);

/* Ends the running profile because the program starts one itself, by the function of that name. A window goes on
 * counting the request or span. */
void xhprof_auto_yield(const char *function);

/* Samples again what a window counts meanwhile: a profile that the program had started has ended and can no longer
 * be read, or a span has ended. */
void xhprof_auto_go_on(void);

/* Shows the id of the profile that has begun, if it was triggered, in the head of the server's answer. */
void xhprof_auto_show_run_id(void);

/* Makes room for the first span that begins: the running profile ends; a window goes on counting the request. */
void xhprof_auto_make_way(void);

/* What was begun for a span that is open beside others: one of them. */
typedef struct xhprof_auto_apart {
	struct xhprof_session_part *part; /* of a run */
	struct xhprof_job *job;           /* of a window */
} xhprof_auto_apart;

/* For recording.h. Begin a span beside others, whose facts are those of the automatic profile then; false on failure,
 * which the log reports. End the one whose facts they are, and whose part of the session runs, if it has one.
 * `peak`: of its turns. */
bool xhprof_auto_begin_apart(const xhprof_auto_start *start, xhprof_auto_apart *apart);
void xhprof_auto_end_part(const char *ended_by, size_t peak, bool at_rest);
void xhprof_auto_end_job(struct xhprof_job *job, const char *ended_by, size_t peak, bool at_rest);

/* Takes the facts of the request back, as the last span has ended. */
void xhprof_auto_take_request_back(void);

/* Drops the running profile: it becomes no run, and no window counts the request. One that bin/xhprof run has
 * ordered stays. True if a profile was dropped. */
bool xhprof_auto_drop(void);

static inline bool xhprof_auto_running(void)
{
	return XHPROF_G(automatic).running;
}

/* Returns true for this share of all calls. The program's random numbers are not touched. */
bool xhprof_auto_by_chance(double rate);

#endif
