#include "walker_read.h"

#define MAX_KEPT \
	((size_t)256 << 20) /* bytes of classes and names: a damaged heap may seem to have any number of them */
#define MAX_PROPERTIES 65536
#define MAX_COMPARED 512
#define MAX_COLLISIONS 4096

xhprof_addr xhprof_walker_pointer(xhprof_walker *walker, xhprof_at where)
{
	xhprof_addr address = where.number;
	XHPROF_WALKER_LOAD(walker, uint64_t, pointer, address);
	return pointer ? *pointer : 0;
}

static char *next_text(xhprof_walker *walker)
{
	walker->text = (walker->text + 1) % (sizeof(walker->texts) / sizeof(walker->texts[0]));
	return walker->texts[walker->text];
}

xhprof_text xhprof_walker_bytes(xhprof_walker *walker, xhprof_addr address, size_t size)
{
	size = size < XHPROF_WALKER_TEXT ? size : XHPROF_WALKER_TEXT;
	const void *bytes =
		xhprof_reader_load(walker->reader, address, walker->reader->in_place ? NULL : next_text(walker), size);
	return bytes ? (xhprof_text){bytes, size} : (xhprof_text){NULL, 0};
}

xhprof_text xhprof_walker_text(xhprof_walker *walker, xhprof_at where)
{
	xhprof_addr string = where.number;
	xhprof_addr address = (xhprof_addr)string;
	if (!address || address % sizeof(void *)) {
		return (xhprof_text){NULL, 0};
	}
	XHPROF_WALKER_LOAD(walker, uint64_t, length, address + offsetof(zend_string, len));
	return length ? xhprof_walker_bytes(walker, address + offsetof(zend_string, val), *length) : (xhprof_text){NULL, 0};
}

xhprof_text xhprof_walker_c_text(xhprof_walker *walker, xhprof_at where)
{
	xhprof_addr string = where.number;
	xhprof_addr address = (xhprof_addr)string;
	const xhprof_region *region = address ? xhprof_reader_region(walker->reader, address) : NULL;
	if (!region) {
		return (xhprof_text){NULL, 0};
	}
	uint64_t max = region->to - address < XHPROF_WALKER_TEXT ? region->to - address : XHPROF_WALKER_TEXT;
	xhprof_text text = xhprof_walker_bytes(walker, address, max);
	const char *end = text.bytes ? memchr(text.bytes, 0, text.length) : NULL;
	if (end) {
		text.length = (size_t)(end - text.bytes);
	}
	return text;
}

xhprof_text xhprof_walker_join(xhprof_walker *walker, xhprof_text a, const char *b, xhprof_text c)
{
	char *to = next_text(walker);
	xhprof_text parts[] = {a, {b, strlen(b)}, c};
	size_t length = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t left = XHPROF_WALKER_TEXT - length;
		size_t size = parts[i].length < left ? parts[i].length : left;
		if (size) {
			memmove(to + length, parts[i].bytes, size);
			length += size;
		}
	}
	return (xhprof_text){to, length};
}

static void *keep_bytes(xhprof_walker *walker, size_t size)
{
	void *kept = walker->arena.mapped < MAX_KEPT ? xhprof_arena_alloc(&walker->arena, size, 8) : NULL;
	walker->result->incomplete |= !kept;
	return kept;
}

xhprof_text xhprof_walker_keep(xhprof_walker *walker, xhprof_text text)
{
	const char *buffers = (const char *)walker->texts;
	bool copied = text.bytes >= buffers && text.bytes < buffers + sizeof(walker->texts);
	if (!text.length || (walker->reader->in_place && !copied)) {
		return text;
	}
	char *to = keep_bytes(walker, text.length);
	if (!to) {
		return (xhprof_text){"", 0};
	}
	memcpy(to, text.bytes, text.length);
	return (xhprof_text){to, text.length};
}

bool xhprof_walker_is_string(xhprof_walker *walker, const xhprof_zmm_block *block, uint64_t *length)
{
	XHPROF_WALKER_LOAD(walker, zend_string, string, block->address);
	if (!string || block->size < sizeof(*string) || !xhprof_walker_has_type(&string->gc, IS_STRING) ||
		string->len >= block->size - _ZSTR_HEADER_SIZE || (string->h && !(string->h >> 63))) {
		return false;
	}
	*length = string->len;
	XHPROF_WALKER_LOAD(walker, char, end, block->address + offsetof(zend_string, val) + *length);
	return end && !*end;
}

xhprof_text xhprof_walker_file_name(const xhprof_walker *walker, const xhprof_region *region)
{
	const char *path = walker->reader->names + region->name, *slash = strrchr(path, '/');
	path = slash ? slash + 1 : path;
	return (xhprof_text){path, strlen(path)};
}

xhprof_addr xhprof_walker_map_ptr(xhprof_walker *walker, xhprof_at where)
{
	xhprof_addr value = where.number;
	xhprof_addr pointer = (xhprof_addr)value;
	return pointer & 1 ? xhprof_walker_pointer(walker, walker->map_ptr_base + pointer) : pointer;
}

