/* libxhprof_malloc.so: its counts, function by function, in threads and forked children. Runs with it preloaded. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../extension/tests/unit/unit.h"

#define XHPROF_MALLOC_OPTIONAL
#include "../../malloc/xhprof_malloc.h"

static xhprof_malloc_stats before, after;
/* Hidden from the compiler, which warns of calls that cannot work. */
static volatile size_t huge = SIZE_MAX / 2;

static void begin_stats(void)
{
	xhprof_malloc_read(&before);
}

/* Whether exactly this has happened since begin_stats(). */
static int happened(uint64_t allocated_bytes, uint64_t freed_bytes, uint64_t allocations, uint64_t frees)
{
	xhprof_malloc_read(&after);
	return after.total_bytes - before.total_bytes == allocated_bytes &&
		   after.current_bytes - before.current_bytes == allocated_bytes - freed_bytes &&
		   after.allocations - before.allocations == allocations && after.frees - before.frees == frees &&
		   after.current_blocks == after.allocations - after.frees;
}

static int aligned_to(void *block, size_t alignment)
{
	return (uintptr_t)block % alignment == 0;
}

/* One block: it is counted once with its usable size, and so is its free. */
#define CHECK_BLOCK(expression, min, alignment)                                                                        \
	do {                                                                                                               \
		begin_stats();                                                                                                 \
		void *volatile block_ = (expression);                                                                          \
		size_t size_ = malloc_usable_size(block_);                                                                     \
		CHECK(block_ &&size_ + 1 > (min) && aligned_to(block_, alignment) && happened(size_, 0, 1, 0) && #expression); \
		memset(block_, 'x', size_);                                                                                    \
		begin_stats();                                                                                                 \
		free(block_);                                                                                                  \
		CHECK(happened(0, size_, 0, 1));                                                                               \
	} while (0)

static void *posix_aligned(size_t alignment, size_t size)
{
	void *block = NULL;
	return posix_memalign(&block, alignment, size) == 0 ? block : NULL;
}

static char *printed(void)
{
	char *text = NULL;
	return asprintf(&text, "%0*d", 5000, 1) == 5000 ? text : NULL;
}

static void test_functions(void)
{
	CHECK_BLOCK(malloc(100), 100, 16);
	CHECK_BLOCK(malloc(0), 0, 16);
	CHECK_BLOCK(malloc(5 << 20), 5 << 20, 16);
	CHECK_BLOCK(calloc(7, 100), 700, 16);
	CHECK_BLOCK(calloc(0, 100), 0, 16);
	CHECK_BLOCK(realloc(NULL, 100), 100, 16);
	CHECK_BLOCK(reallocarray(NULL, 10, 100), 1000, 16);
	CHECK_BLOCK(posix_aligned(4096, 100), 100, 4096);
	CHECK_BLOCK(aligned_alloc(256, 512), 512, 256);
	CHECK_BLOCK(memalign(1024, 100), 100, 1024);
	CHECK_BLOCK(valloc(100), 100, 4096);
#ifdef __GLIBC__
	CHECK_BLOCK(pvalloc(100), 4096, 4096);
#endif
	/* The C library's own calls. */
	CHECK_BLOCK(strdup("some text, some text, some text"), 32, 1);
	CHECK_BLOCK(strndup("some text, some text, some text", 20), 21, 1);
	begin_stats();
	char *text = printed();
	CHECK(text && after.allocations <= before.allocations && (xhprof_malloc_read(&after), 1));
	CHECK(after.current_bytes - before.current_bytes == malloc_usable_size(text));
	CHECK(after.current_blocks - before.current_blocks == 1);
	free(text);
	FILE *file = fmemopen("one line\n", 9, "r");
	char *line = NULL;
	size_t size = 0;
	begin_stats();
	CHECK(getline(&line, &size, file) == 9);
	xhprof_malloc_read(&after);
	CHECK(after.current_bytes - before.current_bytes >= malloc_usable_size(line));
	free(line);
	fclose(file);
}

static void test_zeros(void)
{
	int zeros = 1;
	for (size_t size = 1; size < 100000; size += size / 2 + 1) {
		char *dirty = malloc(size);
		memset(dirty, 'x', size);
		free(dirty);
		unsigned char *block = calloc(1, size);
		for (size_t i = 0; i < size; i++) {
			zeros &= block[i] == 0;
		}
		free(block);
	}
	CHECK(zeros);
}

static void test_realloc(void)
{
	char *volatile block = malloc(100);
	memset(block, 'x', 100);
	size_t old = malloc_usable_size(block);
	begin_stats();
	block = realloc(block, 100000);
	size_t grown = malloc_usable_size(block);
	CHECK(happened(grown, old, 1, 1) && block[0] == 'x' && block[99] == 'x');
	begin_stats();
	block = realloc(block, 10);
	size_t shrunk = malloc_usable_size(block);
	CHECK(shrunk < grown && happened(shrunk, grown, 1, 1) && block[9] == 'x');
	begin_stats();
	errno = 0;
	CHECK(realloc(block, huge) == NULL && errno == ENOMEM && happened(0, 0, 0, 0));
	errno = 0;
	CHECK(reallocarray(block, huge, 5) == NULL && errno == ENOMEM && happened(0, 0, 0, 0));
	CHECK(block[9] == 'x');
	begin_stats();
	errno = 12345;
	void *nothing = realloc(block, 0);
	if (nothing) { /* musl */
		CHECK(happened(malloc_usable_size(nothing), shrunk, 1, 1));
		free(nothing);
	} else {
		CHECK(happened(0, shrunk, 0, 1));
		CHECK(errno == 12345);
	}
	begin_stats();
	free(NULL);
	CHECK(happened(0, 0, 0, 0));
}

static void test_failures(void)
{
	begin_stats();
	errno = 0;
	void *volatile block = malloc(huge + 1);
	CHECK(!block && errno == ENOMEM);
	errno = 0;
	block = calloc(huge, 3);
	CHECK(!block && errno == ENOMEM);
	errno = 0;
	block = memalign(4096, huge * 2 - 4096);
	CHECK(!block && errno == ENOMEM);
	void *untouched = &before;
	errno = 12345;
	CHECK(posix_memalign(&untouched, 3, 100) == EINVAL && untouched == &before && errno == 12345);
	CHECK(posix_memalign(&untouched, 64, huge + 1) == ENOMEM && untouched == &before);
	CHECK(happened(0, 0, 0, 0));
	/* Without memory. */
	struct rlimit limit = {.rlim_cur = (rlim_t)1 << 28, .rlim_max = RLIM_INFINITY}, no_limit;
	getrlimit(RLIMIT_AS, &no_limit);
	limit.rlim_max = no_limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
	void *beyond = __real_mmap(NULL, (size_t)1 << 29, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	errno = 0;
	block = malloc((size_t)1 << 29);
	setrlimit(RLIMIT_AS, &no_limit);
	if (beyond == MAP_FAILED) {
		CHECK(!block && errno == ENOMEM && happened(0, 0, 0, 0));
	} else {
		printf("# the address space cannot be limited here\n");
		munmap(beyond, (size_t)1 << 29);
		free(block);
	}
	block = malloc(100);
	errno = 12345;
	free(block);
	CHECK(errno == 12345);
}

static void test_peak(void)
{
	xhprof_malloc_reset_peak();
	xhprof_malloc_read(&before);
	CHECK(before.peak_bytes == before.current_bytes);
	/* Smaller and larger than a thread's step. */
	for (size_t size = 24; size < 10000000; size *= 10) {
		xhprof_malloc_reset_peak();
		xhprof_malloc_read(&before);
		char *volatile first = malloc(size), *volatile second = malloc(size);
		size_t both = malloc_usable_size(first) + malloc_usable_size(second);
		free(first);
		free(second);
		first = malloc(16);
		free(first);
		xhprof_malloc_read(&after);
		CHECK(after.peak_bytes == before.current_bytes + both && after.current_bytes == before.current_bytes);
	}
	/* In many small pieces. */
	xhprof_malloc_reset_peak();
	xhprof_malloc_read(&before);
	static void *volatile pieces[5000];
	size_t sum = 0;
	for (int i = 0; i < 5000; i++) {
		pieces[i] = malloc(100);
		sum += malloc_usable_size(pieces[i]);
	}
	for (int i = 0; i < 5000; i++) {
		free(pieces[i]);
	}
	xhprof_malloc_read(&after);
	CHECK(after.peak_bytes == before.current_bytes + sum && after.current_bytes == before.current_bytes);
}

#define THREADS 8
#define OPERATIONS 100000
#define FEW_OPERATIONS 5000
#define HELD 64
#define EXCHANGED 256

/* Blocks that go from one thread to another. */
static void *_Atomic exchanged[EXCHANGED];
static uint64_t done_allocations[THREADS], done_frees[THREADS];

static void churn_times(size_t number, int operations)
{
	uint64_t random = number + 1, allocations = 0, frees = 0;
	void *held[HELD] = {0};
	for (int i = 0; i < operations; i++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		unsigned what = (unsigned)(random >> 60), where = (unsigned)(random >> 50) % HELD;
		size_t size = (random >> 33) % (what == 0 ? 70000 : 2000);
		if (what < 3) {
			void *given =
				__atomic_exchange_n((void **)&exchanged[(random >> 20) % EXCHANGED], held[where], __ATOMIC_ACQ_REL);
			held[where] = given;
		} else if (what < 6 && held[where]) {
			held[where] = realloc(held[where], size + 1);
			allocations++;
			frees++;
		} else {
			frees += held[where] != NULL;
			free(held[where]);
			void *aligned = NULL;
			held[where] = what < 12                            ? malloc(size)
						  : what < 14                          ? calloc(1, size)
						  : posix_memalign(&aligned, 64, size) ? NULL
															   : aligned;
			allocations++;
		}
	}
	for (int i = 0; i < HELD; i++) {
		frees += held[i] != NULL;
		free(held[i]);
	}
	done_allocations[number] = allocations;
	done_frees[number] = frees;
}

static void *churn(void *argument)
{
	churn_times((size_t)argument, OPERATIONS);
	return NULL;
}

static void *churn_a_little(void *argument)
{
	churn_times((size_t)argument, FEW_OPERATIONS);
	return NULL;
}

static uint64_t free_exchanged(void)
{
	uint64_t frees = 0;
	for (int i = 0; i < EXCHANGED; i++) {
		frees += exchanged[i] != NULL;
		free(exchanged[i]);
		exchanged[i] = NULL;
	}
	return frees;
}

static void run_threads(void *(*function)(void *))
{
	pthread_t threads[THREADS];
	for (size_t i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, function, (void *)i);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
}

static void *do_nothing(void *argument)
{
	return argument;
}

static void test_threads(void)
{
	run_threads(do_nothing); /* the C library's data of threads: their stacks' descriptors */
	begin_stats();
	run_threads(do_nothing);
	xhprof_malloc_read(&after);
	uint64_t own_allocations = after.allocations - before.allocations, own_frees = after.frees - before.frees;
	begin_stats();
	run_threads(churn);
	uint64_t allocations = own_allocations, frees = own_frees;
	frees += free_exchanged();
	for (int i = 0; i < THREADS; i++) {
		allocations += done_allocations[i];
		frees += done_frees[i];
	}
	xhprof_malloc_read(&after);
	CHECK(after.allocations - before.allocations == allocations);
	CHECK(after.frees - before.frees == frees);
	CHECK(after.current_bytes == before.current_bytes && after.current_blocks == before.current_blocks);
}

static void *grow(void *argument)
{
	char *volatile block = malloc(1 << 20);
	free(block);
	for (int i = 0; i < 100; i++) {
		block = malloc(1000);
		free(block);
	}
	return argument;
}

static void test_peak_of_threads(void)
{
	run_threads(do_nothing);
	xhprof_malloc_reset_peak();
	begin_stats();
	for (int i = 0; i < 100; i++) { /* one after the other: their slots are reused */
		pthread_t thread;
		pthread_create(&thread, NULL, grow, NULL);
		pthread_join(thread, NULL);
	}
	xhprof_malloc_read(&after);
	uint64_t peak = after.peak_bytes - before.current_bytes;
	CHECK(peak >= 1 << 20 && peak <= (1 << 20) + 3 * 32768);
	CHECK(after.current_bytes == before.current_bytes);
	xhprof_malloc_reset_peak();
	begin_stats();
	run_threads(grow);
	xhprof_malloc_read(&after);
	peak = after.peak_bytes - before.current_bytes;
	CHECK(peak >= 1 << 20 && peak <= THREADS * ((1 << 20) + 2 * 32768));
}

static void *left_behind[THREADS];
static pthread_barrier_t all_have;

static void *leave_behind(void *argument)
{
	left_behind[(size_t)argument] = malloc(32000);
	pthread_barrier_wait(&all_have); /* so that each has a slot of its own */
	return NULL;
}

/* Bytes below a thread's step are known when it has ended. */
static void test_peak_of_ended_threads(void)
{
	pthread_barrier_init(&all_have, NULL, THREADS);
	xhprof_malloc_reset_peak();
	begin_stats();
	run_threads(leave_behind);
	for (int i = 0; i < THREADS; i++) {
		free(left_behind[i]);
	}
	xhprof_malloc_read(&after);
	CHECK(after.peak_bytes - before.current_bytes >= THREADS * 32000 - 32768);
	CHECK(after.current_bytes == before.current_bytes);
}

static _Atomic int watching = 1;
static _Atomic int wrong;

static void *read_stats(void *argument)
{
	while (watching) {
		xhprof_malloc_stats stats;
		xhprof_malloc_read(&stats);
		/* At any time, no more than the threads can hold. */
		wrong += stats.current_bytes > 100 << 20 || stats.peak_bytes > 100 << 20 ||
				 stats.current_bytes > stats.peak_bytes || stats.frees > stats.allocations;
	}
	return argument;
}

static void test_reading_meanwhile(void)
{
	pthread_t reader;
	pthread_create(&reader, NULL, read_stats, NULL);
	run_threads(churn);
	watching = 0;
	pthread_join(reader, NULL);
	free_exchanged();
	CHECK(wrong == 0);
}

static pthread_key_t late_key;

/* After the library has seen the thread's end, or just before. */
static void allocate_late(void *value)
{
	free(value);
	void *volatile late = malloc(50000);
	static __thread int again;
	if (again++ < 2) {
		pthread_setspecific(late_key, malloc(2000));
	}
	free(late);
}

static void *end_late(void *argument)
{
	pthread_setspecific(late_key, malloc(1000));
	return argument;
}

static void test_end_of_threads(void)
{
	pthread_key_create(&late_key, allocate_late);
	run_threads(do_nothing);
	begin_stats();
	run_threads(end_late);
	xhprof_malloc_read(&after);
	CHECK(after.current_bytes == before.current_bytes && after.current_blocks == before.current_blocks);
	CHECK(after.total_bytes - before.total_bytes >= THREADS * (3 * 50000 + 1000 + 2 * 2000));
	/* Many at once: more than one page of slots. */
	enum { MANY = 100 };
	static pthread_t many[MANY];
	begin_stats();
	for (int i = 0; i < MANY; i++) {
		pthread_create(&many[i], NULL, churn_a_little, (void *)(size_t)(i % THREADS));
	}
	for (int i = 0; i < MANY; i++) {
		pthread_join(many[i], NULL);
	}
	free_exchanged();
	/* Of 100 threads, the C library keeps some stacks. */
	run_threads(do_nothing);
	xhprof_malloc_read(&after);
	CHECK(after.current_bytes - before.current_bytes < 200000);
	CHECK(after.allocations - before.allocations > MANY * FEW_OPERATIONS / 2);
}

static void test_fork(void)
{
	char *block = malloc(1000);
	size_t size = malloc_usable_size(block);
	watching = 1;
	pthread_t reader, churner;
	pthread_create(&reader, NULL, read_stats, NULL);
	pthread_create(&churner, NULL, churn, NULL);
	int failed = 0;
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			xhprof_malloc_read(&before);
			free(block);
			xhprof_malloc_read(&after);
			int right = before.current_bytes > size && before.current_bytes - after.current_bytes == size;
			run_threads(end_late);
			_exit(right ? 0 : 1);
		}
		int status;
		failed += waitpid(child, &status, 0) != child || status != 0;
	}
	watching = 0;
	pthread_join(reader, NULL);
	pthread_join(churner, NULL);
	free_exchanged();
	free(block);
	CHECK(failed == 0);
}

int main(void)
{
	static char output[BUFSIZ];
	setvbuf(stdout, output, _IOLBF, sizeof(output));
	CHECK(xhprof_malloc_present());
	test_functions();
	test_zeros();
	test_realloc();
	test_failures();
	test_peak();
	test_threads();
	test_peak_of_threads();
	test_peak_of_ended_threads();
	test_reading_meanwhile();
	test_end_of_threads();
	test_fork();
	return unit_end();
}
