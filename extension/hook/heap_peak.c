#include "heap_peak.h"

#include "wrapped_function.h"

static zif_handler previous_reset; /* written in MINIT */

/* Reads the peak before the program resets it: between two events of the profile nothing else sees how far the heap has
 * grown. */
static void on_reset(INTERNAL_FUNCTION_PARAMETERS)
{
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		xhprof_tracer_close_segment(&XHPROF_G(tracer));
	}
	XHPROF_G(heap_peak).of_spans = xhprof_heap_peak_of_spans();
	XHPROF_G(heap_peak).before_reset = xhprof_heap_peak();
	XHPROF_G(heap_peak).before_profile = XHPROF_G(heap_peak).before_spans = 0; /* the program does not want to see it */
	xhprof_wrapped_function_call(&previous_reset, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void xhprof_heap_peak_minit(void)
{
	xhprof_wrapped_function_set(CG(function_table), "memory_reset_peak_usage", on_reset, &previous_reset);
}

void xhprof_heap_peak_rinit(void)
{
	memset(&XHPROF_G(heap_peak), 0, sizeof(XHPROF_G(heap_peak)));
}

void xhprof_heap_peak_begin(void)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	if (heap && XHPROF_G(tracer).flags & XHPROF_TRACE_MEMORY) {
		XHPROF_G(heap_peak).before_profile = heap->peak;
		heap->peak = heap->size;
	}
}

void xhprof_heap_peak_end(void)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	if (heap && XHPROF_G(tracer).flags & XHPROF_TRACE_MEMORY) {
		if (heap->peak < XHPROF_G(heap_peak).before_profile) {
			heap->peak = XHPROF_G(heap_peak).before_profile;
		}
		XHPROF_G(heap_peak).before_profile = 0;
	}
}

void xhprof_heap_peak_of_part(size_t peak)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	size_t before = XHPROF_G(heap_peak).before_profile;
	XHPROF_G(heap_peak).before_profile = before < heap->peak ? heap->peak : before;
	heap->peak = peak;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static bool profile_has_peak(void)
{
	return xhprof_tracer_running(&XHPROF_G(tracer)) && XHPROF_G(tracer).flags & XHPROF_TRACE_MEMORY;
}

void xhprof_heap_peak_begin_spans(void)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	XHPROF_G(heap_peak).of_spans = 0;
	if (heap) {
		if (xhprof_tracer_running(&XHPROF_G(tracer))) {
			xhprof_tracer_close_segment(&XHPROF_G(tracer));
		}
		size_t before = larger(heap->peak, XHPROF_G(heap_peak).before_profile);
		XHPROF_G(heap_peak).before_spans = larger(XHPROF_G(heap_peak).before_spans, before);
		XHPROF_G(heap_peak).before_profile = 0;
		heap->peak = heap->size;
	}
}

size_t xhprof_heap_peak_of_spans(void)
{
	size_t peak = larger(zend_memory_peak_usage(false), XHPROF_G(heap_peak).before_profile);
	return larger(peak, XHPROF_G(heap_peak).of_spans);
}

void xhprof_heap_peak_end_spans(void)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	size_t before = XHPROF_G(heap_peak).before_spans;
	if (heap && profile_has_peak()) { /* its end sets the counter */
		XHPROF_G(heap_peak).before_profile = larger(XHPROF_G(heap_peak).before_profile, before);
	} else if (heap) {
		heap->peak = larger(heap->peak, before);
	}
	XHPROF_G(heap_peak).before_spans = XHPROF_G(heap_peak).of_spans = 0;
}
