/* Trace contexts of a profile: their table, and operations in them. */
#include "unit.h"

#include "trace/contexts.h"
#include "trace/operations.h"

#include <string.h>

static xhprof_trace_ids ids_of(uint32_t number)
{
	xhprof_trace_ids ids = {{0}, {0}};
	memcpy(ids.trace, &number, sizeof(number));
	memcpy(ids.span, &number, sizeof(number));
	return ids;
}

static void ids_are_read_and_written(void)
{
	static const struct {
		const char *text;
		bool valid;
	} texts[] = {
		{"00f067aa0ba902b7", true},
		{"00F067AA0BA902B7", true},
		{"0000000000000000", false},
		{"00f067aa0ba902b", false},
		{"00f067aa0ba902b70", false},
		{"00f067aa0ba902bg", false},
		{"", false},
		{"00f067aa0ba902 7", false},
		{"00f067aa0ba902b@", false},
		{"00f067aa0ba902b`", false},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		uint8_t bytes[8];
		char text[17];
		CHECK(xhprof_trace_id_read(bytes, sizeof(bytes), texts[i].text, strlen(texts[i].text)) == texts[i].valid);
		if (texts[i].valid) {
			xhprof_trace_id_text(text, bytes, sizeof(bytes));
			CHECK(!strcmp(text, "00f067aa0ba902b7"));
		}
	}
}

static void contexts_are_numbered_and_bounded(void)
{
	static xhprof_contexts contexts;
	xhprof_trace_ids none = ids_of(0), one = ids_of(1), two = ids_of(2);
	unsigned bad = 0;
	CHECK(xhprof_contexts_number(&contexts, &none) == 0 && contexts.count == 0 && contexts.dropped == 0);
	for (uint32_t i = 1; i <= XHPROF_CONTEXTS_MAX; i++) {
		xhprof_trace_ids ids = ids_of(i);
		bad += xhprof_contexts_number(&contexts, &ids) != i || xhprof_contexts_number(&contexts, &ids) != i;
	}
	CHECK(bad == 0 && contexts.count == XHPROF_CONTEXTS_MAX && contexts.dropped == 0);
	xhprof_trace_ids more = ids_of(XHPROF_CONTEXTS_MAX + 1);
	CHECK(xhprof_contexts_number(&contexts, &more) == 0 && contexts.dropped == 1);
	CHECK(xhprof_contexts_number(&contexts, &two) == 2 && contexts.dropped == 1);
	xhprof_contexts_note_outer(&contexts, &one);
	xhprof_contexts_note_outer(&contexts, &two);
	CHECK(memcmp(&contexts.outer, &one, sizeof(one)) == 0);
	xhprof_contexts_release(&contexts);
	CHECK(contexts.count == 0 && xhprof_contexts_number(&contexts, &two) == 1);
	xhprof_contexts_release(&contexts);
}

static void operations_are_counted_in_contexts(void)
{
	static xhprof_operations operations;
	static const char frame;
	const xhprof_clock clock = {.source = XHPROF_CLOCK_MONOTONIC, .ns_per_tick = UINT64_C(1) << 32};
	xhprof_node root = {.id = 1}, node = {.id = 2};
	uint64_t calls = 0, total = 0, in_calls = 0, in_total = 0;
	xhprof_operations_begin(&operations, true);
	xhprof_operation_text *text = xhprof_operations_text(&operations, XHPROF_OPERATION_SQL, "SELECT ?", 8);
	for (uint32_t i = 0; i < XHPROF_OPERATION_CONTEXTS + 10; i++) { /* each of the first ten twice, and some without */
		uint32_t context = i % 7 == 3 ? 0 : i < 20 ? i / 2 + 1 : i;
		xhprof_open_operation open = {&frame, i % 3 ? &node : &root, text, 0, 1000, context};
		xhprof_operations_open(&operations, &open);
		xhprof_operations_close(&operations, xhprof_operations_find(&operations, &frame), &root, 1000 + 10 + i);
		calls++;
		total += 10 + i;
	}
	xhprof_operations_stop(&operations, &root, &clock, 0);
	for (const xhprof_operation_context *at = operations.in_first; at; at = at->next) {
		in_calls += at->calls;
		in_total += at->total;
	}
	CHECK(operations.first->calls + operations.first->next->calls == calls && operations.count == 2);
	CHECK(operations.first->total + operations.first->next->total == total);
	CHECK(in_calls > calls / 2 && in_calls < calls && in_total < total && operations.in_dropped == 0);
	for (uint32_t i = 1; i <= XHPROF_OPERATION_CONTEXTS; i++) {
		xhprof_open_operation open = {&frame, &node, text, 0, 1000, 1000000 + i};
		xhprof_operations_open(&operations, &open);
		xhprof_operations_close(&operations, xhprof_operations_find(&operations, &frame), &root, 2000);
	}
	CHECK(operations.in_count == XHPROF_OPERATION_CONTEXTS && operations.in_dropped > 0);
	xhprof_operations_recycle(&operations, &(size_t){0});
	CHECK(!operations.in_first && !operations.in_count);
}

int main(void)
{
	ids_are_read_and_written();
	contexts_are_numbered_and_bounded();
	operations_are_counted_in_contexts();
	return unit_end();
}
