/*
 * forged CASE [NUMBER]: a process that looks like thread-safe PHP to xhprof-inspect, without an engine: it exports the
 * variables from which threads are found, and has a list of threads that it has made up. Prints "ready" and waits for a signal.
 * The cases are in `cases`; NUMBER is the seed of "random".
 */
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "php.h"

#include "SAPI.h"
#include "zend_language_scanner.h"

enum { EXECUTOR = 1, COMPILER, SAPI, RESOURCES = SAPI };

#define ALIGNED(type) TSRM_ALIGNED_SIZE(sizeof(type))

typedef struct entry {
	void **storage;
	int count;
	uintptr_t thread;
	struct entry *next;
} entry;

/* What the engine exports. */
#ifdef ZEND_EG_OFFSET
size_t compiler_globals_offset = (size_t)ZEND_CG_OFFSET, executor_globals_offset = (size_t)ZEND_EG_OFFSET;
#else
enum { FIRST = TSRM_ALIGNED_SIZE(sizeof(entry)) };
size_t compiler_globals_offset = FIRST, executor_globals_offset = FIRST + ALIGNED(zend_compiler_globals),
	   language_scanner_globals_offset = FIRST + ALIGNED(zend_compiler_globals) + ALIGNED(zend_executor_globals);
#endif
int executor_globals_id = EXECUTOR, compiler_globals_id = COMPILER, sapi_globals_id = SAPI;

/* As in the engine, where it is no symbol. */
static entry **volatile table;

__attribute__((noinline)) zend_mm_heap *zend_mm_get_heap(void)
{
	return NULL;
}

/* ---- A list as it should be --------------------------------------------------------------------------------------------- */

/* An entry with all globals, zeroed: an idle thread. */
static entry *make_entry(uintptr_t thread, entry *next)
{
	size_t front = ALIGNED(zend_compiler_globals) + ALIGNED(zend_executor_globals);
	char *block = calloc(1, 2 * front + 2 * sizeof(entry) + ALIGNED(sapi_globals_struct));
	entry *made = (entry *)(block + front);
	made->storage = calloc(RESOURCES, sizeof(void *));
	made->count = RESOURCES;
	made->thread = thread;
	made->next = next;
	made->storage[EXECUTOR - 1] = (char *)made + executor_globals_offset;
	made->storage[COMPILER - 1] = (char *)made + compiler_globals_offset;
	made->storage[SAPI - 1] = block + 2 * front + 2 * sizeof(entry);
	return made;
}

static void *wait_forever(void *unused)
{
	for (;;) {
		pause();
	}
	return unused;
}

/* One for this thread, and one for another one that runs. */
static entry *make_list(void)
{
	pthread_t other;
	pthread_create(&other, NULL, wait_forever, NULL);
	table = calloc(1, sizeof(*table));
	table[0] = make_entry((uintptr_t)pthread_self(), make_entry((uintptr_t)other, NULL));
	return table[0];
}

/* ---- Others ------------------------------------------------------------------------------------------------------------- */

static void whole(void)
{
	make_list();
}

static void own_follower(void)
{
	entry *last = make_list()->next;
	last->next = last;
}

static void circle(void)
{
	entry *first = make_list();
	first->next->next = first;
}

/* Chains of many slots that lead to the same entries. */
static void shared_chains(void)
{
	entry *first = make_list();
	table = calloc(4096, sizeof(*table));
	for (size_t i = 0; i < 4096; i++) {
		table[i] = i % 2 ? first : first->next;
	}
}

/* Entries without globals, of threads that do not exist. */
static void endless(void)
{
	entry *list = make_list()->next;
	for (size_t i = 0; i < 1000000; i++) {
		entry *more = calloc(1, sizeof(*more));
		more->storage = calloc(COMPILER, sizeof(void *));
		more->count = COMPILER;
		more->storage[EXECUTOR - 1] = (char *)more + executor_globals_offset;
		more->storage[COMPILER - 1] = (char *)more + compiler_globals_offset;
		list = list->next = more;
	}
}

static void no_numbers(void)
{
	entry *first = make_list();
	first->thread = (uintptr_t)calloc(1, 65536);
	first->next->thread = UINTPTR_MAX - 7;
}

/* Each thread has the number of this one. */
static void same_numbers(void)
{
	make_list()->next->thread = (uintptr_t)pthread_self();
}

static void no_count(void)
{
	make_list()->count = 0;
}

static void huge_count(void)
{
	make_list()->count = INT_MAX;
}

static void zero_ids(void)
{
	make_list();
	executor_globals_id = compiler_globals_id = 0;
}

static void huge_ids(void)
{
	make_list()->count = 65536;
	executor_globals_id = 65536;
	sapi_globals_id = INT_MAX;
}

static void wild_sapi(void)
{
	make_list()->storage[SAPI - 1] = (void *)(UINTPTR_MAX - 15);
	table[0]->next->storage[SAPI - 1] = (void *)8;
	sapi_globals_id = INT_MIN;
}

static void wild_storage(void)
{
	make_list()->storage = (void **)(UINTPTR_MAX - 7);
}

static void wild_entry(void)
{
	make_list()->next = (entry *)(UINTPTR_MAX - 7);
	table[0]->thread = 0;
}

