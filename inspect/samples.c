#include "samples.h"

#define MAX_NODES 4000000u

static uint32_t child_node(xhprof_samples *samples, uint32_t parent, const xhprof_name *name)
{
	uint64_t key = (uint64_t)parent << 32 | (name->id + 1);
	void *found = xhprof_table_find(&samples->children, key);
	if (found) {
		return (uint32_t)((uintptr_t)found - 1);
	}
	if (samples->count >= MAX_NODES ||
		(samples->count >= samples->capacity &&
		 !xhprof_pages_double((void **)&samples->nodes, sizeof(*samples->nodes), &samples->capacity, 1024)) ||
		!xhprof_table_put(&samples->children, key, (void *)(uintptr_t)(samples->count + 1))) {
		return parent; /* counts as its caller's */
	}
	samples->nodes[samples->count] = (xhprof_sample_node){parent, 0, name};
	return (uint32_t)samples->count++;
}

static void count_name(xhprof_samples *samples, xhprof_name *name)
{
	if (name->sample != samples->taken) { /* once, however often it recurses */
		name->sample = samples->taken;
		name->total++;
		name->recent_total++;
	}
}

/* Returns whether a frame is main(), the started script, which has no name: files and functions that the engine calls
 * have names of their own. */
static bool is_main(const xhprof_stack *stack, size_t i, const xhprof_function *function)
{
	return function->nameless && i + 1 == stack->count && !stack->cut;
}

bool xhprof_samples_add(xhprof_samples *samples, xhprof_stack *stack)
{
	if (samples->count == 0) {
		if (!xhprof_pages_double((void **)&samples->nodes, sizeof(*samples->nodes), &samples->capacity, 1024)) {
			return false;
		}
		samples->nodes[samples->count++] = (xhprof_sample_node){0, 0, NULL};
	}
	xhprof_names *names = stack->cache.names;
	xhprof_name *main = xhprof_names_intern(names, "main()", 6), *innermost = main;
	if (!main) {
		return false;
	}
	samples->taken++;
	samples->recent++;
	count_name(samples, main);
	uint32_t node = 0;
	if (stack->cut) {
		count_name(samples, names->list[0]);
		node = child_node(samples, node, names->list[0]);
	}
	for (size_t i = stack->count; i-- > 0;) {
		const xhprof_function *function =
			stack->frames[i].function ? xhprof_function_at(&stack->cache, stack->frames[i].function) : NULL;
		if (function && function->name && !is_main(stack, i, function)) {
			innermost = function->name;
			count_name(samples, innermost);
			node = child_node(samples, node, innermost);
		}
	}
	samples->nodes[node].self++;
	innermost->self++;
	innermost->recent_self++;
	return true;
}

void xhprof_samples_write_folded(const xhprof_samples *samples, xhprof_writer *writer)
{
	uint32_t path[8192];
	for (size_t i = 0; i < samples->count; i++) {
		if (!samples->nodes[i].self) {
			continue;
		}
		size_t depth = 0;
		for (uint32_t node = (uint32_t)i; node && depth < sizeof(path) / sizeof(*path);
			 node = samples->nodes[node].parent) {
			path[depth++] = node;
		}
		xhprof_write_string(writer, "main()");
		while (depth-- > 0) {
			const xhprof_name *name = samples->nodes[path[depth]].name;
			xhprof_write_bytes(writer, ";", 1);
			xhprof_write_name(writer, name->text, name->length, ';');
		}
		xhprof_write_bytes(writer, " ", 1);
		xhprof_write_uint(writer, samples->nodes[i].self);
		xhprof_write_bytes(writer, "\n", 1);
	}
}

void xhprof_samples_write_lines(xhprof_stack *stack, xhprof_writer *writer)
{
	unsigned number = 0;
	for (size_t i = 0; i < stack->count; i++) {
		char file[4096];
		const xhprof_stack_frame *frame = &stack->frames[i];
		const xhprof_function *function = frame->function ? xhprof_function_at(&stack->cache, frame->function) : NULL;
		if (!function || !function->name) {
			continue;
		}
		xhprof_write_uint(writer, number++);
		xhprof_write_bytes(writer, " ", 1);
		if (is_main(stack, i, function)) {
			xhprof_write_string(writer, "<main>");
		} else {
			xhprof_write_name(writer, function->name->text, function->name->length, '\0');
		}
		if (!function->code || !xhprof_function_file(&stack->cache, function, file, sizeof(file))) {
			xhprof_write_string(writer, " <internal>:-1\n");
			continue;
		}
		uint32_t line = xhprof_function_line(&stack->cache, function, frame->opline);
		xhprof_write_bytes(writer, " ", 1);
		xhprof_write_name(writer, file, strlen(file), '\0');
		xhprof_write_bytes(writer, ":", 1);
		xhprof_write_uint(writer, line ? line : function->line);
		xhprof_write_bytes(writer, "\n", 1);
	}
	if (stack->cut) {
		xhprof_write_uint(writer, number);
		xhprof_write_string(writer, " (truncated) <internal>:-1\n");
	}
	xhprof_write_bytes(writer, "\n", 1);
}

void xhprof_samples_release(xhprof_samples *samples)
{
	xhprof_table_release(&samples->children);
	xhprof_pages_unmap(samples->nodes, samples->capacity * sizeof(*samples->nodes));
	memset(samples, 0, sizeof(*samples));
}
