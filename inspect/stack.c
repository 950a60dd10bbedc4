#include "stack.h"

#include "compat/engine_layout.h"
#include "compat/frameless.h"

#define TRIES 8  /* if it changes while it is read */
#define READS 64 /* in all, also for pages first found to be needed */
#define PAGE 4096
#define SECOND 256 /* limit of frames followed from the end of a read */
#define MAX_DELEGATED 1000

bool xhprof_stack_open(xhprof_stack *stack, xhprof_remote *remote, const xhprof_php *php, size_t max,
					   xhprof_names *names)
{
	memset(stack, 0, sizeof(*stack));
	stack->cache.remote = remote;
	stack->cache.names = names;
	stack->cache.generation = 1;
	stack->current = php->engine.executor_globals + offsetof(zend_executor_globals, current_execute_data);
	stack->frameless = php->frameless;
	stack->max = max;
	stack->frames = xhprof_pages_reserve(max * sizeof(*stack->frames));
	return stack->frames != NULL;
}

void xhprof_stack_close(xhprof_stack *stack)
{
	xhprof_function_cache_release(&stack->cache);
	xhprof_pages_unmap(stack->frames, stack->max * sizeof(*stack->frames));
}

/* Copies bytes from the window. Missing pages are added to it for the next read; if it is full, reads past it: the
 * outer frames, which seldom change. */
static bool get_bytes(xhprof_stack *stack, xhprof_addr address, void *to, size_t size)
{
	xhprof_stack_window *window = &stack->window;
	char *target = to;
	while (size > 0) {
		uint64_t page = address & ~(uint64_t)(PAGE - 1);
		size_t at = address - page, part = PAGE - at < size ? PAGE - at : size, i = 0;
		while (i < window->count && window->pages[i] != page) {
			i++;
		}
		if (i == XHPROF_STACK_PAGES) {
			if (!xhprof_remote_get(stack->cache.remote, address, target, part)) {
				return false;
			}
		} else {
			window->used |= (uint32_t)1 << i;
			if (i == window->count) {
				window->pages[window->count++] = page;
				window->missed = true;
			}
			if (window->missed) {
				return false;
			}
			memcpy(target, window->bytes[i] + at, part);
		}
		target += part;
		address += part;
		size -= part;
	}
	return true;
}

/* Keeps the pages that were needed last. */
static void trim_window(xhprof_stack_window *window)
{
	size_t kept = 0;
	for (size_t i = 0; i < window->count; i++) {
		if (window->used >> i & 1) {
			window->pages[kept++] = window->pages[i];
		}
	}
	window->count = kept;
	window->used = 0;
	window->missed = false;
}

/* Reads the current frame's address and the pages at one moment, or nearly. */
static bool read_window(xhprof_stack *stack, uint64_t *before, uint64_t *after)
{
	xhprof_remote_range ranges[XHPROF_STACK_PAGES + 2];
	size_t count = 0;
	ranges[count++] = (xhprof_remote_range){stack->current, before, sizeof(*before)};
	for (size_t i = 0; i < stack->window.count; i++) {
		ranges[count++] = (xhprof_remote_range){stack->window.pages[i], stack->window.bytes[i], PAGE};
	}
	ranges[count++] = (xhprof_remote_range){stack->current, after, sizeof(*after)};
	return xhprof_remote_read(stack->cache.remote, ranges, count);
}

typedef struct frame_list {
	xhprof_stack_frame *frames;
	size_t count, max;
	bool cut;
} frame_list;

static bool add_frame(frame_list *list, xhprof_addr address, const zend_execute_data *frame)
{
	if (list->count == list->max) {
		list->cut = true;
		return false;
	}
	bool top = ZEND_CALL_INFO(frame) & ZEND_CALL_TOP;
	list->frames[list->count++] =
		(xhprof_stack_frame){address, (xhprof_addr)frame->func, (xhprof_addr)frame->opline, top};
	return true;
}

/* Adds the frames of delegating generators to the list, the innermost first. A generator that delegates ("yield from")
 * has a placeholder on the stack, a frame without a function, where the engine puts the generators' frames when a
 * backtrace is made. */
static bool add_delegated(xhprof_stack *stack, frame_list *list, const zend_execute_data *placeholder)
{
	uint64_t generators[MAX_DELEGATED], at = (xhprof_addr)Z_OBJ(placeholder->This);
	size_t count = 0;
	zend_generator generator;
	while (count < MAX_DELEGATED && at && get_bytes(stack, at, &generator, sizeof(generator))) {
		if (!generator.node.parent) {
			break; /* the running one; it has a frame of its own */
		}
		generators[count++] = (xhprof_addr)generator.execute_data;
		at = (xhprof_addr)generator.node.parent;
	}
	while (count-- > 0) {
		zend_execute_data frame;
		if (!get_bytes(stack, generators[count], &frame, sizeof(frame)) ||
			!add_frame(list, generators[count], &frame)) {
			return false;
		}
	}
	return true;
}

