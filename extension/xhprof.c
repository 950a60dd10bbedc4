/* Glue: PHP functions, and the modules' lifecycle calls in order. */
#include "php_xhprof.h"

#include "aggregate/aggregate.h"
#include "base/process.h"
#include "base/redact.h"
#include "compat/jit.h"
#include "export/edge_array.h"
#include "export/run_directory.h"
#include "export/run_info.h"
#include "export/run_save.h"
#include "export/sample_array.h"
#include "export/tree_array.h"
#include "hook/code_context.h"
#include "hook/alloc_tracking.h"
#include "hook/call_label.h"
#include "hook/frameless.h"
#include "hook/heap_peak.h"
#include "hook/hook_alloc.h"
#include "hook/hook_compile.h"
#include "hook/hook_fiber.h"
#include "hook/hook_gc.h"
#include "hook/hook_observer.h"
#include "hook/known_function.h"
#include "hook/operation.h"
#include "hook/sampler.h"
#include "hook/watched_call.h"
#include "memory.h"
#include "memprof.h"
#include "program.h"
#include "request/auto_profile.h"
#include "request/heap_condition.h"
#include "request/heap_on_limit.h"
#include "request/request_info.h"
#include "request/recording.h"
#include "request/request_route.h"
#include "request/route_patterns.h"
#include "request/span.h"
#include "request/span_object.h"
#include "request/trigger_secret.h"
#include "request/worker_request.h"
#include "request/worker_runtime.h"
#include "settings.h"
#include "tideways.h"

#include "ext/spl/spl_exceptions.h"
#include "ext/standard/info.h"
#include "php_ini.h"
#include "zend_exceptions.h"

#include "xhprof_arginfo.h"

ZEND_DECLARE_MODULE_GLOBALS(xhprof)

PHP_FUNCTION(xhprof_enable)
{
	zend_long flags = 0;
	HashTable *options = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(flags)
		Z_PARAM_ARRAY_HT_OR_NULL(options)
	ZEND_PARSE_PARAMETERS_END();
	xhprof_program_start_profile("xhprof_enable", flags, options, (xhprof_edge_shape){0});
}

PHP_FUNCTION(xhprof_disable)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (xhprof_session_stop(XHPROF_BY_PROGRAM, XHPROF_TRACING) &&
		!xhprof_edge_array(xhprof_session_last(), XHPROF_G(session).keep_run_init, return_value)) {
		zend_error(E_WARNING, "xhprof_disable(): Not enough memory to fold the profile");
	}
}

PHP_FUNCTION(xhprof_call_tree)
{
	ZEND_PARSE_PARAMETERS_NONE();
	const xhprof_tracer *profile = xhprof_session_last();
	if (profile) {
		xhprof_tree_array(profile, return_value);
	}
}

PHP_FUNCTION(xhprof_save)
{
	char *source = "xhprof", id[XHPROF_RUN_ID_LENGTH + 1];
	size_t source_length = sizeof("xhprof") - 1;
	zval *meta = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_STRING(source, source_length)
		Z_PARAM_ARRAY(meta)
	ZEND_PARSE_PARAMETERS_END();
	if (!xhprof_run_valid_source(source, source_length)) {
		zend_argument_value_error(1, "must be 1 to 64 letters, digits, \"_\" or \"-\"");
		RETURN_THROWS();
	}
	const xhprof_tracer *profile = xhprof_session_last();
	if (!profile) {
		zend_throw_exception(spl_ce_RuntimeException, "xhprof_save(): There is no stopped profile to save", 0);
		RETURN_THROWS();
	}
	xhprof_alloc_dump memory;
	bool has_memory = false;
	if (profile->flags & XHPROF_TRACE_ALLOC) {
		xhprof_alloc_request options;
		xhprof_alloc_request_init(&options, NULL);
		options.dump.by_marks = true;
		has_memory = xhprof_memory_take(&(xhprof_memory_caller){.function = "xhprof_save"}, &memory, &options.dump);
	}
	char route[XHPROF_ROUTE_MAX + 1];
	const char *named = xhprof_request_route_of_program(route);
	if (EG(exception) || !xhprof_run_save(profile, has_memory ? &memory : NULL, source, named, meta, id)) {
		RETURN_THROWS();
	}
	RETURN_STRINGL(id, XHPROF_RUN_ID_LENGTH);
}

PHP_FUNCTION(xhprof_sample_enable)
{
	HashTable *given = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_NULL(given)
	ZEND_PARSE_PARAMETERS_END();
	xhprof_sampler_options options = xhprof_sampler_settings(XHPROF_SAMPLE_CLASSIC_US);
	if (xhprof_program_sample_options(given, &options)) {
		xhprof_program_start(
			"xhprof_sample_enable",
			&(xhprof_session_request){.kind = XHPROF_SAMPLING, .owner = XHPROF_BY_PROGRAM, .sampling = &options});
	}
}

