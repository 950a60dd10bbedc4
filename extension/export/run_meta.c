#include "run_meta.h"

#include "git_revision.h"

#include "SAPI.h"
#include "ext/json/php_json.h"

#include <unistd.h>

static const char *server_variable(const char *name)
{
	zend_is_auto_global_str(ZEND_STRL("_SERVER")); /* it may be made only where the program names it */
	zval *server = zend_hash_str_find_deref(&EG(symbol_table), "_SERVER", sizeof("_SERVER") - 1);
	zval *value = server && Z_TYPE_P(server) == IS_ARRAY
					  ? zend_hash_str_find_deref(Z_ARRVAL_P(server), name, strlen(name))
					  : NULL;
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : NULL;
}

static void add_string_if(zval *meta, const char *key, const char *value)
{
	if (value && *value) {
		add_assoc_string(meta, key, value);
	}
}

/* A command line as it could be typed again: arguments with anything unusual in quotes. */
static void add_command(zval *meta)
{
	smart_str command = {0};
	smart_str_appends(&command, "php");
	for (int i = 0; i < SG(request_info).argc; i++) {
		const char *argument = SG(request_info).argv[i];
		bool plain = *argument && !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
															 "0123456789_-+=./:,@%^~")];
		smart_str_appendc(&command, ' ');
		smart_str_appends(&command, plain ? "" : "'");
		for (; *argument; argument++) {
			if (*argument == '\'') {
				smart_str_appends(&command, "'\\''");
			} else {
				smart_str_appendc(&command, *argument);
			}
		}
		smart_str_appends(&command, plain ? "" : "'");
	}
	smart_str_0(&command);
	add_assoc_str(meta, "command", smart_str_extract(&command));
}

static void add_request(zval *meta)
{
	const char *host = NULL;
	if (SG(request_info).request_method) {
		add_assoc_string(meta, "method", SG(request_info).request_method);
		const char *url = server_variable("REQUEST_URI");
		add_string_if(meta, "url", url ? url : SG(request_info).request_uri);
		add_assoc_long(meta, "status", SG(sapi_headers).http_response_code ? SG(sapi_headers).http_response_code : 200);
		host = server_variable("HTTP_HOST");
	} else if (SG(request_info).argc > 0) {
		add_command(meta);
	}
	char name[256];
	if (!host && gethostname(name, sizeof(name)) == 0) {
		name[sizeof(name) - 1] = '\0';
		host = name;
	}
	add_string_if(meta, "host", host);
}

static void add_clock(zval *meta, const xhprof_tracer *tracer)
{
	zval clock;
	array_init(&clock);
	add_assoc_string(&clock, "wall", xhprof_clock_name(tracer->clock.source));
	if (tracer->flags & XHPROF_TRACE_CPU) {
		const char *refusal = xhprof_cpu_clock_refusal();
		add_assoc_string(&clock, "cpu", xhprof_cpu_clock_name(tracer->cpu.source));
		if (refusal && tracer->cpu.source != XHPROF_CPU_RSEQ) {
			zval refused;
			array_init(&refused);
			add_assoc_string(&refused, "rseq", refusal);
			add_assoc_zval(&clock, "cpu_refused", &refused);
		}
	}
	add_assoc_zval(meta, "clock", &clock);
}

static void add_cost(zval *overhead, const char *name, const xhprof_call_cost *cost)
{
	zval each;
	array_init(&each);
	add_assoc_double(&each, "callee", floor(cost->callee_wall * 10 + 0.5) / 10);
	add_assoc_double(&each, "caller", floor(cost->caller_wall * 10 + 0.5) / 10);
	add_assoc_zval(overhead, name, &each);
}

/* What the corrected figures leave out: ns of wall time per call. */
static void add_overhead(zval *meta, const xhprof_overhead *known)
{
	zval overhead;
	if (known && known->known) {
		array_init(&overhead);
		add_cost(&overhead, "user", &known->user);
		add_cost(&overhead, "internal", &known->internal);
		add_assoc_zval(meta, "overhead", &overhead);
	}
}

static void add_flags(zval *meta, const xhprof_tracer *tracer)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} flags[] = {{XHPROF_TRACE_NO_BUILTINS, "NO_BUILTINS"},
				 {XHPROF_TRACE_CPU, "CPU"},
				 {XHPROF_TRACE_MEMORY, "MEMORY"},
				 {XHPROF_TRACE_ALLOC, "ALLOC"}};
	zval names;
	array_init(&names);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (tracer->flags & flags[i].flag) {
			add_next_index_string(&names, flags[i].name);
		}
	}
	add_assoc_long(meta, "flags", XHPROF_G(profile).user_flags);
	add_assoc_zval(meta, "flag_names", &names);
}

