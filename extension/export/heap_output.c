#include "heap_output.h"

#include "heap_devtools.h"
#include "heap_reli.h"

const char *const xhprof_heap_format_names[XHPROF_HEAP_FORMATS + 1] = {
	[XHPROF_HEAP_FORMAT_JSONL] = "jsonl",
	[XHPROF_HEAP_FORMAT_RELI] = "reli",
	[XHPROF_HEAP_FORMAT_DEVTOOLS] = "heapsnapshot",
	[XHPROF_HEAP_FORMAT_SUMMARY] = "summary",
};

/* Written while the walk goes on. Others have to be looked at as a whole. */
static bool is_lines(const xhprof_heap_output *output)
{
	return output->format == XHPROF_HEAP_FORMAT_JSONL || output->format == XHPROF_HEAP_FORMAT_SUMMARY;
}

bool xhprof_heap_output_begin(xhprof_heap_output *output, const xhprof_heap_paths *paths, xhprof_heap_visitor *visitor)
{
	xhprof_heap_visitor next = {0};
	if (is_lines(output)) {
		xhprof_heap_jsonl_begin(&output->jsonl, output->writer, output->facts, paths);
		if (output->format == XHPROF_HEAP_FORMAT_JSONL) {
			next = xhprof_heap_jsonl_visitor(&output->jsonl);
		}
	} else if (xhprof_graph_begin(&output->graph, output->facts->max_string, output->facts->redact)) {
		next = xhprof_graph_visitor(&output->graph);
	} else {
		return false;
	}
	xhprof_heap_summary_begin(&output->summary, &next);
	*visitor = xhprof_heap_summary_visitor(&output->summary);
	return true;
}

static bool write_graph(xhprof_heap_output *output, const xhprof_walk_result *result)
{
	if (!xhprof_graph_finish(&output->graph)) {
		return false;
	}
	return output->format == XHPROF_HEAP_FORMAT_RELI
			   ? xhprof_heap_reli_write(output->writer, &output->graph, output->facts, result, &output->summary,
										output->pretty)
			   : xhprof_heap_devtools_write(output->writer, &output->graph);
}

bool xhprof_heap_output_end(xhprof_heap_output *output, const xhprof_walk_result *result, uint64_t took_ns)
{
	if (is_lines(output)) {
		xhprof_heap_jsonl_end(&output->jsonl, result, &output->summary, took_ns);
		return true;
	}
	bool written = write_graph(output, result);
	xhprof_graph_release(&output->graph);
	return written;
}

void xhprof_heap_output_release(xhprof_heap_output *output)
{
	xhprof_heap_jsonl_release(&output->jsonl);
	xhprof_graph_release(&output->graph);
	xhprof_heap_summary_release(&output->summary);
}
