#include "php_process.h"

#include "base/redact.h"
#include "compat/engine_layout.h"
#include "elf_image.h"
#include "process.h"

#include "ext/standard/basic_functions.h"
#include "zend_modules.h"

#include <ctype.h>
#include <stdlib.h>

#define MAX_FILES 4096
#define MAX_CONSTANTS ((uint64_t)256 << 20) /* bytes of the file that are searched for its version */
#define POWERED_BY "X-Powered-By: PHP/"

/* The symbols that are searched for, S(NUMBER, name). A thread-safe PHP has no globals of these names, but numbers of
 * their resources (NAME_id), and where some lie in the memory of a thread (NAME_offset). */
#define GLOBALS(S)                       \
	S(EXECUTOR, executor_globals)        \
	S(COMPILER, compiler_globals)        \
	S(SAPI, sapi_globals)                \
	S(BASIC, basic_globals)              \
	S(OUTPUT, output_globals)            \
	S(CORE, core_globals)                \
	S(FILES, file_globals)               \
	S(SCANNER, language_scanner_globals) \
	S(SPL, spl_globals)
#define OTHERS(S)                               \
	S(CLOSURE, zend_ce_closure)                 \
	S(GENERATOR, zend_ce_generator)             \
	S(FIBER, zend_ce_fiber)                     \
	S(WEAKREF, zend_ce_weakref)                 \
	S(WEAKMAP, zend_ce_weakmap)                 \
	S(HANDLERS, std_object_handlers)            \
	S(REGISTRY, module_registry)                \
	S(GC, gc_globals)                           \
	S(GET_HEAP, zend_mm_get_heap)               \
	S(SAPI_MODULE, sapi_module)                 \
	S(FRAMELESS, zend_flf_functions)            \
	S(EXECUTOR_OFFSET, executor_globals_offset) \
	S(COMPILER_OFFSET, compiler_globals_offset) \
	S(SCANNER_OFFSET, language_scanner_globals_offset)

#define NUMBER(number, name) number,
#define NUMBER_OF_ID(number, name) number##_ID,
enum { GLOBALS(NUMBER) OTHERS(NUMBER) GLOBALS(NUMBER_OF_ID) SYMBOLS };

#define NAME(number, name) #name,
#define NAME_OF_ID(number, name) #name "_id",
static const char *const symbol_names[SYMBOLS] = {GLOBALS(NAME) OTHERS(NAME) GLOBALS(NAME_OF_ID)};

#ifdef ZTS
#define OWN_THREADS true
#else
#define OWN_THREADS false
#endif
const bool xhprof_php_has_threads = OWN_THREADS;

static const struct {
	int symbol;
	size_t size;
} abi[] = {
	{EXECUTOR, sizeof(zend_executor_globals)},
	{COMPILER, sizeof(zend_compiler_globals)},
	{SAPI, sizeof(sapi_globals_struct)},
	{BASIC, sizeof(php_basic_globals)},
};
#define ABI_COUNT (sizeof(abi) / sizeof(*abi))
#define ABI_COUNT_THREADS 2 /* the executor's and the compiler's lie one after another in the memory of each thread */

/* Returns the place of a file in the order in which files are tried: the program, those with "php" in their name, all
 * others. */
static int rank_mapping(const xhprof_mapping *mapping, bool first)
{
	if (first) {
		return 0;
	}
	const char *name = mapping->path + mapping->path_length;
	while (name > mapping->path && name[-1] != '/') {
		name--;
	}
	size_t length = (size_t)(mapping->path + mapping->path_length - name);
	return memmem(name, length, "php", 3) ? 1 : 2;
}

/* Takes the program's copies of variables: where it is linked to the library, it has copies of those that it uses,
 * which count for the library too. */
static void take_copies(xhprof_remote *remote, xhprof_addr program, xhprof_elf_symbol *symbols, uint64_t *work)
{
	xhprof_elf_symbol own[SYMBOLS];
	memcpy(own, symbols, sizeof(own));
	xhprof_elf_find(remote, program, own, SYMBOLS, work);
	for (int i = 0; i < SYMBOLS; i++) {
		symbols[i] = own[i].address ? own[i] : symbols[i];
	}
}

