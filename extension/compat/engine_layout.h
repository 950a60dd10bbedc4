/* Structures of the engine that are read in place, perhaps in another process, and that differ from 8.2 to 8.6. Nothing
 * here calls the engine: it only computes. */
#ifndef XHPROF_COMPAT_ENGINE_LAYOUT_H
#define XHPROF_COMPAT_ENGINE_LAYOUT_H

#include "php_compat.h"

#include "zend_fibers.h"
#include "zend_generators.h"

/* zend_gc_globals, of zend_gc.c, its part common to all versions. Entry 0 of the buffer is unused; other unused ones
 * are tagged. A thing's header has the number of its entry, as far as it has bits for it. */
typedef struct xhprof_layout_collector {
	void *buffer;   /* of pointers */
	uint32_t flags; /* four bools */
	uint32_t unused, first_unused, threshold, buffer_size, root_count;
} xhprof_layout_collector;

#define XHPROF_LAYOUT_COLLECTOR_TAG 3

static zend_always_inline bool xhprof_layout_is_unused_entry(uint64_t entry)
{
	return (entry & XHPROF_LAYOUT_COLLECTOR_TAG) == 1;
}

static zend_always_inline uint32_t xhprof_layout_entry_of(const zend_refcounted_h *header)
{
	return header->u.type_info >> GC_INFO_SHIFT & UINT32_C(0xfffff);
}

static zend_always_inline uint32_t xhprof_layout_entry_number(uint32_t index)
{
	const uint32_t max = UINT32_C(512) * 1024;
	return index < max ? index : (index % max) | max;
}

/* Values without keys lie one after another, since 8.2. The mask shows it: early releases of 8.2 clear the flag before
 * they allocate the other layout. */
static zend_always_inline bool xhprof_layout_is_packed(const HashTable *table)
{
	return table->nTableMask == HT_MIN_MASK;
}

/* zend_closure, of zend_closures.c. What it is bound to is a zend_object since 8.6 (UPGRADING.INTERNALS,
 * zend_create_closure(); the place is that which zend_get_closure_this_ptr() of 8.6.0RC3 reads). */
typedef struct xhprof_layout_closure {
	zend_object std;
	zend_function func;
	XHPROF_SINCE_86(zend_object *, zval) bound;
	zend_class_entry *called_scope;
	zif_handler internal_handler;
} xhprof_layout_closure;

/* The object that it is bound to, or NULL. */
static inline const zend_object *xhprof_layout_closure_this(const xhprof_layout_closure *closure)
{
	return XHPROF_SINCE_86(closure->bound, Z_TYPE(closure->bound) == IS_OBJECT ? Z_OBJ(closure->bound) : NULL);
}

/* spl_ptr_heap, of ext/spl/spl_heap.c; a value is the first of what an element consists of. 8.5 has 8 more bytes before
 * the capacity (seen in the memory of 8.5.7). */
typedef struct xhprof_layout_value_heap {
	uint64_t elements, functions[3];
	int32_t count, flags;
#if PHP_VERSION_ID >= 80500
	uint64_t more;
#endif
	uint64_t capacity, element_size;
} xhprof_layout_value_heap;

/* Distance of a suspended generator's instruction from its yield. */
#define XHPROF_LAYOUT_BEHIND_YIELD XHPROF_SINCE_84(0, 1)

/* The function of an ended generator, if it holds a closure. */
static zend_always_inline const zend_function *xhprof_layout_ended_generator(const zend_generator *generator)
{
	return XHPROF_SINCE_84(generator->func, NULL);
}

/* Offset of the table of lazy objects in the executor's globals: handle -> zend_lazy_object_info of
 * zend_lazy_objects.c. 0 before 8.4. */
static zend_always_inline size_t xhprof_layout_lazy_objects(void)
{
	return XHPROF_SINCE_84(offsetof(zend_executor_globals, lazy_objects_store.infos), 0);
}

/* Members of the executor's globals that came or went (Zend/zend_globals.h). */

/* Names of the classes that are being loaded. Until 8.5 a table of its own, or NULL; since 8.6 part of the globals. */
#define XHPROF_LAYOUT_LOADING_EMBEDDED XHPROF_SINCE_86(true, false)

static inline const HashTable *xhprof_layout_classes_loading(const zend_executor_globals *globals)
{
	return XHPROF_SINCE_86(&globals->autoload_current_classnames, globals->in_autoload);
}

/* The exception that another one replaced while it was handled, or NULL. Gone in 8.6. */
static inline const zend_object *xhprof_layout_exception_before(const zend_executor_globals *globals)
{
	return XHPROF_SINCE_86(NULL, globals->prev_exception);
}

