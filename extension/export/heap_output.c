#include "heap_output.h"

xhprof_heap_visitor xhprof_heap_output_begin(xhprof_heap_output *output, const xhprof_heap_paths *paths)
{
	xhprof_heap_visitor next = {0};
	xhprof_heap_jsonl_begin(&output->jsonl, output->writer, output->info, paths);
	if (!output->summary_only) {
		next = xhprof_heap_jsonl_visitor(&output->jsonl);
	}
	xhprof_heap_summary_begin(&output->summary, &next);
	return xhprof_heap_summary_visitor(&output->summary);
}

void xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns)
{
	xhprof_heap_jsonl_end(&output->jsonl, result, &output->summary, took_ns);
}

void xhprof_heap_output_release(xhprof_heap_output *output)
{
	xhprof_heap_jsonl_release(&output->jsonl);
	xhprof_heap_summary_release(&output->summary);
}

const char *xhprof_heap_export_command(const char *format)
{
	static const char *const commands[][2] = {
		{"heapsnapshot", "xhprof heap export FILE --format=heapsnapshot"},
		{"reli", "xhprof heap export FILE --format=reli"},
	};
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(commands[i][0], format)) {
			return commands[i][1];
		}
	}
	return NULL;
}
