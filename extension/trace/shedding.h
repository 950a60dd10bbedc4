/* Makes room in a full tree: paths that are light are folded into their parents, and the others move together, so that all
 * nodes have new ids. A path is light if it has little of the time (in samples: of the samples), of the bytes allocated, of
 * those that are live, and of those that were live at the peak. */
#ifndef XHPROF_TRACE_SHEDDING_H
#define XHPROF_TRACE_SHEDDING_H

#include "calltree.h"

enum { XHPROF_WEIGHT_TIME, XHPROF_WEIGHT_ALLOCATED, XHPROF_WEIGHT_LIVE, XHPROF_WEIGHT_PEAK, XHPROF_WEIGHTS };

/* Live bytes by node id, 1 .. `count`, at an earlier moment. */
typedef struct xhprof_peak_bytes {
	uint64_t *bytes;
	uint32_t count;
} xhprof_peak_bytes;

#define XHPROF_SHEDDING_FOLDED (UINT32_C(1) << 31)

typedef struct xhprof_shedding {
	xhprof_calltree *tree;
	bool samples;                 /* the calls of nodes are samples: they are the time, and are folded too */
	xhprof_peak_bytes peak;       /* folded too */
	double scale[XHPROF_WEIGHTS]; /* from an amount to its share of all */
	uint32_t nodes;               /* before */
	uint32_t *fates;              /* by the id before. At the end: the node's id, or that of the node that it was folded
								   * into, with XHPROF_SHEDDING_FOLDED */
	size_t size;
} xhprof_shedding;

/* False without memory: nothing was changed, and nothing is to be ended. `samples` and `peak` are set afterwards. */
bool xhprof_shedding_begin(xhprof_shedding *shedding, xhprof_calltree *tree);

/* A node, by its id, that must stay. */
void xhprof_shedding_pin(xhprof_shedding *shedding, uint32_t id);

/* Folds a quarter of the nodes at least, if so many are not pinned; their calls are counted as dropped. The order of
 * creation stays. All pointers to nodes are invalid from here on. The number of nodes that are gone. */
uint32_t xhprof_shedding_run(xhprof_shedding *shedding);

/* The new id of the node that had this one, or of the node that it was folded into; never a larger one. A number that was
 * no node's id stays as it is. */
static inline uint32_t xhprof_shedding_id(const xhprof_shedding *shedding, uint32_t id)
{
	return id <= shedding->nodes ? shedding->fates[id] & ~XHPROF_SHEDDING_FOLDED : id;
}

/* Whether the node that had this id was folded into another one. */
static inline bool xhprof_shedding_folded(const xhprof_shedding *shedding, uint32_t id)
{
	return id <= shedding->nodes && shedding->fates[id] & XHPROF_SHEDDING_FOLDED;
}

/* The node by its id before, as above. */
xhprof_node *xhprof_shedding_moved(const xhprof_shedding *shedding, uint32_t id);

void xhprof_shedding_end(xhprof_shedding *shedding);

#endif