/* Follows the calls outwards. False if something on the way is not a frame. */
static bool walk_frames(xhprof_stack *stack, xhprof_addr address, frame_list *list)
{
	list->count = 0;
	list->cut = false;
	while (address) {
		zend_execute_data frame;
		if (address % 8 || !get_bytes(stack, address, &frame, sizeof(frame)) || (xhprof_addr)frame.func % 8) {
			return false;
		}
		if (!frame.func && Z_TYPE(frame.This) == IS_OBJECT) {
			if (!add_delegated(stack, list, &frame)) {
				return list->cut;
			}
		} else if (!add_frame(list, address, &frame)) {
			return true;
		}
		xhprof_addr caller = (xhprof_addr)frame.prev_execute_data;
		/* The engine's entry call is the outermost; a call about to begin has no caller yet. */
		if (caller == address || (!caller && frame.func && !(ZEND_CALL_INFO(&frame) & ZEND_CALL_TOP))) {
			return false;
		}
		address = caller;
	}
	return true;
}

/* Returns whether all frames have real functions. */
static bool is_plausible(xhprof_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		if (stack->frames[i].function && !xhprof_function_at(&stack->cache, stack->frames[i].function)) {
			return false;
		}
	}
	return true;
}

/* Keeps the calls that ran at both ends of the read. If other calls run at its end than at its beginning, frames may
 * belong to calls that have returned or are about to begin. Those at both ends are certain, and were all that ran at
 * some moment between. */
static bool keep_common(xhprof_stack *stack, uint64_t after)
{
	xhprof_stack_frame frames[SECOND];
	frame_list list = {frames, 0, SECOND, false};
	if (!after || !walk_frames(stack, after, &list)) {
		return false;
	}
	for (size_t i = 0; i < stack->count; i++) {
		for (size_t j = 0; j < list.count; j++) {
			if (stack->frames[i].address == frames[j].address && stack->frames[i].function == frames[j].function) {
				memmove(stack->frames, stack->frames + i, (stack->count - i) * sizeof(*stack->frames));
				stack->count -= i;
				return true;
			}
		}
	}
	return false;
}

/* Follows the calls from a frame, using the window. */
static bool follow_calls(xhprof_stack *stack, uint64_t frame)
{
	frame_list list = {stack->frames, 0, stack->max, false};
	xhprof_remote_forget(stack->cache.remote);
	bool walked = walk_frames(stack, frame, &list);
	stack->count = list.count;
	stack->cut = list.cut;
	return walked && is_plausible(stack);
}

/* Reads the operation that a frame has recorded, if it is one of its function's. */
static bool read_operation(xhprof_stack *stack, const xhprof_stack_frame *frame, zend_op *operation)
{
	const xhprof_function *function = frame->function ? xhprof_function_at(&stack->cache, frame->function) : NULL;
	return function && function->code && xhprof_function_line(&stack->cache, function, frame->opline) &&
		   xhprof_remote_get(stack->cache.remote, frame->opline, operation, sizeof(*operation));
}

/* Returns whether the innermost frame is still within this operation, which it has recorded: the engine sets the result
 * to null, and the function to something else as its last act. (str_replace() of arrays does so before.) */
static bool has_no_result(xhprof_stack *stack, const xhprof_stack_frame *frame, const zend_op *operation)
{
	zval result;
	return get_bytes(stack, frame->address + operation->result.var, &result, sizeof(result)) &&
		   Z_TYPE(result) == IS_NULL;
}

/* Returns the function that a frame calls without a frame, or 0. */
static xhprof_addr frameless_callee(xhprof_stack *stack, size_t i)
{
	zend_op operation;
	size_t inner = i;
	while (inner > 0 && !stack->frames[inner - 1].function) { /* the engine's own */
		inner--;
	}
	if ((inner > 0 && !stack->frames[inner - 1].top) || !read_operation(stack, &stack->frames[i], &operation)) {
		return 0;
	}
	size_t number = xhprof_compat_frameless_number(&operation);
	uint64_t list = number != SIZE_MAX ? xhprof_remote_pointer(stack->cache.remote, stack->frameless) : 0;
	if (!list || (inner == 0 && !has_no_result(stack, &stack->frames[i], &operation))) {
		return 0;
	}
	uint64_t function = xhprof_remote_pointer(stack->cache.remote, list + number * sizeof(void *));
	const xhprof_function *known = function ? xhprof_function_at(&stack->cache, function) : NULL;
	return known && !known->code ? function : 0;
}

/* Adds calls that have no frame. */
static void add_frameless(xhprof_stack *stack)
{
	for (size_t i = stack->count; stack->frameless && i-- > 0;) {
		xhprof_addr function = frameless_callee(stack, i);
		if (function && stack->count < stack->max) {
			memmove(stack->frames + i + 1, stack->frames + i, (stack->count++ - i) * sizeof(*stack->frames));
			stack->frames[i] = (xhprof_stack_frame){.function = function};
		}
	}
}

xhprof_stack_state xhprof_stack_take(xhprof_stack *stack)
{
	unsigned tries = 0;
	stack->count = 0;
	stack->cut = false;
	for (unsigned reads = 0; reads < READS && tries < TRIES; reads++) {
		uint64_t before, after;
		trim_window(&stack->window);
		if (!read_window(stack, &before, &after)) {
			if (stack->window.count == 0) {
				return XHPROF_STACK_TORN; /* the engine itself is gone */
			}
			stack->window.count = 0; /* a page of the last sample's is gone */
		} else if (!before) {
			return XHPROF_STACK_IDLE;
		} else if (follow_calls(stack, before) && (before == after || keep_common(stack, after))) {
			add_frameless(stack);
			return XHPROF_STACK_READ;
		} else if (!stack->window.missed) {
			tries++;
		}
	}
	return XHPROF_STACK_TORN;
}
