/* Names of node types and roots; see types.h. */
#include "types.h"

#include <stddef.h>

static const char *const type_names[] = {
#define XHPROF_HEAP_TYPE(id, name) name,
	XHPROF_HEAP_TYPES(XHPROF_HEAP_TYPE)
#undef XHPROF_HEAP_TYPE
};

static const char *const root_names[] = {"",
#define XHPROF_HEAP_ROOT(id, name) name,
										 XHPROF_HEAP_ROOT_NAMES(XHPROF_HEAP_ROOT)
#undef XHPROF_HEAP_ROOT
};

const char *xhprof_heap_type_name(xhprof_heap_type type)
{
	return (unsigned)type < XHPROF_HEAP_TYPE_COUNT ? type_names[type] : "";
}

const char *xhprof_heap_root_name(xhprof_heap_root root)
{
	return (unsigned)root < XHPROF_HEAP_ROOTS_END ? root_names[root] : "";
}
