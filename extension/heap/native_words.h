/* The search for references in memory of unknown type, and guesses of what the blocks behind them are. */
#ifndef XHPROF_HEAP_NATIVE_WORDS_H
#define XHPROF_HEAP_NATIVE_WORDS_H

#include "walker.h"

/* The target of a word of memory. */
typedef struct xhprof_native_target {
	xhprof_zmm_block block;
	bool owned;
	uint64_t word;
} xhprof_native_target;

typedef struct xhprof_native_words xhprof_native_words;
struct xhprof_native_words {
	xhprof_walker *walker;
	xhprof_addr low;
	uint64_t span;   /* size of the range that has all addresses of the heap */
	xhprof_addr own; /* the block that is read; references to itself do not count */
	void (*each)(xhprof_native_words *native, uint64_t offset, const xhprof_native_target *target);
	xhprof_addr last; /* target reported last */
	char label[32];
};

/* Sets all members except `own` and `each`, which it clears. */
void xhprof_native_words_begin(xhprof_native_words *native, xhprof_walker *walker);

/* Calls `each` for every word that refers to another block of the heap. `offset`: offset of the first word in the
 * memory that is read. */
void xhprof_native_words_search(xhprof_native_words *native, const uint64_t *words, size_t count, uint64_t offset);

/* Reads memory of the heap and searches its words in the same way. */
void xhprof_native_words_read(xhprof_native_words *native, xhprof_addr from, uint64_t size);

/* Returns the node in a claimed block that an address belongs to; 0 if unknown. */
xhprof_addr xhprof_native_words_node(const xhprof_native_words *native, xhprof_addr address,
									 const xhprof_zmm_block *block);

/* Reports a reference of the current node, unless it equals the previous one. `offset`: offset of the word. */
void xhprof_native_words_edge(xhprof_native_words *native, uint64_t offset, xhprof_addr to);

/* Returns whether a block looks like a string and so holds no addresses. Stores its size, length and value in `node`
 * unless that is NULL; valid until 15 more texts have been read. */
bool xhprof_native_words_string(xhprof_native_words *native, const xhprof_zmm_block *block, xhprof_heap_node *node);

/* Returns the class of the object that a block seems to be; bytes are NULL if it does not look like an object. */
xhprof_text xhprof_native_words_object_class(xhprof_native_words *native, xhprof_addr address);

#endif
