/* xhprof.heap_if: which requests and spans leave a heap snapshot: a list with commas of kept=BYTES and peak=BYTES, each
 * at most once. No PHP. */
#ifndef XHPROF_FOLDER_HEAP_RULE_H
#define XHPROF_FOLDER_HEAP_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define XHPROF_HEAP_RULE_MAX 200          /* bytes of the setting */
#define XHPROF_HEAP_RULE_EVERY_MS 3600000 /* from one snapshot of a process to its next */

/* The bytes from which a condition holds; 0: there is no such condition. */
typedef struct xhprof_heap_rule {
	uint64_t kept, peak;
} xhprof_heap_rule;

/* Reads the setting. Returns NULL, or what is wrong with it, at `*length` bytes from `*at`. */
const char *xhprof_heap_rule_read(const char *text, xhprof_heap_rule *rule, const char **at, size_t *length);

/* Puts a condition at `to`, as in the setting: "peak=256M". */
#define XHPROF_HEAP_RULE_TEXT 32
void xhprof_heap_rule_text(char to[XHPROF_HEAP_RULE_TEXT], const char *name, uint64_t bytes);

/* Returns whether this process may write a snapshot now, once per hour, and counts it. `taken`: the state of the
 * process, 0 at first, which its threads share; a forked child begins anew. `ms`: since the epoch, below 2^42. */
bool xhprof_heap_rule_take(uint64_t *taken, pid_t pid, uint64_t ms);

/* Returns whether it would. */
bool xhprof_heap_rule_may_take(const uint64_t *taken, pid_t pid, uint64_t ms);

/* The longest name of a snapshot's file. */
#define XHPROF_HEAP_RULE_NAME 150

/* The pattern of these names for xhprof_snapshot_folder_bound(). */
#define XHPROF_HEAP_RULE_PATTERN "heap_if-%r-%p-%t.heap.jsonl"

/* Puts the name at `to`: what is no letter or digit of the route becomes "_". */
void xhprof_heap_rule_name(char to[XHPROF_HEAP_RULE_NAME + 1], const char *route, pid_t pid, uint64_t ms);

#endif
