/* Functions that the engine will call later: at the end, at ticks, for output, to autoload classes. */
#include "engine_parts.h"
#include "walk_parts.h"

/* Reports the function of a callable. Only a trampoline for __call() is the caller's own, others are their class's; a
 * closure's is within the closure. */
static void refer_function(xhprof_walker *walker, const zend_function *at)
{
	zend_function copy;
	const zend_function *function = xhprof_walker_load_function(walker, at, &copy);
	if (function && !(function->common.fn_flags & (ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE))) {
		bool own = function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE;
		xhprof_walker_refer(walker, own ? XHPROF_PART("function") : XHPROF_WEAK(XHPROF_TEXT("function")),
							XHPROF_VISIT_FUNCTION, at, 0);
	}
}

void xhprof_walk_engine_call(xhprof_walker *walker, const char *name, const xhprof_layout_call *call)
{
	const zend_fcall_info_cache *resolution = call->resolution;
	const void *object = resolution ? resolution->object : NULL;
	const void *closure = resolution ? xhprof_layout_callable_closure(resolution) : NULL;
	if (call->callable) {
		xhprof_walker_zval(walker, xhprof_walk_engine_named(name ? name : "callable"), call->callable);
		xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("object")), XHPROF_VISIT_OBJECT, object, 0);
		xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("closure")), XHPROF_VISIT_OBJECT, closure, 0);
	} else {
		xhprof_walker_refer(walker, xhprof_walk_engine_named(name ? name : "object"), XHPROF_VISIT_OBJECT, object, 0);
		xhprof_walker_refer(walker, xhprof_walk_engine_named(name ? name : "closure"), XHPROF_VISIT_OBJECT, closure, 0);
		if (resolution && resolution->function_handler) {
			refer_function(walker, resolution->function_handler);
		}
	}
	if (call->params && call->param_count && call->param_count < XHPROF_WALK_ENGINE_MAX) {
		xhprof_walk_engine_buffer(walker, "arguments", call->params, call->param_count * sizeof(zval));
		xhprof_walker_zvals(walker, call->params, call->param_count);
	}
	if (call->named_params) {
		xhprof_walker_refer(walker, XHPROF_PART("named arguments"), XHPROF_VISIT_ARRAY, call->named_params, 0);
	}
}

static void refer_autoload(xhprof_walker *walker, const xhprof_layout_autoload *entry)
{
	xhprof_walker_refer(walker, xhprof_walk_engine_named("object"), XHPROF_VISIT_OBJECT, entry->object, 0);
	xhprof_walker_refer(walker, xhprof_walk_engine_named("closure"), XHPROF_VISIT_OBJECT, entry->closure, 0);
	refer_function(walker, entry->function);
}

void xhprof_walk_callable(xhprof_walker *walker, const xhprof_item *item)
{
	static const struct {
		const char *name;
		size_t size;
	} kinds[] = {
		[XHPROF_CALLABLE_SHUTDOWN] = {"shutdown function", sizeof(php_shutdown_function_entry)},
		[XHPROF_CALLABLE_TICK] = {"tick function", offsetof(zend_llist_element, data) + sizeof(xhprof_layout_tick)},
		[XHPROF_CALLABLE_OUTPUT] = {"output callback", sizeof(xhprof_layout_output)},
		[XHPROF_CALLABLE_AUTOLOAD] = {"autoload function", sizeof(xhprof_layout_autoload)},
	};
	xhprof_callable_kind kind = (xhprof_callable_kind)item->extra;
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_ENGINE, kinds[kind].size,
							 (xhprof_text){kinds[kind].name, strlen(kinds[kind].name)});
	switch (kind) {
		case XHPROF_CALLABLE_SHUTDOWN: {
			XHPROF_WALKER_LOAD(walker, php_shutdown_function_entry, entry, item->address);
			if (entry) {
				xhprof_layout_call call = xhprof_layout_shutdown_call(entry);
				xhprof_walk_engine_call(walker, NULL, &call);
			}
			return;
		}
		case XHPROF_CALLABLE_TICK: {
			XHPROF_WALKER_LOAD(walker, xhprof_layout_tick, entry, item->address + offsetof(zend_llist_element, data));
			if (entry) {
				xhprof_layout_call call = xhprof_layout_tick_call(entry);
				xhprof_walk_engine_call(walker, NULL, &call);
			}
			return;
		}
		case XHPROF_CALLABLE_OUTPUT: {
			XHPROF_WALKER_LOAD(walker, xhprof_layout_output, entry, item->address);
			if (entry) {
				xhprof_layout_call call = xhprof_layout_output_call(entry);
				xhprof_walk_engine_call(walker, NULL, &call);
			}
			return;
		}
		case XHPROF_CALLABLE_AUTOLOAD: {
			XHPROF_WALKER_LOAD(walker, xhprof_layout_autoload, entry, item->address);
			if (entry) {
				refer_autoload(walker, entry);
			}
			return;
		}
	}
}

