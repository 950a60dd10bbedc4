#include "frameless.h"

#include "compat/frameless.h"
#include "compat/jit.h"

#if XHPROF_FRAMELESS

#include <pthread.h>

/* The most handlers that get a trampoline; what is beyond counts as its caller's. 8.6 has about 40 handlers. */
#define MAX_NUMBERS 128
#define MAX_FUNCTIONS 64
#define MAX_ARGUMENTS 3

/* A function with such handlers, one for each number of arguments. */
typedef struct xhprof_frameless {
	zend_string *key; /* in the function table; interned */
	zend_function *function;
	const zend_frameless_function_info *theirs;
	zend_frameless_function_info ours[MAX_ARGUMENTS + 2]; /* with trampolines */
} xhprof_frameless;

static xhprof_frameless functions[MAX_FUNCTIONS];
static size_t function_count;

/* The handlers that trampolines call, by the operation's number. */
static struct {
	void *handler;
	const zend_function *function;
} originals[MAX_NUMBERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool usable;    /* written in MINIT */
static bool staying;   /* the trampolines are on for good: written in MINIT, or without threads in the first RINIT */
static bool asked_jit; /* written in the first RINIT, without threads */
static unsigned readers;

static void ignore_calling(void)
{
}

static void ignore_called(const zend_function *function)
{
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

/* Runs a handler while the frame shows its function. That may call the program, and so another one, or leave by a
 * bailout; then the frame says that it is over. */
static zend_never_inline void run_shown(size_t number, unsigned count, zval *result, zval *a, zval *b, zval *c)
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

static zend_always_inline void run(size_t number, unsigned count, zval *result, zval *a, zval *b, zval *c)
{
	if (__atomic_load_n(&readers, __ATOMIC_RELAXED)) {
		run_shown(number, count, result, a, b, c);
	} else {
		call(number, count, result, a, b, c);
	}
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

/* Returns the number of a handler; SIZE_MAX if it has none. */
static size_t number_of(const void *handler)
{
	void **handlers = xhprof_compat_frameless_handlers();
	for (size_t number = 0; handlers && handlers[number]; number++) {
		if (handlers[number] == handler) {
			return number;
		}
	}
	return SIZE_MAX;
}

static void find_functions(void)
{
	zend_string *key;
	zend_function *function;
	ZEND_HASH_FOREACH_STR_KEY_PTR(CG(function_table), key, function) {
		if (key && xhprof_compat_is_frameless(function) && function_count < MAX_FUNCTIONS) {
			functions[function_count++] = (xhprof_frameless){.key = key, .function = function};
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Fills `ours` from `theirs`; false if there is no trampoline for each of these handlers. */
static bool wrap(xhprof_frameless *known)
{
	size_t used = 0;
	for (const zend_frameless_function_info *info = known->theirs; info->handler; info++) {
		size_t number = number_of(info->handler);
		if (number >= MAX_NUMBERS || info->num_args > MAX_ARGUMENTS || used > MAX_ARGUMENTS) {
			return false;
		}
		originals[number].handler = info->handler;
		originals[number].function = known->function;
		known->ours[used++] = (zend_frameless_function_info){trampolines[number][info->num_args], info->num_args};
	}
	known->ours[used] = (zend_frameless_function_info){NULL, 0};
	return true;
}

static void replace(const zend_frameless_function_info *from, const zend_frameless_function_info *to)
{
	void **handlers = xhprof_compat_frameless_handlers();
	for (; from->handler; from++, to++) {
		size_t number = number_of(from->handler);
		if (number != SIZE_MAX) {
			__atomic_store_n(&handlers[number], to->handler, __ATOMIC_RELEASE);
		}
	}
}

/* Returns whether the function still exists, as a setting may have disabled it. */
static bool exists(const xhprof_frameless *known)
{
	return zend_hash_find_ptr(CG(function_table), known->key) == known->function;
}

static void put_on(void)
{
	if (!function_count) {
		find_functions();
	}
	for (xhprof_frameless *known = functions; known < functions + function_count; known++) {
		if (!exists(known) || xhprof_compat_frameless_infos(known->function) == known->ours) {
			continue;
		}
		known->theirs = xhprof_compat_frameless_infos(known->function);
		if (wrap(known)) {
			replace(known->theirs, known->ours);
			xhprof_compat_set_frameless_infos(known->function, known->ours);
		}
	}
}

static void stay(void)
{
	staying = true;
	put_on();
}

/* Takes the trampolines off. Where another extension has put its own around them, both stay. */
static void take_off(void)
{
	for (xhprof_frameless *known = functions; known < functions + function_count; known++) {
		if (exists(known) && xhprof_compat_frameless_infos(known->function) == known->ours) {
			replace(known->ours, known->theirs);
			xhprof_compat_set_frameless_infos(known->function, known->theirs);
		}
	}
}

void xhprof_frameless_watch(const xhprof_frameless_watcher *added)
{
	watcher = *added;
}

/* Allows the trampolines. With threads they are put on here, and stay: another thread may be compiling a call while
 * they change. */
void xhprof_frameless_minit(void)
{
	usable = true;
	if (USING_ZTS) {
		stay();
	}
}

/* Puts the trampolines on for good if there is a JIT: its code has the handlers' addresses in it, so that what it
 * compiled before would never show these calls. */
void xhprof_frameless_rinit(void)
{
	if (usable && !USING_ZTS && !asked_jit) {
		asked_jit = true;
		if (xhprof_compat_jit_mode() != XHPROF_JIT_OFF) {
			stay();
		}
	}
}

void xhprof_frameless_begin(void)
{
	XHPROF_G(frameless).frame = NULL;
	pthread_mutex_lock(&lock);
	if (__atomic_fetch_add(&readers, 1, __ATOMIC_RELAXED) == 0 && usable && !staying) {
		put_on();
	}
	pthread_mutex_unlock(&lock);
}

/* Ends the use of the trampolines. The last profile takes them off, unless the program has switched the JIT on. */
void xhprof_frameless_end(void)
{
	XHPROF_G(frameless).frame = NULL;
	pthread_mutex_lock(&lock);
	if (__atomic_sub_fetch(&readers, 1, __ATOMIC_RELAXED) == 0 && !staying &&
		xhprof_compat_jit_mode() == XHPROF_JIT_OFF) {
		take_off();
	}
	pthread_mutex_unlock(&lock);
}

void xhprof_frameless_mshutdown(void)
{
	take_off();
	function_count = 0; /* an embedding program may start the engine again */
	usable = staying = asked_jit = false;
	readers = 0;
}

#else

void xhprof_frameless_watch(const xhprof_frameless_watcher *added)
{
}

void xhprof_frameless_minit(void)
{
}

void xhprof_frameless_rinit(void)
{
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
