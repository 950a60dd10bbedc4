/* Calls: of the running program, of suspended fibers and generators, and those still being prepared. */
#ifndef XHPROF_HEAP_WALK_FRAMES_H
#define XHPROF_HEAP_WALK_FRAMES_H

#include "walker.h"

/* The state of a frame, which decides what in it is reliable: an item's extra, plus the number of arguments already
 * passed to a call in preparation, times XHPROF_FRAME_PLACES. */
typedef enum xhprof_frame_place {
	XHPROF_FRAME_CURRENT,      /* in the midst of an instruction, perhaps one not recorded yet */
	XHPROF_FRAME_OF_CALL,      /* waits for a call that it made */
	XHPROF_FRAME_OF_GENERATOR, /* waits at a yield */
	XHPROF_FRAME_IN_PREPARATION,
	XHPROF_FRAME_PLACES
} xhprof_frame_place;

/* Reports a chain of frames, the innermost first, as references by index of the current node; and the pages that they
 * are in. */
void xhprof_walk_frames(xhprof_walker *walker, xhprof_at frame, xhprof_frame_place innermost);

/* Reports calls that a generator prepared before it yielded, as references of its node. */
void xhprof_walk_frozen_calls(xhprof_walker *walker, const zend_generator *generator);

#endif
