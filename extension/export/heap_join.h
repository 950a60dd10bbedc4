/* The join of a heap snapshot with the live-block map, if there is one: it finds the call path that allocated a block.
 * A path's number is the id of its node in the call tree. */
#ifndef XHPROF_EXPORT_HEAP_JOIN_H
#define XHPROF_EXPORT_HEAP_JOIN_H

#include "php_xhprof.h"

#include "heap_info.h"

typedef struct xhprof_heap_join {
	const xhprof_tracer *tracer; /* NULL: no paths are known */
	xhprof_block_map *blocks;
	const xhprof_node **node_of; /* by id, from 1 */
	uint32_t nodes;
	size_t size; /* mapped bytes of node_of */
	bool held;   /* nodes were held before, too */
} xhprof_heap_join;

/* Begin and end a join, between which no node moves. Without a live-block map, or without memory, there are no
 * paths. */
void xhprof_heap_join_begin(xhprof_heap_join *join);
void xhprof_heap_join_end(xhprof_heap_join *join);

/* Returns the path that allocated the block at this address, or 0. */
uint32_t xhprof_heap_join_path(const xhprof_heap_join *join, uint64_t block);

/* Returns the paths for the writers, valid until the end of the join. */
xhprof_heap_paths xhprof_heap_join_paths(xhprof_heap_join *join);

#endif
