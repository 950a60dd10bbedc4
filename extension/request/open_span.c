#include "open_span.h"

#include "base/arena.h"

xhprof_span_fiber *xhprof_open_span_make_fiber(const zend_fiber_context *fiber)
{
	xhprof_span_fiber *known = xhprof_open_span_fiber(fiber);
	if (!known && (known = xhprof_pool_take(&XHPROF_G(span).pool, sizeof(*known))) &&
		!xhprof_table_put(&XHPROF_G(span).fibers, (uintptr_t)fiber, known)) {
		xhprof_pool_give(&XHPROF_G(span).pool, known, sizeof(*known));
		known = NULL;
	}
	return known;
}

/* Returns a free place for a span; XHPROF_SPAN_PLACES without memory. */
static uint32_t free_place(void)
{
	uint32_t place = XHPROF_G(span).free, room = XHPROF_G(span).room;
	while (place < room && XHPROF_G(span).open[place]) {
		place++;
	}
	if (place == room) {
		size_t capacity = room;
		if (!xhprof_pages_double((void **)&XHPROF_G(span).open, sizeof(*XHPROF_G(span).open), &capacity, 64)) {
			return XHPROF_SPAN_PLACES;
		}
		XHPROF_G(span).room = (uint32_t)capacity;
	}
	return place;
}

xhprof_open_span *xhprof_open_span_add(const zend_fiber_context *fiber, bool by_object, size_t depth)
{
	if (XHPROF_G(span).count >= XHPROF_SPANS_MAX) {
		XHPROF_G(span).dropped++;
		return NULL;
	}
	uint32_t place = free_place();
	xhprof_span_fiber *of_fiber = place < XHPROF_SPAN_PLACES ? xhprof_open_span_make_fiber(fiber) : NULL;
	xhprof_open_span *span = of_fiber ? xhprof_pool_take(&XHPROF_G(span).pool, sizeof(*span)) : NULL;
	if (!span) {
		return NULL;
	}
	span->number = ++XHPROF_G(span).last << XHPROF_SPAN_PLACE_BITS | place;
	span->fiber = fiber;
	span->outer = of_fiber->innermost;
	span->depth = depth;
	span->by_object = by_object;
	of_fiber->innermost = span;
	XHPROF_G(span).open[place] = span;
	XHPROF_G(span).count++;
	XHPROF_G(span).free = place + 1;
	return span;
}

void xhprof_open_span_remove(xhprof_open_span *span)
{
	uint32_t place = xhprof_open_span_place(span->number);
	XHPROF_G(span).open[place] = NULL;
	XHPROF_G(span).count--;
	XHPROF_G(span).free = place < XHPROF_G(span).free ? place : XHPROF_G(span).free;
	xhprof_pool_give(&XHPROF_G(span).pool, span, sizeof(*span));
}

uint64_t xhprof_open_span_here(void)
{
	const xhprof_span_fiber *fiber = xhprof_open_span_fiber(EG(current_fiber_context));
	return fiber && xhprof_open_span_find(fiber->turn) ? fiber->turn : 0;
}

void xhprof_open_span_release(zend_xhprof_globals *globals)
{
	xhprof_pages_unmap(globals->span.open, globals->span.room * sizeof(*globals->span.open));
	globals->span.open = NULL;
	globals->span.room = globals->span.count = globals->span.free = 0;
	xhprof_table_release(&globals->span.fibers);
	xhprof_pool_release(&globals->span.pool);
}
