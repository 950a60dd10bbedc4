/* The spans that are open, and what each fiber has of them: which began in it, and which one it works for. */
#ifndef XHPROF_REQUEST_OPEN_SPAN_H
#define XHPROF_REQUEST_OPEN_SPAN_H

#include "php_xhprof.h"

#include "zend_fibers.h"

/* The most that are open at once. A span's number has its place among them in the lowest bits. */
#define XHPROF_SPANS_MAX 10000u
#define XHPROF_SPAN_PLACE_BITS 14u
#define XHPROF_SPAN_PLACES (1u << XHPROF_SPAN_PLACE_BITS)

typedef struct xhprof_open_span {
	uint64_t number;
	const zend_fiber_context *fiber;
	struct xhprof_open_span *outer;     /* the next open one of its fiber, in which it lies; or NULL */
	struct xhprof_recording *recording; /* or NULL, of one that lies in another, or is not profiled */
	uint64_t top;                       /* the number of the outermost one around it, or of itself: whose turn it is */
	uint64_t before;                    /* of the span whose turn it was in its fiber before; or 0 */
	size_t depth;                       /* number of calls of that fiber around its begin */
	bool by_object;
	uint64_t epoch; /* of the profile whose timeline has it, as this mark; or 0 */
	uint32_t mark;
	uint64_t alone;  /* jobs that had begun with it, if no other one was open; or 0 */
	uint64_t within; /* epoch of that profile, not its own; or 0 */
	uint32_t job;    /* id of the symbol there with its name; 0: not known */
} xhprof_open_span;

/* A span that was carried into a callback by its object. */
typedef struct xhprof_span_entered {
	struct xhprof_span_entered *below;
	uint64_t span, before; /* numbers: of it, and of the one whose turn it was before */
} xhprof_span_entered;

/* What a fiber has while spans are open. */
typedef struct xhprof_span_fiber {
	uint64_t turn;                /* number of the span that its work belongs to, which may have ended; or 0 */
	xhprof_open_span *innermost;  /* of those that began in it; or NULL */
	xhprof_span_entered *entered; /* the last one */
	uint32_t entered_count;
	uint32_t not_kept;       /* of functions, that began within it and have not ended: too many were open */
	uint32_t depth_not_kept; /* of the last one, as in xhprof_open_span */
} xhprof_span_fiber;

/* Returns the place of a span by its number. */
static inline uint32_t xhprof_open_span_place(uint64_t number)
{
	return (uint32_t)number & (XHPROF_SPAN_PLACES - 1);
}

/* Returns its serial number in its process. */
static inline uint64_t xhprof_open_span_serial(uint64_t number)
{
	return number >> XHPROF_SPAN_PLACE_BITS;
}

/* Returns the open span of this number, or NULL. */
static inline xhprof_open_span *xhprof_open_span_find(uint64_t number)
{
	uint32_t place = xhprof_open_span_place(number);
	xhprof_open_span *span = number && place < XHPROF_G(span).room ? XHPROF_G(span).open[place] : NULL;
	return span && span->number == number ? span : NULL;
}

/* Returns what a fiber has, or NULL. */
static inline xhprof_span_fiber *xhprof_open_span_fiber(const zend_fiber_context *fiber)
{
	return xhprof_table_find(&XHPROF_G(span).fibers, (uintptr_t)fiber);
}

/* The same, made if it is new; NULL without memory. */
xhprof_span_fiber *xhprof_open_span_make_fiber(const zend_fiber_context *fiber);

/* Adds a span to its fiber. NULL without memory, or if too many are open. */
xhprof_open_span *xhprof_open_span_add(const zend_fiber_context *fiber, bool by_object, size_t depth);

/* Frees a span, which its fiber has no more. */
void xhprof_open_span_remove(xhprof_open_span *span);

/* Returns the number of the span that the running fiber works for; 0: for none. */
uint64_t xhprof_open_span_here(void);

/* Frees all of them, and what fibers have. */
void xhprof_open_span_release(zend_xhprof_globals *globals);

#endif
