#include "tideways.h"

#include "program.h"

#include "export/edge_array.h"
#include "export/edge_requests.h"

#include "ext/standard/info.h"

/* The flags by their values in tideways_xhprof: configurations contain them as numbers. */
enum {
	FLAGS_CPU = 1,
	FLAGS_MEMORY_MU = 2,
	FLAGS_MEMORY_PMU = 4,
	FLAGS_MEMORY = FLAGS_MEMORY_MU | FLAGS_MEMORY_PMU,
	FLAGS_NO_BUILTINS = 8,
	FLAGS_MEMORY_ALLOC = 16,
	ALLOC_AS_MU = 32,
	FLAGS_MEMORY_ALLOC_AS_MU = FLAGS_MEMORY_ALLOC | ALLOC_AS_MU
};

#include "tideways_arginfo.h"

static zend_long own_flags(zend_long flags)
{
	return (flags & FLAGS_CPU ? XHPROF_FLAGS_CPU : 0) | (flags & FLAGS_MEMORY ? XHPROF_FLAGS_MEMORY : 0) |
		   (flags & FLAGS_NO_BUILTINS ? XHPROF_FLAGS_NO_BUILTINS : 0) |
		   (flags & FLAGS_MEMORY_ALLOC ? XHPROF_FLAGS_ALLOC : 0);
}

/* Returns what the edges show. mu and pmu are recorded together. The bytes allocated stand for mu where that was not
 * requested itself. */
static xhprof_edge_shape edge_shape(zend_long flags)
{
	bool mu = flags & FLAGS_MEMORY_MU, pmu = flags & FLAGS_MEMORY_PMU;
	return (xhprof_edge_shape){
		.omitted_metric = mu == pmu ? NULL
						  : mu      ? "pmu"
									: "mu",
		.requests = flags & FLAGS_MEMORY_ALLOC,
		.requested_as_mu = !mu && (flags & FLAGS_MEMORY_ALLOC_AS_MU) == FLAGS_MEMORY_ALLOC_AS_MU,
	};
}

PHP_FUNCTION(tideways_xhprof_enable)
{
	zend_long flags = 0;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(flags)
	ZEND_PARSE_PARAMETERS_END();
	xhprof_program_start_profile("tideways_xhprof_enable", own_flags(flags), NULL, edge_shape(flags));
}

static void drop_key(HashTable *edges, const char *key)
{
	zval *metrics;
	ZEND_HASH_FOREACH_VAL(edges, metrics) {
		SEPARATE_ARRAY(metrics);
		zend_hash_str_del(Z_ARRVAL_P(metrics), key, strlen(key));
	}
	ZEND_HASH_FOREACH_END();
}

PHP_FUNCTION(tideways_xhprof_disable)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!xhprof_session_stop(XHPROF_BY_PROGRAM, XHPROF_TRACING)) {
		RETURN_EMPTY_ARRAY();
	}
	const xhprof_tracer *profile = xhprof_session_last();
	const xhprof_edge_shape *shape = &XHPROF_G(session).edge_shape;
	if (!xhprof_edge_array(profile, XHPROF_G(session).keep_run_init, return_value)) {
		zend_error(E_WARNING, "tideways_xhprof_disable(): Not enough memory to fold the profile");
		RETURN_EMPTY_ARRAY();
	}
	if (Z_TYPE_P(return_value) != IS_ARRAY) {
		return; /* memory_limit */
	}
	if (shape->omitted_metric) {
		drop_key(Z_ARRVAL_P(return_value), shape->omitted_metric);
	}
	if (profile->tree.requests) {
		xhprof_edge_requests_add(profile, XHPROF_G(session).keep_run_init, shape->requested_as_mu,
								 Z_ARRVAL_P(return_value));
	}
}

static PHP_MINIT_FUNCTION(tideways_xhprof)
{
	register_tideways_symbols(module_number);
	return SUCCESS;
}

static PHP_MINFO_FUNCTION(tideways_xhprof)
{
	php_info_print_table_start();
	php_info_print_table_row(2, "tideways_xhprof", "its functions, provided by xhprof");
	php_info_print_table_end();
}

static zend_module_entry tideways_module_entry = {
	STANDARD_MODULE_HEADER,
	"tideways_xhprof",
	ext_functions,
	PHP_MINIT(tideways_xhprof),
	NULL,
	NULL,
	NULL,
	PHP_MINFO(tideways_xhprof),
	PHP_XHPROF_VERSION,
	STANDARD_MODULE_PROPERTIES,
};

void xhprof_tideways_minit(int type)
{
	/* All extensions are registered when the first one is initialized, in any order of php.ini. An extension loaded by
	 * dl() is unloaded with the request, before a module that it has added would be. */
	if (type == MODULE_PERSISTENT && !zend_hash_str_exists(&module_registry, ZEND_STRL("tideways_xhprof"))) {
		zend_module_entry *current = EG(current_module);
		zend_module_entry *module = zend_register_internal_module(&tideways_module_entry);
		if (module) {
			zend_startup_module_ex(module);
		}
		EG(current_module) = current;
	}
}
