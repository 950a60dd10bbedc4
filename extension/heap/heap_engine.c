#include "heap_engine.h"

#include "base/arena.h"

#include "SAPI.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"
#include "zend_closures.h"
#include "zend_fibers.h"
#include "zend_generators.h"
#include "zend_weakrefs.h"

#if defined(ZTS) && defined(COMPILE_DL_XHPROF)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

/* The class of weak maps, for which the engine exports no variable. */
static zend_class_entry *weakmap;

/* Returns the address of a module's globals, from its entry; 0 if it has none. */
static uint64_t module_globals(const char *name)
{
	const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, name, strlen(name));
	if (!module || !module->globals_size) {
		return 0;
	}
#ifdef ZTS
	return module->globals_id_ptr && *module->globals_id_ptr
			   ? (xhprof_addr)TSRMG_BULK_STATIC(*module->globals_id_ptr, void *)
			   : 0;
#else
	return (xhprof_addr)module->globals_ptr;
#endif
}

/* The address of the structure with this member. */
#define GLOBALS(member, type, field) ((xhprof_addr) & (member)-offsetof(type, field))
#define ADDRESS(variable) ((xhprof_addr)(&(variable)))

void xhprof_heap_engine_self(xhprof_engine *engine)
{
	memset(engine, 0, sizeof(*engine));
	engine->executor_globals = GLOBALS(EG(uninitialized_zval), zend_executor_globals, uninitialized_zval);
	engine->compiler_globals = GLOBALS(CG(active_class_entry), zend_compiler_globals, active_class_entry);
	engine->sapi_globals = GLOBALS(SG(server_context), sapi_globals_struct, server_context);
	engine->basic_globals = GLOBALS(BG(user_shutdown_function_names), php_basic_globals, user_shutdown_function_names);
#ifdef ZTS
	engine->output_globals = (xhprof_addr)TSRMG_BULK_STATIC(output_globals_id, void *);
#else
	engine->output_globals = ADDRESS(output_globals);
#endif
	engine->core_globals = GLOBALS(PG(implicit_flush), php_core_globals, implicit_flush);
	engine->file_globals = GLOBALS(FG(pclose_ret), php_file_globals, pclose_ret);
	engine->scanner_globals = GLOBALS(LANG_SCNG(yy_in), zend_php_scanner_globals, yy_in);
	engine->spl_globals = module_globals("SPL");
	engine->ce_closure = ADDRESS(zend_ce_closure);
	engine->ce_generator = ADDRESS(zend_ce_generator);
	engine->ce_fiber = ADDRESS(zend_ce_fiber);
	engine->ce_weakref = ADDRESS(zend_ce_weakref);
	zend_class_entry *found = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("weakmap"));
	__atomic_store_n(&weakmap, found, __ATOMIC_RELAXED); /* the same in all threads */
	engine->ce_weakmap = ADDRESS(weakmap);
	engine->std_object_handlers = ADDRESS(std_object_handlers);
	engine->module_registry = ADDRESS(module_registry);
}

bool xhprof_heap_values_begin(xhprof_heap_values *values, size_t heap_size)
{
	/* An object lists each of its values once or twice, and each takes a zval or more of the heap, so this never fills
	 * up. Only pages that are written to take memory. */
	values->buffer_size = heap_size * 4 + ((size_t)1 << 20);
	values->buffer = xhprof_pages_reserve(values->buffer_size);
	return values->buffer != NULL;
}

static void restore_engine(xhprof_heap_values *values)
{
	EG(get_gc_buffer) = values->engines;
	if (values->asked->properties == &values->properties) {
		values->asked->properties = NULL;
	}
	values->asked = NULL;
}

void xhprof_heap_values_end(xhprof_heap_values *values)
{
	if (values->asked) {
		restore_engine(values);
	}
	xhprof_pages_unmap(values->buffer, values->buffer_size);
	values->buffer = NULL;
}

static void emit_value(xhprof_heap_values *values, const zval *held, void (*value)(void *to, uint64_t zval), void *to)
{
	ZVAL_COPY_VALUE(&values->value, held);
	value(to, ADDRESS(values->value));
}

void xhprof_heap_values_of(xhprof_heap_values *values, xhprof_addr address, void (*value)(void *to, uint64_t zval),
						   void *to)
{
	zend_object *object = (zend_object *)address;
	zend_object_get_gc_t get_gc = object->handlers->get_gc;
	zval *held = NULL, *element;
	int count = 0;
	if (!values->buffer || !get_gc || get_gc == zend_std_get_gc) {
		return;
	}
	/* Many handlers create the table of properties if it is missing. Ours takes its place meanwhile. */
	zend_hash_init(&values->properties, 0, NULL, NULL, false);
	values->engines = EG(get_gc_buffer);
	values->had = object->properties;
	object->properties = values->had ? values->had : &values->properties;
	values->asked = object;
	EG(get_gc_buffer).start = EG(get_gc_buffer).cur = values->buffer;
	EG(get_gc_buffer).end = values->buffer + values->buffer_size / sizeof(zval);
	HashTable *table = get_gc(object, &held, &count);
	restore_engine(values);
	for (int i = 0; i < count; i++) {
		emit_value(values, &held[i], value, to);
	}
	if (table && table != &values->properties && table != values->had) {
		ZEND_HASH_FOREACH_VAL(table, element) {
			emit_value(values, element, value, to);
		}
		ZEND_HASH_FOREACH_END();
	}
	zend_hash_destroy(&values->properties);
}
