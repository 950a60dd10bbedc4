/* Values in variables that nothing leads to: the filter extension's copies of a request, for example. A value contains
 * its type, and so does its target. Searched are PHP's own variables and extensions' globals; the native pass searches
 * other libraries'. */
#include "walk_parts.h"

#include "SAPI.h"
#include "ext/standard/file.h"
#include "php_globals.h"
#include "php_output.h"

#include "compat/code_layout.h"

#define MAX_DATA ((uint64_t)16 << 20)
#define MAX_KNOWN 256

/* A range of memory that is reported elsewhere. */
typedef struct known_range {
	uint64_t from, size;
} known_range;

typedef struct known_ranges {
	known_range ranges[MAX_KNOWN];
	size_t count;
} known_ranges;

static bool is_value(xhprof_walker *walker, const zval *value)
{
	uint32_t info = Z_TYPE_INFO_P(value);
	xhprof_addr address = (xhprof_addr)Z_COUNTED_P(value);
	xhprof_zmm_block block;
	if ((info != IS_STRING_EX && info != IS_ARRAY_EX && info != IS_OBJECT_EX && info != IS_RESOURCE_EX &&
		 info != IS_REFERENCE_EX) ||
		!xhprof_zmm_block_of(walker->zmm, address, &block) || address % sizeof(void *)) {
		return false;
	}
	XHPROF_WALKER_LOAD(walker, zend_refcounted_h, header, address);
	uint64_t room = block.address + block.size - address;
	if (!xhprof_walker_has_type(header, Z_TYPE_P(value)) ||
		(block.address != address && Z_TYPE_P(value) != IS_OBJECT)) {
		return false;
	}
	switch (Z_TYPE_P(value)) {
		case IS_STRING: {
			XHPROF_WALKER_LOAD(walker, uint64_t, length, address + offsetof(zend_string, len));
			return length && *length < room && room - *length > offsetof(zend_string, val);
		}
		case IS_ARRAY: {
			XHPROF_WALKER_LOAD(walker, HashTable, table, address);
			return table && room >= sizeof(HashTable) && table->nNumOfElements <= table->nNumUsed &&
				   table->nNumUsed <= table->nTableSize;
		}
		case IS_OBJECT: {
			XHPROF_WALKER_LOAD(walker, zend_object, object, address);
			return object && room >= offsetof(zend_object, properties_table) &&
				   xhprof_walker_class_at(walker, object->ce)->readable;
		}
		default:
			return true;
	}
}

static bool is_known(const known_ranges *known, xhprof_addr address)
{
	for (size_t i = 0; known && i < known->count; i++) {
		if (address - known->ranges[i].from < known->ranges[i].size) {
			return true;
		}
	}
	return false;
}

static void visit_values(xhprof_walker *walker, uint64_t from, uint64_t size, xhprof_text name,
						 const known_ranges *known)
{
	size = size < MAX_DATA ? size : MAX_DATA;
	zval piece[256]; /* variables are copied: a sanitizer has gaps between them */
	for (uint64_t done = 0; size - done >= sizeof(zval);) {
		size_t some = size - done < sizeof(piece) ? (size_t)(size - done) : sizeof(piece);
		some = xhprof_reader_copy(walker->reader, from + done, piece, some) & ~(sizeof(void *) - 1);
		if (some < sizeof(zval)) {
			return;
		}
		/* Structures may have them at any pointer's offset. */
		size_t at = 0;
		for (; at + sizeof(zval) <= some; at += sizeof(void *)) {
			zval value;
			memcpy(&value, (const char *)piece + at, sizeof(value));
			if (is_value(walker, &value) && !is_known(known, from + done + at)) {
				xhprof_walker_zval(walker, XHPROF_NAMED(name), &value);
			}
		}
		done += at;
	}
}

void xhprof_walk_static_values(xhprof_walker *walker, xhprof_at where, uint64_t size, xhprof_text name)
{
	xhprof_addr from = where.number;
	visit_values(walker, from, size, name, NULL);
}

void xhprof_walk_syntax_tree(xhprof_walker *walker, uint64_t from, uint64_t size)
{
	visit_values(walker, from, size, XHPROF_TEXT("syntax tree"), NULL);
	/* Names and doc comments of declarations. */
	for (uint64_t at = from; at + sizeof(uint64_t) <= from + size; at += sizeof(uint64_t)) {
		xhprof_zmm_block block;
		xhprof_addr address = xhprof_walker_pointer(walker, at), length;
		if (xhprof_zmm_block_at(walker->zmm, address, &block) && xhprof_walker_is_string(walker, &block, &length)) {
			xhprof_walker_name(walker, "syntax tree", address);
		}
	}
}

static void add_range(known_ranges *known, uint64_t from, uint64_t size)
{
	if (from && known->count < MAX_KNOWN) {
		known->ranges[known->count++] = (known_range){from, size};
	}
}

static bool add_module(xhprof_walker *walker, const xhprof_element *element, void *context)
{
#ifndef ZTS
	XHPROF_WALKER_LOAD(walker, zend_module_entry, module, Z_PTR_P(element->value));
	if (module) {
		add_range(context, (xhprof_addr)module->globals_ptr, module->globals_size);
	}
#endif
	return true;
}

/* Visits the values in a region, except for the heap's chunks: the system merges memory that is mapped right behind a
 * library with it. */
static void visit_region(xhprof_walker *walker, const xhprof_region *region, xhprof_text name,
						 const known_ranges *known)
{
	const xhprof_zmm *zmm = walker->zmm;
	uint64_t from = region->from;
	for (size_t i = 0; i < zmm->chunk_count; i++) { /* by address */
		uint64_t chunk = zmm->chunks[i].address;
		if (chunk >= from && chunk < region->to) {
			visit_values(walker, from, chunk - from, name, known);
			from = chunk + XHPROF_ZMM_CHUNK_SIZE;
		}
	}
	if (from < region->to) {
		visit_values(walker, from, region->to - from, name, known);
	}
}

void xhprof_walk_statics(xhprof_walker *walker)
{
	const xhprof_engine *engine = walker->engine;
	known_ranges known = {.count = 0};
	add_range(&known, engine->executor_globals, sizeof(zend_executor_globals));
	add_range(&known, engine->compiler_globals, sizeof(zend_compiler_globals));
	add_range(&known, engine->sapi_globals, sizeof(sapi_globals_struct));
	add_range(&known, engine->basic_globals, sizeof(php_basic_globals));
	add_range(&known, engine->core_globals, sizeof(php_core_globals));
	add_range(&known, engine->file_globals, sizeof(php_file_globals));
	add_range(&known, engine->output_globals, sizeof(zend_output_globals));
	XHPROF_WALKER_LOAD(walker, HashTable, modules, engine->module_registry);
	if (engine->module_registry && modules) {
		xhprof_walker_elements(walker, modules, add_module, &known);
	}
	const xhprof_region *own = xhprof_reader_region(walker->reader, engine->module_registry);
	xhprof_text name = {NULL, 0};
	if (own && own->kind == XHPROF_REGION_LIBRARY) {
		name = xhprof_walker_file_name(walker, own);
	}
	for (size_t i = 0; name.length && i < walker->reader->region_count; i++) {
		const xhprof_region *region = &walker->reader->regions[i];
		if (region->kind == XHPROF_REGION_LIBRARY && region->writable && region->name == own->name) {
			visit_region(walker, region, name, &known);
		}
	}
}
