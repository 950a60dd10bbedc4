/* Where PHP keeps values that only private structs lead to. The same from 8.2 to 8.4. */
#ifndef XHPROF_COMPAT_VALUES_H
#define XHPROF_COMPAT_VALUES_H

#include "php_compat.h"

#if PHP_VERSION_ID < 80300 && defined(HAVE_PROCESS_VM_READV)
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

/* What a container's own memory, in front of its object, is known to be. */
typedef enum xhprof_container {
	XHPROF_CONTAINER_NONE,
	XHPROF_CONTAINER_VALUES, /* its get_gc() tells an array of values without allocating one */
	XHPROF_CONTAINER_HEAP,   /* the same, but it begins with a pointer which get_gc() needs */
	XHPROF_CONTAINER_TABLE,  /* begins with a HashTable, whose pointers are to xhprof_compat_storage_element */
	XHPROF_CONTAINER_LIST    /* begins with a pointer to xhprof_compat_list */
} xhprof_container;

/* spl_SplObjectStorageElement; there is none while it is made. */
typedef struct xhprof_compat_storage_element {
	zend_object *object;
	zval info;
} xhprof_compat_storage_element;

/* spl_ptr_llist_element, spl_ptr_llist */
typedef struct xhprof_compat_list_element {
	struct xhprof_compat_list_element *previous;
	struct xhprof_compat_list_element *next;
	zval value;
} xhprof_compat_list_element;

typedef struct xhprof_compat_list {
	xhprof_compat_list_element *head;
	xhprof_compat_list_element *tail;
	int count;
} xhprof_compat_list;

/* Of an object that has handlers of its own. */
static inline xhprof_container xhprof_compat_container(const zend_class_entry *class_entry)
{
	static const struct {
		const char *name;
		size_t length;
		xhprof_container container;
	} known[] = {
#define XHPROF_CONTAINER(name, container) {name, sizeof(name) - 1, container}
		XHPROF_CONTAINER("ArrayObject", XHPROF_CONTAINER_VALUES),
		XHPROF_CONTAINER("ArrayIterator", XHPROF_CONTAINER_VALUES),
		XHPROF_CONTAINER("SplFixedArray", XHPROF_CONTAINER_VALUES),
		XHPROF_CONTAINER("SplHeap", XHPROF_CONTAINER_HEAP),
		XHPROF_CONTAINER("SplPriorityQueue", XHPROF_CONTAINER_HEAP),
		XHPROF_CONTAINER("SplObjectStorage", XHPROF_CONTAINER_TABLE),
		XHPROF_CONTAINER("MultipleIterator", XHPROF_CONTAINER_TABLE),
		XHPROF_CONTAINER("WeakMap", XHPROF_CONTAINER_TABLE),
		XHPROF_CONTAINER("SplDoublyLinkedList", XHPROF_CONTAINER_LIST),
#undef XHPROF_CONTAINER
	};
	for (; class_entry; class_entry = class_entry->parent) {
		for (size_t i = 0; class_entry->type == ZEND_INTERNAL_CLASS && i < sizeof(known) / sizeof(known[0]); i++) {
			if (zend_string_equals_cstr(class_entry->name, known[i].name, known[i].length)) {
				return known[i].container;
			}
		}
	}
	return XHPROF_CONTAINER_NONE;
}

/* Whether an object has got its handlers. Up to 8.2 it is on the engine's list before: when there was no memory for the
 * rest of it, what stands in their place is whatever was in the block before. */
static inline bool xhprof_compat_are_handlers(const zend_object_handlers *handlers)
{
#if PHP_VERSION_ID < 80300
	if (!handlers || (uintptr_t)handlers % sizeof(void *)) {
		return false;
	}
#ifdef HAVE_PROCESS_VM_READV
	zend_object_handlers copy;
	struct iovec from = {(void *)handlers, sizeof(copy)}, to = {&copy, sizeof(copy)};
	ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	if (got == (ssize_t)sizeof(copy)) {
		handlers = &copy;
	} else if (got >= 0 || errno == EFAULT) {
		return false;
	}
#endif
#endif
	return handlers->offset >= 0 && handlers->offset < (1 << 16) && handlers->free_obj && handlers->get_gc;
}

/* Slots an array has room for lie at its data; how they are laid out is told by the mask alone: early releases of 8.2
 * take the flag off before they ask for the memory of the other layout. */
static zend_always_inline bool xhprof_compat_array_is_packed(const HashTable *table)
{
	return table->nTableMask == HT_MIN_MASK;
}

/* What of a class was worked out for this request alone, or NULL. The engine's accessors rely on it, or would make it. */
static inline const zend_class_mutable_data *xhprof_compat_own_data(const zend_class_entry *class_entry)
{
	return ZEND_MAP_PTR(class_entry->mutable_data) ? ZEND_MAP_PTR_GET(class_entry->mutable_data) : NULL;
}

#endif
