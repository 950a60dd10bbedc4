#include "heap_jsonl.h"

#include "base/arena.h"
#include "heap/zmm_blocks.h"

void xhprof_heap_jsonl_begin(xhprof_heap_jsonl *jsonl, xhprof_writer *writer, const xhprof_heap_info *info,
							 const xhprof_heap_paths *paths)
{
	xhprof_json json = {.writer = writer, .first = true};
	*jsonl = (xhprof_heap_jsonl){.writer = writer, .info = info, .paths = paths};
	xhprof_json_open(&json, '{');
	xhprof_json_uint(&json, "xhprof_heap", 1);
	xhprof_json_text(&json, "php", info->php);
	if (info->pid) {
		xhprof_json_uint(&json, "pid", info->pid);
	}
	xhprof_json_text(&json, "sapi", info->sapi);
	xhprof_json_text(&json, "host", info->host);
	xhprof_json_text(&json, "command", info->command);
	xhprof_json_text(&json, "method", info->method);
	xhprof_json_text(&json, "url", info->url);
	xhprof_json_text(&json, "route", info->route);
	if (info->taken_if) {
		xhprof_json_text(&json, "taken_if", info->taken_if);
		xhprof_json_uint(&json, "reached", info->reached);
	}
	if (info->time > 0) {
		xhprof_json_uint(&json, "time", (uint64_t)info->time);
	}
	xhprof_json_text(&json, "reader", info->reader);
	xhprof_json_flag(&json, "stopped", info->stopped);
	if (info->zmm) {
		xhprof_json_uint(&json, "usage", info->zmm->size);
		xhprof_json_uint(&json, "peak", info->peak > info->zmm->peak ? info->peak : info->zmm->peak);
		xhprof_json_uint(&json, "real_usage", info->zmm->real_size);
		xhprof_json_uint(&json, "limit", info->zmm->limit);
		xhprof_json_uint(&json, "chunks", info->zmm->chunk_count);
		xhprof_json_uint(&json, "huge_bytes", info->zmm->huge_bytes);
	}
	xhprof_json_uint(&json, "max_string", info->max_string);
	xhprof_json_flag(&json, "redacted", info->redact);
	xhprof_json_close(&json, '}');
	xhprof_write_bytes(writer, "\n", 1);
}

static void end_node(xhprof_heap_jsonl *jsonl)
{
	if (jsonl->in_edges) {
		xhprof_write_bytes(jsonl->writer, "]}\n", 3);
	} else if (jsonl->in_node) {
		xhprof_write_bytes(jsonl->writer, "}\n", 2);
	}
	jsonl->in_node = jsonl->in_edges = false;
}

static bool is_written(const xhprof_heap_jsonl *jsonl, uint32_t path)
{
	return path / 8 < jsonl->written_size && jsonl->written[path / 8] & 1u << path % 8;
}

static bool mark_written(xhprof_heap_jsonl *jsonl, uint32_t path)
{
	while (path / 8 >= jsonl->written_size) {
		if (!xhprof_pages_double((void **)&jsonl->written, 1, &jsonl->written_size, 65536)) {
			return false;
		}
	}
	jsonl->written[path / 8] |= (uint8_t)(1u << path % 8);
	return true;
}

/* Writes lines for a path and its callers, unless already written. */
static bool write_path(xhprof_heap_jsonl *jsonl, uint32_t path)
{
	const char *function;
	size_t length, waiting = 0;
	uint32_t parent;
	for (; path && !is_written(jsonl, path); path = parent) {
		if (!jsonl->paths->resolve(jsonl->paths->context, path, &parent, &function, &length)) {
			break;
		}
		/* Marked before its callers are visited, so that a cycle ends. */
		if ((waiting == jsonl->chain_capacity &&
			 !xhprof_pages_double((void **)&jsonl->chain, sizeof(*jsonl->chain), &jsonl->chain_capacity, 1024)) ||
			!mark_written(jsonl, path)) {
			jsonl->no_memory = true;
			break;
		}
		jsonl->chain[waiting++] = path;
	}
	bool known = !path || is_written(jsonl, path) || waiting;
	while (waiting) {
		path = jsonl->chain[--waiting];
		if (!jsonl->paths->resolve(jsonl->paths->context, path, &parent, &function, &length)) {
			continue;
		}
		xhprof_json json = {.writer = jsonl->writer, .first = true};
		xhprof_json_open(&json, '{');
		xhprof_json_uint(&json, "p", path);
		if (parent) {
			xhprof_json_uint(&json, "parent", parent);
		}
		xhprof_json_string(&json, "fn", function, length);
		xhprof_json_close(&json, '}');
		xhprof_write_bytes(jsonl->writer, "\n", 1);
	}
	return known;
}

/* Returns whether a node is in the heap without a block of its own: within another node's block, as nodes in an arena
 * or a VM stack are. */
static bool is_within_block(const xhprof_heap_jsonl *jsonl, const xhprof_heap_node *node)
{
	xhprof_zmm_block block;
	return jsonl->info->zmm && node->size && xhprof_zmm_block_of(jsonl->info->zmm, node->address, &block);
}

#define PUT(literal) (memcpy(to, literal, sizeof(literal) - 1), to += sizeof(literal) - 1)

