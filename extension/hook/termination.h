/* SIGTERM, SIGINT and SIGHUP of a program of the command line, or a worker of PHP-FPM (request_terminate_timeout) or php-cgi, that
 * leaves them to the system, while a profile runs that settings started and between its spans: the profile is saved, and then the
 * signal ends the process as it would have. Signals that the program handles or ignores are not touched. */
#ifndef XHPROF_HOOK_TERMINATION_H
#define XHPROF_HOOK_TERMINATION_H

#include "php_xhprof.h"

/* `save` receives the signal's name. `at_rest`: it is called by the signal's handler, while the program waits in a
 * system call: only async-signal-safe work is allowed. */
void xhprof_termination_minit(void (*save)(const char *signal, bool at_rest));
void xhprof_termination_mshutdown(void);

/* From here on, until the release. A second call does nothing. */
void xhprof_termination_arm(void);

/* The same from the first look of the sampler's thread on, before it takes a sample, in a server; elsewhere, and at the first
 * request of a process, at once. A request that ends before that look makes no system call for it. */
void xhprof_termination_await(void);

/* Each look of that thread; `context`: XHPROF_G(termination) of the thread that is sampled. */
void xhprof_termination_look(void *context);

/* Restores the old handlers; a signal that has come meanwhile ends the process now. */
void xhprof_termination_release(void);

/* Whether a signal has come, which ends the process as soon as the profile is saved. */
bool xhprof_termination_is_pending(void);

/* Between these two the profiler itself works: a signal waits for the second. They may be nested. */
void xhprof_termination_hold(void);
void xhprof_termination_let_go(void);

/* After a bailout, which may have skipped the second. */
void xhprof_termination_reset(void);

#endif
