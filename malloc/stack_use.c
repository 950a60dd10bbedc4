/* Functions that measure the stack used between two points; see xhprof_malloc.h. */
#include <pthread.h>
#include <string.h>

#include "counters.h"

#define PATTERN 0x7868707266737461ULL
#define MAX_SIZE ((size_t)8 << 20)
#define MARGIN ((size_t)64 << 10) /* for signal handlers, and for the clearing function */

static XHPROF_PER_THREAD uintptr_t cleared_mark, cleared_low;

/* Returns the lowest address of this thread's stack; 0: `here` is not in it. */
static uintptr_t stack_low(uintptr_t here)
{
	pthread_attr_t attributes;
	void *low = NULL;
	size_t size = 0, guard = 0;
	/* It reads /proc with stdio for the first thread. */
	xhprof_counters_pause();
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		if (pthread_attr_getstack(&attributes, &low, &size) != 0 ||
			pthread_attr_getguardsize(&attributes, &guard) != 0) {
			size = 0;
		}
		pthread_attr_destroy(&attributes);
	}
	xhprof_counters_resume();
	if (here < (uintptr_t)low || here >= (uintptr_t)low + size) {
		return 0;
	}
	/* C libraries differ in whether the guard is part of the size. */
	return (uintptr_t)low + guard;
}

/* Clears the stack from above to below, as it grows. The frame is as large as the cleared area, so no part of it is
 * outside of the stack. */
__attribute__((noinline)) static void clear_below(size_t size)
{
	volatile uint64_t *words = __builtin_alloca(size);
	for (size_t i = size / sizeof(*words); i-- > 0;) {
		words[i] = PATTERN;
	}
	cleared_low = (uintptr_t)words;
}

XHPROF_MALLOC_FUNCTION __attribute__((noinline)) void *xhprof_stack_clear(void)
{
	/* The caller's end of the frame: the frame's address is the other end on aarch64. */
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	uintptr_t low = stack_low(here);
	cleared_mark = 0;
	if (low == 0 || here < low || here - low < 2 * MARGIN) {
		return NULL;
	}
	size_t size = here - low - MARGIN;
	clear_below(size < MAX_SIZE ? size : MAX_SIZE);
	cleared_mark = here;
	return (void *)here;
}

XHPROF_MALLOC_FUNCTION __attribute__((noinline)) size_t xhprof_stack_usage(const void *mark)
{
	if (!mark || (uintptr_t)mark != cleared_mark) {
		return 0;
	}
	const volatile uint64_t *word = (const volatile uint64_t *)cleared_low;
	while ((uintptr_t)word < cleared_mark && *word == PATTERN) {
		word++;
	}
	return cleared_mark - (uintptr_t)word;
}
