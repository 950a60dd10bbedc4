#include "heap_output.h"
#include "heap_devtools.h"
#include "heap_reli.h"

bool xhprof_heap_output_format_of(const char *name, xhprof_heap_output_format *format)
{
	static const char *const names[] = {"jsonl", "reli", "heapsnapshot", "summary"};
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i])) {
			*format = (xhprof_heap_output_format)i;
			return true;
		}
	}
	return false;
}

bool xhprof_heap_output_begin(xhprof_heap_output *output, xhprof_heap_output_format format, bool pretty,
							  xhprof_writer *writer, const xhprof_heap_facts *facts, const xhprof_heap_paths *paths)
{
	xhprof_heap_visitor next = {0};
	bool fine = true;
	memset(output, 0, sizeof(*output));
	output->format = format;
	output->pretty = pretty;
	output->writer = writer;
	output->facts = facts;
	switch (format) {
		case XHPROF_HEAP_JSON_LINES:
			xhprof_heap_jsonl_begin(&output->jsonl, writer, facts, paths);
			next = xhprof_heap_jsonl_visitor(&output->jsonl);
			break;
		case XHPROF_HEAP_RELI:
		case XHPROF_HEAP_DEVTOOLS:
			fine = xhprof_graph_begin(&output->graph, facts->max_string, facts->redact);
			next = xhprof_graph_visitor(&output->graph);
			break;
		default:
			break;
	}
	xhprof_heap_summary_begin(&output->summary, &next);
	return fine;
}

xhprof_heap_visitor xhprof_heap_output_visitor(xhprof_heap_output *output)
{
	return xhprof_heap_summary_visitor(&output->summary);
}

bool xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns)
{
	bool fine = true;
	if (output->format == XHPROF_HEAP_JSON_LINES) {
		xhprof_heap_jsonl_end(&output->jsonl, result, &output->summary, took_ns);
	} else if (result && output->format != XHPROF_HEAP_SUMMARY_ONLY) {
		fine = xhprof_graph_finish(&output->graph);
		fine = fine && (output->format == XHPROF_HEAP_RELI
							? xhprof_heap_reli_write(output->writer, &output->graph, output->facts, result,
													 &output->summary, output->pretty)
							: xhprof_heap_devtools_write(output->writer, &output->graph, output->facts));
	}
	return fine;
}

void xhprof_heap_output_release(xhprof_heap_output *output)
{
	xhprof_heap_jsonl_release(&output->jsonl);
	xhprof_graph_release(&output->graph);
	xhprof_heap_summary_release(&output->summary);
}
