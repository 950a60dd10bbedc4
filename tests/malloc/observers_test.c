/* libxhprof_malloc.so: its observers of blocks, callback and watcher, and the stack usage. Runs with it preloaded. */
#include <alloca.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../extension/tests/unit/unit.h"

#define XHPROF_MALLOC_OPTIONAL
#include "../../extension/base/malloc_api.h"
#include "../../malloc/xhprof_malloc.h"

static volatile size_t huge = SIZE_MAX / 2;

static struct {
	int calls, depth, nested;
	uint64_t current;
} called;

static void callback(void *cookie, uint64_t current)
{
	called.calls += cookie == &called;
	called.current = current;
	called.nested += called.depth++;
	free(malloc(100));
	called.depth--;
}

static uint64_t current_bytes(void)
{
	xhprof_malloc_stats stats;
	xhprof_malloc_read(&stats);
	return stats.current_bytes;
}

static void test_callback(void)
{
	uint64_t before = current_bytes();
	xhprof_malloc_set_callback(callback, &called);
	void *volatile block = malloc(1000);
	size_t size = malloc_usable_size(block);
	int calls = called.calls;
	uint64_t during = called.current;
	block = realloc(block, 50000);
	size_t grown = malloc_usable_size(block);
	int more = called.calls;
	uint64_t later = called.current;
	void *volatile none = realloc(block, huge);
	int failed = called.calls;
	free(block);
	int last = called.calls;
	errno = 12345;
	void *volatile again = malloc(10);
	int kept = errno;
	xhprof_malloc_set_callback(NULL, NULL);
	free(again);
	CHECK(calls == 1 && during == before + size);
	CHECK(more == 2 && later == before + grown);
	CHECK(!none && failed == 2 && last == 3 && called.calls == 4);
	CHECK(called.nested == 0 && kept == 12345);
	CHECK(current_bytes() == before);
}

/* The watcher's events. */
#define MOST_EVENTS 1000
static struct {
	void *block;
	size_t size;
	bool allocated, mine;
} events[MOST_EVENTS];
static int events_count, events_depth;

static void event(void *block, size_t size, bool allocated, bool mine)
{
	events_depth++;
	if (events_count < MOST_EVENTS) {
		events[events_count].block = block;
		events[events_count].size = size;
		events[events_count].allocated = allocated;
		events[events_count++].mine = mine;
	}
	free(malloc(100));
	events_depth--;
}

static void on_allocated(void *context, void *block, size_t size, bool mine)
{
	if (context == events) {
		event(block, size, true, mine);
	}
}

static void on_freed(void *context, void *block, size_t size, bool mine)
{
	if (context == events) {
		/* The block is still allocated. */
		size_t now = malloc_usable_size(block);
		event(block, now == size ? size : 0, false, mine);
	}
}

static int is_event(int number, void *block, size_t size, bool allocated, bool mine)
{
	return number < events_count && events[number].block == block && events[number].size == size &&
		   events[number].allocated == allocated && events[number].mine == mine;
}

static const xhprof_malloc_api *api;
static const xhprof_malloc_watcher watcher = {on_allocated, on_freed, events}, other = {on_allocated, on_freed, NULL};

static void *allocate_and_free(void *argument)
{
	void *volatile block = malloc(777);
	*(void **)argument = block;
	free(block);
	return NULL;
}

