/* SIGINT, SIGTERM and SIGHUP end what is being done, in order: the process looked at goes on, results so far are written. */
#ifndef XHPROF_INSPECTOR_SIGNALS_H
#define XHPROF_INSPECTOR_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* SIGHUP stays ignored where it is (nohup). */
void xhprof_signals_watch(void);

/* All signals do what they did before that: for a program that is run. */
void xhprof_signals_restore(void);

/* From now on such a signal removes the file with this name, unless it is "", and ends this program at once: whatever it
 * waits for. NULL: no more. */
void xhprof_signals_end_at_once(const char *path);

/* Such signals wait, or no longer do. */
void xhprof_signals_hold(bool hold);

/* From now on such a signal goes to that program too, where it does not end this one. 0: no more. */
void xhprof_signals_pass_on(pid_t program);

/* The signal that came, or 0. */
int xhprof_signals_got(void);

/* Nanoseconds of the monotonic clock. */
uint64_t xhprof_now(void);

/* Sleeps until that moment; earlier when a signal comes. */
void xhprof_sleep_until(uint64_t moment);

#endif
