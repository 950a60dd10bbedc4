/* Memory for work of a moment, folding a tree or writing a run: pieces of pages that stay for the next time. Pages that the
 * system makes anew each time cost more than what is done with them. */
#ifndef XHPROF_BASE_SCRATCH_H
#define XHPROF_BASE_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* The most that stays: enough to write the run of a page of 40,000 call paths. What is more than usual goes back when it was
 * not needed for a while. */
#define XHPROF_SCRATCH_MOST ((size_t)4 * 1024 * 1024)
#define XHPROF_SCRATCH_USUAL (XHPROF_SCRATCH_MOST / 4)
#define XHPROF_SCRATCH_IDLE 16 /* trims */

/* The scratch memory of one thread. It is empty when all of its bytes are zero. */
typedef struct xhprof_scratch {
	char *pages; /* or NULL */
	size_t size;
	size_t used;   /* of the pages, from their start; all of it is given back at once */
	size_t taken;  /* bytes since nothing was out, pages of their own too */
	size_t wanted; /* bytes that would have been enough so far */
	size_t lately; /* most bytes that were taken at once since the last trim */
	unsigned idle; /* trims in a row since few of the pages were enough */
	size_t out;    /* pieces that are not given back */
} xhprof_scratch;

/* Zeroed memory, aligned to 64 bytes: a piece, or pages of its own where it does not fit. `scratch` may be NULL: always
 * pages of its own. NULL without memory. */
void *xhprof_scratch_take(xhprof_scratch *scratch, size_t size);

/* Takes memory as xhprof_scratch_take() does, but not zeroed: the caller has to write all of it before it reads. */
void *xhprof_scratch_take_dirty(xhprof_scratch *scratch, size_t size);

/* `memory` may be NULL; else with the scratch and the size that it was taken with. */
void xhprof_scratch_give(xhprof_scratch *scratch, void *memory, size_t size);

/* Doubles memory that was taken here, as xhprof_pages_double() does; new items may have any content. */
bool xhprof_scratch_double(xhprof_scratch *scratch, void **items, size_t item_size, size_t *capacity, size_t first);

/* Gives the pages back to the system if they are more than `keep` bytes, or more than usual and most of them were not needed
 * between this trim and many before it; the number of bytes that stay. Nothing may be out: pieces that a jump has lost are
 * forgotten; those with pages of their own stay mapped. */
size_t xhprof_scratch_trim(xhprof_scratch *scratch, size_t keep);

#endif
