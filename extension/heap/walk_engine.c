#include "engine_parts.h"
#include "walk_parts.h"

#include "SAPI.h"
#include "ext/standard/file.h"
#include "php_globals.h"
#include "php_output.h"
#include "zend_arena.h"
#include "zend_fibers.h"
#include "zend_ini.h"
#include "zend_weakrefs.h"

#include "compat/code_layout.h"

static xhprof_text text_at(xhprof_walker *walker, uint64_t string)
{
	return xhprof_walker_text(walker, string);
}

static void refer_stack(xhprof_walker *walker, const char *name, const zend_stack *stack)
{
	if (stack->size > 0 && stack->max > 0) {
		xhprof_walk_engine_buffer(walker, name, stack->elements, (uint64_t)stack->size * (uint64_t)stack->max);
	}
}

/* Reports the values in a stack. */
static void refer_values(xhprof_walker *walker, const char *name, const zend_stack *stack)
{
	refer_stack(walker, name, stack);
	for (int i = 0; stack->size == sizeof(zval) && i < stack->top && i < XHPROF_WALK_ENGINE_MAX; i++) {
		XHPROF_WALKER_LOAD(walker, zval, value, (xhprof_addr)stack->elements + (uint64_t)i * sizeof(zval));
		if (!value) {
			return;
		}
		xhprof_walker_zval(walker, xhprof_walk_engine_named(name), value);
	}
}

/* Reports the elements of a list: `each` receives the address of their data. */
static void refer_list(xhprof_walker *walker, const char *name, const zend_llist *list,
					   void (*each)(xhprof_walker *walker, uint64_t data))
{
	xhprof_addr at = (xhprof_addr)list->head, size = offsetof(zend_llist_element, data) + list->size;
	for (unsigned i = 0; at && i < XHPROF_WALK_ENGINE_MAX && i < list->count; i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, zend_llist_element, element, at);
		xhprof_walk_engine_buffer(walker, name, at, size);
		if (each) {
			each(walker, at + offsetof(zend_llist_element, data));
		}
		at = (xhprof_addr)element->next;
	}
}

/* ---- The executor and the compiler -------------------------------------------------------------------------------------- */

/* Reports an entry of the weak references, whose values are pointers with a tag: of a WeakReference, a WeakMap, or a
 * table of such. */
static bool refer_weak(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	uint64_t pointer = Z_TYPE_P(element->value) == IS_PTR ? (xhprof_addr)Z_PTR_P(element->value) : 0;
	if ((pointer & 3) == 2) {
		xhprof_walk_engine_table(walker, "weak references of an object", (const void *)(pointer & ~(uint64_t)3), NULL);
	}
	return true;
}

static void refer_errors(xhprof_walker *walker, const zend_executor_globals *executor)
{
	uint32_t room, count;
	xhprof_addr errors = (xhprof_addr)xhprof_layout_recorded_errors(executor, &room, &count);
	if (!errors || count > XHPROF_WALK_ENGINE_MAX || count > room) {
		return;
	}
	xhprof_walk_engine_buffer(walker, "recorded errors", errors, (uint64_t)room * sizeof(void *));
	for (uint32_t i = 0; i < count; i++) {
		xhprof_addr at = xhprof_walker_pointer(walker, errors + i * sizeof(void *));
		XHPROF_WALKER_LOAD(walker, zend_error_info, error, at);
		if (!error) {
			return;
		}
		xhprof_walk_engine_buffer(walker, "recorded error", at, sizeof(*error));
		xhprof_walker_name(walker, "file", error->filename);
		xhprof_walker_name(walker, "message", error->message);
	}
}

static bool refer_kept_value(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_zval(walker, xhprof_walk_engine_named("closure kept for reuse"), element->value);
	return true;
}

static bool refer_kept_function(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_refer(walker, XHPROF_PART("partial application kept for reuse"), XHPROF_VISIT_FUNCTION,
						Z_PTR_P(element->value), 0);
	return true;
}

static void refer_kept_closures(xhprof_walker *walker, const zend_executor_globals *executor)
{
	const zend_stack *closures = xhprof_layout_kept_closures(executor);
	if (!closures) {
		return;
	}
	xhprof_walk_engine_elements(walker, "closures kept for reuse", xhprof_layout_kept_callables(executor),
								refer_kept_value);
	xhprof_walk_engine_elements(walker, "partial applications kept for reuse", xhprof_layout_kept_partials(executor),
								refer_kept_function);
	refer_stack(walker, "closures kept for reuse", closures);
	for (int i = 0; closures->size == sizeof(void *) && i < closures->top && i < XHPROF_WALK_ENGINE_MAX; i++) {
		xhprof_walker_refer(
			walker, xhprof_walk_engine_named("closure kept for reuse"), XHPROF_VISIT_OBJECT,
			xhprof_walker_pointer(walker, (xhprof_addr)closures->elements + (uint64_t)i * sizeof(void *)), 0);
	}
}

