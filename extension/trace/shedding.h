/* Shedding of light paths in a full tree: they are folded into their parents, and the other nodes move together, so
 * that all nodes have new ids. A path is light if it has little of the time (in samples: of the samples), of the bytes
 * allocated, of those that are live, and of those that were live at the peak. */
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
	bool samples;                 /* the nodes' calls are samples: they stand for time, and are folded too */
	xhprof_peak_bytes peak;       /* live bytes at the peak, which are folded too */
	double scale[XHPROF_WEIGHTS]; /* factors from an amount to its share of the total */
	uint32_t nodes;               /* number of nodes before */
	uint32_t *fates;              /* by former id: the new id, or that of the node it was folded into and the flag */
	size_t size;
} xhprof_shedding;

/* Begins, and weighs nothing yet: the caller sets `samples` and `peak` afterwards. False without memory: nothing was
 * changed, and nothing is to be ended. */
bool xhprof_shedding_begin(xhprof_shedding *shedding, xhprof_calltree *tree);

/* Marks a node, by its id, that must stay. */
void xhprof_shedding_pin(xhprof_shedding *shedding, uint32_t id);

/* Folds a quarter of the nodes at least, if so many are not pinned; their calls are counted as dropped. The order of
 * creation stays. All pointers to nodes become invalid. Returns the number of nodes that are gone. */
uint32_t xhprof_shedding_run(xhprof_shedding *shedding);

/* Returns the new id of the node with this former id, or of the node that it was folded into; it is never larger. A
 * number that was no node's id is returned unchanged. */
static inline uint32_t xhprof_shedding_id(const xhprof_shedding *shedding, uint32_t id)
{
	return id <= shedding->nodes ? shedding->fates[id] & ~XHPROF_SHEDDING_FOLDED : id;
}

/* Returns whether the node that had this id was folded into another one. */
static inline bool xhprof_shedding_folded(const xhprof_shedding *shedding, uint32_t id)
{
	return id <= shedding->nodes && shedding->fates[id] & XHPROF_SHEDDING_FOLDED;
}

/* Returns the node with this former id, or the node that it was folded into. */
xhprof_node *xhprof_shedding_moved(const xhprof_shedding *shedding, uint32_t id);

void xhprof_shedding_end(xhprof_shedding *shedding);

#endif
