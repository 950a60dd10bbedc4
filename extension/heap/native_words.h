/* What words of memory refer to where no type is known of them, and what the blocks that they lead to seem to be. */
#ifndef XHPROF_HEAP_NATIVE_WORDS_H
#define XHPROF_HEAP_NATIVE_WORDS_H

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
	xhprof_addr low;
	uint64_t span;   /* of all addresses of the heap */
	xhprof_addr own; /* the block that is read; its references to itself do not count */
	void (*each)(xhprof_native *native, uint64_t offset, const xhprof_native_target *target);
	xhprof_addr last; /* node told last as referred to */
	char label[32];
};

/* Sets all but `own` and `each`, which are 0 then. */
void xhprof_native_begin(xhprof_native *native, xhprof_walker *walker);

/* Calls `each` for every word that refers to another block of the heap. `offset`: of the first one in what is read. */
void xhprof_native_look(xhprof_native *native, const uint64_t *words, size_t count, uint64_t offset);

/* The same for the words of some memory of the heap. */
void xhprof_native_read(xhprof_native *native, xhprof_addr from, uint64_t size);

/* The node of a claimed block that an address in it belongs to; 0: not known which one. */
xhprof_addr xhprof_native_node(const xhprof_native *native, xhprof_addr address, const xhprof_zmm_block *block);

/* Tells a reference of the node told last, unless it was the one before, too. `offset`: of the word. */
void xhprof_native_edge(xhprof_native *native, uint64_t offset, xhprof_addr to);

/* Whether a block looks like a string: it holds no addresses then. Its size, length and value go to `node`, if that is not
 * NULL, valid until 15 more texts have been asked for. */
bool xhprof_native_string(xhprof_native *native, const xhprof_zmm_block *block, xhprof_heap_node *node);

/* The class of the object that a block seems to be; no bytes when it does not. */
xhprof_text xhprof_native_object_class(xhprof_native *native, xhprof_addr address);

#endif