static void wild_offsets(void)
{
	make_list();
	size_t size = executor_globals_offset - compiler_globals_offset;
	executor_globals_offset = SIZE_MAX - 100;
	compiler_globals_offset = executor_globals_offset - size;
}

/* ---- The variables ------------------------------------------------------------------------------------------------------ */

static int find_program(struct dl_phdr_info *info, size_t size, void *to)
{
	(void)size;
	*(struct dl_phdr_info *)to = *info;
	return 1; /* the first is the program */
}

/* Moves the variables as its own program headers describe them. */
static void move_variables(uintptr_t from, size_t size)
{
	struct dl_phdr_info program;
	make_list();
	dl_iterate_phdr(find_program, &program);
	ElfW(Phdr) *headers = (ElfW(Phdr) *)program.dlpi_phdr;
	mprotect((void *)((uintptr_t)headers & ~(uintptr_t)4095), 8192, PROT_READ | PROT_WRITE);
	for (size_t i = 0; i < program.dlpi_phnum; i++) {
		if (headers[i].p_type == PT_LOAD && headers[i].p_flags & PF_W) {
			headers[i].p_vaddr = from - program.dlpi_addr;
			headers[i].p_filesz = 0;
			headers[i].p_memsz = size;
		}
	}
}

static void variables_at_the_end(void)
{
	move_variables(UINTPTR_MAX - 6, 6);
}

static void variables_everywhere(void)
{
	move_variables(4096, UINTPTR_MAX / 2);
}

/* As many variables as are searched. Each leads to a list of its own that begins with something else than a thread's entry,
 * as far apart as it takes to read each from the process. */
static void misleading_variables(void)
{
	enum { PART = 1 << 22, PARTS = 64 };
	const size_t size = 16u << 20;
	int file = memfd_create("parts", 0);
	if (file < 0 || ftruncate(file, PART) != 0) {
		exit(1);
	}
	char *all = mmap(NULL, (size_t)PART * PARTS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < PARTS; i++) {
		mmap(all + i * PART, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
	}
	entry *none = (entry *)(all + 64);
	none->storage = (void **)(all + PART + 128);
	none->count = RESOURCES;
	*(entry **)all = (entry *)(all + 2 * (size_t)PART + 64);
	char **variables = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < size / sizeof(*variables); i++) {
		variables[i] = all + (3 + i % (PARTS - 3)) * (size_t)PART;
	}
	move_variables((uintptr_t)variables, size);
}

/* ---- By chance ---------------------------------------------------------------------------------------------------------- */

static uint64_t seed;

static uint64_t chance(uint64_t below)
{
	seed += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t mixed = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return (mixed ^ mixed >> 31) % below;
}

/* Changes words of a list of eight threads, of the offsets and the numbers. */
static void by_chance(void)
{
	entry *entries[8], *list = make_list();
	uint64_t *words[512];
	size_t count = 0;
	for (size_t i = 0; i < 8; i++, list = list->next) {
		list->next = list->next ? list->next : make_entry((uintptr_t)pthread_self(), NULL);
		entries[i] = list;
		for (size_t word = 0; word < sizeof(entry) / 8; word++) {
			words[count++] = (uint64_t *)list + word;
		}
		for (size_t word = 0; word < RESOURCES; word++) {
			words[count++] = (uint64_t *)&list->storage[word];
		}
		words[count++] = (uint64_t *)&((zend_executor_globals *)list->storage[EXECUTOR - 1])->current_execute_data;
		words[count++] = (uint64_t *)&((zend_executor_globals *)list->storage[EXECUTOR - 1])->vm_stack;
	}
	words[count++] = (uint64_t *)&table[0];
	if (chance(8) == 0) {
		executor_globals_id = (int)chance(6);
		sapi_globals_id = (int)chance(UINT32_MAX);
	}
	for (size_t left = 1 + chance(6); left > 0; left--) {
		const uint64_t others[] = {0,
								   1,
								   UINT64_MAX - 7,
								   (uint64_t)1 << 47,
								   (uint64_t)entries[chance(8)],
								   (uint64_t)entries[chance(8)]->storage,
								   (uint64_t)&table,
								   chance(UINT64_MAX)};
		*words[chance(count)] = others[chance(sizeof(others) / sizeof(*others))];
	}
}

static const struct {
	const char *name;
	void (*make)(void);
} cases[] = {
	{"whole", whole},
	{"own-follower", own_follower},
	{"circle", circle},
	{"shared-chains", shared_chains},
	{"endless", endless},
	{"no-numbers", no_numbers},
	{"same-numbers", same_numbers},
	{"no-count", no_count},
	{"huge-count", huge_count},
	{"zero-ids", zero_ids},
	{"huge-ids", huge_ids},
	{"wild-sapi", wild_sapi},
	{"wild-storage", wild_storage},
	{"wild-entry", wild_entry},
	{"wild-offsets", wild_offsets},
	{"variables-at-the-end", variables_at_the_end},
	{"variables-everywhere", variables_everywhere},
	{"misleading-variables", misleading_variables},
	{"random", by_chance},
};

int main(int argc, char **argv)
{
	seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++) {
		if (strcmp(cases[i].name, argv[1]) == 0) {
			cases[i].make();
			puts("ready");
			fflush(stdout);
			wait_forever(NULL);
		}
	}
	fputs("usage: forged CASE [NUMBER]\n", stderr);
	return 2;
}
