#include "export_memory.h"

static void json_field(xhprof_writer *writer, const char *name, uint64_t number, bool first)
{
	xhprof_write_string(writer, first ? "{\"" : ",\"");
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "\":");
	xhprof_write_uint(writer, number);
}

static void json_sums(xhprof_writer *writer, const xhprof_alloc_sums *sums)
{
	json_field(writer, "size", sums->size, true);
	if (sums->peak) {
		json_field(writer, "peak", sums->peak, false);
	}
	if (sums->tracked) {
		json_field(writer, "allocated_bytes", sums->allocated_bytes, false);
		json_field(writer, "allocated_blocks", sums->allocated_blocks, false);
		json_field(writer, "freed_bytes", sums->freed_bytes, false);
		json_field(writer, "freed_blocks", sums->freed_blocks, false);
		json_field(writer, "before_bytes", sums->before_bytes, false);
	}
	xhprof_write_string(writer, "}");
}

static void json_allocators(xhprof_writer *writer, const xhprof_alloc_dump *dump)
{
	xhprof_write_string(writer, "\"allocators\":{\"zend_mm\":");
	json_sums(writer, &dump->of[XHPROF_ALLOCATOR_ZEND]);
	if (dump->of[XHPROF_ALLOCATOR_MALLOC].size || dump->of[XHPROF_ALLOCATOR_MALLOC].tracked) {
		xhprof_write_string(writer, ",\"malloc\":");
		json_sums(writer, &dump->of[XHPROF_ALLOCATOR_MALLOC]);
	}
	xhprof_write_string(writer, ",\"xhprof/register\":");
	json_field(writer, "size", dump->register_bytes, true);
	xhprof_write_string(writer, "}}");
}

static void json_types(xhprof_writer *writer, const xhprof_alloc_types *types)
{
	xhprof_write_string(writer, "\"types\":[");
	for (uint32_t i = 0; i < types->count; i++) {
		xhprof_write_string(writer, i ? "," : "");
		xhprof_write_json_string(writer, types->types[i].name, types->types[i].length);
	}
	xhprof_write_string(writer, "]");
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

static void json_rows(xhprof_writer *writer, const xhprof_alloc_dump *dump, const uint32_t *places)
{
	static const char *const names[ROW_FIELDS] = {"node", "type", "mark", "blocks", "bytes"};
	xhprof_write_string(writer, "\"rows\":{");
	for (int field = 0; field < ROW_FIELDS; field++) {
		xhprof_write_string(writer, field ? ",\n\"" : "\n\"");
		xhprof_write_string(writer, names[field]);
		xhprof_write_string(writer, "\":[");
		for (size_t i = 0; i < dump->count; i++) {
			xhprof_write_string(writer, i ? "," : "");
			xhprof_write_int(writer, row_value(&dump->rows[i], (enum row_field)field, places));
		}
		xhprof_write_string(writer, "]");
	}
	xhprof_write_string(writer, "}");
}

bool xhprof_export_memory_json(const xhprof_alloc_dump *dump, xhprof_writer *writer)
{
	size_t size;
	uint32_t *places = xhprof_calltree_places(&dump->tracer->tree, &size);
	if (!places) {
		return false;
	}
	xhprof_write_string(writer, "{\"v\":1,\"kind\":\"memory\",\"unit\":\"B\",\"sample_bytes\":");
	xhprof_write_uint(writer, dump->sample_bytes);
	xhprof_write_string(writer, ",\"marks\":");
	xhprof_write_uint(writer, dump->marks);
	xhprof_write_string(writer, ",\n");
	json_allocators(writer, dump);
	xhprof_write_string(writer, ",\n\"dropped\":");
	json_field(writer, "blocks", dump->dropped_blocks, true);
	json_field(writer, "bytes", dump->dropped_bytes, false);
	xhprof_write_string(writer, "},\n");
	json_types(writer, dump->types);
	xhprof_write_string(writer, ",\n");
	json_rows(writer, dump, places);
	xhprof_write_string(writer, "}\n");
	xhprof_pages_unmap(places, size);
	return true;
}
