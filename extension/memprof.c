#include "memprof.h"

#include "memory.h"
#include "program.h"

#include "export/alloc_callgrind.h"
#include "export/alloc_heap_profile.h"
#include "hook/alloc_tracking.h"
#include "request/auto_profile.h"
#include "folder/log_once.h"
#include "request/run_order.h"

#include "php_ini.h"
#include "zend_exceptions.h"

#include "memprof_arginfo.h"

static ZEND_INI_MH(on_update_format)
{
	if (!zend_string_equals_literal(new_value, "callgrind") && !zend_string_equals_literal(new_value, "pprof")) {
		zend_error(E_WARNING, "memprof.output_format must be callgrind or pprof");
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* Refuses a folder outside of open_basedir that a program or a .htaccess file has set. */
static ZEND_INI_MH(on_update_directory)
{
	if ((stage == ZEND_INI_STAGE_RUNTIME || stage == ZEND_INI_STAGE_HTACCESS) && ZSTR_LEN(new_value) &&
		php_check_open_basedir(ZSTR_VAL(new_value))) {
		return FAILURE;
	}
	return OnUpdateStringUnempty(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* The comment above each setting is its text in docs/reference.md (make reference). */
/* clang-format off */
PHP_INI_BEGIN()
	/* The folder in which `MEMPROF_PROFILE=dump_on_limit` writes its profile. An empty value is ignored. If nothing can be
	 * written there, PHP's log says so at the start of the request. */
	STD_PHP_INI_ENTRY("memprof.output_dir", "/tmp", PHP_INI_ALL, on_update_directory, ini.memprof_output_dir, zend_xhprof_globals, xhprof_globals)
	/* The format of the profile that `MEMPROF_PROFILE=dump_on_limit` writes: `callgrind`, or `pprof` (that of gperftools). */
	STD_PHP_INI_ENTRY("memprof.output_format", "callgrind", PHP_INI_ALL, on_update_format, ini.memprof_output_format, zend_xhprof_globals, xhprof_globals)
PHP_INI_END()
/* clang-format on */

/* Asks for what the memprof extension reports: only allocations since the start, without types. */
static void request_init(xhprof_alloc_request *request, xhprof_alloc_write write)
{
	xhprof_alloc_request_init(request, write);
	request->dump.by_types = false;
	request->dump.since_start = true;
}

static void write_file(void *unused)
{
	bool pprof = strcmp(XHPROF_G(ini).memprof_output_format, "pprof") == 0;
	xhprof_alloc_request request;
	xhprof_alloc_dump dump;
	request_init(&request, pprof ? xhprof_alloc_write_heap_profile : xhprof_alloc_write_callgrind);
	if (xhprof_alloc_tracking_dump(&dump, &request.dump)) {
		xhprof_alloc_output_file(XHPROF_G(ini).memprof_output_dir, pprof ? "pprof" : "callgrind", &request, &dump);
	}
}

static void write_at_limit(void)
{
	if (!XHPROF_G(session).locked) { /* locked: a dump that is being written has itself met the limit */
		xhprof_session_lock(write_file, NULL);
	}
}

/* Throws an exception and returns false if memprof tracks nothing. */
static bool must_be_enabled(const char *function)
{
	if (xhprof_session_is_owned_by(XHPROF_BY_MEMPROF)) {
		return true;
	}
	zend_throw_exception_ex(zend_ce_exception, 0, "%s(): memprof is not enabled", function);
	return false;
}

static void dump_to_stream(INTERNAL_FUNCTION_PARAMETERS, const char *function, xhprof_alloc_write write)
{
	zval *handle;
	xhprof_alloc_request request;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_RESOURCE(handle)
	ZEND_PARSE_PARAMETERS_END();
	if (!must_be_enabled(function)) {
		RETURN_THROWS();
	}
	request_init(&request, write);
	const xhprof_memory_caller caller = {function, "dump failed, please check file permissions or disk capacity", true};
	xhprof_memory_dump(&caller, handle, &request);
}

PHP_FUNCTION(memprof_enable)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (xhprof_session_is_owned_by(XHPROF_BY_MEMPROF)) {
		zend_throw_exception(zend_ce_exception, "memprof_enable(): memprof is already enabled", 0);
		RETURN_THROWS();
	}
	RETURN_BOOL(xhprof_program_start_memprof("memprof_enable", false, NULL));
}

PHP_FUNCTION(memprof_disable)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!must_be_enabled("memprof_disable")) {
		RETURN_THROWS();
	}
	RETVAL_BOOL(xhprof_session_stop(XHPROF_BY_MEMPROF, XHPROF_TRACKING));
	xhprof_auto_go_on();
}

PHP_FUNCTION(memprof_enabled)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(xhprof_session_is_owned_by(XHPROF_BY_MEMPROF));
}