PHP_FUNCTION(xhprof_sample_disable)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (xhprof_session_stop(XHPROF_BY_PROGRAM, XHPROF_SAMPLING)) {
		xhprof_sample_array(&XHPROF_G(tracer), XHPROF_G(sampler).depth, return_value);
		/* Raised last: an error handler may start a profile itself. */
		zend_ulong dropped = (zend_ulong)XHPROF_G(tracer).samples.dropped;
		if (XHPROF_G(sampler).cut_short) {
			zend_error(E_WARNING, "xhprof_sample_disable(): No samples since fork(): the sampling thread cannot start");
		}
		if (dropped) {
			zend_error(E_WARNING, "xhprof_sample_disable(): " ZEND_ULONG_FMT " samples past the first %d were dropped",
					   dropped, (int)XHPROF_SAMPLE_MAX);
		}
	}
}

/* Reads the arguments of a span. False after an exception. */
static bool parse_span(zend_execute_data *execute_data, zend_string **name, zval **meta)
{
	*meta = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(*name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY(*meta)
		ZEND_PARSE_PARAMETERS_END_EX(return false);
		return true;
}

PHP_FUNCTION(xhprof_begin_span)
{
	zend_string *name;
	zval *meta;
	bool profiled;
	if (!parse_span(execute_data, &name, &meta)) {
		RETURN_THROWS();
	}
	xhprof_span_begin("xhprof_begin_span", name, meta, false, &profiled);
	RETURN_BOOL(profiled);
}

PHP_FUNCTION(xhprof_end_span)
{
	ZEND_PARSE_PARAMETERS_NONE();
	const char *id = xhprof_span_end_last();
	if (id) {
		RETURN_STRING(id);
	}
}

PHP_FUNCTION(xhprof_span)
{
	zend_string *name;
	zval *meta;
	if (!parse_span(execute_data, &name, &meta)) {
		RETURN_THROWS();
	}
	xhprof_span_object_begin(name, meta, return_value);
}

PHP_FUNCTION(xhprof_set_route)
{
	zend_string *name;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();
	if (!ZSTR_LEN(name)) {
		zend_argument_value_error(1, "must not be empty");
		RETURN_THROWS();
	}
	if (!xhprof_worker_request_is_between() && !xhprof_recording_set_route(ZSTR_VAL(name), ZSTR_LEN(name))) {
		xhprof_request_route_set(ZSTR_VAL(name), ZSTR_LEN(name));
	}
}

/* Returns the array of a trace context. */
static void return_context(const xhprof_trace_ids *ids, zval *return_value)
{
	char trace[XHPROF_TRACE_ID_LENGTH + 1], span[XHPROF_SPAN_ID_LENGTH + 1];
	xhprof_trace_id_text(trace, ids->trace, sizeof(ids->trace));
	xhprof_trace_id_text(span, ids->span, sizeof(ids->span));
	array_init(return_value);
	add_assoc_string(return_value, "trace_id", trace);
	add_assoc_string(return_value, "span_id", span);
}

PHP_FUNCTION(xhprof_context)
{
	zend_string *trace, *span;
	xhprof_trace_ids ids = {{0}, {0}}, before;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR_OR_NULL(trace)
		Z_PARAM_STR_OR_NULL(span)
	ZEND_PARSE_PARAMETERS_END();
	if (trace && !xhprof_trace_id_read(ids.trace, sizeof(ids.trace), ZSTR_VAL(trace), ZSTR_LEN(trace))) {
		zend_argument_value_error(1, "must be 32 hexadecimal digits, not all of them 0");
		RETURN_THROWS();
	}
	if (span && !xhprof_trace_id_read(ids.span, sizeof(ids.span), ZSTR_VAL(span), ZSTR_LEN(span))) {
		zend_argument_value_error(2, "must be 16 hexadecimal digits, not all of them 0");
		RETURN_THROWS();
	}
	if (!trace != !span) {
		zend_argument_value_error(span ? 2 : 1, "must be null if the other one is");
		RETURN_THROWS();
	}
	if (xhprof_code_context(&before)) {
		return_context(&before, return_value);
	}
	xhprof_sampler_engine_begins(); /* samples until now are of the context before */
	if (!xhprof_code_context_set(trace ? &ids : NULL)) {
		zend_error(E_WARNING, "xhprof_context(): Too many fibers have a context: this one gets none");
	}
}

PHP_FUNCTION(xhprof_ignore_request)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(!xhprof_worker_request_is_between() && (!XHPROF_G(span).count || xhprof_worker_request_runs()) &&
				(xhprof_recording_drop() || xhprof_auto_drop()));
}