/* Finds the beginning of the file that defines the engine. */
static bool find_file(xhprof_remote *remote, const char *maps, xhprof_elf_symbol *symbols, xhprof_mapping *found)
{
	uint64_t work = XHPROF_ELF_WORK;
	xhprof_addr program = 0;
	for (int wanted = 0; wanted <= 2; wanted++) {
		const char *text = maps;
		bool first = true;
		unsigned files = 0;
		while (files < MAX_FILES && xhprof_process_mapping(&text, found)) {
			if (found->path_length == 0 || found->path[0] != '/' || found->offset != 0 || found->rights[0] != 'r') {
				continue;
			}
			files++;
			program = first ? found->from : program;
			if (rank_mapping(found, first) == wanted &&
				xhprof_elf_find(remote, found->from, symbols, SYMBOLS, &work) > 0 && symbols[GET_HEAP].address &&
				(symbols[EXECUTOR].address || symbols[EXECUTOR_OFFSET].address)) {
				if (!first) {
					take_copies(remote, program, symbols, &work);
				}
				return true;
			}
			first = false;
		}
	}
	return false;
}

/* Finds the version among the file's constants. */
static void find_version(xhprof_remote *remote, const char *maps, const xhprof_mapping *file, char *version,
						 size_t size)
{
	static char window[65536 + 64];
	const size_t mark = sizeof(POWERED_BY) - 1;
	xhprof_mapping part;
	uint64_t left = MAX_CONSTANTS;
	version[0] = '\0';
	while (xhprof_process_mapping(&maps, &part)) {
		if (part.path_length != file->path_length || memcmp(part.path, file->path, file->path_length) != 0 ||
			part.rights[0] != 'r' || part.rights[1] == 'w' || part.to - part.from > left) {
			continue;
		}
		left -= part.to - part.from;
		for (uint64_t at = part.from; at < part.to; at += 65536) {
			size_t length = part.to - at < sizeof(window) - 1 ? part.to - at : sizeof(window) - 1;
			if (!xhprof_remote_get(remote, at, window, length)) {
				break;
			}
			const char *found = memmem(window, length, POWERED_BY, mark);
			if (found && (size_t)(window + length - found) > mark + size) {
				/* With what follows the numbers: 8.6.0RC3, 8.5.0-dev. */
				size_t n = 0;
				for (const char *c = found + mark;
					 n < size - 1 && (isalnum((unsigned char)*c) || (*c && strchr(".-+~", *c))); c++) {
					version[n++] = *c;
				}
				version[n] = '\0';
				return;
			}
		}
	}
}

/* Returns whether the build of that PHP's modules, "API20220829,NTS", is another one; it is read from any of its own
 * modules. */
static bool build_differs(xhprof_remote *remote, uint64_t registry, char *build, size_t size)
{
	HashTable table;
	Bucket bucket;
	zend_module_entry module;
	if (!registry || !xhprof_remote_get(remote, registry, &table, sizeof(table)) || table.nNumUsed == 0 ||
		!xhprof_remote_get(remote, table.arData, &bucket, sizeof(bucket)) ||
		!xhprof_remote_get(remote, Z_PTR(bucket.val), &module, sizeof(module)) ||
		!xhprof_remote_c_string(remote, module.build_id, build, size) || memcmp(build, "API", 3) != 0) {
		return false; /* not started yet */
	}
	return strcmp(build, ZEND_MODULE_BUILD_ID) != 0;
}

/* Returns the number of 32 or 64 bits that a symbol names; 0: unknown. */
static uint64_t number_at(xhprof_remote *remote, const xhprof_elf_symbol *symbol)
{
	uint64_t number = 0;
	size_t size = symbol->size <= sizeof(number) ? (size_t)symbol->size : 0;
	return symbol->address && xhprof_remote_get(remote, symbol->address, &number, size) ? number : 0;
}

static void take_sizes(xhprof_remote *remote, const xhprof_elf_symbol *symbols, uint64_t sizes[ABI_COUNT])
{
	if (OWN_THREADS) {
		xhprof_layout_thread_sizes(number_at(remote, &symbols[EXECUTOR_OFFSET]),
								   number_at(remote, &symbols[COMPILER_OFFSET]),
								   number_at(remote, &symbols[SCANNER_OFFSET]), sizes);
	} else {
		for (size_t i = 0; i < ABI_COUNT; i++) {
			sizes[i] = symbols[abi[i].symbol].address ? symbols[abi[i].symbol].size : 0;
		}
	}
}