static void test_watcher(void)
{
	xhprof_malloc_stats stats;
	xhprof_malloc_read(&stats);
	uint64_t current = 0, peak = 0;
	api->bytes(&current, &peak);
	CHECK(api->version == XHPROF_MALLOC_API_VERSION && current == stats.current_bytes && peak == stats.peak_bytes);
	void *volatile earlier = malloc(300);
	CHECK(api->watch(&watcher));
	void *volatile block = malloc(1000);
	void *old = block;
	size_t size = malloc_usable_size(block);
	block = realloc(block, 200000);
	void *grown = block;
	size_t grown_size = malloc_usable_size(block);
	void *volatile none = realloc(block, huge);
	free(block);
	void *volatile aligned = NULL;
	int error = posix_memalign((void **)&aligned, 256, 100);
	free(aligned);
	size_t earlier_size = malloc_usable_size(earlier);
	void *known = earlier;
	free(earlier);
	errno = 12345;
	void *volatile text = strdup("text");
	int kept = errno, count = events_count;
	bool second = api->watch(&other);
	api->unwatch(&other);
	free(text);
	int still = events_count;
	api->unwatch(&watcher);
	free(malloc(10));
	CHECK(count == 10 && still == 11 && events_count == 11);
	CHECK(is_event(0, old, size, true, true));
	CHECK(is_event(1, old, size, false, true) && is_event(2, grown, grown_size, true, true));
	CHECK(!none && is_event(3, grown, grown_size, false, true) && is_event(4, grown, grown_size, true, true));
	CHECK(is_event(5, grown, grown_size, false, true));
	CHECK(error == 0 && events[6].block == aligned && events[6].allocated && !events[7].allocated);
	CHECK(is_event(8, known, earlier_size, false, true) && events[9].allocated && !events[10].allocated);
	CHECK(kept == 12345 && !second);
}

static void test_watcher_in_threads(void)
{
	events_count = 0;
	pthread_t thread;
	void *block = NULL;
	CHECK(api->watch(&watcher));
	pthread_create(&thread, NULL, allocate_and_free, &block);
	pthread_join(thread, NULL);
	api->unwatch(&watcher);
	int found = 0, own = 0, foreign = 0;
	for (int i = 0; i < events_count; i++) {
		found += events[i].block == block && !events[i].mine && events[i].size >= 777;
		own += events[i].mine;
		foreign += !events[i].mine;
	}
	CHECK(found == 2 && foreign >= 2);
#ifdef __GLIBC__
	CHECK(own > 0); /* a thread's creator allocates the C library's data of it */
#else
	CHECK(own >= 0);
#endif
}

static _Atomic bool going = true;
static _Atomic int late_calls, total_calls;

typedef struct short_lived {
	xhprof_malloc_watcher watcher;
	_Atomic bool alive;
} short_lived;

static void while_alive(void *context, void *block, size_t size, bool mine)
{
	(void)block, (void)size, (void)mine;
	short_lived *told = context;
	total_calls++;
	late_calls += !told->alive;
	for (int i = 0; i < 50; i++) {
		late_calls += !told->alive;
	}
}

/* Until another thread has had an event, at least in the first few rounds. */
static void let_others_run(int round)
{
	int seen = total_calls;
	for (int tries = 0; total_calls == seen && tries < (round < 20 ? 100000 : 1); tries++) {
		sched_yield();
	}
}

static void *allocate_always(void *argument)
{
	while (going) {
		void *volatile block = malloc(100);
		block = realloc(block, 1000);
		free(block);
	}
	return argument;
}

#define THREADS 3
#define LIVES 200

/* A watcher's end while other threads call it: none does any more when unwatch() returns. */
static void test_unwatch(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, allocate_always, NULL);
	}
	static short_lived lives[LIVES];
	int watched = 0;
	for (int i = 0; i < LIVES; i++) {
		lives[i].watcher = (xhprof_malloc_watcher){while_alive, while_alive, &lives[i]};
		lives[i].alive = true;
		watched += api->watch(&lives[i].watcher);
		let_others_run(i);
		free(malloc(10));
		api->unwatch(&lives[i].watcher);
		lives[i].alive = false;
	}
	/* A forked child has no such threads to wait for. */
	int failed = 0;
	for (int i = 0; i < 20; i++) {
		lives[0].alive = true;
		api->watch(&lives[0].watcher);
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			api->unwatch(&lives[0].watcher);
			_exit(api->watch(&watcher) ? 0 : 1);
		}
		int status;
		failed += waitpid(child, &status, 0) != child || status != 0;
		api->unwatch(&lives[0].watcher);
		lives[0].alive = false;
	}
	going = false;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	CHECK(watched == LIVES && total_calls > LIVES);
	CHECK(late_calls == 0);
	CHECK(failed == 0);
}

