#include "heap_peak.h"

#include "wrapped_function.h"

/* What a lap is noted for. */
#define OF_PROFILE 1u
#define OF_TURN 2u
#define OF_SPANS 4u

#define PEAKS XHPROF_G(heap_peak)

static zif_handler previous_reset, previous_peak; /* written in MINIT */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Charges the profile's peak to what ran, if it is above the last one: the tracer would not see it after a lap. */
static void charge_profile(size_t peak)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	if (PEAKS.watched & OF_PROFILE && xhprof_tracer_running(tracer) && peak > tracer->last_peak) {
		xhprof_tracer_close_segment(tracer);
	}
}

/* Notes the peak since the last lap. */
static void note(size_t peak)
{
	PEAKS.of_program = larger(PEAKS.of_program, peak);
	PEAKS.of_turn = larger(PEAKS.of_turn, peak);
	PEAKS.of_spans = larger(PEAKS.of_spans, peak);
}

/* Ends a lap. */
static void lap(void)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	if (heap) {
		charge_profile(heap->peak);
		note(heap->peak);
		heap->peak = heap->size;
	} else {
		note(zend_memory_peak_usage(false));
	}
}

/* From here on something needs laps. */
static void watch(uint32_t what)
{
	lap();
	PEAKS.watched |= what;
}

/* Ends that. PHP's counter is what it would be without the profiler when nothing does. */
static void leave(uint32_t what)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	lap();
	PEAKS.watched &= ~what;
	if (heap && !PEAKS.watched) {
		heap->peak = larger(heap->peak, PEAKS.of_program);
	}
}

/* Ends the lap before the program resets the counter: between two events of the profile nothing else sees how far the
 * heap has grown. */
static void on_reset(INTERNAL_FUNCTION_PARAMETERS)
{
	if (!XHPROF_G(session).heap) {
		charge_profile(zend_memory_peak_usage(false));
	}
	lap();
	PEAKS.before_reset = larger(PEAKS.before_reset, PEAKS.of_program);
	PEAKS.of_program = 0; /* the program does not want to see it */
	xhprof_wrapped_function_call(&previous_reset, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/* Answers with the peak of the program where PHP's counter is that of a lap. */
static void on_peak(INTERNAL_FUNCTION_PARAMETERS)
{
	xhprof_wrapped_function_call(&previous_peak, INTERNAL_FUNCTION_PARAM_PASSTHRU);
	bool real = ZEND_NUM_ARGS() > 0 && zend_is_true(ZEND_CALL_ARG(execute_data, 1));
	if (XHPROF_G(session).heap && !real && Z_TYPE_P(return_value) == IS_LONG &&
		(size_t)Z_LVAL_P(return_value) < PEAKS.of_program) {
		RETVAL_LONG((zend_long)PEAKS.of_program);
	}
}

void xhprof_heap_peak_minit(void)
{
	xhprof_wrapped_function_set(CG(function_table), "memory_reset_peak_usage", on_reset, &previous_reset);
	xhprof_wrapped_function_set(CG(function_table), "memory_get_peak_usage", on_peak, &previous_peak);
}

void xhprof_heap_peak_rinit(void)
{
	memset(&PEAKS, 0, sizeof(PEAKS));
}

void xhprof_heap_peak_begin(void)
{
	if (XHPROF_G(tracer).flags & XHPROF_TRACE_MEMORY) {
		watch(OF_PROFILE);
	}
}

void xhprof_heap_peak_end(void)
{
	if (PEAKS.watched & OF_PROFILE) {
		leave(OF_PROFILE);
	}
}

void xhprof_heap_peak_of_part(void)
{
	xhprof_heap_usage *heap = XHPROF_G(session).heap;
	if (heap) {
		note(heap->peak); /* the part that was left has it, and the other one has not */
		heap->peak = heap->size;
	}
}

size_t xhprof_heap_peak_turn(const size_t *before)
{
	bool had = PEAKS.watched & OF_TURN;
	size_t peak;
	if (before) {
		watch(OF_TURN);
	} else if (had) {
		leave(OF_TURN);
	}
	peak = had ? PEAKS.of_turn : 0;
	PEAKS.of_turn = before ? *before : 0;
	return peak;
}

size_t xhprof_heap_peak_of_turn(void)
{
	return PEAKS.watched & OF_TURN ? larger(zend_memory_peak_usage(false), PEAKS.of_turn) : 0;
}

void xhprof_heap_peak_begin_spans(void)
{
	watch(OF_SPANS);
	PEAKS.of_spans = 0;
}

size_t xhprof_heap_peak_of_spans(void)
{
	return larger(zend_memory_peak_usage(false), PEAKS.of_spans);
}

void xhprof_heap_peak_end_spans(void)
{
	leave(OF_SPANS);
	PEAKS.of_spans = 0;
}
