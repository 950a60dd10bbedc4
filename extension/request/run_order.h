/* The order of `bin/xhprof run` to the process that it starts: a profile of the whole program, saved with an id, in a
 * folder and with metadata of the command's choice. The order is in the command line's configuration (php -d), where no
 * program sees it. */
#ifndef XHPROF_REQUEST_RUN_ORDER_H
#define XHPROF_REQUEST_RUN_ORDER_H

#include "php_xhprof.h"

#include "hook/sampler.h"

#include <sys/param.h>

#define XHPROF_RUN_ORDER_ENTRY "xhprof_run.settings" /* JSON in hexadecimal digits */

typedef struct xhprof_run_order {
	bool sampled;
	bool follows;                    /* a part of the program has answered before: the last one's answer stands */
	zend_long flags;                 /* XHPROF_FLAGS_* of an exact profile */
	xhprof_sampler_options sampling; /* otherwise */
	HashTable *options;              /* of an exact profile, as for xhprof_enable(); until it has begun */
	char source[65], directory[MAXPATHLEN], handoff[MAXPATHLEN];
	char extension[MAXPATHLEN]; /* xhprof.so, if the command line loads it; or "" */
} xhprof_run_order;

bool xhprof_run_order_exists(void);

/* Returns the order's encoded text, or NULL. */
const char *xhprof_run_order_text(void);

/* Reads the order as XHPROF_G(order); false if it is invalid. `meta`: JSON text, or NULL, which the caller owns. */
bool xhprof_run_order_take(zend_string **meta);

/* Frees the options, when the profile has begun. */
void xhprof_run_order_drop_options(void);

/* Writes the result of the profile for the command: its id, or the reason for none. `complete`: not ended by the
 * program before its end. Safe in a signal's handler. */
void xhprof_run_order_answer(const char *id, const char *error, bool complete);

/* Returns whether the command has its answer, from a PHP to which this process has passed the order. */
bool xhprof_run_order_answered(void);

void xhprof_run_order_release(void);

#endif