static void refer_executor(xhprof_walker *walker, const zend_executor_globals *executor)
{
	uint64_t at = walker->engine->executor_globals;
	xhprof_walker_zval(walker, xhprof_walk_engine_named("error handler"), &executor->user_error_handler);
	xhprof_walker_zval(walker, xhprof_walk_engine_named("exception handler"), &executor->user_exception_handler);
	refer_stack(walker, "levels of error handlers before", &executor->user_error_handlers_error_reporting);
	refer_values(walker, "error handlers before", &executor->user_error_handlers);
	refer_values(walker, "exception handlers before", &executor->user_exception_handlers);
	xhprof_walker_refer(walker, xhprof_walk_engine_named("exception"), XHPROF_VISIT_OBJECT, executor->exception, 0);
	xhprof_walker_refer(walker, xhprof_walk_engine_named("exception before"), XHPROF_VISIT_OBJECT,
						xhprof_layout_exception_before(executor), 0);

	uint64_t cached =
		((xhprof_addr)executor->symtable_cache_ptr - at - offsetof(zend_executor_globals, symtable_cache)) /
		sizeof(void *);
	for (uint64_t i = 0; i < SYMTABLE_CACHE_SIZE && i < cached; i++) {
		xhprof_walker_refer(walker, XHPROF_PART("spare symbol table"), XHPROF_VISIT_ARRAY, executor->symtable_cache[i],
							0);
	}
	if (XHPROF_LAYOUT_LOADING_EMBEDDED) {
		xhprof_walk_engine_elements(walker, "classes being loaded", xhprof_layout_classes_loading(executor), NULL);
	} else {
		xhprof_walk_engine_table(walker, "classes being loaded", xhprof_layout_classes_loading(executor), NULL);
	}
	xhprof_walk_engine_elements(walker, "weak references", &executor->weakrefs, refer_weak);
	if (xhprof_layout_lazy_objects()) {
		xhprof_walk_engine_elements(walker, "lazy objects",
									(const HashTable *)((const char *)executor + xhprof_layout_lazy_objects()), NULL);
	}
	refer_kept_closures(walker, executor);
	if (executor->ht_iterators &&
		(xhprof_addr)executor->ht_iterators != at + offsetof(zend_executor_globals, ht_iterators_slots)) {
		xhprof_walk_engine_buffer(walker, "iterators", executor->ht_iterators,
								  (uint64_t)executor->ht_iterators_count * sizeof(HashTableIterator));
	}
	xhprof_addr buffer = (xhprof_addr)executor->get_gc_buffer.start,
				buffer_end = (xhprof_addr)executor->get_gc_buffer.end;
	if (buffer && buffer_end > buffer) {
		xhprof_walk_engine_buffer(walker, "GC buffer", executor->get_gc_buffer.start, buffer_end - buffer);
	}
	xhprof_walk_engine_buffer(walker, "main fiber's context", executor->main_fiber_context, sizeof(zend_fiber_context));
	refer_errors(walker, executor);
	if (xhprof_layout_fatal_backtrace(executor)) {
		xhprof_walker_zval(walker, xhprof_walk_engine_named("stack trace of a fatal error"),
						   xhprof_layout_fatal_backtrace(executor));
	}
	xhprof_walker_name(walker, "file of errors", executor->filename_override);
	xhprof_walker_name(walker, "message of an error", xhprof_layout_pending_message(executor));
	if (executor->trampoline.common.function_name) {
		xhprof_walker_name(walker, "name of a method called by __call", executor->trampoline.common.function_name);
	}
}

