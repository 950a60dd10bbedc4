#include "limit_error.h"

#include "compat/engine_layout.h"
#include "function_cache.h"

#define MAX_PAGES 100000u
#define LARGEST_PAGE ((uint64_t)1 << 30)
#define MAX_SLOTS 50000000u /* limit of examined frames */
#define SLOT sizeof(zval)   /* frames begin at multiples of it */

typedef struct search {
	xhprof_remote *remote;
	xhprof_function_cache functions;
	const char *file;
	uint32_t line, depth, slots;
	uint64_t outermost; /* of the running frames; 0: none */
} search;

static bool read_frame(search *search, xhprof_addr address, zend_execute_data *frame)
{
	return address % 8 == 0 && xhprof_remote_get(search->remote, address, frame, sizeof(*frame));
}

/* Returns whether calls lead from this frame to the entry of the engine. */
static bool leads_out(search *search, xhprof_addr address)
{
	for (uint32_t i = 0; i < search->depth; i++) {
		zend_execute_data frame;
		if (!read_frame(search, address, &frame) ||
			(frame.func && !xhprof_function_at(&search->functions, frame.func))) {
			return false;
		}
		if (!frame.prev_execute_data) {
			return !frame.func || ZEND_CALL_INFO(&frame) & ZEND_CALL_TOP;
		}
		address = (xhprof_addr)frame.prev_execute_data;
	}
	return true; /* deep enough */
}

static bool is_at_error(search *search, const zend_execute_data *frame)
{
	char path[4096];
	const xhprof_function *function = frame->func ? xhprof_function_at(&search->functions, frame->func) : NULL;
	return function && function->code && xhprof_function_file(&search->functions, function, path, sizeof(path)) &&
		   strcmp(path, search->file) == 0 &&
		   xhprof_function_line(&search->functions, function, frame->opline) == search->line;
}

/* Returns the frame of the internal function that the one at `caller` was calling: between it and `end`. */
static uint64_t find_callee(search *search, xhprof_addr caller, uint64_t end)
{
	for (uint64_t at = caller + SLOT; at + sizeof(zend_execute_data) <= end && search->slots++ < MAX_SLOTS;
		 at += SLOT) {
		zend_execute_data frame;
		if (!read_frame(search, at, &frame)) {
			break;
		}
		const xhprof_function *function = (xhprof_addr)frame.prev_execute_data == caller && frame.func
											  ? xhprof_function_at(&search->functions, frame.func)
											  : NULL;
		if (function && !function->code && function->name) {
			return at;
		}
	}
	return caller;
}

/* Returns the innermost frame in a page, of which the part from its beginning to `end` was in use; 0: there is no
 * frame. */
static uint64_t search_page(search *search, uint64_t page, uint64_t end)
{
	uint64_t first = page + ZEND_VM_STACK_HEADER_SLOTS * sizeof(zval);
	for (uint64_t at = first + (end - first) / SLOT * SLOT; at >= first && search->slots++ < MAX_SLOTS; at -= SLOT) {
		zend_execute_data frame;
		if (at + sizeof(frame) <= end && read_frame(search, at, &frame) && is_at_error(search, &frame) &&
			leads_out(search, at)) {
			return find_callee(search, at, end);
		}
	}
	return 0;
}

/* Searches the pages, newer ones first. */
static uint64_t search_pages(search *search, uint64_t globals)
{
	struct _zend_vm_stack page;
	uint64_t at = xhprof_remote_pointer(search->remote, globals + offsetof(zend_executor_globals, vm_stack));
	uint64_t top = xhprof_remote_pointer(search->remote, globals + offsetof(zend_executor_globals, vm_stack_top));
	bool later = false;
	for (unsigned i = 0; at && i < MAX_PAGES; i++) {
		if (!xhprof_remote_get(search->remote, at, &page, sizeof(page))) {
			break;
		}
		xhprof_addr end = (xhprof_addr)page.end;
		if (end <= at || end - at > LARGEST_PAGE) {
			break;
		}
		/* The running calls begin where the previous ones ended. */
		bool within = search->outermost >= at && search->outermost < end;
		uint64_t used = within ? search->outermost : i == 0 ? top : (xhprof_addr)page.top;
		later = later || within || !search->outermost;
		if (later && used > at && used <= end) {
			uint64_t found = search_page(search, at, used);
			if (found) {
				return found;
			}
		}
		at = (xhprof_addr)page.prev;
	}
	return 0;
}

bool xhprof_limit_error_patch(const xhprof_php *php, xhprof_remote *remote, const char *file, uint32_t line,
							  uint32_t depth)
{
	search search = {.remote = remote, .file = file, .line = line, .depth = depth};
	uint64_t globals = php->engine.executor_globals;
	uint64_t patch = globals + offsetof(zend_executor_globals, current_execute_data);
	uint64_t at = xhprof_remote_pointer(remote, patch);
	xhprof_names names = {0};
	search.functions.remote = remote;
	search.functions.names = &names;
	for (unsigned i = 0; at && i < 1000000u; i++) {
		zend_execute_data frame;
		if (!read_frame(&search, at, &frame)) {
			break;
		}
		if (frame.func) { /* functions that the engine calls have an empty frame around them, on the C stack */
			search.outermost = at;
		}
		patch = at + offsetof(zend_execute_data, prev_execute_data);
		at = (xhprof_addr)frame.prev_execute_data;
	}
	uint64_t found = search_pages(&search, globals);
	xhprof_function_cache_release(&search.functions);
	xhprof_names_release(&names);
	remote->patch_value = found;
	remote->patch_address = found ? patch : 0;
	return found != 0;
}
