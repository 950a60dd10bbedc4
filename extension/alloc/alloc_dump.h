/* A dump: the live blocks of one moment, by allocating path and type. It is in memory of its own, so that it can be
 * written while the program goes on allocating, for example in a stream of the user's. */
#ifndef XHPROF_ALLOC_DUMP_H
#define XHPROF_ALLOC_DUMP_H

#include "block_map.h"
#include "alloc_peak.h"
#include "alloc_types.h"
#include "mark_log.h"

#include "trace/tracer.h"

typedef enum xhprof_allocator { XHPROF_ALLOCATOR_ZEND, XHPROF_ALLOCATOR_MALLOC, XHPROF_ALLOCATORS } xhprof_allocator;

/* Rows whose path is no node of the tree. */
#define XHPROF_NODE_BEFORE UINT32_MAX              /* "(before)": allocated before the tracking began */
#define XHPROF_NODE_OTHER_THREADS (UINT32_MAX - 1) /* "(other threads)": native blocks only */
#define XHPROF_NODE_IS_PSEUDO(node) ((node) >= XHPROF_NODE_OTHER_THREADS)

/* The live blocks that one path allocated, of one type, between two marks. */
typedef struct xhprof_alloc_row {
	uint32_t node; /* id of a node of the tree (its own allocations, not its callees'), or one of the above */
	uint32_t mark; /* number of marks made before; 0 in a dump that is not by marks */
	uint16_t
		type; /* XHPROF_TYPE_MALLOC for native blocks; XHPROF_TYPE_UNKNOWN for others in a dump that is not by types */
	uint8_t allocator; /* xhprof_allocator */
	uint64_t blocks;   /* 0 for (before): not counted */
	uint64_t bytes;    /* as the allocator rounds them; an estimate where sampled */
} xhprof_alloc_row;

/* Totals of one allocator, since the tracking began; estimates if sampled. */
typedef struct xhprof_alloc_sums {
	uint64_t allocated_bytes, allocated_blocks;
	uint64_t freed_bytes, freed_blocks; /* blocks allocated since then */
	uint64_t before_bytes;              /* live blocks from before the tracking; 0 if unknown */
	uint64_t size;                      /* bytes in use by its own count: memory_get_usage() for the Zend heap */
	uint64_t peak;                      /* 0: unknown */
	bool tracked;                       /* false: only `size` (and `peak`) are known */
} xhprof_alloc_sums;

typedef struct xhprof_alloc_dump {
	const xhprof_tracer *tracer; /* the tracer whose symbols and tree the dump refers to */
	uint32_t nodes; /* nodes of the tree at that moment; ids are 1 to `nodes`, a parent's below its children's */
	const xhprof_node **node_of; /* id -> node; [0] is unused */
	const xhprof_alloc_types *types;
	xhprof_alloc_row *rows; /* heaviest first; those below the threshold are summed up in `rest` */
	size_t count;
	uint64_t rest_bytes, rest_blocks, rest_rows;
	xhprof_alloc_sums sums[XHPROF_ALLOCATORS];
	const xhprof_alloc_peak *peak;          /* peak of the Zend heap; NULL: not known */
	uint64_t map_bytes;                     /* bytes mapped by the tracking itself */
	uint64_t dropped_blocks, dropped_bytes; /* allocations that were not recorded; they count as (before) */
	uint64_t sample_bytes;                  /* mean distance of sampled bytes; 0: every block is recorded */
	uint32_t marks;                         /* marks so far */
	const xhprof_mark_log *mark_log;        /* what is known of them, until the tracking is released */
	uint32_t after;                         /* the mark after which blocks were asked for */
	bool frozen;                            /* the tracking has ended: figures are those of its end */
	double time;                            /* seconds since the epoch */
	long pid;
	size_t rows_bytes, nodes_bytes; /* mapped bytes of the arrays */
} xhprof_alloc_dump;

/* Returns the name of a pseudo node. */
const char *xhprof_alloc_pseudo_name(uint32_t node);

/* The selection of a dump's blocks, and its detail. */
typedef struct xhprof_alloc_dump_options {
	uint64_t threshold;     /* rows of fewer bytes are summed up */
	uint32_t after, before; /* numbers of the marks between which blocks were allocated; 0: no bound */
	bool by_marks;
	bool by_types;
	bool since_start; /* leaves out the row "(before)" */
	bool allocators[XHPROF_ALLOCATORS];
} xhprof_alloc_dump_options;

/* Collects the registered blocks into rows. The caller has set all fields but the arrays and their totals. False
 * without memory; then there is nothing to release. `map[]`: NULL if that allocator is not tracked. */
bool xhprof_alloc_dump_take(xhprof_alloc_dump *dump, xhprof_block_map *map[XHPROF_ALLOCATORS],
							const xhprof_alloc_dump_options *options);

void xhprof_alloc_dump_release(xhprof_alloc_dump *dump);

#endif
