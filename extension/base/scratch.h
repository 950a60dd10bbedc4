/* Memory for short work, such as folding a tree or writing a run: pieces of pages that stay mapped for the next time.
 * Mapping new pages each time would cost more than the work itself. */
#ifndef XHPROF_BASE_SCRATCH_H
#define XHPROF_BASE_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Most bytes that stay: enough to write a run of 40,000 call paths. What exceeds the usual size is given back when it
 * was not needed for a while. */
#define XHPROF_SCRATCH_MOST ((size_t)4 * 1024 * 1024)
#define XHPROF_SCRATCH_USUAL (XHPROF_SCRATCH_MOST / 4)
#define XHPROF_SCRATCH_IDLE 16 /* trims */

/* The scratch memory of one thread. All zero: empty. */
typedef struct xhprof_scratch {
	char *pages; /* or NULL */
	size_t size;
	size_t used;   /* bytes of the pages in use, from their start; freed together */
	size_t taken;  /* bytes taken since no piece was out, in pages of their own too */
	size_t wanted; /* size that the pages should have had so far */
	size_t lately; /* most bytes that were out at once since the last trim */
	unsigned idle; /* consecutive trims for which few of the pages sufficed */
	size_t out;    /* pieces that have not been given back */
} xhprof_scratch;

/* Takes zeroed memory, aligned to 64 bytes: a piece of the pages, or pages of its own if it does not fit. With
 * `scratch` NULL it always has pages of its own. NULL without memory. */
void *xhprof_scratch_take(xhprof_scratch *scratch, size_t size);

/* Takes memory that is not zeroed: the caller writes all of it first. */
void *xhprof_scratch_take_dirty(xhprof_scratch *scratch, size_t size);

/* Gives memory back. `memory` may be NULL; otherwise `scratch` and `size` are those that it was taken with. */
void xhprof_scratch_give(xhprof_scratch *scratch, void *memory, size_t size);

/* Doubles an array of memory taken here, as xhprof_pages_double() does. New items may have any content. */
bool xhprof_scratch_double(xhprof_scratch *scratch, void **items, size_t item_size, size_t *capacity, size_t first);

/* Gives the pages back to the system if they are more than `keep` bytes, or more than usual and most of them were not
 * needed for many trims. Returns the number of bytes that stay. No piece may be out: pieces that a longjmp() has lost
 * are forgotten, and those with pages of their own stay mapped. */
size_t xhprof_scratch_trim(xhprof_scratch *scratch, size_t keep);

#endif
