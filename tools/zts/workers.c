/*
 * workers SCRIPT FOLDER: starts PHP as FrankenPHP does in its worker mode. Several threads run the script, and again when it ends
 * while there are requests. It calls handle_request(callable), or frankenphp_handle_request(callable), in a loop: that waits for a
 * request, sets up the superglobals and the output for it, and calls the function. Modules, all but "filter", see neither its begin nor its end. The requests are numbered; every third one has a
 * cookie that asks for a profile. The script has $thread and $folder.
 */
#include "script.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <main/php_output.h>
#include <main/php_variables.h>

enum { THREADS = 4, REQUESTS = 60 };

ZEND_TSRMLS_CACHE_DEFINE()

static const char *script;
static const char *folder;
static int requests_begun;
static __thread int request = -1;
static __thread char uri[64], cookie[64];

static size_t write_all(const char *text, size_t length)
{
	return fwrite(text, 1, length, stdout);
}

static char *read_cookies(void)
{
	return cookie;
}

static void register_variables(zval *variables)
{
	if (request >= 0) {
		php_register_variable("REQUEST_METHOD", "GET", variables);
		php_register_variable("REQUEST_URI", uri, variables);
		php_register_variable("HTTP_HOST", "workers.test", variables);
	}
}

/* The one module here that keeps what it has read of a request. */
static zend_module_entry *find_filter(void)
{
	return zend_hash_str_find_ptr(&module_registry, ZEND_STRL("filter"));
}

static void end_request(void)
{
	zend_module_entry *filter = find_filter();
	php_output_end_all();
	if (filter) {
		filter->request_shutdown_func(filter->type, filter->module_number);
	}
	php_output_deactivate();
	for (int i = 0; i < NUM_TRACK_VARS; i++) {
		zval_ptr_dtor(&PG(http_globals)[i]);
		ZVAL_UNDEF(&PG(http_globals)[i]);
	}
	SG(request_info).request_method = NULL;
	SG(request_info).request_uri = SG(request_info).query_string = NULL;
	sapi_deactivate();
}

static void begin_request(void)
{
	snprintf(uri, sizeof(uri), "/route%d?number=%d", request % 2, request);
	snprintf(cookie, sizeof(cookie), "%s", request % 3 == 0 ? "XHPROF_TRIGGER=open-sesame" : "other=1");
	php_output_activate();
	PG(header_is_being_sent) = 0;
	SG(server_context) = (void *)uri; /* without one no cookies are read */
	SG(request_info).request_method = "GET";
	SG(request_info).request_uri = uri;
	SG(request_info).query_string = strchr(uri, '?') + 1;
	sapi_activate();
	php_hash_environment();
	zend_is_auto_global(ZSTR_KNOWN(ZEND_STR_AUTOGLOBAL_SERVER));
}

/* handle_request(callable): false when there are no more requests. */
PHP_FUNCTION(handle_request)
{
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(call, cache)
	ZEND_PARSE_PARAMETERS_END();
	if (request < 0) {
		end_request(); /* the one in which the script was started */
	}
	request = __atomic_fetch_add(&requests_begun, 1, __ATOMIC_RELAXED);
	if (request >= REQUESTS) {
		request = -1;
		begin_request();
		RETURN_FALSE;
	}
	begin_request();
	zval result;
	ZVAL_UNDEF(&result);
	call.retval = &result;
	if (zend_call_function(&call, &cache) == SUCCESS) {
		zval_ptr_dtor(&result);
	}
	end_request();
	RETURN_TRUE;
}

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_handle_request, 0, 1, _IS_BOOL, 0)
ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

/* The second has the name of FrankenPHP's: the extension begins and ends the requests itself. */
/* clang-format off */
static const zend_function_entry functions[] = {
	PHP_FE(handle_request, arginfo_handle_request)
	PHP_FALIAS(frankenphp_handle_request, handle_request, arginfo_handle_request)
	PHP_FE_END
};
/* clang-format on */

static zend_module_entry module = {STANDARD_MODULE_HEADER,    "workers", functions, NULL, NULL, NULL, NULL, NULL, "0",
								   STANDARD_MODULE_PROPERTIES};

static int start_modules(sapi_module_struct *sapi)
{
	return php_module_startup(sapi, &module);
}

static void serve_requests(long thread)
{
	if (php_request_startup() == FAILURE) {
		puts("not ok 0 - a script does not start");
		return;
	}
	request = -1; /* one that the script before has left open is over */
	set_global_number("thread", thread);
	set_global_text("folder", folder);
	if (!run_script(script)) {
		puts("not ok 0 - a script was broken off");
	}
	SG(request_info).request_method = NULL;
	SG(request_info).request_uri = SG(request_info).query_string = NULL;
	php_request_shutdown(NULL);
}

static void *run_thread(void *thread)
{
	ts_resource(0);
	ZEND_TSRMLS_CACHE_UPDATE();
	do { /* a script that ends is started again, as in FrankenPHP */
		serve_requests((long)thread);
	} while (__atomic_load_n(&requests_begun, __ATOMIC_ACQUIRE) < REQUESTS);
	ts_free_thread();
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: workers SCRIPT FOLDER\n", stderr);
		return 2;
	}
	script = argv[1];
	folder = argv[2];
	php_embed_module.ub_write = write_all;
	php_embed_module.read_cookies = read_cookies;
	php_embed_module.register_server_variables = register_variables;
	php_embed_module.startup = start_modules;
	if (php_embed_init(1, argv) == FAILURE) {
		fputs("PHP does not start\n", stderr);
		return 2;
	}
	php_request_shutdown(NULL);
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, run_thread, (void *)i);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	php_request_startup();
	php_embed_shutdown();
	return 0;
}