static void refer_arenas(xhprof_walker *walker, const char *name, const zend_arena *arena,
						 void (*each)(xhprof_walker *walker, uint64_t from, uint64_t size))
{
	xhprof_addr at = (xhprof_addr)arena, total = 0;
	for (unsigned i = 0; at && i < XHPROF_WALK_ENGINE_MAX; i++) {
		xhprof_zmm_block block;
		XHPROF_WALKER_LOAD(walker, zend_arena, loaded, at);
		uint64_t end = loaded ? (xhprof_addr)loaded->end : 0, used = loaded ? (xhprof_addr)loaded->ptr : 0;
		uint64_t from = at + ZEND_MM_ALIGNED_SIZE(sizeof(zend_arena));
		uint64_t before = loaded ? (xhprof_addr)loaded->prev : 0;
		if (end <= at) {
			walker->result->unreadable++;
			return;
		}
		xhprof_walker_part(walker, XHPROF_HEAP_ARENA, name, at, end - at);
		/* Together they are not larger than the heap, unless they form a cycle. */
		if (each && used > from && used <= end && xhprof_zmm_block_at(walker->zmm, at, &block) &&
			used - at <= block.size && total <= walker->zmm->live_bytes) {
			total += used - at;
			each(walker, from, used - from);
		}
		at = before;
	}
}

/* Reports the text that is being compiled. */
static void refer_source(xhprof_walker *walker)
{
	XHPROF_WALKER_LOAD(walker, zend_php_scanner_globals, scanner, walker->engine->scanner_globals);
	if (!walker->engine->scanner_globals || !scanner) {
		return;
	}
	xhprof_addr text = (xhprof_addr)scanner->yy_start, original = (xhprof_addr)scanner->script_org;
	xhprof_addr filtered = (xhprof_addr)scanner->script_filtered;
	refer_stack(walker, "scanner's states", &scanner->state_stack);
	refer_stack(walker, "open brackets", &scanner->nest_location_stack);
	if (scanner->heredoc_label_stack.max > 0) {
		xhprof_walk_engine_buffer(walker, "heredocs", scanner->heredoc_label_stack.elements,
								  (uint64_t)scanner->heredoc_label_stack.max * sizeof(void *));
	}
	xhprof_walker_part_around(walker, XHPROF_HEAP_ENGINE, "source text", text);
	xhprof_walker_part_around(walker, XHPROF_HEAP_ENGINE, "source text", original);
	xhprof_walker_part_around(walker, XHPROF_HEAP_ENGINE, "source text", filtered);
}

static void refer_file(xhprof_walker *walker, uint64_t data)
{
	XHPROF_WALKER_LOAD(walker, zend_file_handle, file, data);
	if (file) {
		xhprof_walker_name(walker, "file", file->filename);
		xhprof_walker_name(walker, "file", file->opened_path);
		xhprof_walk_engine_buffer(walker, "source text", file->buf, file->len + ZEND_MMAP_AHEAD);
	}
}

static void refer_compiler(xhprof_walker *walker, const zend_compiler_globals *compiler)
{
	refer_arenas(walker, "compiler's arena", compiler->arena, NULL);
	refer_arenas(walker, "syntax tree", compiler->ast_arena, xhprof_walk_syntax_tree);
	refer_source(walker);
	refer_list(walker, "open file", &compiler->open_files, refer_file);
	refer_stack(walker, "loops", &compiler->loop_var_stack);
	refer_stack(walker, "delayed opcodes", &compiler->delayed_oplines_stack);
	refer_stack(walker, "short circuits", &compiler->short_circuiting_opnums);
	xhprof_walk_engine_buffer(walker, "map of pointers", compiler->map_ptr_real_base,
							  compiler->map_ptr_size * sizeof(void *));
	xhprof_walk_engine_table(walker, "delayed variance", compiler->delayed_variance_obligations, NULL);
	xhprof_walk_engine_table(walker, "delayed autoloading", compiler->delayed_autoloads, NULL);
	xhprof_walk_engine_table(walker, "unlinked uses", compiler->unlinked_uses, NULL);
	xhprof_walk_engine_table(walker, "memoized expressions", compiler->memoized_exprs, NULL);
	xhprof_walker_name(walker, "file", compiler->compiled_filename);
	xhprof_walker_name(walker, "doc comment", compiler->doc_comment);
	/* Of the file being compiled; in_compilation is false while an error handler runs. */
	const zend_file_context *file = &compiler->file_context;
	xhprof_walker_refer(walker, XHPROF_PART("function"), XHPROF_VISIT_FUNCTION, compiler->active_op_array, 0);
	xhprof_walker_refer(walker, XHPROF_PART("class"), XHPROF_VISIT_CLASS, compiler->active_class_entry, 0);
	xhprof_walker_name(walker, "namespace", file->current_namespace);
	xhprof_walk_engine_table(walker, "imports", file->imports, NULL);
	xhprof_walk_engine_table(walker, "imported functions", file->imports_function, NULL);
	xhprof_walk_engine_table(walker, "imported constants", file->imports_const, NULL);
	xhprof_walk_engine_elements(walker, "seen symbols", &file->seen_symbols, NULL);
}

