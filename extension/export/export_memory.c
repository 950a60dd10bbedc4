#include "export_memory.h"

#include "json_layout.h"

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
	const xhprof_alloc_sums *native = &dump->of[XHPROF_ALLOCATOR_MALLOC];
	xhprof_json_open_member(json, "allocators", '{');
	json_sums(json, "zend_mm", &dump->of[XHPROF_ALLOCATOR_ZEND]);
	if (native->size || native->tracked) {
		json_sums(json, "malloc", native);
	}
	xhprof_json_open_member(json, "xhprof/register", '{');
	xhprof_json_uint(json, "size", dump->register_bytes);
	xhprof_json_close(json, '}');
	xhprof_json_close(json, '}');
}

static void json_types(xhprof_json *json, const xhprof_alloc_types *types)
{
	xhprof_json_open_member(json, "types", '[');
	for (uint32_t i = 0; i < types->count; i++) {
		xhprof_json_item(json);
		xhprof_write_json_string(json->writer, types->types[i].name, types->types[i].length);
	}
	xhprof_json_close(json, ']');
}

enum row_field { ROW_NODE, ROW_TYPE, ROW_MARK, ROW_BLOCKS, ROW_BYTES, ROW_FIELDS };

static int64_t row_value(const xhprof_alloc_row *row, enum row_field field, const uint32_t *places)
{
	switch (field) {
		case ROW_NODE:
			if (XHPROF_NODE_IS_PSEUDO(row->node)) {
				return row->node == XHPROF_NODE_BEFORE ? -1 : -2;
			}
			return places[row->node];
		case ROW_TYPE:
			return row->type;
		case ROW_MARK:
			return row->mark;
		case ROW_BLOCKS:
			return (int64_t)row->blocks;
		default:
			return (int64_t)row->bytes;
	}
}

static void json_rows(xhprof_json *json, const xhprof_alloc_dump *dump, const uint32_t *places)
{
	static const char *const names[ROW_FIELDS] = {"node", "type", "mark", "blocks", "bytes"};
	xhprof_json_open_member(json, "rows", '{');
	for (int field = 0; field < ROW_FIELDS; field++) {
		xhprof_json_line(json);
		xhprof_json_open_member(json, names[field], '[');
		for (size_t i = 0; i < dump->count; i++) {
			xhprof_json_item(json);
			xhprof_write_int(json->writer, row_value(&dump->rows[i], (enum row_field)field, places));
		}
		xhprof_json_close(json, ']');
	}
	xhprof_json_close(json, '}');
}

bool xhprof_export_memory_json(const xhprof_alloc_dump *dump, xhprof_writer *writer)
{
	xhprof_json document = {.writer = writer, .first = true}, *json = &document;
	size_t size;
	uint32_t *places = xhprof_calltree_places(&dump->tracer->tree, &size);
	if (!places) {
		return false;
	}
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "kind", "memory");
	xhprof_json_text(json, "unit", "B");
	xhprof_json_uint(json, "sample_bytes", dump->sample_bytes);
	xhprof_json_uint(json, "marks", dump->marks);
	xhprof_json_line(json);
	json_allocators(json, dump);
	xhprof_json_line(json);
	xhprof_json_open_member(json, "dropped", '{');
	xhprof_json_uint(json, "blocks", dump->dropped_blocks);
	xhprof_json_uint(json, "bytes", dump->dropped_bytes);
	xhprof_json_close(json, '}');
	xhprof_json_line(json);
	json_types(json, dump->types);
	xhprof_json_line(json);
	json_rows(json, dump, places);
	xhprof_json_close(json, '}');
	xhprof_write_string(writer, "\n");
	xhprof_pages_unmap(places, size);
	return true;
}
