/* Names of block types. An id is valid until the types are released; the first ones are always the same. */
#ifndef XHPROF_ALLOC_TYPES_H
#define XHPROF_ALLOC_TYPES_H

#include "base/arena.h"
#include "base/table.h"

enum {
	XHPROF_TYPE_UNKNOWN, /* "(unknown)": nothing that was walked refers to the block */
	XHPROF_TYPE_MALLOC,  /* "malloc": not from the Zend heap */
	XHPROF_TYPE_STRING,
	XHPROF_TYPE_ARRAY,     /* the array itself and its slots */
	XHPROF_TYPE_REFERENCE, /* a PHP reference, which variables share */
	XHPROF_TYPE_OBJECTS    /* from here on "object:Class", and the few names from xhprof_alloc_types_other() */
};

#define XHPROF_TYPES_MAX 65535 /* further classes are "object:(others)", the last id */

typedef struct xhprof_alloc_type {
	const char *name; /* ends with a NUL, and contains no other */
	uint32_t length;
} xhprof_alloc_type;

typedef struct xhprof_alloc_types {
	xhprof_arena arena;
	xhprof_table classes; /* identity of the class -> id */
	xhprof_table names;   /* hash of a name -> id; the first of those with the same hash */
	xhprof_alloc_type *types;
	size_t capacity;
	uint32_t count;
} xhprof_alloc_types;

/* Begins with the fixed types only. False without memory. */
bool xhprof_alloc_types_begin(xhprof_alloc_types *types);
void xhprof_alloc_types_release(xhprof_alloc_types *types);

/* Returns the id of a class, and copies its name when it is new; XHPROF_TYPE_UNKNOWN without memory. The name ends at
 * its first NUL, so that an anonymous class is "class@anonymous" without its file; classes of the same name are then
 * one type. */
uint16_t xhprof_alloc_types_class(xhprof_alloc_types *types, const void *identity, const char *name, size_t length);

/* Returns the id of a type that is no class, with `name` unchanged. */
uint16_t xhprof_alloc_types_other(xhprof_alloc_types *types, const char *name);

#endif
