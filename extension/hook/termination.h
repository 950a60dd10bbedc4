/* Saves the profile that settings have started before SIGTERM, SIGINT or SIGHUP ends the process, as the signal
 * would have done. This is for programs of the command line, and workers of PHP-FPM (request_terminate_timeout) and
 * php-cgi, that leave these signals to the system. Signals that the program handles or ignores are not touched. */
#ifndef XHPROF_HOOK_TERMINATION_H
#define XHPROF_HOOK_TERMINATION_H

#include "php_xhprof.h"

/* Registers `save`, which receives the signal's name. `at_rest`: the signal's handler calls it, while the program
 * waits in a system call, so only async-signal-safe work is allowed. */
void xhprof_termination_minit(void (*save)(const char *signal, bool at_rest));
void xhprof_termination_mshutdown(void);

/* Sets the handlers, until the release. A second call does nothing. */
void xhprof_termination_arm(void);

/* Lets the sampler's thread set the handlers at its first tick, in a server; elsewhere, and at the first request of
 * a process, sets them at once. A request that ends before that tick makes no system call for them. */
void xhprof_termination_await(void);

/* Sets the handlers that are awaited, at each tick of the sampler's thread. `context`: XHPROF_G(termination) of the
 * thread that is sampled. */
void xhprof_termination_look(void *context);

/* Restores the old handlers. A signal that has come meanwhile ends the process now. */
void xhprof_termination_release(void);

/* Returns whether a signal has come, which ends the process as soon as the profile is saved. */
bool xhprof_termination_is_pending(void);

/* Enclose work of the profiler itself: a signal waits until the last let_go(). Calls may be nested. */
void xhprof_termination_hold(void);
void xhprof_termination_let_go(void);

/* Forgets all holds, after a bailout that may have skipped their end. */
void xhprof_termination_reset(void);

#endif