/* ---- Classes ---- */

/* Removes the class from a mangled name: "\0Foo\0name", "\0*\0name". */
static xhprof_text property_name(xhprof_text mangled)
{
	if (mangled.length && !mangled.bytes[0]) {
		const char *end = memchr(mangled.bytes + 1, 0, mangled.length - 1);
		if (end) {
			size_t before = (size_t)(end + 1 - mangled.bytes);
			return (xhprof_text){end + 1, mangled.length - before};
		}
	}
	return mangled;
}

static void read_properties(xhprof_walker *walker, xhprof_walker_class *read, const zend_class_entry *entry)
{
	xhprof_addr table = (xhprof_addr)entry->properties_info_table;
	uint32_t count = entry->default_properties_count > 0 ? (uint32_t)entry->default_properties_count : 0;
	read->property_count = count;
	if (!count || !table || count > MAX_PROPERTIES ||
		!(read->properties = keep_bytes(walker, count * sizeof(*read->properties)))) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zend_property_info, info, xhprof_walker_pointer(walker, table + i * sizeof(void *)));
		if (!info) {
			continue;
		}
		xhprof_text name = xhprof_walker_keep(walker, property_name(xhprof_walker_text(walker, info->name)));
		/* A private property of a parent class may have the name of another. */
		if (count <= MAX_COMPARED && info->flags & ZEND_ACC_PRIVATE && (xhprof_addr)info->ce != read->address) {
			XHPROF_WALKER_LOAD(walker, zend_class_entry, owner, info->ce);
			xhprof_text class_name =
				owner ? xhprof_walker_keep(walker, xhprof_walker_text(walker, owner->name)) : XHPROF_TEXT("");
			for (uint32_t j = 0; j < count && name.length && class_name.length; j++) {
				XHPROF_WALKER_LOAD(walker, zend_property_info, other,
								   xhprof_walker_pointer(walker, table + j * sizeof(void *)));
				xhprof_text second =
					other && j != i ? property_name(xhprof_walker_text(walker, other->name)) : XHPROF_TEXT("");
				if (second.length == name.length && !memcmp(second.bytes, name.bytes, name.length)) {
					name = xhprof_walker_join(walker, class_name, "::", name);
					break;
				}
			}
		}
		read->properties[i] = xhprof_walker_keep(walker, name);
	}
}

const xhprof_walker_class *xhprof_walker_class_at(xhprof_walker *walker, xhprof_at where)
{
	xhprof_addr address = where.number;
	static const xhprof_walker_class none = {.name = {"?", 1}};
	if (walker->last_class && walker->last_class->address == address) {
		return walker->last_class;
	}
	xhprof_walker_class *read = address ? xhprof_table_find(&walker->classes, address) : NULL;
	if (!read) {
		if (!address || address % sizeof(void *)) {
			return &none;
		}
		XHPROF_WALKER_LOAD(walker, zend_class_entry, entry, address);
		if (!entry || (unsigned char)entry->type > ZEND_USER_CLASS) {
			return &none;
		}
		xhprof_text name = xhprof_walker_text(walker, entry->name);
		if (!name.length || !(read = keep_bytes(walker, sizeof(*read)))) {
			return &none;
		}
		memset(read, 0, sizeof(*read));
		read->address = address;
		read->name = xhprof_walker_keep(walker, name);
		read->flags = entry->ce_flags;
		read->internal = entry->type != ZEND_USER_CLASS; /* iterators within the engine have 0 */
		read->readable = true;
		read->create_object = (xhprof_addr)entry->create_object;
		read_properties(walker, read, entry);
		if (!xhprof_table_put(&walker->classes, address, read)) {
			walker->result->incomplete = true;
			return &none;
		}
		xhprof_addr parent = entry->ce_flags & ZEND_ACC_LINKED ? (xhprof_addr)entry->parent : 0;
		/* A class above itself is damage, and so is an endless chain. */
		for (unsigned i = 0; parent && i < 256; i++) {
			XHPROF_WALKER_LOAD(walker, zend_class_entry, above, parent);
			if (!above || above->type == ZEND_INTERNAL_CLASS) {
				read->base = above ? parent : 0;
				break;
			}
			parent = above->ce_flags & ZEND_ACC_LINKED ? (xhprof_addr)above->parent : 0;
		}
		if (read->internal) {
			read->base = address;
		}
		read->container = walker->parts->container_of(walker, read->base);
	}
	walker->last_class = read;
	return read;
}

const zend_function *xhprof_walker_load_function(xhprof_walker *walker, xhprof_at where, zend_function *copy)
{
	xhprof_addr address = where.number;
	if (!address || address % sizeof(void *)) {
		return NULL;
	}
	/* Internal ones are shorter. */
	const zend_function *function = xhprof_reader_load(walker->reader, address, copy, sizeof(zend_internal_function));
	if (function && function->type != ZEND_INTERNAL_FUNCTION) {
		function = xhprof_reader_load(walker->reader, address, copy, sizeof(zend_function));
	}
	bool known = function && (function->type == ZEND_INTERNAL_FUNCTION || function->type == ZEND_USER_FUNCTION ||
							  function->type == ZEND_EVAL_CODE);
	return known ? function : NULL;
}

