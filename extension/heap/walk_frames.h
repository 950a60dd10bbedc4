/* The frames of calls: of the running program, of suspended fibers and generators, and of calls in preparation. */
#ifndef XHPROF_HEAP_WALK_FRAMES_H
#define XHPROF_HEAP_WALK_FRAMES_H

#include "walker.h"

/* The state of a frame, which decides what in it is reliable. It is an item's extra, to which for a call in preparation
 * the number of arguments already passed is added, times XHPROF_FRAME_PLACES. */
typedef enum xhprof_frame_place {
	XHPROF_FRAME_CURRENT,      /* within an opcode, perhaps one that is not recorded yet */
	XHPROF_FRAME_OF_CALL,      /* waiting for a call that it made */
	XHPROF_FRAME_OF_GENERATOR, /* waiting at a yield */
	XHPROF_FRAME_IN_PREPARATION,
	XHPROF_FRAME_PLACES
} xhprof_frame_place;

/* Reports a chain of frames, the innermost first, as references of the current node by index, and the pages that they
 * are in. */
void xhprof_walk_frames(xhprof_walker *walker, xhprof_at frame, xhprof_frame_place innermost);

/* Reports calls that a generator prepared before it yielded, as references of its node. */
void xhprof_walk_frozen_calls(xhprof_walker *walker, const zend_generator *generator);

#endif
