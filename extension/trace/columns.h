/* The nodes of a stopped tree as columns in preorder, block by block.
 *
 * Each pass over the tree misses the cache once or twice per node. Writers that need many passes (files hold one column
 * after the other) map the columns: the tree is then walked once, and all of it is one block. Without memory for that,
 * and for single passes, a block has XHPROF_COLUMNS_BLOCK nodes; readers of the columns need not know which. */
#ifndef XHPROF_TRACE_COLUMNS_H
#define XHPROF_TRACE_COLUMNS_H

#include "figures.h"
#include "overhead.h"
#include "tracer.h"

enum xhprof_column {
	XHPROF_COLUMN_DEPTH, /* 0 at the root */
	XHPROF_COLUMN_CALLS,
	XHPROF_COLUMN_CALL_LINE, /* 0: not known */
/* Exclusive figures. */
#define COLUMN(name, ...) XHPROF_COLUMN_##name,
	XHPROF_FIGURES(COLUMN, COLUMN) XHPROF_CORRECTED_FIGURES(COLUMN) /* only after xhprof_columns_correct() */
#undef COLUMN
	XHPROF_COLUMNS
};

#define XHPROF_COLUMNS_BLOCK 64

typedef struct xhprof_columns {
	size_t count; /* nodes in the current block */
	xhprof_symbol_ref *symbols;
	int64_t *values[XHPROF_COLUMNS]; /* NULL if the profile lacks this figure */

	const xhprof_tracer *tracer;
	const xhprof_node *next; /* first node after the block */
	uint32_t next_depth;
	size_t room; /* nodes that fit into a block */
	void *pages; /* mapped; NULL while blocks are small */
	size_t pages_size;
	uint32_t *filled_places; /* places in preorder by node id, in the pages and written with the columns; or NULL */
	uint32_t *places;        /* the same places where there are no such pages, once they were asked for; or NULL */
	size_t places_size;
	bool complete; /* the block is the whole tree: nothing to fill again */
	size_t first;  /* place in preorder of the block's first node */
	xhprof_corrected corrected;
	xhprof_symbol_ref small_symbols[XHPROF_COLUMNS_BLOCK];
	int64_t small[XHPROF_COLUMN_CORRECTED_WALL][XHPROF_COLUMNS_BLOCK];
} xhprof_columns;

void xhprof_columns_init(xhprof_columns *columns, const xhprof_tracer *tracer);

/* Initializes columns with room for the whole tree, if there is memory. `places`: xhprof_columns_places() will be
 * called. */
void xhprof_columns_map(xhprof_columns *columns, const xhprof_tracer *tracer, bool places);

/* Adds the corrected columns, if the overhead (may be NULL) is known and there is memory for them. */
void xhprof_columns_correct(xhprof_columns *columns, const xhprof_overhead *overhead);

/* Releases the memory that the functions map, correct and places have taken. */
void xhprof_columns_release(xhprof_columns *columns);

/* Returns the place of each node in preorder, by node id; 0 for the root. The columns own it. NULL without memory. */
const uint32_t *xhprof_columns_places(xhprof_columns *columns);

/* Iterate over the blocks. Every pass begins with rewind; next is false after the last block. */
void xhprof_columns_rewind(xhprof_columns *columns);
bool xhprof_columns_next(xhprof_columns *columns);

#endif
