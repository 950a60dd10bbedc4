#include "alloc_rows.h"

const char *const xhprof_alloc_row_names[XHPROF_ROW_FIELDS] = {"node", "type", "mark", "blocks", "bytes"};

/* The numbers that rows without a path have in place of a node; see docs/formats.md. */
enum { NODE_BEFORE = -1, NODE_OTHER_THREADS = -2, NODE_BELOW_THRESHOLD = -3 };

/* Returns a field of the row that has all rows below the threshold. It has no known type, and the first requested mark
 * represents all. */
static int64_t rest_value(const xhprof_alloc_dump *dump, enum xhprof_alloc_row_field field)
{
	const int64_t values[XHPROF_ROW_FIELDS] = {[XHPROF_ROW_NODE] = NODE_BELOW_THRESHOLD,
											   [XHPROF_ROW_TYPE] = XHPROF_TYPE_UNKNOWN,
											   [XHPROF_ROW_MARK] = dump->after,
											   [XHPROF_ROW_BLOCKS] = (int64_t)dump->rest_blocks,
											   [XHPROF_ROW_BYTES] = (int64_t)dump->rest_bytes};
	return values[field];
}

size_t xhprof_alloc_rows_count(const xhprof_alloc_dump *dump)
{
	return dump->count + (dump->rest_bytes || dump->rest_blocks);
}

int64_t xhprof_alloc_rows_value(const xhprof_alloc_dump *dump, size_t row, enum xhprof_alloc_row_field field,
								const uint32_t *places)
{
	if (row == dump->count) {
		return rest_value(dump, field);
	}
	const xhprof_alloc_row *found = &dump->rows[row];
	switch (field) {
		case XHPROF_ROW_NODE:
			if (XHPROF_NODE_IS_PSEUDO(found->node)) {
				return found->node == XHPROF_NODE_BEFORE ? NODE_BEFORE : NODE_OTHER_THREADS;
			}
			return places[found->node];
		case XHPROF_ROW_TYPE:
			return found->type;
		case XHPROF_ROW_MARK:
			return found->mark;
		case XHPROF_ROW_BLOCKS:
			return (int64_t)found->blocks;
		default:
			return (int64_t)found->bytes;
	}
}

static void json_sums(xhprof_json *json, const char *name, const xhprof_alloc_sums *sums)
{
	xhprof_json_open_member(json, name, '{');
	xhprof_json_uint(json, "size", sums->size);
	if (sums->peak) {
		xhprof_json_uint(json, "peak", sums->peak);
	}
	if (sums->tracked) {
		xhprof_json_uint(json, "allocated_bytes", sums->allocated_bytes);
		xhprof_json_uint(json, "allocated_blocks", sums->allocated_blocks);
		xhprof_json_uint(json, "freed_bytes", sums->freed_bytes);
		xhprof_json_uint(json, "freed_blocks", sums->freed_blocks);
		xhprof_json_uint(json, "before_bytes", sums->before_bytes);
	}
	xhprof_json_close(json, '}');
}

static void json_allocators(xhprof_json *json, const xhprof_alloc_dump *dump)
{
	const xhprof_alloc_sums *native = &dump->sums[XHPROF_ALLOCATOR_MALLOC];
	xhprof_json_open_member(json, "allocators", '{');
	json_sums(json, "zend_mm", &dump->sums[XHPROF_ALLOCATOR_ZEND]);
	if (native->size || native->tracked) {
		json_sums(json, "malloc", native);
	}
	xhprof_json_open_member(json, "xhprof/register", '{');
	xhprof_json_uint(json, "size", dump->map_bytes);
	xhprof_json_close(json, '}');
	xhprof_json_close(json, '}');
}

void xhprof_alloc_rows_figures(xhprof_json *json, const xhprof_alloc_dump *dump, bool lines)
{
	xhprof_json_uint(json, "sample_bytes", dump->sample_bytes);
	xhprof_json_uint(json, "marks", dump->marks);
	json->line = lines;
	json_allocators(json, dump);
	json->line = lines;
	xhprof_json_open_member(json, "dropped", '{');
	xhprof_json_uint(json, "blocks", dump->dropped_blocks);
	xhprof_json_uint(json, "bytes", dump->dropped_bytes);
	xhprof_json_close(json, '}');
}
