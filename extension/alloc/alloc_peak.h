/* Who held the memory when it was most: the live bytes of each node, copied whenever the heap has grown by some percent
 * above the last copy. */
#ifndef XHPROF_ALLOC_ALLOC_PEAK_H
#define XHPROF_ALLOC_ALLOC_PEAK_H

#include "trace/shedding.h"

typedef struct xhprof_alloc_peak {
	size_t next;     /* size of the heap from which on it is copied again */
	size_t size;     /* at the copy; 0: none */
	uint32_t count;  /* nodes at that moment */
	uint64_t *live;  /* bytes by node id, from 1; mapped */
	size_t capacity; /* of `live`, in nodes */
} xhprof_alloc_peak;

/* All zero at first. The first copy is made from `size` on. */
void xhprof_alloc_peak_begin(xhprof_alloc_peak *peak, size_t size);
void xhprof_alloc_peak_release(xhprof_alloc_peak *peak);

/* The heap has this size now, which has reached `next`. `blocks` are those of the ledger. Without memory the last copy
 * stays. */
void xhprof_alloc_peak_take(xhprof_alloc_peak *peak, size_t size, const xhprof_node_blocks *blocks, uint32_t nodes);

/* What the nodes held then, by their ids: for the weights of nodes, which are folded with it. */
xhprof_peak_bytes xhprof_alloc_peak_bytes(const xhprof_alloc_peak *peak);

/* Nodes have moved. */
void xhprof_alloc_peak_moved(xhprof_alloc_peak *peak, const xhprof_shedding *shedding);

/* The nodes of a sampled tree get what they held then, as their `self_peak`. */
void xhprof_alloc_peak_charge(const xhprof_alloc_peak *peak, const xhprof_calltree *tree);

#endif