/* The same for callbacks, which any thread may set. */
static void callback_alive(void *cookie, uint64_t current)
{
	(void)current;
	while_alive(cookie, NULL, 0, false);
}

static void test_callback_taken_away(void)
{
	pthread_t threads[THREADS];
	going = true;
	total_calls = 0;
	for (int i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, allocate_always, NULL);
	}
	static short_lived lives[100];
	for (int i = 0; i < 100; i++) {
		lives[i].alive = true;
		xhprof_malloc_set_callback(callback_alive, &lives[i]);
		let_others_run(i);
		xhprof_malloc_set_callback(NULL, NULL);
		lives[i].alive = false;
	}
	going = false;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	CHECK(total_calls > 0);
	CHECK(late_calls == 0);
}

__attribute__((noinline)) static void use_stack(size_t size)
{
	volatile char *bytes = alloca(size);
	for (size_t i = 0; i < size; i += 64) {
		bytes[i] = 'x';
	}
	bytes[0] = 'x';
}

static size_t use_of(size_t size)
{
	void *mark = xhprof_stack_clear();
	use_stack(size);
	return xhprof_stack_usage(mark);
}

static int about(size_t use, size_t size)
{
	return use >= size && use <= size + 600;
}

static void *stack_of_thread(void *argument)
{
	size_t *uses = argument;
	uses[0] = use_of(1000);
	uses[1] = use_of(100000);
	uses[2] = use_of(10);
	return NULL;
}

static void test_stack(void)
{
	xhprof_malloc_stats before, after;
	xhprof_malloc_read(&before);
	size_t use = use_of(0);
	size_t some = use_of(1000), much = use_of(1000000), less = use_of(5000);
	xhprof_malloc_read(&after);
	CHECK(after.allocations == before.allocations && after.frees == before.frees);
#ifdef __GLIBC__
	CHECK(use <= 600 && about(some, 1000) && about(much, 1000000) && about(less, 5000));
#else
	CHECK(use <= 600 && some <= 1600 && much <= 1000600 && less <= 5600);
#endif
	CHECK(xhprof_stack_usage(NULL) == 0 && xhprof_stack_usage(&use) == 0);
	/* A small stack is not written beyond its end: the memory there is not the thread's. */
	size_t page = 4096, length = 256 * 1024;
	char *stack = aligned_alloc(page, length + page);
	memset(stack, 'x', page);
	size_t uses[3] = {0};
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack + page, length);
	pthread_t thread;
	CHECK(pthread_create(&thread, &attributes, stack_of_thread, uses) == 0);
	pthread_join(thread, NULL);
	int untouched = 1;
	for (size_t i = 0; i < page; i++) {
		untouched &= stack[i] == 'x';
	}
	CHECK(untouched && about(uses[0], 1000) && about(uses[1], 100000) && about(uses[2], 10));
	free(stack);
	/* With a guard page, and perhaps too small to be measured. */
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 128 * 1024);
	memset(uses, 1, sizeof(uses));
	pthread_attr_setguardsize(&attributes, 65536);
	CHECK(pthread_create(&thread, &attributes, stack_of_thread, uses) == 0);
	pthread_join(thread, NULL);
	CHECK(uses[0] == 0 || about(uses[0], 1000));
}

int main(void)
{
	static char output[BUFSIZ];
	setvbuf(stdout, output, _IOLBF, sizeof(output));
	api = dlsym(NULL, "xhprof_malloc_api");
	CHECK(xhprof_malloc_present() && api);
	if (!api) {
		return unit_end();
	}
	test_callback();
	test_watcher();
	test_watcher_in_threads();
	test_unwatch();
	test_callback_taken_away();
	test_stack();
	return unit_end();
}