PHP_FUNCTION(memprof_enabled_flags)
{
	ZEND_PARSE_PARAMETERS_NONE();
	bool enabled = xhprof_session_is_owned_by(XHPROF_BY_MEMPROF);
	array_init(return_value);
	add_assoc_bool(return_value, "enabled", enabled);
	add_assoc_bool(return_value, "native", enabled && XHPROF_G(tracking).native);
	add_assoc_bool(return_value, "dump_on_limit", enabled && XHPROF_G(alloc).at_limit);
}

typedef struct array_of {
	zval *result;
	xhprof_alloc_dump *dump;
} array_of;

static void make_array(void *context)
{
	const array_of *output = context;
	xhprof_alloc_output_array(output->result, output->dump);
}

PHP_FUNCTION(memprof_dump_array)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!must_be_enabled("memprof_dump_array")) {
		RETURN_THROWS();
	}
	xhprof_alloc_request request;
	xhprof_alloc_dump dump;
	request_init(&request, NULL);
	const xhprof_memory_caller caller = {.function = "memprof_dump_array", .throws = true};
	if (!xhprof_memory_take(&caller, &dump, &request.dump)) {
		RETURN_THROWS();
	}
	xhprof_session_lock(make_array, &(array_of){return_value, &dump});
	if (Z_TYPE_P(return_value) != IS_ARRAY) {
		RETURN_EMPTY_ARRAY(); /* as declared */
	}
}

PHP_FUNCTION(memprof_dump_callgrind)
{
	dump_to_stream(INTERNAL_FUNCTION_PARAM_PASSTHRU, "memprof_dump_callgrind", xhprof_alloc_write_callgrind);
}

PHP_FUNCTION(memprof_dump_pprof)
{
	dump_to_stream(INTERNAL_FUNCTION_PARAM_PASSTHRU, "memprof_dump_pprof", xhprof_alloc_write_heap_profile);
}

PHP_FUNCTION(memprof_version)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_STRING(PHP_XHPROF_VERSION);
}

static bool provided; /* whether this module defines memprof's functions; written in MINIT only */

void xhprof_memprof_minit(int type, int module_number)
{
	/* All extensions are loaded when the first one is initialized, in whatever order php.ini has them. */
	provided = !zend_hash_str_exists(&module_registry, ZEND_STRL("memprof"));
	if (provided) {
		zend_register_functions(NULL, ext_functions, NULL, type);
		REGISTER_INI_ENTRIES();
	}
}

void xhprof_memprof_mshutdown(int type)
{
	/* A permanent extension's functions are freed with the engine's function table, of which every thread has a
	 * copy. */
	if (provided && type == MODULE_TEMPORARY) {
		zend_unregister_functions(ext_functions, -1, NULL);
	}
	provided = false;
}

/* Checks the folder at the beginning of a request, so that the log says then, and not only when memory_limit is reached,
 * that no profile can be written. The folder is checked again if the program changes it. A relative folder is not checked:
 * it depends on a working folder that is not known yet. */
static void check_directory(void)
{
	const char *directory = XHPROF_G(ini).memprof_output_dir;
	const char *problem = *directory == '/' ? xhprof_alloc_output_problem(directory) : NULL;
	if (problem) {
		xhprof_log_condition("no memory profile can be written at memory_limit: memprof.output_dir is %s: %s",
							 directory, problem);
	}
}

xhprof_memprof_config xhprof_memprof_rinit(void)
{
	xhprof_memprof_config config = {0};
	if (provided) {
		config = xhprof_memprof_requested();
	}
	if (config.enabled && xhprof_run_order_exists()) {
		xhprof_log_notice("MEMPROF_PROFILE is ignored: bin/xhprof run profiles this program");
		config.enabled = false;
	}
	return config;
}

void xhprof_memprof_start(const xhprof_memprof_config *config)
{
	if (config->enabled) {
		if (config->dump_on_limit) {
			check_directory();
		}
		xhprof_program_start_memprof("memprof_enable", config->native, config->dump_on_limit ? write_at_limit : NULL);
	}
}
