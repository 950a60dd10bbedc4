#include "heap_jsonl.h"
#include "base/arena.h"

static void write_text(xhprof_writer *writer, const char *key, const char *text)
{
	if (text) {
		xhprof_write_string(writer, key);
		xhprof_write_json_string(writer, text, strlen(text));
	}
}

static void write_number(xhprof_writer *writer, const char *key, uint64_t number)
{
	xhprof_write_string(writer, key);
	xhprof_write_uint(writer, number);
}

static void write_flag(xhprof_writer *writer, const char *key, bool flag)
{
	xhprof_write_string(writer, key);
	xhprof_write_string(writer, flag ? "true" : "false");
}

void xhprof_heap_jsonl_begin(xhprof_heap_jsonl *jsonl, xhprof_writer *writer, const xhprof_heap_facts *facts,
							 const xhprof_heap_paths *paths)
{
	*jsonl = (xhprof_heap_jsonl){.writer = writer, .facts = facts, .paths = paths};
	xhprof_write_string(writer, "{\"xhprof_heap\":1");
	write_text(writer, ",\"php\":", facts->php);
	if (facts->pid) {
		write_number(writer, ",\"pid\":", facts->pid);
	}
	write_text(writer, ",\"sapi\":", facts->sapi);
	write_text(writer, ",\"host\":", facts->host);
	write_text(writer, ",\"command\":", facts->command);
	if (facts->time > 0) {
		write_number(writer, ",\"time\":", (uint64_t)facts->time);
	}
	write_text(writer, ",\"reader\":", facts->reader);
	write_flag(writer, ",\"stopped\":", facts->stopped);
	if (facts->zmm) {
		write_number(writer, ",\"usage\":", facts->zmm->size);
		write_number(writer, ",\"peak\":", facts->zmm->peak);
		write_number(writer, ",\"real_usage\":", facts->zmm->real_size);
		write_number(writer, ",\"limit\":", facts->zmm->limit);
		write_number(writer, ",\"chunks\":", facts->zmm->chunk_count);
	}
	write_number(writer, ",\"max_string\":", facts->max_string);
	write_flag(writer, ",\"redacted\":", facts->redact);
	xhprof_write_string(writer, "}\n");
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

static bool is_told(const xhprof_heap_jsonl *jsonl, uint32_t path)
{
	return path / 8 < jsonl->told_size && jsonl->told[path / 8] & 1u << path % 8;
}

static bool note_told(xhprof_heap_jsonl *jsonl, uint32_t path)
{
	while (path / 8 >= jsonl->told_size) {
		if (!xhprof_pages_double((void **)&jsonl->told, 1, &jsonl->told_size, 65536)) {
			return false;
		}
	}
	jsonl->told[path / 8] |= (uint8_t)(1u << path % 8);
	return true;
}

/* Lines for a path and for those it was called from, unless they have been told. */
static bool tell_path(xhprof_heap_jsonl *jsonl, uint32_t path)
{
	const char *function;
	size_t length, waiting = 0;
	uint32_t parent;
	for (; path && !is_told(jsonl, path); path = parent) {
		if (!jsonl->paths->tell(jsonl->paths->context, path, &parent, &function, &length)) {
			break;
		}
		/* Noted before its callers are looked at, so that a circle ends. */
		if ((waiting == jsonl->chain_capacity &&
			 !xhprof_pages_double((void **)&jsonl->chain, sizeof(*jsonl->chain), &jsonl->chain_capacity, 1024)) ||
			!note_told(jsonl, path)) {
			jsonl->no_memory = true;
			break;
		}
		jsonl->chain[waiting++] = path;
	}
	bool known = !path || is_told(jsonl, path) || waiting;
	while (waiting) {
		path = jsonl->chain[--waiting];
		if (!jsonl->paths->tell(jsonl->paths->context, path, &parent, &function, &length)) {
			continue;
		}
		write_number(jsonl->writer, "{\"p\":", path);
		if (parent) {
			write_number(jsonl->writer, ",\"parent\":", parent);
		}
		xhprof_write_string(jsonl->writer, ",\"fn\":");
		xhprof_write_json_string(jsonl->writer, function, length);
		xhprof_write_bytes(jsonl->writer, "}\n", 2);
	}
	return known;
}

#define PUT(literal) (memcpy(to, literal, sizeof(literal) - 1), to += sizeof(literal) - 1)

static void jsonl_node(void *context, const xhprof_heap_node *node)
{
	xhprof_heap_jsonl *jsonl = context;
	xhprof_writer *writer = jsonl->writer;
	end_node(jsonl);
	bool path = node->path && jsonl->paths && tell_path(jsonl, node->path);
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
	if (node->block) {
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
	if (node->name) {
		xhprof_write_bytes(writer, ",\"c\":", 5);
		xhprof_write_json_string(writer, node->name, node->name_length);
	}
	if (node->file) {
		xhprof_write_bytes(writer, ",\"f\":", 5);
		xhprof_write_json_string(writer, node->file, node->file_length);
	}
	if (node->value && !jsonl->facts->redact) {
		xhprof_write_bytes(writer, ",\"v\":", 5);
		xhprof_write_json_string(
			writer, node->value,
			xhprof_utf8_cut(node->value, node->value_length, node->length, jsonl->facts->max_string));
	}
	jsonl->in_node = true;
}

static void jsonl_edge(void *context, const xhprof_heap_edge *edge)
{
	xhprof_heap_jsonl *jsonl = context;
	xhprof_writer *writer = jsonl->writer;
	if (!jsonl->in_node || (!edge->to && (!edge->scalar || jsonl->facts->redact))) {
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
	end_node(jsonl);
	if (result) {
		xhprof_write_string(jsonl->writer, "{\"end\":true,\"summary\":");
		xhprof_heap_summary_write(summary, jsonl->writer, jsonl->facts, result, took_ns);
		xhprof_write_string(jsonl->writer, "}\n");
	}
	xhprof_heap_jsonl_release(jsonl);
}

void xhprof_heap_jsonl_release(xhprof_heap_jsonl *jsonl)
{
	xhprof_pages_unmap(jsonl->chain, jsonl->chain_capacity * sizeof(*jsonl->chain));
	xhprof_pages_unmap(jsonl->told, jsonl->told_size);
	jsonl->chain = NULL;
	jsonl->told = NULL;
	jsonl->chain_capacity = jsonl->told_size = 0;
}