static void jsonl_node(void *context, const xhprof_heap_node *node)
{
	xhprof_heap_jsonl *jsonl = context;
	xhprof_writer *writer = jsonl->writer;
	end_node(jsonl);
	bool path = node->path && jsonl->paths && write_path(jsonl, node->path);
	const char *type = xhprof_heap_type_name(node->type);
	size_t type_length = strlen(type);
	char *to = xhprof_writer_reserve(writer, XHPROF_WRITER_RESERVE);
	PUT("{\"a\":");
	to = xhprof_format_uint(to, node->address);
	PUT(",\"t\":\"");
	memcpy(to, type, type_length);
	to += type_length;
	PUT("\",\"s\":");
	to = xhprof_format_uint(to, node->size);
	if (node->block || is_within_block(jsonl, node)) {
		PUT(",\"b\":");
		to = xhprof_format_uint(to, node->block);
	}
	if (node->has_refcount) {
		PUT(",\"r\":");
		to = xhprof_format_uint(to, node->refcount);
	}
	if (node->line) {
		PUT(",\"l\":");
		to = xhprof_format_uint(to, node->line);
	}
	if (node->type == XHPROF_HEAP_STRING || node->type == XHPROF_HEAP_ARRAY) {
		PUT(",\"n\":");
		to = xhprof_format_uint(to, node->length);
	}
	if (node->shared) {
		PUT(",\"m\":true");
	}
	if (path) {
		PUT(",\"p\":");
		to = xhprof_format_uint(to, node->path);
	}
	xhprof_writer_commit(writer, to);
	if (node->has_hash) {
		xhprof_write_bytes(writer, ",\"h\":\"", 6);
		xhprof_write_hex(writer, node->hash, 16);
		xhprof_write_bytes(writer, "\"", 1);
	}
	if (node->name) {
		xhprof_write_bytes(writer, ",\"c\":", 5);
		xhprof_write_json_string(writer, node->name, node->name_length);
	}
	if (node->file) {
		xhprof_write_bytes(writer, ",\"f\":", 5);
		xhprof_write_json_string(writer, node->file, node->file_length);
	}
	if (node->value && !jsonl->info->redact) {
		xhprof_write_bytes(writer, ",\"v\":", 5);
		xhprof_write_json_string(
			writer, node->value,
			xhprof_utf8_cut(node->value, node->value_length, node->length, jsonl->info->max_string));
	}
	jsonl->in_node = true;
}

static void jsonl_edge(void *context, const xhprof_heap_edge *edge)
{
	xhprof_heap_jsonl *jsonl = context;
	xhprof_writer *writer = jsonl->writer;
	if (!jsonl->in_node || (!edge->to && (!edge->scalar || jsonl->info->redact))) {
		return;
	}
	char *to = xhprof_writer_reserve(writer, 64);
	if (jsonl->in_edges) {
		*to++ = ',';
	} else {
		PUT(",\"e\":[");
		jsonl->in_edges = true;
	}
	*to++ = '[';
	if (edge->kind == XHPROF_EDGE_INDEX) {
		to = xhprof_format_int(to, edge->index);
	} else {
		xhprof_writer_commit(writer, to);
		xhprof_write_json_string(writer, edge->name ? edge->name : "", edge->name ? edge->name_length : 0);
		to = xhprof_writer_reserve(writer, 64);
	}
	*to++ = ',';
	if (!edge->to) {
		PUT("null,");
		xhprof_writer_commit(writer, to);
		xhprof_heap_write_scalar(writer, edge->scalar);
		xhprof_write_bytes(writer, "]", 1);
		return;
	}
	to = xhprof_format_uint(to, edge->to);
	if (edge->kind == XHPROF_EDGE_PART) {
		PUT(",\"p\"");
	} else if (edge->kind == XHPROF_EDGE_WEAK) {
		PUT(",\"w\"");
	}
	*to++ = ']';
	xhprof_writer_commit(writer, to);
}

xhprof_heap_visitor xhprof_heap_jsonl_visitor(xhprof_heap_jsonl *jsonl)
{
	return (xhprof_heap_visitor){.context = jsonl, .node = jsonl_node, .edge = jsonl_edge};
}

void xhprof_heap_jsonl_end(xhprof_heap_jsonl *jsonl, const xhprof_walk_result *result, xhprof_heap_summary *summary,
						   uint64_t took_ns)
{
	xhprof_json json = {.writer = jsonl->writer, .first = true};
	end_node(jsonl);
	xhprof_json_open(&json, '{');
	xhprof_json_flag(&json, "end", true);
	xhprof_json_name(&json, "summary");
	xhprof_heap_summary_write(summary, &json, jsonl->info, result, took_ns);
	xhprof_json_close(&json, '}');
	xhprof_write_bytes(jsonl->writer, "\n", 1);
	xhprof_heap_jsonl_release(jsonl);
}

void xhprof_heap_jsonl_release(xhprof_heap_jsonl *jsonl)
{
	xhprof_pages_unmap(jsonl->chain, jsonl->chain_capacity * sizeof(*jsonl->chain));
	xhprof_pages_unmap(jsonl->written, jsonl->written_size);
	jsonl->chain = NULL;
	jsonl->written = NULL;
	jsonl->chain_capacity = jsonl->written_size = 0;
}
