/* The live bytes of each node when the heap was largest. They are copied whenever the heap has grown by some percent
 * since the last copy. */
#ifndef XHPROF_ALLOC_ALLOC_PEAK_H
#define XHPROF_ALLOC_ALLOC_PEAK_H

#include "trace/shedding.h"

typedef struct xhprof_alloc_peak {
	size_t next;     /* size of the heap at which the bytes are copied again */
	size_t size;     /* size of the heap at the copy; 0: no copy */
	uint32_t count;  /* number of nodes at the copy */
	uint64_t *live;  /* bytes by node id, from 1; mapped */
	size_t capacity; /* of `live`, in nodes */
} xhprof_alloc_peak;

/* Begins without a copy; the struct is all zero before the first begin. The first copy is made when the heap has
 * reached `size`. */
void xhprof_alloc_peak_begin(xhprof_alloc_peak *peak, size_t size);
void xhprof_alloc_peak_release(xhprof_alloc_peak *peak);

/* Copies the live bytes of the ledger's `blocks`, as the heap has now this size, which has reached `next`. Without
 * memory the last copy stays. */
void xhprof_alloc_peak_take(xhprof_alloc_peak *peak, size_t size, const xhprof_node_blocks *blocks, uint32_t nodes);

/* Returns the bytes of the copy by node id, for shedding, which weighs nodes by them and folds them. */
xhprof_peak_bytes xhprof_alloc_peak_bytes(const xhprof_alloc_peak *peak);

/* Follows nodes of the tree that have moved. */
void xhprof_alloc_peak_moved(xhprof_alloc_peak *peak, const xhprof_shedding *shedding);

/* Sets `self_peak` of the nodes of a sampled tree to the bytes of the copy. */
void xhprof_alloc_peak_charge(const xhprof_alloc_peak *peak, const xhprof_calltree *tree);

#endif
