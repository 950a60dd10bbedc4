/*
 * Measures the engine's own cost of letting an extension observe calls, the floor of every profiler that observes them.
 * bench_reference.mode selects the work done per call:
 *
 *   null_init  its observer is asked once per function and declines: the floor of a profiler that is loaded and idle
 *   empty      empty handlers at the begin and at the end of every call
 *   limit      a clock is read at the begin and at the end: the least work of a profiler of every call
 *   forward    no calls are observed; handlers on the Zend heap that only forward: the least work of an extension that
 *              sees every allocation, also if it records none of them
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <time.h>

#include "php.h"
#include "php_ini.h"
#include "ext/standard/info.h"
#include "zend_observer.h"

#define BENCH_REFERENCE_VERSION "1.0.0"

/* Written by every call, never read: volatile, so that the stores and with them the reads of the clock stay. */
static volatile uint64_t began;
static volatile uint64_t ended;

static inline uint64_t read_clock(void)
{
#if defined(__x86_64__)
	uint32_t low;
	uint32_t high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return ((uint64_t)high << 32) | low;
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static void empty_begin(zend_execute_data *execute_data)
{
}

static void empty_end(zend_execute_data *execute_data, zval *return_value)
{
}

static void limit_begin(zend_execute_data *execute_data)
{
	began = read_clock();
}

static void limit_end(zend_execute_data *execute_data, zval *return_value)
{
	ended = read_clock();
}

static zend_observer_fcall_handlers null_init(zend_execute_data *execute_data)
{
	return (zend_observer_fcall_handlers){NULL, NULL};
}

static zend_observer_fcall_handlers empty_init(zend_execute_data *execute_data)
{
	return (zend_observer_fcall_handlers){empty_begin, empty_end};
}

static zend_observer_fcall_handlers limit_init(zend_execute_data *execute_data)
{
	return (zend_observer_fcall_handlers){limit_begin, limit_end};
}

static zend_mm_heap *heap;

static void *forward_malloc(size_t size)
{
	return zend_mm_alloc(heap, size);
}

static void forward_free(void *block)
{
	zend_mm_free(heap, block);
}

static void *forward_realloc(void *block, size_t size)
{
	return zend_mm_realloc(heap, block, size);
}

/* INI_STR() was removed in PHP 8.6. */
#define MODE "bench_reference.mode"
static const char *setting(void)
{
	return zend_ini_string_ex(MODE, sizeof(MODE) - 1, 0, NULL);
}

PHP_INI_BEGIN()
	PHP_INI_ENTRY(MODE, "limit", PHP_INI_SYSTEM, NULL)
PHP_INI_END()

static PHP_MINIT_FUNCTION(bench_reference)
{
	const char *mode;

	REGISTER_INI_ENTRIES();
	mode = setting();
	if (strcmp(mode, "null_init") == 0) {
		zend_observer_fcall_register(null_init);
	} else if (strcmp(mode, "empty") == 0) {
		zend_observer_fcall_register(empty_init);
	} else if (strcmp(mode, "limit") == 0) {
		zend_observer_fcall_register(limit_init);
	} else if (strcmp(mode, "forward") != 0) {
		php_error_docref(NULL, E_CORE_ERROR, "bench_reference.mode is null_init, empty, limit or forward, not \"%s\"", mode);
		return FAILURE;
	}
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(bench_reference)
{
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(bench_reference)
{
	if (strcmp(setting(), "forward") == 0) {
		heap = zend_mm_get_heap();
		zend_mm_set_custom_handlers(heap, forward_malloc, forward_free, forward_realloc);
	}
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(bench_reference)
{
	if (heap) {
		zend_mm_set_custom_handlers(heap, NULL, NULL, NULL);
		heap = NULL;
	}
	return SUCCESS;
}

static PHP_MINFO_FUNCTION(bench_reference)
{
	DISPLAY_INI_ENTRIES();
}

static zend_module_entry bench_reference_module_entry = {
	STANDARD_MODULE_HEADER,
	"bench_reference",
	NULL,
	PHP_MINIT(bench_reference),
	PHP_MSHUTDOWN(bench_reference),
	PHP_RINIT(bench_reference),
	PHP_RSHUTDOWN(bench_reference),
	PHP_MINFO(bench_reference),
	BENCH_REFERENCE_VERSION,
	STANDARD_MODULE_PROPERTIES,
};

ZEND_GET_MODULE(bench_reference)
