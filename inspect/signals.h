/* SIGINT, SIGTERM and SIGHUP end the work in order: the inspected process runs on, results so far are written. */
#ifndef XHPROF_INSPECT_SIGNALS_H
#define XHPROF_INSPECT_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* SIGHUP stays ignored if it is (nohup). */
void xhprof_signals_watch(void);

/* Restores the previous handling of all signals: for a program to run. */
void xhprof_signals_restore(void);

/* From now on such a signal removes the file with this name, unless it is "", and ends this program at once: whatever
 * it waits for. NULL: ends this. */
void xhprof_signals_end_at_once(const char *path);

/* Blocks such signals, or unblocks them. */
void xhprof_signals_hold(bool hold);

/* From now on such a signal goes to that program too, unless it ends this one. 0: ends this. */
void xhprof_signals_pass_on(pid_t program);

/* The signal that came, or 0. */
int xhprof_signals_received(void);

/* Nanoseconds of the monotonic clock. */
uint64_t xhprof_now(void);

/* Sleeps until that moment; shorter if a signal comes. */
void xhprof_sleep_until(uint64_t moment);

#endif
