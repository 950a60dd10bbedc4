/* Reads the engine's strings, tables, classes and functions for the walk. All of them may be damaged. */
#ifndef XHPROF_HEAP_WALKER_READ_H
#define XHPROF_HEAP_WALKER_READ_H

#include "compat/engine_layout.h"

#include "walker_state.h"

/* Declares `name`, a pointer to the `type` at `address`, or NULL: see XHPROF_LOAD in reader.h. */
#define XHPROF_WALKER_LOAD(walker, type, name, address) XHPROF_LOAD((walker)->reader, type, name, address)

/* Returns the pointer at an address; 0 if it cannot be read. */
xhprof_addr xhprof_walker_pointer(xhprof_walker *walker, xhprof_at address);

/* The first `size` bytes (at most XHPROF_WALKER_TEXT) at an address: in place or in one of the walker's buffers, valid
 * until 15 more texts have been read. */
xhprof_text xhprof_walker_bytes(xhprof_walker *walker, xhprof_addr address, size_t size);

/* Returns the text of a zend_string, valid as long as that of xhprof_walker_bytes(). */
xhprof_text xhprof_walker_text(xhprof_walker *walker, xhprof_at string);
/* Returns the text of a C string, cut at XHPROF_WALKER_TEXT. */
xhprof_text xhprof_walker_c_text(xhprof_walker *walker, xhprof_at string);
/* "a" "b" "c" in one of the walker's buffers. */
xhprof_text xhprof_walker_join(xhprof_walker *walker, xhprof_text a, const char *b, xhprof_text c);
/* A copy that lives as long as the walk. */
xhprof_text xhprof_walker_keep(xhprof_walker *walker, xhprof_text text);

/* Whether the header fits a value of such a type. The garbage collector writes its bits only into headers of arrays and
 * objects (an assertion of gc_possible_root()); in all others they are 0. A pointer, whose upper half may end like a
 * type, has bits of its address there. */
static inline bool xhprof_walker_has_type(const zend_refcounted_h *header, uint8_t type)
{
	return header && (header->u.type_info & GC_TYPE_MASK) == type && header->refcount &&
		   header->refcount < UINT32_C(1) << 30 &&
		   (type == IS_ARRAY || type == IS_OBJECT || !(header->u.type_info >> GC_INFO_SHIFT));
}

/* Whether a block looks like a string: its length fits, and it ends with a zero. */
bool xhprof_walker_is_string(xhprof_walker *walker, const xhprof_zmm_block *block, uint64_t *length);

/* The name of a region's file, without folders. */
xhprof_text xhprof_walker_file_name(const xhprof_walker *walker, const xhprof_region *region);

/* The target of a ZEND_MAP_PTR's value (ZEND_MAP_PTR_GET): 0 for none. */
xhprof_addr xhprof_walker_map_ptr(xhprof_walker *walker, xhprof_at value);

/* The class at an address; never NULL: `readable` is false if there is no class. */
const xhprof_walker_class *xhprof_walker_class_at(xhprof_walker *walker, xhprof_at address);

/* The function at an address, in place or in `copy`; NULL if there is none. Internal functions have only the members of
 * zend_internal_function. */
const zend_function *xhprof_walker_load_function(xhprof_walker *walker, xhprof_at address, zend_function *copy);

/* "Foo::bar", "bar", "{closure}", "{main}" of a function that has been loaded, in one of the walker's buffers. */
xhprof_text xhprof_walker_function_name(xhprof_walker *walker, const zend_function *function);

/* An element of a table. Values of UNDEF are left out; the keys of packed ones are numbers. */
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

/* The pointer at a number in a loaded table, looked up as the engine does; 0 if missing. */
uint64_t xhprof_walker_pointer_at(xhprof_walker *walker, const HashTable *table, uint32_t number);

/* Bytes of its hash and elements, and where they begin; 0 if the table has none of its own. */
uint64_t xhprof_walker_table_data(xhprof_walker *walker, const HashTable *table, uint64_t *size);

#endif
