/* The end of the walk: what no type is known of. Any word that may be the address of a block counts as a reference to it. So
 * nothing is called unreachable that is not, but something that is may be missed. */
#ifndef XHPROF_HEAP_WALK_NATIVE_H
#define XHPROF_HEAP_WALK_NATIVE_H

#include "walker.h"

/* What a word of memory refers to. */
typedef struct xhprof_native_target {
	xhprof_zmm_block block;
	bool owned;
	uint64_t word;
} xhprof_native_target;

typedef struct xhprof_native xhprof_native;
struct xhprof_native {
	xhprof_walker *walker;
	uint64_t low, span; /* of all addresses of the heap */
	uint64_t vm_stack_top;
	uint64_t own; /* the block that is read; its references to itself do not count */
	void (*each)(xhprof_native *native, uint64_t offset, const xhprof_native_target *target);
	const xhprof_text *owner; /* of what is read */
	uint64_t last;            /* node told last as referred to */

	struct xhprof_native_item *items; /* blocks that have been found and are to be told; a stack */
	size_t item_count, item_capacity;
	uint64_t *roots; /* those which no node refers to */
	size_t root_count, root_capacity;
	char label[32];
};

/* Calls `each` for every word of some memory of the heap that refers to another block of it. */
void xhprof_native_read(xhprof_native *native, uint64_t from, uint64_t size);

/* The node of a claimed block that an address in it belongs to; 0: not known which one. */
uint64_t xhprof_native_node(const xhprof_native *native, uint64_t address, const xhprof_zmm_block *block);

/* Tells a reference of the node told last, unless it was the one before, too. `offset`: of the word. */
void xhprof_native_edge(xhprof_native *native, uint64_t offset, uint64_t to);

/* Whether a block looks like a string: it holds no addresses then. Its size, length and value go to `node`, if that is not
 * NULL, valid until 15 more texts have been asked for. */
bool xhprof_native_string(xhprof_native *native, const xhprof_zmm_block *block, xhprof_heap_node *node);

/* The class of the object that a block seems to be; no bytes when it does not. */
xhprof_text xhprof_native_object_class(xhprof_native *native, uint64_t address);

/* Tells all blocks that are left: LEAK_CANDIDATES with a weak reference to each, then the blocks. */
void xhprof_native_tell_unreachable(xhprof_native *native);

#endif
