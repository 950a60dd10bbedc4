/* Joins a heap snapshot with the live-block map, while that is being kept: the call path that allocated a block. A
 * path's number is its node's in the call tree. */
#ifndef XHPROF_EXPORT_HEAP_JOIN_H
#define XHPROF_EXPORT_HEAP_JOIN_H

#include "php_xhprof.h"

#include "heap_info.h"

typedef struct xhprof_heap_join {
	const xhprof_tracer *tracer; /* NULL: no paths are known */
	xhprof_block_map *blocks;
	const xhprof_node **node_of; /* by id, from 1 */
	uint32_t nodes;
	size_t size; /* of node_of, as mapped */
	bool held;   /* whether nodes had to stay where they are before */
} xhprof_heap_join;

/* Without a live-block map, or without memory, there are no paths. In between no node moves. */
void xhprof_heap_join_begin(xhprof_heap_join *join);
void xhprof_heap_join_end(xhprof_heap_join *join);

/* The path that allocated the block at this address, or 0. */
uint32_t xhprof_heap_join_path(const xhprof_heap_join *join, uint64_t block);

/* The paths for the writers; valid as long as the join. */
xhprof_heap_paths xhprof_heap_join_paths(xhprof_heap_join *join);

#endif