PHP_FUNCTION(xhprof_run_id)
{
	ZEND_PARSE_PARAMETERS_NONE();
	const char *id = xhprof_recording_run_id();
	if (id) {
		RETURN_STRINGL(id, XHPROF_RUN_ID_LENGTH);
	}
}

/* The most bytes of a text without secrets, as saved runs have them. */
#define REDACTED_MAX 16384

static bool redact_arguments(zend_string *to, HashTable *given)
{
	int argc = 0;
	zval *argument;
	xhprof_secret_rules rules = xhprof_secret_rules_now();
	char **argv = safe_emalloc(zend_hash_num_elements(given) + 1, sizeof(*argv), 0);
	ZEND_HASH_FOREACH_VAL(given, argument) {
		ZVAL_DEREF(argument);
		if (Z_TYPE_P(argument) != IS_STRING) {
			efree(argv);
			zend_argument_type_error(1, "must contain only strings");
			return false;
		}
		argv[argc++] = Z_STRVAL_P(argument);
	}
	ZEND_HASH_FOREACH_END();
	ZSTR_LEN(to) = xhprof_redact_command(ZSTR_VAL(to), REDACTED_MAX, argc, argv, &rules);
	efree(argv);
	return true;
}

PHP_FUNCTION(xhprof_redact)
{
	zend_string *url;
	HashTable *arguments;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT_OR_STR(arguments, url)
	ZEND_PARSE_PARAMETERS_END();
	zend_string *shown = zend_string_alloc(REDACTED_MAX - 1, false);
	if (!arguments) {
		ZSTR_LEN(shown) = xhprof_run_url(ZSTR_VAL(shown), REDACTED_MAX, ZSTR_VAL(url));
	} else if (!redact_arguments(shown, arguments)) {
		zend_string_efree(shown);
		RETURN_THROWS();
	}
	RETVAL_STRINGL(ZSTR_VAL(shown), ZSTR_LEN(shown));
	zend_string_efree(shown);
}

static PHP_GINIT_FUNCTION(xhprof)
{
#if defined(COMPILE_DL_XHPROF) && defined(ZTS)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(xhprof_globals, 0, sizeof(*xhprof_globals));
}

/* Releases the globals at the end of a thread, or of the process. */
static PHP_GSHUTDOWN_FUNCTION(xhprof)
{
	xhprof_aggregate_gshutdown(xhprof_globals);
	xhprof_heap_on_limit_gshutdown(xhprof_globals);
	xhprof_heap_condition_gshutdown(xhprof_globals);
	xhprof_span_gshutdown(xhprof_globals);
	xhprof_worker_request_gshutdown(xhprof_globals);
	xhprof_watched_call_gshutdown(xhprof_globals);
	xhprof_request_info_gshutdown(xhprof_globals);
	xhprof_route_patterns_gshutdown(xhprof_globals);
	xhprof_session_gshutdown(xhprof_globals);
	xhprof_call_label_gshutdown(xhprof_globals);
	xhprof_code_context_gshutdown(xhprof_globals);
	xhprof_known_functions_gshutdown(xhprof_globals);
	xhprof_sampler_gshutdown(xhprof_globals);
	xhprof_trigger_secret_gshutdown(xhprof_globals);
}