/* ---- Settings, output, the request -------------------------------------------------------------------------------------- */

void xhprof_walk_ini_entry(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD_OR(return, walker, zend_ini_entry, entry, item->address);
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_ENGINE, sizeof(*entry),
							 xhprof_walker_text(walker, entry->name));
	xhprof_walker_name(walker, "name", entry->name);
	xhprof_walker_string(walker, xhprof_walk_engine_named("value"), entry->value);
	if (entry->orig_value != entry->value) {
		xhprof_walker_string(walker, xhprof_walk_engine_named("value before"), entry->orig_value);
	}
}

static bool refer_setting(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_refer(walker, XHPROF_NAMED(text_at(walker, element->key)), XHPROF_VISIT_INI_ENTRY,
						Z_PTR_P(element->value), 0);
	return true;
}

void xhprof_walk_output_handler(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD_OR(return, walker, php_output_handler, handler, item->address);
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_ENGINE, sizeof(*handler),
							 xhprof_walker_text(walker, handler->name));
	xhprof_walker_name(walker, "name", handler->name);
	xhprof_walker_part(walker, XHPROF_HEAP_OUTPUT, "buffer", handler->buffer.data, handler->buffer.size);
	if (handler->flags & PHP_OUTPUT_HANDLER_USER) {
		xhprof_walker_refer(walker, XHPROF_PART("callback"), XHPROF_VISIT_CALLABLE, xhprof_layout_output_of(handler),
							XHPROF_CALLABLE_OUTPUT);
	}
	xhprof_walker_part_around(walker, XHPROF_HEAP_ENGINE, "output handler's data", handler->opaq);
}

static void refer_output(xhprof_walker *walker)
{
	XHPROF_WALKER_LOAD(walker, zend_output_globals, output, walker->engine->output_globals);
	if (!output) {
		return;
	}
	const zend_stack *stack = &output->handlers;
	refer_stack(walker, "output handlers", stack);
	for (int i = 0; stack->size == sizeof(void *) && i < stack->top && i < XHPROF_WALK_ENGINE_MAX; i++) {
		xhprof_addr handler =
			xhprof_walker_pointer(walker, (xhprof_addr)stack->elements + (uint64_t)i * sizeof(void *));
		xhprof_walker_refer(walker, xhprof_walk_engine_named("output handler"), XHPROF_VISIT_OUTPUT_HANDLER, handler,
							0);
	}
	xhprof_walker_name(walker, "file where output began", output->output_start_filename);
}

static void refer_header(xhprof_walker *walker, uint64_t data)
{
	XHPROF_WALKER_LOAD(walker, sapi_header_struct, header, data);
	if (header) {
		xhprof_walk_engine_buffer(walker, "header", header->header, header->header_len + 1);
	}
}

static void refer_request(xhprof_walker *walker)
{
	XHPROF_WALKER_LOAD(walker, sapi_globals_struct, sapi, walker->engine->sapi_globals);
	if (!sapi) {
		return;
	}
	const sapi_request_info *request = &sapi->request_info;
	xhprof_walk_engine_c_string(walker, "request's query", request->query_string);
	xhprof_walk_engine_c_string(walker, "request's cookies", request->cookie_data);
	xhprof_walk_engine_c_string(walker, "request's path", request->path_translated);
	xhprof_walk_engine_c_string(walker, "request's address", request->request_uri);
	xhprof_walk_engine_c_string(walker, "request's content type", request->content_type_dup);
	xhprof_walk_engine_c_string(walker, "request's user", request->auth_user);
	xhprof_walk_engine_c_string(walker, "request's password", request->auth_password);
	xhprof_walk_engine_c_string(walker, "request's digest", request->auth_digest);
	xhprof_walk_engine_c_string(walker, "user", xhprof_layout_user_text(request));
	xhprof_walker_name(walker, "user", xhprof_layout_user_string(request));
	xhprof_walk_engine_c_string(walker, "content type", sapi->sapi_headers.mimetype);
	xhprof_walk_engine_c_string(walker, "status line", sapi->sapi_headers.http_status_line);
	xhprof_walk_engine_c_string(walker, "default content type", sapi->default_mimetype);
	xhprof_walk_engine_c_string(walker, "default charset", sapi->default_charset);
	refer_list(walker, "header", &sapi->sapi_headers.headers, refer_header);
	xhprof_walk_engine_table(walker, "uploaded files", sapi->rfc1867_uploaded_files, NULL);
	xhprof_layout_call callback = xhprof_layout_header_call(sapi);
	xhprof_walk_engine_call(walker, "header callback", &callback);
}

