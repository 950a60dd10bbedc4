#include "stack_reader.h"

#include "call_label.h"
#include "code_place.h"
#include "function_name.h"

#include "compat/frameless.h"

#include "zend_fibers.h"
#include "zend_generators.h"

#define FIRST_FRAMES 256
#define KEPT_FRAMES 1024

static char unknown_function;

/* Returns whether a function stays until the request ends. One that is freed before may leave its address to another
 * one. */
static bool function_stays(const zend_function *function)
{
	return function->common.function_name &&
		   !(function->common.fn_flags & (ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE | ZEND_ACC_CALL_VIA_TRAMPOLINE));
}

static bool table_has(HashTable *functions, const zend_function *wanted)
{
	const zend_function *function;
	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		if (function == wanted) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

/* Returns whether this address, which may be that of a freed function, is one of the request's functions or methods. */
static bool function_exists(const zend_function *function)
{
	zend_class_entry *class_entry;
	if (table_has(EG(function_table), function)) {
		return true;
	}
	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class_entry) {
		if (table_has(&class_entry->function_table, function)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static xhprof_symbol_ref remember_function(xhprof_stack_reader *reader, const zend_function *function)
{
	xhprof_symbol_ref symbol = xhprof_function_symbol(&XHPROF_G(tracer).symbols, function);
	if (symbol) {
		xhprof_table_put(&reader->functions, (uintptr_t)function, (void *)(uintptr_t)symbol);
	}
	return symbol;
}

xhprof_symbol_ref xhprof_stack_live_symbol(xhprof_stack_reader *reader, const zend_function *function)
{
	if (!function_stays(function)) {
		return xhprof_function_symbol(&XHPROF_G(tracer).symbols, function);
	}
	void *found = xhprof_table_find(&reader->functions, (uintptr_t)function);
	return found && found != &unknown_function ? (xhprof_symbol_ref)(uintptr_t)found
											   : remember_function(reader, function);
}

xhprof_symbol_ref xhprof_stack_left_symbol(xhprof_stack_reader *reader, const zend_function *function)
{
	void *found = xhprof_table_find(&reader->functions, (uintptr_t)function);
	if (found) {
		return found == &unknown_function ? 0 : (xhprof_symbol_ref)(uintptr_t)found;
	}
	if (function_exists(function)) {
		return remember_function(reader, function);
	}
	xhprof_table_put(&reader->functions, (uintptr_t)function, &unknown_function);
	return 0;
}

/* Returns whether a frame is a call of the program. Others are placeholders, the engine's own, a call by __call() that
 * has not begun, and the script itself, which is main(). */
static bool frame_counts(const zend_execute_data *frame)
{
	const zend_function *function = frame->func;
	if (!function || function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) {
		return false;
	}
	return function->common.function_name ||
		   (function->type != ZEND_INTERNAL_FUNCTION && frame->prev_execute_data != NULL);
}

/* Returns the index of this frame among the frames seen; XHPROF_SEEN_FRAMES if it is not among them. */
static size_t find_seen(const xhprof_seen_frame *seen, const zend_execute_data *frame)
{
	size_t i = 0;
	while (i < XHPROF_SEEN_FRAMES &&
		   (seen[i].frame != frame || (seen[i].function && seen[i].function != frame->func))) {
		i++;
	}
	return i;
}

/* Returns where the paths of a span end that is open in a fiber: what has resumed it is another's work, and not always the
 * same. NULL: they go down to main(). */
static const zend_execute_data *bottom_of_fiber(void)
{
	return XHPROF_G(recording).count && EG(active_fiber) ? EG(active_fiber)->stack_bottom : NULL;
}

size_t xhprof_stack_collect(xhprof_stack_reader *reader, zend_execute_data *top, const xhprof_seen_frame *seen,
							xhprof_stack_match *match)
{
	size_t count = 0;
	const zend_execute_data *bottom = bottom_of_fiber();
	*match = (xhprof_stack_match){0};
	reader->in_fiber = bottom != NULL;
	for (zend_execute_data *frame = top; frame && frame != bottom; frame = frame->prev_execute_data) {
		size_t found = seen ? find_seen(seen, frame) : XHPROF_SEEN_FRAMES;
		if (found < XHPROF_SEEN_FRAMES) {
			count = 0;
			match->frame = frame;
			match->left = found;
			seen = NULL;
		}
		frame = zend_generator_check_placeholder_frame(frame);
		if (!frame_counts(frame)) {
			continue;
		}
		if (count == reader->frames_capacity && !xhprof_pages_double((void **)&reader->frames, sizeof(*reader->frames),
																	 &reader->frames_capacity, FIRST_FRAMES)) {
			return SIZE_MAX;
		}
		reader->frames[count++] = frame;
	}
	while (reader->known_capacity < count) {
		if (!xhprof_pages_double((void **)&reader->known, sizeof(*reader->known), &reader->known_capacity,
								 FIRST_FRAMES)) {
			return SIZE_MAX;
		}
	}
	return count;
}

xhprof_node *xhprof_stack_child(xhprof_node *parent, xhprof_symbol_ref symbol, uint32_t line)
{
	xhprof_calltree *tree = &XHPROF_G(tracer).tree;
	if (symbol & XHPROF_SYMBOL_TRANSPARENT) {
		return parent;
	}
	parent = xhprof_tracer_make_room(&XHPROF_G(tracer), parent, symbol);
	uint32_t nodes = tree->nodes;
	xhprof_node *node = xhprof_calltree_child(tree, parent, symbol);
	if (tree->nodes != nodes && !xhprof_node_is_truncated(node)) {
		*xhprof_node_call_line(node) = line;
	}
	return node;
}

static uint32_t line_at(const zend_execute_data *frame)
{
	return frame ? xhprof_line_of(frame) : 0;
}

/* Returns the function that `frame` calls without a frame, and which calls `inner` (as class_exists() calls an
 * autoloader); or NULL. */
static const zend_function *frameless_between(const zend_execute_data *frame, const zend_execute_data *inner)
{
	return ZEND_CALL_INFO(inner) & ZEND_CALL_TOP ? xhprof_compat_frameless_callee(frame) : NULL;
}

/* Returns the frame of main() below the collected frames, or NULL. */
static const zend_execute_data *script_below(const xhprof_stack_reader *reader, size_t count)
{
	const zend_execute_data *frame = count ? reader->frames[count - 1] : EG(current_execute_data);
	while (frame && frame->prev_execute_data) {
		frame = frame->prev_execute_data;
	}
	return frame && (!count || frame != reader->frames[count - 1]) ? frame : NULL;
}

xhprof_node *xhprof_stack_node(xhprof_stack_reader *reader, size_t count)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_node *node = tracer->tree.root;
	const zend_execute_data *caller = reader->in_fiber ? NULL : script_below(reader, count); /* of the node */
	bool same = reader->moves == tracer->tree.moves;
	reader->moves = tracer->tree.moves;
	xhprof_place_main(&tracer->symbols);
	for (size_t i = 0; i < count; i++) {
		const zend_execute_data *frame = reader->frames[count - 1 - i];
		xhprof_known_frame *known = &reader->known[i];
		const zend_function *frameless = i + 1 < count ? frameless_between(frame, reader->frames[count - 2 - i]) : NULL;
		same = same && i < reader->known_depth;
		if (same && known->function == frame->func && known->frameless == frameless) {
			caller = known->node == node ? caller : frame;
			caller = frameless ? NULL : caller;
			node = known->node;
			continue;
		}
		xhprof_symbol_ref symbol = xhprof_stack_live_symbol(reader, frame->func);
		const zend_function *function = function_stays(frame->func) ? frame->func : NULL;
		if (reader->labels && (symbol & XHPROF_SYMBOL_SPECIAL) == XHPROF_SYMBOL_EXAMINED) {
			symbol = xhprof_call_label_sampled(tracer, frame, symbol);
			function = NULL; /* the next call may have another label */
		}
		xhprof_node *called = xhprof_stack_child(node, symbol, line_at(caller));
		caller = called == node ? caller : frame; /* what an ignored function calls, its caller does */
		node = called;
		if (frameless) {
			node = xhprof_stack_child(node, xhprof_stack_live_symbol(reader, frameless), line_at(caller));
			caller = NULL;
		}
		same = same && reader->moves == tracer->tree.moves && known->node == node;
		*known = (xhprof_known_frame){function, frameless, node};
	}
	reader->known_depth = count;
	reader->line = line_at(caller);
	return node;
}

void xhprof_stack_ignore(xhprof_stack_reader *reader, const zend_function *function)
{
	xhprof_table_put(&reader->functions, (uintptr_t)function,
					 (void *)((uintptr_t)XHPROF_SYMBOL_MAIN << XHPROF_SYMBOL_FLAG_BITS | XHPROF_SYMBOL_TRANSPARENT));
}

void xhprof_stack_reader_reset(xhprof_stack_reader *reader)
{
	if (reader->frames_capacity > KEPT_FRAMES || reader->known_capacity > KEPT_FRAMES) {
		xhprof_stack_reader_release(reader);
	} else {
		xhprof_table_clear(&reader->functions);
		reader->known_depth = 0;
	}
}

void xhprof_stack_reader_release(xhprof_stack_reader *reader)
{
	xhprof_table_release(&reader->functions);
	xhprof_pages_unmap(reader->frames, reader->frames_capacity * sizeof(*reader->frames));
	xhprof_pages_unmap(reader->known, reader->known_capacity * sizeof(*reader->known));
	memset(reader, 0, sizeof(*reader));
}