/* Returns whether what lies at `address` is one of spl_autoload_functions. */
static bool is_autoload(xhprof_walker *walker, xhprof_addr address)
{
	zend_function copy;
	xhprof_zmm_block block;
	XHPROF_WALKER_LOAD(walker, xhprof_layout_autoload, entry, address);
	if (!entry || !xhprof_zmm_block_at(walker->zmm, address, &block) || block.size < sizeof(*entry) ||
		block.size > 4 * sizeof(*entry)) {
		return false;
	}
	const zend_function *function = xhprof_walker_load_function(walker, entry->function, &copy);
	if (!function || (entry->scope && !xhprof_walker_class_at(walker, entry->scope)->readable) ||
		(entry->object && !xhprof_zmm_block_of(walker->zmm, (xhprof_addr)entry->object, &block))) {
		return false;
	}
	/* An object that can be called, if it is no Closure. */
	if (entry->closure && !xhprof_zmm_block_of(walker->zmm, (xhprof_addr)entry->closure, &block)) {
		return false;
	}
	return xhprof_walker_text(walker, function->common.function_name).length > 0;
}

static bool refer_autoload_entry(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_refer(walker, xhprof_walk_engine_named("autoload function"), XHPROF_VISIT_CALLABLE,
						Z_PTR_P(element->value), XHPROF_CALLABLE_AUTOLOAD);
	return true;
}

static bool check_autoload(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	bool *good = context;
	*good = !element->key && Z_TYPE_P(element->value) == IS_PTR &&
			is_autoload(walker, (xhprof_addr)Z_PTR_P(element->value));
	return *good;
}

/* Reports the list, if it is at this address. */
static bool visit_autoloaders(xhprof_walker *walker, xhprof_addr address)
{
	xhprof_zmm_block block;
	if (!xhprof_zmm_block_at(walker->zmm, address, &block) || block.size < sizeof(HashTable) ||
		block.size > 2 * sizeof(HashTable)) {
		return false;
	}
	XHPROF_WALKER_LOAD(walker, HashTable, table, address);
	bool good = false;
	if (!table || GC_TYPE(table) != IS_ARRAY || !table->nNumOfElements || table->nNumUsed >= XHPROF_WALK_ENGINE_MAX ||
		table->nNumUsed > table->nTableSize || !xhprof_walker_elements(walker, table, check_autoload, &good) || !good) {
		return false;
	}
	xhprof_walk_engine_table(walker, "autoload functions", (const void *)address, refer_autoload_entry);
	return true;
}

/* Finds and reports the list of autoloaders, which spl does not export: it is recognized by its contents, near the
 * engine's own variables. */
void xhprof_walk_autoloaders(xhprof_walker *walker)
{
	const xhprof_region *region = xhprof_reader_region(walker->reader, walker->engine->executor_globals);
	if (!region || region->kind != XHPROF_REGION_LIBRARY) {
		return; /* each thread has its own */
	}
	/* Since 8.6 shutdown functions begin as autoloaders do. */
	XHPROF_WALKER_LOAD(walker, php_basic_globals, basic, walker->engine->basic_globals);
	xhprof_addr shutdown = basic ? (xhprof_addr)basic->user_shutdown_function_names : 0;
	/* Copied: a sanitizer keeps guards between the variables, which may not be read in place. */
	uint64_t words[512];
	for (uint64_t at = region->from; at + sizeof(words) <= region->to; at += sizeof(words)) {
		size_t count = xhprof_reader_copy(walker->reader, at, words, sizeof(words)) / sizeof(words[0]);
		for (size_t i = 0; i < count; i++) {
			if (words[i] && words[i] != shutdown && visit_autoloaders(walker, words[i])) {
				return;
			}
		}
	}
}