static int64_t column_sum(const xhprof_columns *columns, enum xhprof_column column)
{
	int64_t sum = 0;
	for (size_t i = 0; columns->of[column] && i < columns->count; i++) {
		sum += columns->of[column][i];
	}
	return sum;
}

static void add_totals(zval *meta, const xhprof_tracer *tracer, xhprof_columns *columns)
{
	zval totals;
	int64_t calls = 0, cpu = 0, memory = 0, peak = 0;
	zend_long functions = 0;
	char *seen = ecalloc(tracer->symbols.count + 1, 1);
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		for (size_t i = 0; i < columns->count; i++) {
			xhprof_symbol_ref symbol = columns->symbols[i];
			if (XHPROF_G(profile).keep_run_init || !(symbol & XHPROF_SYMBOL_RUN_INIT)) { /* as in the classic array */
				calls += columns->of[XHPROF_COLUMN_CALLS][i];
				functions += !seen[XHPROF_SYMBOL_ID(symbol)];
				seen[XHPROF_SYMBOL_ID(symbol)] = 1;
			}
		}
		cpu += column_sum(columns, XHPROF_COLUMN_CPU);
		memory += column_sum(columns, XHPROF_COLUMN_MEMORY);
		peak += column_sum(columns, XHPROF_COLUMN_PEAK);
	}
	efree(seen);
	add_assoc_long(meta, "calls", (zend_long)calls);
	add_assoc_long(meta, "functions", functions);
	array_init(&totals);
	add_assoc_long(&totals, "wt", (zend_long)(tracer->duration_ns / 1000));
	if (tracer->flags & XHPROF_TRACE_CPU) {
		add_assoc_long(&totals, "cpu", (zend_long)(cpu / 1000));
	}
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		add_assoc_long(&totals, "mu", memory);
		add_assoc_long(&totals, "pmu", peak);
	}
	add_assoc_zval(meta, "totals", &totals);
}

bool xhprof_run_meta_json(const xhprof_tracer *tracer, xhprof_columns *columns, const char *id, const char *source,
						  zval *user, smart_str *json)
{
	zval meta;
	char revision[65];
	const char *script = SG(request_info).path_translated;
	array_init(&meta);
	add_assoc_long(&meta, "v", 1);
	add_assoc_string(&meta, "id", id);
	add_assoc_string(&meta, "source", source);
	add_assoc_double(&meta, "ts", tracer->started);
	add_assoc_long(&meta, "duration_us", (zend_long)(tracer->duration_ns / 1000));
	add_assoc_string(&meta, "sapi", sapi_module.name);
	add_request(&meta);
	add_assoc_string(&meta, "php", PHP_VERSION);
	add_assoc_bool(&meta, "zts", USING_ZTS);
	add_assoc_string(&meta, "version", PHP_XHPROF_VERSION);
	add_assoc_long(&meta, "pid", (zend_long)getpid());
	if (script && xhprof_git_revision(script, revision)) {
		add_assoc_string(&meta, "git", revision);
	}
	add_assoc_long(&meta, "peak_memory", (zend_long)zend_memory_peak_usage(false));
	add_assoc_long(&meta, "nodes", tracer->tree.nodes);
	add_assoc_long(&meta, "nodes_dropped", (zend_long)(tracer->tree.dropped + tracer->lost_entries));
	add_flags(&meta, tracer);
	add_clock(&meta, tracer);
	add_overhead(&meta, XHPROF_G(profile).overhead);
	add_totals(&meta, tracer, columns);
	if (user && zend_hash_num_elements(Z_ARRVAL_P(user))) {
		Z_TRY_ADDREF_P(user); /* a literal may be shared and read-only */
		add_assoc_zval(&meta, "meta", user);
	}
	bool encoded = php_json_encode(json, &meta,
								   PHP_JSON_INVALID_UTF8_SUBSTITUTE | PHP_JSON_PARTIAL_OUTPUT_ON_ERROR |
									   PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE) == SUCCESS;
	zval_ptr_dtor(&meta);
	return encoded && !EG(exception);
}
