/* Makes room in a full tree: paths that are light are folded into their parents, and the others move together. */
#ifndef XHPROF_TRACE_SHEDDING_H
#define XHPROF_TRACE_SHEDDING_H

#include "calltree.h"

typedef struct xhprof_shedding {
	xhprof_calltree *tree;
	uint32_t *fates; /* by the id before: what becomes of the node, then its id after */
	size_t size;
} xhprof_shedding;

/* False without memory: nothing was changed, and nothing is to be ended. */
bool xhprof_shedding_begin(xhprof_shedding *shedding, xhprof_calltree *tree);

/* A node, by its id, that must stay, as it is referred to. */
void xhprof_shedding_pin(xhprof_shedding *shedding, uint32_t id);

/* Folds a quarter of the nodes at least, if so many are not pinned; their calls are counted as dropped. The order of
 * creation stays. All pointers to nodes are invalid from here on. The number of nodes that are gone. */
uint32_t xhprof_shedding_run(xhprof_shedding *shedding);

/* The pinned node that had this id. */
xhprof_node *xhprof_shedding_moved(const xhprof_shedding *shedding, uint32_t id);

void xhprof_shedding_end(xhprof_shedding *shedding);

#endif