static xhprof_exit check_abi(const xhprof_php *php, xhprof_remote *remote, const xhprof_elf_symbol *symbols,
							 xhprof_failure *failure)
{
	char text[512] = "", build[64];
	uint64_t sizes[ABI_COUNT];
	size_t used = 0, known = 0;
	take_sizes(remote, symbols, sizes);
	for (size_t i = 0; i < (OWN_THREADS ? ABI_COUNT_THREADS : ABI_COUNT); i++) {
		size_t own = OWN_THREADS ? xhprof_layout_thread_size(abi[i].size) : abi[i].size;
		known += sizes[i] != 0;
		if (sizes[i] != own) {
			used += xhprof_print_to(text + used, sizeof(text) - used, "%s%s %llu/%zu", used ? ", " : "",
									symbol_names[abi[i].symbol], (unsigned long long)sizes[i], own);
		}
	}
	if (known == 0) {
		return xhprof_fail(failure, XHPROF_EXIT_NOT_PHP, "process %d is not PHP: %s has none of the engine's variables",
						   (int)php->pid, php->path);
	}
	if (used == 0 && !build_differs(remote, symbols[REGISTRY].address, build, sizeof(build))) {
		return XHPROF_EXIT_OK;
	}
	if (used == 0) {
		xhprof_print_to(text, sizeof(text), "build %s/%s", build, ZEND_MODULE_BUILD_ID);
	}
	return xhprof_fail(
		failure, XHPROF_EXIT_OTHER_ABI,
		"process %d runs PHP %s, whose structures differ from those of PHP %s, which this xhprof-inspect is built for "
		"(%s); use one built for that PHP",
		(int)php->pid, php->version[0] ? php->version : "of an unknown version", PHP_VERSION, text);
}

/* Finds the variable with the engine's heap, which is no symbol: zend_mm_get_heap() loads it, and the function's first
 * instructions contain its address. */
static uint64_t find_heap_variable(xhprof_remote *remote, uint64_t function)
{
	unsigned char code[24];
	if (!function || !xhprof_remote_get(remote, function, code, sizeof(code))) {
		return 0;
	}
#if defined(__x86_64__)
	for (size_t i = 0; i + 7 <= sizeof(code); i++) {
		if (code[i] == 0x48 && code[i + 1] == 0x8b && code[i + 2] == 0x05) { /* mov rax, [rip + offset] */
			int32_t offset;
			memcpy(&offset, code + i + 3, sizeof(offset));
			return function + i + 7 + (uint64_t)(int64_t)offset;
		}
		if (code[i] == 0xc3) {
			break;
		}
	}
#elif defined(__aarch64__)
	uint32_t words[sizeof(code) / sizeof(uint32_t)];
	memcpy(words, code, sizeof(words));
	/* adrp x0, page; ldr x0, [x0, offset]. In front of it branch protection has a mark. */
	for (size_t i = 0; i + 1 < sizeof(words) / sizeof(*words) && words[i] != 0xd65f03c0 /* ret */; i++) {
		uint32_t adrp = words[i], ldr = words[i + 1];
		if ((adrp & 0x9f00001f) == 0x90000000 && (ldr & 0xffc003ff) == 0xf9400000) {
			int64_t page = (int64_t)((uint64_t)(adrp >> 5 & 0x7ffff) << 45) >> 31 | (int64_t)(adrp >> 29 & 3) << 12;
			return ((function + i * sizeof(uint32_t)) & ~(uint64_t)4095) + (uint64_t)page + (ldr >> 10 & 0xfff) * 8;
		}
	}
#endif
	return 0;
}

/* Finds the heap of a thread. The allocator's globals are a pointer to the heap, which is in the heap's first chunk,
 * which begins with the same pointer. Which resource they are is no symbol. */
static uint64_t find_heap_of_thread(const xhprof_thread *thread, xhprof_remote *remote)
{
	for (uint32_t id = 1; id <= (uint32_t)thread->globals.count; id++) {
		xhprof_addr globals = xhprof_thread_globals(thread, remote, id);
		uint64_t heap = globals ? xhprof_remote_pointer(remote, globals) : 0;
		if (heap && xhprof_remote_pointer(remote, heap & ~(XHPROF_ZMM_CHUNK_SIZE - 1)) == heap) {
			return heap;
		}
	}
	return 0;
}

