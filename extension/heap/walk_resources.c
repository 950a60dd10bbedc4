/* Resources: the name of their type, and the memory of streams, their contexts and filters. */
#include "engine_parts.h"
#include "walk_parts.h"

#include "php_streams.h"
#include "zend_list.h"

#define MAX_TYPES 65536
#define MAX_FILTERS 5 /* further filters of a stream are left to the native pass */
#define NO_TYPES 1

/* ---- Names of types ----------------------------------------------------------------------------------------------------- */

static bool check_type(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	bool *good = context;
	uint64_t at = Z_TYPE_P(element->value) == IS_PTR ? (xhprof_addr)Z_PTR_P(element->value) : 0;
	XHPROF_WALKER_LOAD(walker, zend_rsrc_list_dtors_entry, entry, at);
	*good = at && entry && !element->key && entry->resource_id == element->index && entry->module_number >= 0;
	return *good;
}

static bool is_types(xhprof_walker *walker, const HashTable *table)
{
	xhprof_addr data = (xhprof_addr)table->arData;
	bool good = false;
	return table->nNumUsed && table->nNumUsed <= table->nTableSize && table->nTableSize <= MAX_TYPES &&
		   !(table->nTableSize & (table->nTableSize - 1)) && table->nNumOfElements &&
		   table->nNumOfElements <= table->nNumUsed && data && data % sizeof(void *) == 0 &&
		   table->nNextFreeElement == (zend_long)table->nNumUsed &&
		   xhprof_walker_elements(walker, table, check_type, &good) && good;
}

/* Finds the table of types, which the engine does not export. It is recognized by its contents: each target contains
 * its own number. Variables are searched as copies: a sanitizer has gaps between them. */
static uint64_t find_types(xhprof_walker *walker)
{
	const xhprof_region *region = xhprof_reader_region(walker->reader, walker->engine->module_registry);
	if (!region || region->kind != XHPROF_REGION_LIBRARY) {
		return NO_TYPES;
	}
	union {
		char bytes[4096];
		uint64_t aligned;
	} piece;
	uint64_t from = region->from, to = region->to;
	while (to - from >= sizeof(HashTable)) {
		size_t size = to - from < sizeof(piece) ? (size_t)(to - from) : sizeof(piece);
		size = xhprof_reader_copy(walker->reader, from, piece.bytes, size);
		if (size < sizeof(HashTable)) {
			break;
		}
		size_t at = 0;
		for (; at + sizeof(HashTable) <= size; at += sizeof(void *)) {
			if (is_types(walker, (const HashTable *)(piece.bytes + at))) {
				return from + at;
			}
		}
		from += at;
	}
	return NO_TYPES;
}

static xhprof_text type_name(xhprof_walker *walker, int type)
{
	if (!walker->resource_types) {
		walker->resource_types = find_types(walker);
	}
	XHPROF_WALKER_LOAD(walker, HashTable, types, walker->resource_types);
	uint64_t entry = types ? xhprof_walker_pointer_at(walker, types, (uint32_t)type) : 0;
	xhprof_addr at = xhprof_walker_pointer(walker, entry + offsetof(zend_rsrc_list_dtors_entry, type_name));
	xhprof_text name = xhprof_walker_c_text(walker, at);
	return name.length ? xhprof_walker_keep(walker, name) : XHPROF_TEXT("resource");
}

/* ---- Streams ------------------------------------------------------------------------------------------------------------ */

static void visit_filters(xhprof_walker *walker, uint64_t node, const php_stream_filter_chain *chain, xhprof_text owner,
						  unsigned *number)
{
	xhprof_addr at = (xhprof_addr)chain->head;
	for (unsigned i = 0; at && i < MAX_FILTERS; i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, php_stream_filter, filter, at);
		xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "stream filter", at, sizeof(*filter));
		if (Z_TYPE(filter->abstract) == IS_OBJECT) {
			xhprof_walker_zval(walker, XHPROF_PART("filter"), &filter->abstract);
		}
		xhprof_walker_refer(walker, XHPROF_PART("filter's resource"), XHPROF_VISIT_RESOURCE, filter->res, 0);
		if (*number <= MAX_FILTERS) {
			/* Its own data, and data that it has read but not passed on. */
			xhprof_walker_private_part(walker, node, (*number)++, at, sizeof(*filter), owner);
		}
		at = (xhprof_addr)filter->next;
	}
}

static void visit_stream(xhprof_walker *walker, uint64_t node, uint64_t at, const php_stream *stream, xhprof_text owner)
{
	unsigned number = 0;
	xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "stream", at, sizeof(*stream));
	xhprof_walker_zval(walker, XHPROF_PART("wrapper data"), &stream->wrapperdata);
	xhprof_walker_refer(walker, XHPROF_PART("context"), XHPROF_VISIT_RESOURCE, stream->ctx, 0);
	xhprof_walk_engine_buffer(walker, "stream's buffer", stream->readbuf, stream->readbuflen);
	xhprof_walk_engine_c_string(walker, "stream's path", stream->orig_path);
	/* Its own data, specific to its kind. */
	xhprof_walker_private_part(walker, node, number++, at, sizeof(*stream), owner);
	visit_filters(walker, node, &stream->readfilters, owner, &number);
	visit_filters(walker, node, &stream->writefilters, owner, &number);
}

void xhprof_walk_resource(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_heap_node node = {
		.address = item->address, .type = XHPROF_HEAP_RESOURCE, .size = sizeof(zend_resource), .name = "resource"};
	node.name_length = strlen(node.name);
	XHPROF_WALKER_LOAD(walker, zend_resource, resource, item->address);
	if (!resource) {
		walker->result->unreadable++;
		xhprof_walker_node(walker, &node, item->address);
		return;
	}
	xhprof_text name = resource->type >= 0 ? type_name(walker, resource->type) : XHPROF_TEXT("closed resource");
	uint64_t inner = resource->type >= 0 ? (xhprof_addr)resource->ptr : 0;

	/* Both of these point to their resource, which identifies them; structures of other extensions are private, and of
	 * any size. */
	union {
		php_stream stream;
		php_stream_context context;
	} copy = {0};
	if (inner && xhprof_reader_readable(walker->reader, inner, sizeof(copy.context))) {
		xhprof_reader_copy(walker->reader, inner, &copy, sizeof(copy));
	}
	const php_stream *stream = &copy.stream;
	const php_stream_context *context = &copy.context;
	bool is_stream = (xhprof_addr)stream->res == item->address;
	bool is_context = !is_stream && (xhprof_addr)context->res == item->address;
	if (walker->resource_types == NO_TYPES) {
		name = is_stream ? XHPROF_TEXT("stream") : is_context ? XHPROF_TEXT("stream-context") : name;
	}
	node.has_refcount = true;
	node.refcount = resource->gc.refcount;
	node.name = name.bytes;
	node.name_length = name.length;
	xhprof_walker_node(walker, &node, item->address);
	if (is_stream) {
		visit_stream(walker, item->address, inner, stream, name);
	} else if (is_context) {
		xhprof_walker_zval(walker, XHPROF_PART("options"), &context->options);
		xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "stream context", inner, sizeof(*context));
		xhprof_walker_private_part(walker, item->address, 0, inner + offsetof(php_stream_context, notifier),
								   sizeof(context->notifier), name);
	} else if (inner) {
		xhprof_walker_private_part(walker, item->address, 0, item->address + offsetof(zend_resource, ptr),
								   sizeof(resource->ptr), name);
	}
}
