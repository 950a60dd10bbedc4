#include "run_save.h"

#include "run_directory.h"
#include "run_info.h"

#include "base/trace_context.h"

#include "SAPI.h"
#include "ext/json/php_json.h"
#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

/* The texts of a request's metadata. They are not on the stack: a fiber's may be small. */
typedef struct save_texts {
	char git[65];
	char url[16384], command[32768];
	char own[MAXPATHLEN], directory[MAXPATHLEN]; /* see run_directory.h */
	char trace_id[XHPROF_TRACE_ID_LENGTH + 1], span_id[XHPROF_SPAN_ID_LENGTH + 1];
} save_texts;

static const char *server_variable(const char *name)
{
	zend_is_auto_global_str(ZEND_STRL("_SERVER")); /* it may exist only once the program uses it */
	zval *server = zend_hash_str_find_deref(&EG(symbol_table), "_SERVER", sizeof("_SERVER") - 1);
	zval *value = server && Z_TYPE_P(server) == IS_ARRAY
					  ? zend_hash_str_find_deref(Z_ARRVAL_P(server), name, strlen(name))
					  : NULL;
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : NULL;
}

static void take_info(xhprof_run_info *info, save_texts *texts)
{
	const char *script = SG(request_info).path_translated, *traceparent = getenv("TRACEPARENT");
	if (SG(request_info).request_method) {
		traceparent = server_variable("HTTP_TRACEPARENT");
		const char *url = server_variable("REQUEST_URI");
		info->method = SG(request_info).request_method;
		url = url ? url : SG(request_info).request_uri;
		xhprof_run_url(texts->url, sizeof(texts->url), url ? url : "");
		info->url = texts->url;
		info->status = SG(sapi_headers).http_response_code ? SG(sapi_headers).http_response_code : 200;
		info->host = server_variable("HTTP_HOST");
	} else {
		xhprof_run_command(texts->command, sizeof(texts->command));
		info->command = texts->command;
	}
	if (xhprof_trace_context(traceparent, texts->trace_id, texts->span_id)) {
		info->trace_id = texts->trace_id;
		info->span_id = texts->span_id;
	}
	info->git = xhprof_run_git(script, texts->git) ? texts->git : NULL;
	info->release = XHPROF_G(ini).release;
}

/* Returns whether readers take this text, as they bound the head of a run, and its depth: a larger one would make all
 * of the run unreadable. */
static bool is_readable(const smart_str *json)
{
	size_t depth = 0, deepest = 0, lists = 0;
	bool within_text = false;
	const char *at = ZSTR_VAL(json->s), *end = at + ZSTR_LEN(json->s);
	for (; at < end; at++) {
		if (within_text && *at != '"') {
			at += *at == '\\';
			continue;
		}
		if (within_text) {
			within_text = false;
			continue;
		}
		within_text = *at == '"';
		lists += *at == '[' || *at == '{';
		depth += *at == '[' || *at == '{';
		depth -= *at == ']' || *at == '}';
		deepest = MAX(depth, deepest);
	}
	return ZSTR_LEN(json->s) <= XHPROF_USER_META_MAX && deepest <= XHPROF_USER_META_DEPTH &&
		   lists <= XHPROF_USER_META_LISTS;
}

bool xhprof_run_encode_meta(const char *function, zval *meta, smart_str *json)
{
	if (!meta || !zend_hash_num_elements(Z_ARRVAL_P(meta))) {
		return true;
	}
	if (php_json_encode(json, meta,
						PHP_JSON_INVALID_UTF8_SUBSTITUTE | PHP_JSON_PARTIAL_OUTPUT_ON_ERROR |
							PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE) == SUCCESS &&
		json->s && !EG(exception)) {
		if (is_readable(json)) {
			return true;
		}
		zend_value_error("%s(): Argument #2 ($meta) must have at most %d levels, %d arrays and %d bytes as JSON",
						 function, XHPROF_USER_META_DEPTH, XHPROF_USER_META_LISTS, XHPROF_USER_META_MAX);
	}
	smart_str_free(json);
	if (!EG(exception)) {
		zend_value_error("%s(): Argument #2 ($meta) cannot be encoded as JSON", function);
	}
	return false;
}

static bool save_to(const char *named, xhprof_run *run, const char *route, zval *user_meta, save_texts *texts)
{
	xhprof_run_engine engine;
	xhprof_run_info info = {.start = "manual", .route = route};
	smart_str meta = {0};
	uint64_t epoch = run->tracer->epoch;
	if (!xhprof_run_encode_meta("xhprof_save", user_meta, &meta)) {
		return false;
	}
	if (XHPROF_G(session).state != XHPROF_STOPPED || run->tracer->epoch != epoch) { /* by a jsonSerialize() in $meta */
		smart_str_free(&meta);
		zend_throw_exception(spl_ce_RuntimeException, "xhprof_save(): Another profile was started meanwhile", 0);
		return false;
	}
	xhprof_run_engine_now(&engine);
	take_info(&info, texts);
	if (meta.s) {
		info.user_meta = ZSTR_VAL(meta.s);
		info.user_meta_length = ZSTR_LEN(meta.s);
	}
	run->directory = texts->directory;
	run->engine = &engine;
	run->info = &info;
	int error = xhprof_run_write(run, NULL);
	smart_str_free(&meta);
	if (error) {
		zend_throw_exception_ex(spl_ce_RuntimeException, error, "xhprof_save(): Cannot write a run to %s: %s", named,
								strerror(error));
	}
	return error == 0;
}

static bool save_run(xhprof_run *run, const char *route, zval *user_meta, save_texts *texts)
{
	int error;
	const char *named = xhprof_run_directory(texts->own);
	const char *refusal = xhprof_run_directory_open(named, named == texts->own, texts->directory, &error);
	if (refusal) {
		zend_throw_exception_ex(spl_ce_RuntimeException, error, "xhprof_save(): Cannot write a run to %s: %s", named,
								refusal);
		return false;
	}
	return save_to(named, run, route, user_meta, texts);
}

static void release_save(save_texts *texts, xhprof_alloc_dump *memory)
{
	xhprof_pages_unmap(texts, sizeof(*texts));
	if (memory) {
		xhprof_alloc_dump_release(memory);
	}
}

bool xhprof_run_save(const xhprof_tracer *tracer, xhprof_alloc_dump *memory, const char *source, const char *route,
					 zval *user_meta, char id[XHPROF_RUN_ID_LENGTH + 1])
{
	save_texts *texts = xhprof_pages_map(sizeof(*texts));
	xhprof_run run = {.tracer = tracer, .memory = memory, .source = source, .id = id};
	volatile bool saved = false;
	if (!texts) {
		release_save(texts, memory);
		zend_throw_exception_ex(spl_ce_RuntimeException, ENOMEM, "xhprof_save(): %s", strerror(ENOMEM));
		return false;
	}
	xhprof_run_make_id(id);
	zend_try
	{
		saved = save_run(&run, route, user_meta, texts);
	}
	zend_catch
	{ /* memory_limit, or a fatal error in a jsonSerialize(): the engine does not free our pages */
		release_save(texts, memory);
		zend_bailout();
	}
	zend_end_try();
	release_save(texts, memory);
	return saved;
}
