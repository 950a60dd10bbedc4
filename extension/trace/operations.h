/* The operations of a profile: by text and call path their number, durations, and how many had distinct values.
 * operation_sql.h and operation_text.h make the text of a call. The memory is the profiler's own, and bounded: further
 * texts are "(other)", further call paths main(). */
#ifndef XHPROF_TRACE_OPERATIONS_H
#define XHPROF_TRACE_OPERATIONS_H

#include "base/arena.h"
#include "base/operation_kind.h"
#include "base/table.h"
#include "calltree.h"
#include "clock.h"

#define XHPROF_OPERATION_TEXTS 4096u     /* distinct texts */
#define XHPROF_OPERATION_PATHS 32768u    /* texts at call paths */
#define XHPROF_OPERATION_VALUES 131072u  /* values that are compared; all further ones count as different */
#define XHPROF_OPERATION_CONTEXTS 65536u /* operations in trace contexts; those beyond are counted */
#define XHPROF_OPERATION_OPEN 64u        /* operations within operations */

/* Buckets of durations by their logarithm: four to each power of two ticks, from 2^9 to 2^38. Shorter and longer ones
 * are in the first and the last. */
#define XHPROF_OPERATION_BUCKETS 116u

typedef struct xhprof_operation_text {
	const char *bytes;
	uint32_t length;
	uint32_t id; /* from 0, in order of creation */
	xhprof_operation_kind kind;
	uint64_t distinct; /* calls with values that no call before had, as far as values are known */
	struct xhprof_operation_text *chain;
} xhprof_operation_text;

/* A text at a call path. */
typedef struct xhprof_operation {
	const xhprof_node *node; /* the function that made the call */
	uint32_t number;         /* from 1, in order of first call */
	xhprof_operation_text *text;
	uint64_t calls, distinct;
	uint64_t total, most; /* ticks while profiling, ns once stopped */
	uint32_t *buckets;    /* from the second call on; or NULL */
	struct xhprof_operation *next;
} xhprof_operation;

/* What an operation took in one trace context. */
typedef struct xhprof_operation_context {
	const xhprof_operation *operation;
	uint32_t context; /* see contexts.h */
	uint64_t calls, total;
	struct xhprof_operation_context *next;
} xhprof_operation_context;

/* An operation that has begun and not ended. */
typedef struct xhprof_open_operation {
	const void *frame;
	const xhprof_node *node;
	xhprof_operation_text *text;
	uint64_t values; /* hash of the values; 0: not known */
	uint64_t start;  /* ticks of the profile's own time */
	uint32_t context;
} xhprof_open_operation;

typedef struct xhprof_operations {
	bool on;
	xhprof_arena arena;
	xhprof_table texts;  /* hash -> chain of texts */
	xhprof_table raw;    /* hash of what a text was made of -> text */
	xhprof_table by_key; /* node's id << 32 | text's id + 1 -> operation */
	xhprof_table values; /* hash of values and text (and path) */
	xhprof_table noted;  /* statement -> text */
	xhprof_operation_text *other[XHPROF_OPERATION_KINDS];
	xhprof_operation *first, *last; /* in order of first call */
	xhprof_operation_text **by_id;
	uint32_t text_count, count, opened;
	xhprof_table in_context;                      /* operation's number << 32 | context -> its figures there */
	xhprof_operation_context *in_first, *in_last; /* in order of first call */
	uint32_t in_count;
	uint64_t in_dropped;         /* calls whose context had no room */
	uint64_t lost;               /* operations without memory for them, or within too many others */
	xhprof_open_operation *open; /* room for XHPROF_OPERATION_OPEN, made for the first; or NULL */
} xhprof_operations;

/* Drops the operations of the last profile. `on`: operations will be recorded. */
void xhprof_operations_begin(xhprof_operations *operations, bool on);
void xhprof_operations_recycle(xhprof_operations *operations, size_t *budget); /* see xhprof_symbols_recycle() */

/* Returns the text with these bytes, and makes it if it is new. NULL without memory. */
xhprof_operation_text *xhprof_operations_text(xhprof_operations *operations, xhprof_operation_kind kind,
											  const char *bytes, size_t length);

/* Find, and remember, the text that was made of raw bytes with this hash: the same bytes need not be parsed again.
 * Known is NULL for bytes that are new. */
xhprof_operation_text *xhprof_operations_known(const xhprof_operations *operations, uint64_t hash);
void xhprof_operations_know(xhprof_operations *operations, uint64_t hash, xhprof_operation_text *text);

/* Find, and remember, the text of a prepared statement, by a number that identifies it. */
xhprof_operation_text *xhprof_operations_noted(const xhprof_operations *operations, uint64_t statement);
void xhprof_operations_note(xhprof_operations *operations, uint64_t statement, xhprof_operation_text *text);

/* Begins an operation, at the ticks and in the call that `open` names. Its `text` may be NULL. */
void xhprof_operations_open(xhprof_operations *operations, const xhprof_open_operation *open);

/* Returns the open operation of this frame, or NULL. */
xhprof_open_operation *xhprof_operations_find(xhprof_operations *operations, const void *frame);

/* Ends an open operation and counts it. `root`: the node main(). */
void xhprof_operations_close(xhprof_operations *operations, xhprof_open_operation *open, const xhprof_node *root,
							 uint64_t now);

/* Removes an open operation without counting it: the call was none. */
void xhprof_operations_drop(xhprof_operations *operations, xhprof_open_operation *open);

/* Follows nodes of the tree that have moved, after the caller has set all nodes here anew. */
void xhprof_operations_moved(xhprof_operations *operations);

/* Ends all open operations, as the profile has stopped at `now`, and converts ticks to nanoseconds. `clock` has stopped
 * too. */
void xhprof_operations_stop(xhprof_operations *operations, const xhprof_node *root, const xhprof_clock *clock,
							uint64_t now);

/* Returns the shortest duration of a bucket, in ticks; 0 for the first. */
uint64_t xhprof_operations_bucket(unsigned bucket);

#endif