/* The address of the pointers to errors that are recorded for later, and how many there are room for, and are. */
static inline const void *xhprof_layout_recorded_errors(const zend_executor_globals *globals, uint32_t *room,
														uint32_t *count)
{
#if PHP_VERSION_ID >= 80600
	*room = globals->errors.capacity;
	*count = globals->errors.size;
	return globals->errors.errors;
#else
	*room = *count = globals->num_errors;
	return globals->errors;
#endif
}

/* The stack trace of the last fatal error, with its arguments (fatal_error_backtraces, 8.5), or NULL. */
static inline const zval *xhprof_layout_fatal_backtrace(const zend_executor_globals *globals)
{
	return XHPROF_SINCE_85(&globals->last_fatal_error_backtrace, NULL);
}

/* Closures that the engine keeps to hand them out again (8.6): those of f(...), by the function's address; those that
 * bind nothing, a stack of pointers; and the functions of partial applications. All NULL before. */
static inline const HashTable *xhprof_layout_kept_callables(const zend_executor_globals *globals)
{
	return XHPROF_SINCE_86(&globals->callable_convert_cache, NULL);
}

static inline const zend_stack *xhprof_layout_kept_closures(const zend_executor_globals *globals)
{
	return XHPROF_SINCE_86(&globals->lambda_cache, NULL);
}

static inline const HashTable *xhprof_layout_kept_partials(const zend_executor_globals *globals)
{
	return XHPROF_SINCE_86(&globals->partial_function_application_cache, NULL);
}

/* Offsets into the executor's globals of the pages of the VM's stack that the engine keeps to use them again (8.6), linked
 * as those in use: of calls, and of fibers. They are full of what calls have left. Returns how many. */
static inline size_t xhprof_layout_kept_pages(size_t offsets[2])
{
#if PHP_VERSION_ID >= 80600
	offsets[0] = offsetof(zend_executor_globals, vm_stack_page_cache);
	offsets[1] = offsetof(zend_executor_globals, fiber_vm_stack_page_cache);
	return 2;
#else
	return 0;
#endif
}

static zend_always_inline bool xhprof_layout_is_lazy(const zend_object *object)
{
	return XHPROF_SINCE_84(object->extra_flags & (IS_OBJ_LAZY_UNINITIALIZED | IS_OBJ_LAZY_PROXY), false);
}

typedef struct xhprof_layout_lazy_object {
	union {
		struct {
			zend_fcall_info_cache cache;
			zval callable;
		} initializer;
		zend_object *instance; /* of a proxy that has been initialized */
	} u;
	uint8_t flags; /* bit 2: initialized */
	int properties;
} xhprof_layout_lazy_object;

#define XHPROF_LAYOUT_LAZY_INITIALIZED 4

/* struct _tsrm_tls_entry, of TSRM/TSRM.c: the globals of a thread. `tsrm_tls_table` has chains of them, one for each thread
 * that tsrm_startup() is to expect (php_tsrm_startup() of main/main.c: 1). The same from 7.0 to 8.2.32, and in the source
 * after 8.6 (8.3 to 8.6: from source and headers, no such build was read). A resource's globals are at storage[id - 1].
 * Some are part of the entry's block (php-src#3938), behind it or, since 8.6, in front of it (php-src#22287); some are
 * __thread variables since 8.6 (ts_allocate_tls_id() of TSRM.h). */
typedef struct xhprof_layout_thread {
	void **storage;
	int count;
	uint64_t thread; /* pthread_self() */
	struct xhprof_layout_thread *next;
} xhprof_layout_thread;

/* The sizes of the executor's and the compiler's globals in a PHP, from the offsets that it exports. zend_startup() of
 * zend.c puts the compiler's, the executor's and the language scanner's one behind the other. Since 8.6 it is the executor's,
 * the compiler's and the entry (ZEND_CG_OFFSET of zend_globals.h), and the scanner's have no offset. */
static zend_always_inline void xhprof_layout_thread_sizes(uint64_t executor, uint64_t compiler, uint64_t scanner,
														  uint64_t sizes[2])
{
	sizes[0] = XHPROF_SINCE_86(compiler, scanner) - executor;
	sizes[1] = XHPROF_SINCE_86(0, executor) - compiler;
}

/* TSRM_ALIGNED_SIZE of TSRM.h: the distance from one of those to the next. */
static zend_always_inline size_t xhprof_layout_thread_size(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

#endif
