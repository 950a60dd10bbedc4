/* The record of operations: per text and call path how often, how long, and whether with the same values. A text is
 * what operation_sql.h and operation_text.h make of a call. In our own memory, and bounded: further texts are
 * "(other)", further call paths main(). */
#ifndef XHPROF_TRACE_OPERATIONS_H
#define XHPROF_TRACE_OPERATIONS_H

#include "base/arena.h"
#include "base/operation_kind.h"
#include "base/table.h"
#include "calltree.h"
#include "clock.h"

#define XHPROF_OPERATION_TEXTS 4096u    /* distinct texts */
#define XHPROF_OPERATION_PATHS 32768u   /* texts at call paths */
#define XHPROF_OPERATION_VALUES 131072u /* values that are compared; all further ones count as different */
#define XHPROF_OPERATION_OPEN 64u       /* operations within operations */

/* Durations by their logarithm, four buckets to each power of two ticks, from 2^9 to 2^38; shorter and longer ones are
 * in the first and the last. */
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
	const xhprof_node *node; /* the function that did it */
	uint32_t number;         /* 1.. in order of first call */
	xhprof_operation_text *text;
	uint64_t calls, distinct;
	uint64_t total, most; /* ticks while profiling, ns once stopped */
	uint32_t *buckets;    /* from the second call on; or NULL */
	struct xhprof_operation *next;
} xhprof_operation;

/* An operation that has begun and not ended. */
typedef struct xhprof_open_operation {
	const void *frame;
	const xhprof_node *node;
	xhprof_operation_text *text;
	uint64_t values; /* their hash; 0: not known */
	uint64_t start;  /* ticks of the profile's own time */
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
	uint64_t lost; /* operations without memory for them, or within too many others */
	xhprof_open_operation open[XHPROF_OPERATION_OPEN];
} xhprof_operations;

/* Drops the last record. `on`: operations will be recorded. */
void xhprof_operations_begin(xhprof_operations *operations, bool on);
void xhprof_operations_recycle(xhprof_operations *operations, size_t *budget); /* see xhprof_symbols_recycle() */

/* Returns the record of a text, made if it is new; NULL without memory. */
xhprof_operation_text *xhprof_operations_text(xhprof_operations *operations, xhprof_operation_kind kind,
											  const char *bytes, size_t length);

/* Returns the text that was noted for a hash, or NULL. _know() notes a text, so that it need not be made again. */
xhprof_operation_text *xhprof_operations_known(const xhprof_operations *operations, uint64_t hash);
void xhprof_operations_know(xhprof_operations *operations, uint64_t hash, xhprof_operation_text *text);

/* Returns the text that was noted for a prepared statement, or NULL. `statement` is any number that identifies it. */
xhprof_operation_text *xhprof_operations_noted(const xhprof_operations *operations, uint64_t statement);
void xhprof_operations_note(xhprof_operations *operations, uint64_t statement, xhprof_operation_text *text);

/* Begins an operation, at the ticks and in the call that `open` names; its `text` may be NULL. */
void xhprof_operations_open(xhprof_operations *operations, const xhprof_open_operation *open);

/* Returns the open operation of a frame, or NULL. */
xhprof_open_operation *xhprof_operations_find(xhprof_operations *operations, const void *frame);

/* Ends an operation and counts it. `root`: main(). */
void xhprof_operations_close(xhprof_operations *operations, xhprof_open_operation *open, const xhprof_node *root,
							 uint64_t now);

/* Forgets an open operation that turned out to be none: nothing is counted. */
void xhprof_operations_drop(xhprof_operations *operations, xhprof_open_operation *open);

/* The tree's nodes have moved, and all nodes here have been set anew. */
void xhprof_operations_moved(xhprof_operations *operations);

/* The profile has stopped at these ticks: what is open ends, and ticks become nanoseconds. `clock` has stopped too. */
void xhprof_operations_stop(xhprof_operations *operations, const xhprof_node *root, const xhprof_clock *clock,
							uint64_t now);

/* The shortest duration of a bucket, in ticks; 0 for the first. */
uint64_t xhprof_operations_bucket(unsigned bucket);

#endif
