/* Calls: of the program as it is, of fibers and generators that wait, and those that are only being prepared. */
#ifndef XHPROF_HEAP_WALK_FRAMES_H
#define XHPROF_HEAP_WALK_FRAMES_H

#include "walker.h"

/* Where a frame stands, which tells what of it can be relied on: an item's extra, with the number of arguments that have been
 * passed to a call in preparation, times XHPROF_FRAME_PLACES. */
typedef enum xhprof_frame_place {
	XHPROF_FRAME_CURRENT,      /* in the midst of an instruction, perhaps one that is not noted yet */
	XHPROF_FRAME_OF_CALL,      /* waits for a call that it made */
	XHPROF_FRAME_OF_GENERATOR, /* waits at a yield */
	XHPROF_FRAME_IN_PREPARATION,
	XHPROF_FRAME_PLACES
} xhprof_frame_place;

/* A line of frames, the innermost first, as references by index of the node told last; and the pages that they are in. */
void xhprof_walk_frames(xhprof_walker *walker, xhprof_at frame, xhprof_frame_place innermost);

/* Calls that a generator prepared before it yielded, as references of its node. */
void xhprof_walk_frozen_calls(xhprof_walker *walker, const zend_generator *generator);

#endif