static bool refer_shutdown(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_refer(walker, xhprof_walk_engine_named("shutdown function"), XHPROF_VISIT_CALLABLE,
						Z_PTR_P(element->value), XHPROF_CALLABLE_SHUTDOWN);
	return true;
}

static bool refer_putenv(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	XHPROF_WALKER_LOAD(walker, xhprof_layout_putenv, entry, Z_PTR_P(element->value));
	if (entry) {
		xhprof_walk_engine_buffer(walker, "environment variable", Z_PTR_P(element->value), sizeof(*entry));
		xhprof_walk_engine_c_string(walker, "environment variable's text", entry->setting);
		xhprof_walker_name(walker, "name", entry->key);
	}
	return true;
}

static bool refer_filter(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	XHPROF_WALKER_LOAD(walker, xhprof_layout_user_filter, filter, Z_PTR_P(element->value));
	if (filter) {
		xhprof_walk_engine_buffer(walker, "stream filter", Z_PTR_P(element->value), sizeof(*filter));
		xhprof_walker_name(walker, "class", filter->class_name);
	}
	return true;
}

static void refer_standard(xhprof_walker *walker)
{
	XHPROF_WALKER_LOAD(walker, php_basic_globals, basic, walker->engine->basic_globals);
	if (!basic) {
		return;
	}
	xhprof_walk_engine_table(walker, "shutdown functions", basic->user_shutdown_function_names, refer_shutdown);
	xhprof_walk_engine_elements(walker, "environment", &basic->putenv_ht, refer_putenv);
	xhprof_walk_engine_table(walker, "stream filters", basic->user_filter_map, refer_filter);
	xhprof_walker_name(walker, "strtok()", basic->strtok_string);
	xhprof_walker_name(walker, "locale", basic->ctype_string);
	xhprof_walker_name(walker, "path of stat()", basic->CurrentStatFile);
	xhprof_walker_name(walker, "path of lstat()", basic->CurrentLStatFile);
	xhprof_walker_zval(walker, xhprof_walk_engine_named("section of an ini file"), &basic->active_ini_file_section);
	if (xhprof_layout_http_headers(basic)) {
		xhprof_walker_zval(walker, xhprof_walk_engine_named("headers of an answer"), xhprof_layout_http_headers(basic));
	}
	XHPROF_WALKER_LOAD(walker, zend_llist, ticks, basic->user_tick_functions);
	if (!basic->user_tick_functions || !ticks) {
		return;
	}
	xhprof_addr at = (xhprof_addr)ticks->head;
	uint64_t count = ticks->count;
	xhprof_walk_engine_buffer(walker, "tick functions", basic->user_tick_functions, sizeof(zend_llist));
	for (unsigned i = 0; at && i < XHPROF_WALK_ENGINE_MAX && i < count; i++) {
		xhprof_walker_refer(walker, xhprof_walk_engine_named("tick function"), XHPROF_VISIT_CALLABLE, at,
							XHPROF_CALLABLE_TICK);
		at = xhprof_walker_pointer(walker, at + offsetof(zend_llist_element, next));
	}
}

static void refer_core(xhprof_walker *walker)
{
	static const char *const names[] = {"_POST", "_GET", "_COOKIE", "_SERVER", "_ENV", "_FILES"};
	XHPROF_WALKER_LOAD(walker, php_core_globals, core, walker->engine->core_globals);
	if (!core) {
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		xhprof_walker_zval(walker, xhprof_walk_engine_named(names[i]), &core->http_globals[i]);
	}
	xhprof_walker_name(walker, "last error's message", core->last_error_message);
	xhprof_walker_name(walker, "last error's file", core->last_error_file);
	refer_list(walker, "tick", &core->tick_functions, NULL);
	xhprof_walk_engine_elements(walker, "protected variables", &core->rfc1867_protected_variables, NULL);
}

/* ---- Streams ------------------------------------------------------------------------------------------------------------ */

/* Reports the wrapper of stream_wrapper_register(); its class is among the classes. Wrappers of extensions are not in
 * the heap. */
static bool refer_wrapper(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_walker_part_around(walker, XHPROF_HEAP_ENGINE, "stream wrapper", Z_PTR_P(element->value));
	return true;
}