void xhprof_php_find_heap(xhprof_php *php, xhprof_remote *remote)
{
	php->heap = OWN_THREADS          ? find_heap_of_thread(&php->of_thread, remote)
				: php->heap_variable ? xhprof_remote_pointer(remote, php->heap_variable)
									 : 0;
}

/* Returns the address of a module's globals: of a variable, or of a resource of the thread. */
static xhprof_addr globals_of(const xhprof_php *php, xhprof_remote *remote, const xhprof_elf_symbol *symbols,
							  int variable, int id)
{
	return OWN_THREADS ? xhprof_thread_globals(&php->of_thread, remote, (uint32_t)number_at(remote, &symbols[id]))
					   : symbols[variable].address;
}

static void take_addresses(xhprof_php *php, xhprof_remote *remote, const xhprof_elf_symbol *symbols)
{
	php->engine = (xhprof_engine){
		.executor_globals = globals_of(php, remote, symbols, EXECUTOR, EXECUTOR_ID),
		.compiler_globals = globals_of(php, remote, symbols, COMPILER, COMPILER_ID),
		.sapi_globals = globals_of(php, remote, symbols, SAPI, SAPI_ID),
		.basic_globals = globals_of(php, remote, symbols, BASIC, BASIC_ID),
		.gc_globals = symbols[GC].address,
		.spl_globals = globals_of(php, remote, symbols, SPL, SPL_ID),
		.output_globals = globals_of(php, remote, symbols, OUTPUT, OUTPUT_ID),
		.core_globals = globals_of(php, remote, symbols, CORE, CORE_ID),
		.file_globals = globals_of(php, remote, symbols, FILES, FILES_ID),
		.scanner_globals = globals_of(php, remote, symbols, SCANNER, SCANNER_ID),
		.ce_closure = symbols[CLOSURE].address,
		.ce_generator = symbols[GENERATOR].address,
		.ce_fiber = symbols[FIBER].address,
		.ce_weakref = symbols[WEAKREF].address,
		.ce_weakmap = symbols[WEAKMAP].address,
		.std_object_handlers = symbols[HANDLERS].address,
		.module_registry = symbols[REGISTRY].address,
	};
	php->frameless = symbols[FRAMELESS].address;
	php->heap_variable = OWN_THREADS ? 0 : find_heap_variable(remote, symbols[GET_HEAP].address);
	xhprof_php_find_heap(php, remote);
	uint64_t module = symbols[SAPI_MODULE].address, name = module ? xhprof_remote_pointer(remote, module) : 0;
	if (name) {
		xhprof_remote_c_string(remote, name, php->sapi, sizeof(php->sapi));
	}
}

static xhprof_exit not_php(const xhprof_php *php, const char *command, xhprof_failure *failure)
{
	return xhprof_fail(failure, XHPROF_EXIT_NOT_PHP, "process %d is not PHP: %s", (int)php->pid, command);
}

/* Finds the engine in this memory, and checks that it is of the PHP that this program is built for. `found`: there is one
 * at all. */
static xhprof_exit find_engine_in(xhprof_php *php, xhprof_remote *remote, const char *maps,
								  xhprof_elf_symbol symbols[SYMBOLS], bool *found, xhprof_failure *failure)
{
	for (int i = 0; i < SYMBOLS; i++) {
		symbols[i].name = symbol_names[i];
	}
	xhprof_mapping file;
	*found = find_file(remote, maps, symbols, &file);
	if (!*found) {
		return not_php(php, "", failure);
	}
	size_t length = file.path_length < sizeof(php->path) - 1 ? file.path_length : sizeof(php->path) - 1;
	memcpy(php->path, file.path, length);
	php->base = file.from;
	find_version(remote, maps, &file, php->version, sizeof(php->version));
	bool threads = symbols[EXECUTOR_OFFSET].address != 0;
	if (threads != OWN_THREADS) {
		return xhprof_fail(
			failure, XHPROF_EXIT_THREAD_SAFE,
			"process %d runs PHP %s, which is %sthread-safe; this xhprof-inspect is built for one that is%s: "
			"use one built for that PHP",
			(int)php->pid, php->version[0] ? php->version : "of an unknown version", threads ? "" : "not ",
			threads ? " not" : "");
	}
	return check_abi(php, remote, symbols, failure);
}

