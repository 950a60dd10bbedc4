/*
 * threads SCRIPT FOLDER [LATE]: starts PHP, with the php.ini that PHPRC names, and serves requests that run the script in several
 * threads at once. The script has $thread, $request and $folder, and prints one line of TAP. So many threads begin only when
 * there is a file FOLDER/late.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sapi/embed/php_embed.h>

enum { THREADS = 6, REQUESTS = 4 };

ZEND_TSRMLS_CACHE_DEFINE()

static const char *script;
static const char *folder;
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

/* Writes a thread's lines whole. */
static size_t write_all(const char *text, size_t length)
{
	pthread_mutex_lock(&output);
	size_t written = fwrite(text, 1, length, stdout);
	fflush(stdout);
	pthread_mutex_unlock(&output);
	return written;
}

static void serve_request(long thread, int request)
{
	if (php_request_startup() == FAILURE) {
		puts("not ok 0 - a request does not start");
		return;
	}
	zend_first_try
	{
		zval value;
		ZVAL_LONG(&value, thread);
		zend_hash_str_update(&EG(symbol_table), "thread", strlen("thread"), &value);
		ZVAL_LONG(&value, request);
		zend_hash_str_update(&EG(symbol_table), "request", strlen("request"), &value);
		ZVAL_STRING(&value, folder);
		zend_hash_str_update(&EG(symbol_table), "folder", strlen("folder"), &value);
		zend_file_handle file;
		zend_stream_init_filename(&file, script);
		php_execute_script(&file);
		zend_destroy_file_handle(&file);
	}
	zend_catch
	{
		puts("not ok 0 - a request was broken off");
	}
	zend_end_try();
	php_request_shutdown(NULL);
}

static void *run_thread(void *thread)
{
	ts_resource(0);
	ZEND_TSRMLS_CACHE_UPDATE();
	for (int request = 0; request < REQUESTS; request++) {
		serve_request((long)thread, request);
	}
	ts_free_thread();
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: threads SCRIPT FOLDER [LATE]\n", stderr);
		return 2;
	}
	script = argv[1];
	folder = argv[2];
	php_embed_module.ub_write = write_all;
	if (php_embed_init(1, argv) == FAILURE) {
		fputs("PHP does not start\n", stderr);
		return 2;
	}
	php_request_shutdown(NULL);
	printf("1..%d\n", THREADS * REQUESTS);
	fflush(stdout);
	pthread_t threads[THREADS];
	const int late = argc > 3 ? atoi(argv[3]) : 0;
	char start[4096];
	snprintf(start, sizeof(start), "%s/late", folder);
	for (long i = 0; i < THREADS; i++) {
		while (i >= THREADS - late && access(start, F_OK) != 0) {
			usleep(10000);
		}
		pthread_create(&threads[i], NULL, run_thread, (void *)i);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	php_request_startup();
	php_embed_shutdown();
	return 0;
}