static PHP_MINIT_FUNCTION(xhprof)
{
	xhprof_settings_minit(type, module_number);
	register_xhprof_symbols(module_number);
	xhprof_span_object_minit(register_class_XHProfSpan());
	xhprof_process_begin();
	xhprof_clock_process_start();
	/* Hooks are available at start-up only, not for dl(). */
	if (type == MODULE_PERSISTENT && XHPROF_G(ini).hooks != XHPROF_HOOKS_OFF) {
		xhprof_edge_array_minit();
		xhprof_hook_observer_minit();
		xhprof_hook_gc_minit();
	}
	if (type == MODULE_PERSISTENT) {
		xhprof_frameless_minit();
		xhprof_hook_alloc_minit();
		xhprof_heap_peak_minit();
		xhprof_heap_on_limit_minit(); /* after the one above, which repairs the heap at memory_limit */
		xhprof_sampler_minit();
		xhprof_heap_condition_minit(); /* its hook is outside of the sampler's: what it does is no sample */
		xhprof_recording_minit();
		xhprof_worker_runtime_minit(); /* before spans, which end with a fiber */
		xhprof_span_minit();
	}
	xhprof_memprof_minit(type, module_number);
	xhprof_tideways_minit(type);
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(xhprof)
{
	xhprof_auto_mshutdown();
	xhprof_session_mshutdown();
	xhprof_hook_observer_mshutdown();
	xhprof_hook_alloc_mshutdown();
	xhprof_memprof_mshutdown(type);
	xhprof_heap_condition_mshutdown();
	xhprof_sampler_mshutdown();
	xhprof_frameless_mshutdown();
	xhprof_hook_compile_mshutdown();
	xhprof_hook_gc_mshutdown();
	xhprof_hook_fiber_mshutdown();
	xhprof_settings_mshutdown(type, module_number);
	xhprof_process_end();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(xhprof)
{
#if defined(COMPILE_DL_XHPROF) && defined(ZTS)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	if (type == MODULE_PERSISTENT && XHPROF_G(ini).hooks != XHPROF_HOOKS_OFF) {
		xhprof_hook_compile_install();
	}
	xhprof_trigger_secret_rinit();
	xhprof_frameless_rinit();
	xhprof_hook_observer_rinit(XHPROF_G(ini).hooks == XHPROF_HOOKS_WALK);
	xhprof_session_rinit();
	xhprof_memprof_config memprof = xhprof_memprof_rinit();
	xhprof_auto_rinit(memprof.enabled);
	xhprof_worker_runtime_rinit();
	xhprof_memprof_start(&memprof);
	xhprof_heap_on_limit_rinit();
	xhprof_heap_condition_rinit();
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(xhprof)
{
	xhprof_session_over();
	xhprof_worker_runtime_rshutdown();
	xhprof_auto_rshutdown();
	xhprof_span_rshutdown();
	xhprof_heap_on_limit_rshutdown();
	xhprof_session_rshutdown();
	xhprof_operation_rshutdown();
	xhprof_code_context_rshutdown();
	return SUCCESS;
}

static ZEND_MODULE_POST_ZEND_DEACTIVATE_D(xhprof)
{
	xhprof_session_post_deactivate();
	return SUCCESS;
}

static void show_refusal(const char *name, const char *refusal)
{
	if (refusal) {
		php_info_print_table_row(2, name, refusal);
	}
}

static PHP_MINFO_FUNCTION(xhprof)
{
	const char *walks = xhprof_hook_observer_refusal();
	char own[MAXPATHLEN];
	php_info_print_table_start();
	php_info_print_table_row(2, "XHProf", "enabled");
	php_info_print_table_row(2, "Version", PHP_XHPROF_VERSION);
	php_info_print_table_row(2, "Wall clock", xhprof_clock_name(xhprof_clock_choose(XHPROF_G(ini).clock)));
	show_refusal("Why not a cycle counter", xhprof_clock_refusal());
	php_info_print_table_row(2, "CPU clock", xhprof_cpu_clock_name(xhprof_cpu_clock_choose(XHPROF_G(ini).cpu_clock)));
	show_refusal("Why not rseq", xhprof_cpu_clock_refusal());
	php_info_print_table_row(2, "Hooks", !xhprof_hook_observer_ready() ? "off" : walks ? "walk" : "switch");
	show_refusal("Why not switch", walks);
	show_refusal("Why no sampling", xhprof_compat_interrupt_refusal());
	show_refusal("Why no sampling of allocations", xhprof_compat_stack_refusal());
	php_info_print_table_row(2, "Memory figures",
							 XHPROF_G(session).heap ? "read from the heap" : "queried from the engine");
	php_info_print_table_row(2, "Run folder", xhprof_run_directory(own));
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

/* The extensions that start first: pcntl too, so that our interrupt hook is outside of its one, which runs the
 * program's signal handlers. */
static const zend_module_dep xhprof_dependencies[] = {ZEND_MOD_REQUIRED("json") ZEND_MOD_REQUIRED("spl")
														  ZEND_MOD_OPTIONAL("pcntl") ZEND_MOD_END};

zend_module_entry xhprof_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	xhprof_dependencies,
	"xhprof",
	ext_functions,
	PHP_MINIT(xhprof),
	PHP_MSHUTDOWN(xhprof),
	PHP_RINIT(xhprof),
	PHP_RSHUTDOWN(xhprof),
	PHP_MINFO(xhprof),
	PHP_XHPROF_VERSION,
	PHP_MODULE_GLOBALS(xhprof),
	PHP_GINIT(xhprof),
	PHP_GSHUTDOWN(xhprof),
	ZEND_MODULE_POST_ZEND_DEACTIVATE_N(xhprof),
	STANDARD_MODULE_PROPERTIES_EX,
};

#ifdef COMPILE_DL_XHPROF
#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif
ZEND_GET_MODULE(xhprof)
#endif