/* Finds the engine in a process. */
static xhprof_exit find_engine(xhprof_php *php, xhprof_remote *remote, xhprof_elf_symbol symbols[SYMBOLS],
							   xhprof_failure *failure)
{
	bool found;
	memset(php, 0, sizeof(*php));
	php->pid = php->thread = remote->pid;
	xhprof_exit code = xhprof_process_check(php->pid, failure);
	if (code) {
		return code;
	}
	char *maps = xhprof_process_file(php->pid, "maps", NULL);
	if (!maps) {
		return xhprof_process_gone(php->pid, failure);
	}
	code = find_engine_in(php, remote, maps, symbols, &found, failure);
	free(maps);
	if (!found) {
		char command[200];
		if (remote->gone || xhprof_process_ended(php->pid)) {
			return xhprof_process_gone(php->pid, failure);
		}
		xhprof_process_command(php->pid, command, sizeof(command));
		return not_php(php, command, failure);
	}
	return code;
}

static xhprof_exit list_threads(xhprof_threads *threads, xhprof_php *php, xhprof_remote *remote,
								const xhprof_elf_symbol *symbols, xhprof_failure *failure)
{
	php->marks = (xhprof_thread_marks){
		{(uint32_t)number_at(remote, &symbols[EXECUTOR_ID]), (uint32_t)number_at(remote, &symbols[COMPILER_ID])},
		{number_at(remote, &symbols[EXECUTOR_OFFSET]), number_at(remote, &symbols[COMPILER_OFFSET])}};
	xhprof_threads_find(threads, remote, php->base, &php->marks);
	php->threads = threads->table;
	return threads->more ? xhprof_fail(failure, XHPROF_EXIT_NO_HEAP,
									   "the list of threads of process %d cannot be read: it has more than %d",
									   (int)php->pid, XHPROF_THREADS_MAX)
						 : XHPROF_EXIT_OK;
}

/* Chooses the thread with this number, or the only one. */
static xhprof_exit choose_thread(xhprof_php *php, const xhprof_threads *threads, pid_t thread, xhprof_failure *failure)
{
	if (!thread && threads->count > 1) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE,
						   "process %d has %zu threads that run PHP: name one by --thread=NUMBER, or --thread=all; "
						   "xhprof-inspect threads -p %d lists them",
						   (int)php->pid, threads->count, (int)php->pid);
	}
	for (size_t i = 0; i < threads->count; i++) {
		if (!thread || threads->list[i].id == thread) {
			php->of_thread = threads->list[i];
			php->thread = threads->list[i].id;
			return XHPROF_EXIT_OK;
		}
	}
	return thread
			   ? xhprof_fail(failure, XHPROF_EXIT_NO_PROCESS, "process %d has no thread %d that runs PHP",
							 (int)php->pid, (int)thread)
			   : xhprof_fail(failure, XHPROF_EXIT_NO_PROCESS, "process %d has no thread that runs PHP", (int)php->pid);
}

/* Finds the thread, and the engine's variables in its memory. */
static xhprof_exit find_thread(xhprof_php *php, xhprof_remote *remote, const xhprof_elf_symbol *symbols,
							   xhprof_threads *threads, pid_t thread, xhprof_failure *failure)
{
	xhprof_exit code = XHPROF_EXIT_OK;
	if (OWN_THREADS) {
		code = list_threads(threads, php, remote, symbols, failure);
		code = code ? code : choose_thread(php, threads, thread, failure);
	} else if (thread && thread != php->pid) {
		code = xhprof_fail(failure, XHPROF_EXIT_NO_PROCESS,
						   "process %d has no thread %d that runs PHP: its PHP is not thread-safe", (int)php->pid,
						   (int)thread);
	}
	if (code == XHPROF_EXIT_OK) {
		take_addresses(php, remote, symbols);
	}
	return code;
}