xhprof_text xhprof_walker_function_name(xhprof_walker *walker, const zend_function *function)
{
	xhprof_text name = xhprof_walker_text(walker, function->common.function_name);
	if (!name.bytes) {
		/* The engine's own below a fiber's calls. */
		return function->type == ZEND_INTERNAL_FUNCTION ? XHPROF_TEXT("{fiber}") : XHPROF_TEXT("{main}");
	}
	if (!function->common.scope) {
		return name;
	}
	XHPROF_WALKER_LOAD(walker, zend_class_entry, scope, function->common.scope);
	xhprof_text class_name = scope ? xhprof_walker_text(walker, scope->name) : XHPROF_TEXT("?");
	return xhprof_walker_join(walker, class_name, "::", name);
}

/* ---- Tables ---- */

uint64_t xhprof_walker_table_data(xhprof_walker *walker, const HashTable *table, uint64_t *size)
{
	xhprof_addr data = (xhprof_addr)table->arData;
	uint64_t hash = (uint64_t)(uint32_t)(0 - table->nTableMask) * sizeof(uint32_t);
	if (HT_FLAGS(table) & HASH_FLAG_UNINITIALIZED || data <= hash || data % sizeof(void *)) {
		*size = 0;
		return 0;
	}
	*size = hash + (uint64_t)table->nTableSize * (xhprof_layout_is_packed(table) ? sizeof(zval) : sizeof(Bucket));
	return data - hash;
}

bool xhprof_walker_elements(xhprof_walker *walker, const HashTable *table,
							bool (*each)(xhprof_walker *walker, const xhprof_element *element, void *context),
							void *context)
{
	char batch[128 * sizeof(Bucket)];
	bool packed = xhprof_layout_is_packed(table);
	size_t size = packed ? sizeof(zval) : sizeof(Bucket);
	xhprof_addr from = (xhprof_addr)table->arData;
	uint32_t used = table->nNumUsed;
	if (!used || HT_FLAGS(table) & HASH_FLAG_UNINITIALIZED) {
		return true;
	}
	if (used > table->nTableSize || from % sizeof(void *)) {
		walker->result->unreadable++;
		return false;
	}
	size_t step = walker->reader->in_place ? used : sizeof(batch) / sizeof(Bucket);
	for (uint32_t i = 0; i < used;) {
		size_t count = used - i < step ? used - i : step;
		const char *values = xhprof_reader_load(walker->reader, from + (uint64_t)i * size, batch, count * size);
		if (!values) {
			if (step > 1) {
				step = step / 2; /* reads as much of it as possible */
				continue;
			}
			walker->result->unreadable++;
			return false;
		}
		for (size_t j = 0; j < count; j++, i++) {
			xhprof_element element = {0, (int64_t)i, (const zval *)(values + j * size), from + (uint64_t)i * size};
			if (Z_TYPE_P(element.value) == IS_UNDEF) {
				continue;
			}
			if (!packed) {
				const Bucket *bucket = (const Bucket *)element.value;
				element.key = (xhprof_addr)bucket->key;
				element.index = (int64_t)bucket->h;
			}
			if (!xhprof_walker_may_continue(walker) || !each(walker, &element, context)) {
				return true;
			}
		}
	}
	return true;
}

static uint64_t pointer_of(const zval *value)
{
	return value && Z_TYPE_P(value) == IS_PTR ? (xhprof_addr)Z_PTR_P(value) : 0;
}

uint64_t xhprof_walker_pointer_at(xhprof_walker *walker, const HashTable *table, uint32_t number)
{
	xhprof_addr data = (xhprof_addr)table->arData;
	if (HT_FLAGS(table) & HASH_FLAG_UNINITIALIZED || data % sizeof(void *)) {
		return 0;
	}
	if (xhprof_layout_is_packed(table)) {
		XHPROF_WALKER_LOAD(walker, zval, value, data + (uint64_t)number * sizeof(zval));
		return number < table->nNumUsed ? pointer_of(value) : 0;
	}
	int32_t slot = (int32_t)(number | table->nTableMask);
	XHPROF_WALKER_LOAD(walker, uint32_t, first, data + (int64_t)slot * (int64_t)sizeof(uint32_t));
	uint32_t at = first ? *first : HT_INVALID_IDX;
	for (unsigned i = 0; at < table->nNumUsed && i < MAX_COLLISIONS; i++) {
		XHPROF_WALKER_LOAD(walker, Bucket, bucket, data + (uint64_t)at * sizeof(Bucket));
		if (!bucket) {
			break;
		}
		if (!bucket->key && bucket->h == number) {
			return pointer_of(&bucket->val);
		}
		at = Z_NEXT(bucket->val);
	}
	return 0;
}
