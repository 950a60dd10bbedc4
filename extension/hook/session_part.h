/* The parts of a session (trace/parked.h): jobs that take turns, each with a profile of its own, while one session runs
 * for all of them. The session's first part is the job that it was started for. The last one ends with the session; each
 * before ends by the same calls, xhprof_session_stop() and _forget(), and the session goes on. What runs while no part
 * does is recorded apart, and dropped. */
#ifndef XHPROF_HOOK_SESSION_PART_H
#define XHPROF_HOOK_SESSION_PART_H

#include "php_xhprof.h"

typedef struct xhprof_session_part xhprof_session_part;

/* Makes the profile that runs a part: the session's first one, or, if it has parts, another one, which goes on in the
 * running fiber. NULL without memory. */
xhprof_session_part *xhprof_session_part_begin(void);

/* Returns whether another job can be a part of what runs: an exact or sampled profile, without recorded blocks. */
bool xhprof_session_part_possible(void);

/* Lets a part go on, or what belongs to no part (NULL), as the program goes from one fiber to another, or to another job
 * in the same one. False if it runs already, or without memory: then nothing has changed. */
bool xhprof_session_part_switch(xhprof_session_part *part, const void *from, const void *to);

/* Returns for how long the part that runs was suspended, as others ran, in ns. */
uint64_t xhprof_session_part_suspended(const xhprof_session_part *part);

/* For the session: ends the part that runs, while there are others, and drops it after it was read. */
bool xhprof_session_part_is_one_of_many(void);
void xhprof_session_part_halt(void);
void xhprof_session_part_drop(void);

/* Sets the duration of the last part, with which a sampling has stopped. */
void xhprof_session_part_last(void);

/* Frees what belongs to no part, as the session stops; and all parts. */
void xhprof_session_part_end_all(void);
void xhprof_session_part_gshutdown(zend_xhprof_globals *globals);

#endif