xhprof_exit xhprof_php_find(xhprof_php *php, xhprof_remote *remote, xhprof_chosen chosen, xhprof_failure *failure)
{
	xhprof_elf_symbol symbols[SYMBOLS];
	xhprof_threads threads = {.table = chosen.threads};
	const pid_t thread = chosen.thread;
	xhprof_exit code = find_engine(php, remote, symbols, failure);
	return code ? code : find_thread(php, remote, symbols, &threads, thread, failure);
}

xhprof_exit xhprof_php_find_in(xhprof_php *php, xhprof_remote *remote, const xhprof_php_place *place, pid_t thread,
							   xhprof_failure *failure)
{
	bool found;
	xhprof_elf_symbol symbols[SYMBOLS];
	xhprof_threads threads = {.known = place->threads, .known_count = place->thread_count};
	memset(php, 0, sizeof(*php));
	php->pid = php->thread = place->pid;
	xhprof_exit code = find_engine_in(php, remote, place->maps, symbols, &found, failure);
	if (!found) {
		return not_php(php, place->command, failure);
	}
	return code ? code : find_thread(php, remote, symbols, &threads, thread, failure);
}

xhprof_exit xhprof_php_threads(xhprof_remote *remote, xhprof_addr table, xhprof_chosen *chosen, size_t max,
							   size_t *count, xhprof_failure *failure)
{
	xhprof_elf_symbol symbols[SYMBOLS];
	xhprof_threads found = {.table = table, .count = 1};
	xhprof_php php;
	xhprof_exit code = find_engine(&php, remote, symbols, failure);
	found.list[0].id = php.pid;
	if (code == XHPROF_EXIT_OK && OWN_THREADS) {
		code = list_threads(&found, &php, remote, symbols, failure);
	}
	*count = code == XHPROF_EXIT_OK ? found.count : 0;
	for (size_t i = 0; i < *count && i < max; i++) {
		chosen[i] = (xhprof_chosen){php.pid, found.list[i].id, found.table};
	}
	return code;
}

bool xhprof_php_has_thread(const xhprof_php *php, xhprof_remote *remote)
{
	return !OWN_THREADS || xhprof_thread_is_there(&php->of_thread, remote, &php->marks);
}

bool xhprof_php_is_in(const xhprof_php *php, const char *maps)
{
	size_t length = strlen(php->path);
	xhprof_mapping mapping;
	while (xhprof_process_mapping(&maps, &mapping)) {
		if (mapping.from == php->base) {
			return mapping.path_length >= length && memcmp(mapping.path, php->path, length) == 0;
		}
	}
	return false;
}

void xhprof_php_build(char *build, size_t size, uint64_t sizes[4])
{
	memset(build, 0, size);
	xhprof_print_to(build, size, "%s", ZEND_MODULE_BUILD_ID);
	for (size_t i = 0; i < ABI_COUNT; i++) {
		sizes[i] = abi[i].size;
	}
}

const char *xhprof_php_own_version(void)
{
	return PHP_VERSION;
}

bool xhprof_php_is_idle(const xhprof_php *php, xhprof_remote *remote)
{
	bool started;
	uint64_t at = php->engine.sapi_globals + offsetof(sapi_globals_struct, sapi_started);
	return xhprof_remote_get(remote, at, &started, sizeof(started)) && !started;
}

uint64_t xhprof_php_in_heap(const xhprof_php *php, xhprof_remote *remote)
{
	return xhprof_remote_pointer(remote, php->engine.executor_globals + offsetof(zend_executor_globals, vm_stack));
}

void xhprof_php_request(const xhprof_php *php, xhprof_remote *remote, char *script, size_t script_size, char *uri,
						size_t uri_size)
{
	sapi_request_info info;
	script[0] = uri[0] = '\0';
	if (xhprof_remote_get(remote, php->engine.sapi_globals + offsetof(sapi_globals_struct, request_info), &info,
						  sizeof(info))) {
		if (info.path_translated) {
			xhprof_remote_c_string(remote, info.path_translated, script, script_size);
		}
		if (info.request_uri) {
			const xhprof_secret_rules rules = {.fragments = XHPROF_REDACT_NAMES};
			char full_uri[8192];
			xhprof_remote_c_string(remote, info.request_uri, full_uri, sizeof(full_uri));
			xhprof_redact_url(uri, uri_size, full_uri, &rules);
		}
	}
}
