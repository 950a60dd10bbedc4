#include "frameless.h"

#include "compat/frameless.h"
#include "compat/jit.h"

#if XHPROF_FRAMELESS

#include <pthread.h>

/* A function after these counts as its caller's; 8.6 has about 40. */
#define MAX_NUMBERS 128
#define MAX_ARGUMENTS 3

/* What a trampoline calls, by the operation's number. */
static struct {
	void *handler;
	const zend_function *function;
} originals[MAX_NUMBERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned readers;

static void ignore_calling(void)
{
}

static void ignore_called(const zend_function *function)
{
	(void)function;
}

static xhprof_frameless_watcher watcher = {ignore_calling, ignore_called}; /* written in MINIT */

static zend_always_inline void call(size_t number, unsigned count, zval *result, zval *a, zval *b, zval *c)
{
	switch (count) {
		case 0:
			((zend_frameless_function_0)originals[number].handler)(result);
			break;
		case 1:
			((zend_frameless_function_1)originals[number].handler)(result, a);
			break;
		case 2:
			((zend_frameless_function_2)originals[number].handler)(result, a, b);
			break;
		default:
			((zend_frameless_function_3)originals[number].handler)(result, a, b, c);
			break;
	}
}

/* The function may call the program, and so another one, or leave by a bailout; then the frame says that it is over. */
static zend_never_inline void run(size_t number, unsigned count, zval *result, zval *a, zval *b, zval *c)
{
	const zend_execute_data *frame = XHPROF_G(frameless).frame;
	const zend_function *function = XHPROF_G(frameless).function;
	watcher.calling();
	XHPROF_G(frameless).frame = EG(current_execute_data);
	XHPROF_G(frameless).function = originals[number].function;
	call(number, count, result, a, b, c);
	XHPROF_G(frameless).frame = frame;
	XHPROF_G(frameless).function = function;
	watcher.called(originals[number].function);
}

#define TRAMPOLINES(n)                                                    \
	static void trampoline_0_##n(zval *result)                            \
	{                                                                     \
		run(n, 0, result, NULL, NULL, NULL);                              \
	}                                                                     \
	static void trampoline_1_##n(zval *result, zval *a)                   \
	{                                                                     \
		run(n, 1, result, a, NULL, NULL);                                 \
	}                                                                     \
	static void trampoline_2_##n(zval *result, zval *a, zval *b)          \
	{                                                                     \
		run(n, 2, result, a, b, NULL);                                    \
	}                                                                     \
	static void trampoline_3_##n(zval *result, zval *a, zval *b, zval *c) \
	{                                                                     \
		run(n, 3, result, a, b, c);                                       \
	}

#define ADDRESSES(n) \
	{(void *)trampoline_0_##n, (void *)trampoline_1_##n, (void *)trampoline_2_##n, (void *)trampoline_3_##n},

/* X(number) for each number below MAX_NUMBERS, which are written in octal. */
#define EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define SIXTY_FOUR(X, n) \
	EIGHT(X, n##0)       \
	EIGHT(X, n##1)       \
	EIGHT(X, n##2) EIGHT(X, n##3) EIGHT(X, n##4) EIGHT(X, n##5) EIGHT(X, n##6) EIGHT(X, n##7)
#define EVERY(X) SIXTY_FOUR(X, 00) SIXTY_FOUR(X, 01)

EVERY(TRAMPOLINES)

static void *const trampolines[MAX_NUMBERS][MAX_ARGUMENTS + 1] = {EVERY(ADDRESSES)};

static bool is_trampoline(size_t number, const void *handler)
{
	for (unsigned count = 0; count <= MAX_ARGUMENTS; count++) {
		if (trampolines[number][count] == handler) {
			return true;
		}
	}
	return false;
}

static void put_on(void)
{
	void **handlers = xhprof_compat_frameless_handlers();
	for (size_t number = 0; handlers && number < MAX_NUMBERS && handlers[number]; number++) {
		const zend_function *function = xhprof_compat_frameless_function(number);
		if (is_trampoline(number, handlers[number]) ||
			function->internal_function.module->type == MODULE_TEMPORARY) { /* dl() loaded it for this request */
			continue;
		}
		unsigned count = xhprof_compat_frameless_arguments(function, handlers[number]);
		if (count <= MAX_ARGUMENTS) {
			originals[number].handler = handlers[number];
			originals[number].function = function;
			__atomic_store_n(&handlers[number], trampolines[number][count], __ATOMIC_RELEASE);
		}
	}
}

static void take_off(void)
{
	void **handlers = xhprof_compat_frameless_handlers();
	for (size_t number = 0; handlers && number < MAX_NUMBERS && handlers[number]; number++) {
		if (is_trampoline(number, handlers[number])) {
			__atomic_store_n(&handlers[number], originals[number].handler, __ATOMIC_RELEASE);
		}
	}
}

void xhprof_frameless_watch(const xhprof_frameless_watcher *added)
{
	watcher = *added;
}

void xhprof_frameless_begin(void)
{
	XHPROF_G(frameless).frame = NULL;
	pthread_mutex_lock(&lock);
	if (readers++ == 0) {
		put_on();
	}
	pthread_mutex_unlock(&lock);
}

/* Code that the JIT compiles meanwhile keeps the trampolines, and code that it compiles without them never shows these
 * calls: with a JIT they stay from the first reader on. */
void xhprof_frameless_end(void)
{
	XHPROF_G(frameless).frame = NULL;
	pthread_mutex_lock(&lock);
	if (--readers == 0 && xhprof_compat_jit_mode() == XHPROF_JIT_OFF) {
		take_off();
	}
	pthread_mutex_unlock(&lock);
}

void xhprof_frameless_mshutdown(void)
{
	take_off();
	readers = 0;
}

#else

void xhprof_frameless_watch(const xhprof_frameless_watcher *added)
{
	(void)added;
}

void xhprof_frameless_begin(void)
{
}

void xhprof_frameless_end(void)
{
}

void xhprof_frameless_mshutdown(void)
{
}

#endif