static void refer_stream_error(xhprof_walker *walker, const xhprof_layout_stream_error *error)
{
	xhprof_walker_name(walker, "message", error->message);
	xhprof_walk_engine_c_string(walker, "name of a stream wrapper", error->wrapper);
	xhprof_walk_engine_c_string(walker, "name of a function", error->function);
}

static void refer_stream_errors(xhprof_walker *walker, xhprof_addr operation)
{
	for (unsigned i = 0; operation && i < XHPROF_WALK_ENGINE_MAX; i++) {
		XHPROF_WALKER_LOAD(walker, xhprof_layout_stream_errors, errors, operation);
		if (!errors) {
			return;
		}
		xhprof_walk_engine_buffer(walker, "errors of a stream", operation, sizeof(*errors));
		xhprof_addr at = (xhprof_addr)errors->first;
		for (uint32_t left = errors->count; at && left && i < XHPROF_WALK_ENGINE_MAX; left--, i++) {
			XHPROF_WALKER_LOAD(walker, xhprof_layout_stream_error, error, at);
			if (!error) {
				return;
			}
			xhprof_walk_engine_buffer(walker, "error of a stream", at, sizeof(*error));
			refer_stream_error(walker, error);
			at = (xhprof_addr)error->next;
		}
		operation = (xhprof_addr)errors->next;
	}
}

static void refer_streams(xhprof_walker *walker)
{
	XHPROF_WALKER_LOAD(walker, php_file_globals, files, walker->engine->file_globals);
	if (!files) {
		return;
	}
	XHPROF_WALKER_LOAD(walker, php_stream_context, context, files->default_context);
	if (files->default_context && context) {
		xhprof_walker_refer(walker, xhprof_walk_engine_named("default stream context"), XHPROF_VISIT_RESOURCE,
							context->res, 0);
	}
	xhprof_walk_engine_table(walker, "stream wrappers", files->stream_wrappers, refer_wrapper);
	xhprof_walk_engine_table(walker, "stream filters", files->stream_filters, NULL);
	xhprof_walk_engine_table(walker, "errors of stream wrappers", xhprof_layout_wrapper_errors(files), NULL);
	refer_stream_errors(walker, (xhprof_addr)xhprof_layout_stored_stream_errors(files));
}

/* ---- Extensions --------------------------------------------------------------------------------------------------------- */

/* Visits a module. The native pass finds the references of its globals. */
void xhprof_walk_module(xhprof_walker *walker, const xhprof_item *item)
{
	XHPROF_WALKER_LOAD_OR(return, walker, zend_module_entry, module, item->address);
	xhprof_text name = xhprof_walker_keep(walker, xhprof_walker_c_text(walker, module->name));
	xhprof_walker_plain_node(walker, item->address, XHPROF_HEAP_ENGINE, module->globals_size, name);
#ifndef ZTS
	if (module->globals_size && module->globals_ptr) {
		xhprof_addr globals = (xhprof_addr)module->globals_ptr;
		xhprof_walk_static_values(walker, globals, module->globals_size, XHPROF_TEXT("globals"));
		xhprof_walker_private_part(walker, item->address, 0, globals, module->globals_size, name);
	}
#endif
}

static bool refer_module(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	XHPROF_WALKER_LOAD(walker, zend_module_entry, module, Z_PTR_P(element->value));
	xhprof_text name = text_at(walker, element->key);
	bool own = name.length == strlen("xhprof") && !memcmp(name.bytes, "xhprof", name.length);
	if (module && module->globals_size && name.bytes && !own) {
		xhprof_walker_refer(walker, XHPROF_NAMED(name), XHPROF_VISIT_MODULE, Z_PTR_P(element->value), 0);
	}
	return true;
}

void xhprof_walk_engine(xhprof_walker *walker, const zend_executor_globals *executor,
						const zend_compiler_globals *compiler)
{
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_ENGINE_STATE);
	refer_executor(walker, executor);
	refer_compiler(walker, compiler);
	xhprof_walk_engine_table(walker, "changed settings", executor->modified_ini_directives, refer_setting);
	refer_output(walker);
	refer_request(walker);
	refer_standard(walker);
	refer_core(walker);
	refer_streams(walker);
	xhprof_walk_autoloaders(walker);
	xhprof_walk_statics(walker);
	XHPROF_WALKER_LOAD(walker, HashTable, modules, walker->engine->module_registry);
	if (walker->engine->module_registry && modules) {
		xhprof_walker_elements(walker, modules, refer_module, NULL);
	}
	xhprof_walker_drain(walker);
}
