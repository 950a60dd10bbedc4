/* xhprof.save_if: which runs that settings start are saved, decided when they have ended. A list of conditions with commas
 * between; each may have several parts, joined by "&", and ends in "@N" if it saves another number of runs per minute
 * than XHPROF_SAVE_BUDGET:
 *
 *     slower=500@10, failed@30, peak=256M, sql=200, route=GET /checkout*&slower=100
 *
 * The minutes' counts are shared with the processes that are forked later, as the workers of a server are. No PHP. */
#ifndef XHPROF_FOLDER_SAVE_RULE_H
#define XHPROF_FOLDER_SAVE_RULE_H

#include "base/operation_kind.h"

#include <stdbool.h>
#include <stdint.h>

#define XHPROF_SAVE_BUDGET 10     /* runs per minute */
#define XHPROF_SAVE_RULE_MAX 1024 /* bytes of the setting */

/* The facts of a request that conditions test. */
typedef struct xhprof_save_facts {
	uint64_t wall_us, peak; /* peak: bytes */
	bool failed;
	const char *route;          /* NULL: none */
	const uint64_t *operations; /* number by kind; NULL: not known */
} xhprof_save_facts;

/* Returns NULL if the text is valid, or what is wrong with it, at `*length` bytes from `*at`. */
const char *xhprof_save_rule_mistake(const char *text, const char **at, size_t *length);

/* Returns whether a condition tests numbers of operations. */
bool xhprof_save_rule_counts(const char *text);

/* Returns whether a condition is met that may still save a run in this minute, and takes one off its budget. `met`
 * gets the condition. */
bool xhprof_save_rule_met(const char *text, const xhprof_save_facts *facts, uint64_t minute,
						  char met[XHPROF_SAVE_RULE_MAX]);

/* Maps the budgets, before any process is forked. Without memory each process has budgets of its own. */
void xhprof_save_rule_minit(void);
void xhprof_save_rule_mshutdown(void);

#endif
