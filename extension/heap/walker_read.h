/* Readers of the engine's strings, tables, classes and functions, for the walk. All of these may be damaged. */
#ifndef XHPROF_HEAP_WALKER_READ_H
#define XHPROF_HEAP_WALKER_READ_H

#include "compat/engine_layout.h"

#include "walker_state.h"

/* Declares `name`, a pointer to the `type` at `address`, or NULL; see XHPROF_LOAD in reader.h. */
#define XHPROF_WALKER_LOAD(walker, type, name, address) XHPROF_LOAD((walker)->reader, type, name, address)

/* Declares `name`, a pointer to the `type` at `address`. If that cannot be read, it is counted as unreadable, and
 * `otherwise` runs, which leaves the block: return, break. */
#define XHPROF_WALKER_LOAD_OR(otherwise, walker, type, name, address) \
	XHPROF_WALKER_LOAD(walker, type, name, address);                  \
	if (!name) {                                                      \
		(walker)->result->unreadable++;                               \
		otherwise;                                                    \
	}

/* Returns the pointer at an address; 0 if it cannot be read. */
xhprof_addr xhprof_walker_pointer(xhprof_walker *walker, xhprof_at address);

/* Returns the first `size` bytes (at most XHPROF_WALKER_TEXT) at an address: in place, or in one of the walker's
 * buffers, where they are valid until 15 more texts have been read. */
xhprof_text xhprof_walker_bytes(xhprof_walker *walker, xhprof_addr address, size_t size);

/* Returns the text of a zend_string in the same way. */
xhprof_text xhprof_walker_text(xhprof_walker *walker, xhprof_at string);
/* Returns the text of a C string in the same way, cut at XHPROF_WALKER_TEXT. */
xhprof_text xhprof_walker_c_text(xhprof_walker *walker, xhprof_at string);
/* Joins three texts in one of the walker's buffers. */
xhprof_text xhprof_walker_join(xhprof_walker *walker, xhprof_text a, const char *b, xhprof_text c);
/* Makes a copy that lives as long as the walk. */
xhprof_text xhprof_walker_keep(xhprof_walker *walker, xhprof_text text);

/* Returns whether the header fits a value of such a type. The garbage collector writes its bits only into headers of
 * arrays and objects (an assertion of gc_possible_root()); in all others they are 0. A pointer, whose upper half may
 * end like a type, has bits of its address there. */
static inline bool xhprof_walker_has_type(const zend_refcounted_h *header, uint8_t type)
{
	return header && (header->u.type_info & GC_TYPE_MASK) == type && header->refcount &&
		   header->refcount < UINT32_C(1) << 30 &&
		   (type == IS_ARRAY || type == IS_OBJECT || !(header->u.type_info >> GC_INFO_SHIFT));
}

/* Returns whether a block looks like a string: its length fits, and it ends with a zero. */
bool xhprof_walker_is_string(xhprof_walker *walker, const xhprof_zmm_block *block, uint64_t *length);

/* Returns the name of a region's file, without folders. */
xhprof_text xhprof_walker_file_name(const xhprof_walker *walker, const xhprof_region *region);

/* Returns the target of a ZEND_MAP_PTR's value, as ZEND_MAP_PTR_GET does; 0 for none. */
xhprof_addr xhprof_walker_map_ptr(xhprof_walker *walker, xhprof_at value);

/* Returns the class at an address. Never NULL: `readable` is false if there is no class. */
const xhprof_walker_class *xhprof_walker_class_at(xhprof_walker *walker, xhprof_at address);

/* Returns the function at an address, in place or in `copy`; NULL without one. Internal functions have only the
 * members of zend_internal_function. */
const zend_function *xhprof_walker_load_function(xhprof_walker *walker, xhprof_at address, zend_function *copy);

/* Returns the name of a loaded function, in one of the walker's buffers: "Foo::bar", "bar", "{closure}" or "{main}". */
xhprof_text xhprof_walker_function_name(xhprof_walker *walker, const zend_function *function);

/* An element of a table. Elements with the value UNDEF are left out; those of packed tables have numbers as keys. */
typedef struct xhprof_element {
	uint64_t key; /* address of the zend_string, or 0 */
	int64_t index;
	const zval *value;
	uint64_t at; /* the value's address */
} xhprof_element;

/* Calls `each` for every element of a loaded table, until it returns false. False unless all could be read. */
bool xhprof_walker_elements(xhprof_walker *walker, const HashTable *table,
							bool (*each)(xhprof_walker *walker, const xhprof_element *element, void *context),
							void *context);

/* Looks a number up in a loaded table, as the engine does, and returns its pointer; 0 if the table lacks it. */
uint64_t xhprof_walker_pointer_at(xhprof_walker *walker, const HashTable *table, uint32_t number);

/* Returns the address of a table's hash and elements and sets `size` to their bytes; 0 if the table owns no memory. */
uint64_t xhprof_walker_table_data(xhprof_walker *walker, const HashTable *table, uint64_t *size);

#endif
