#include "php_process.h"

#include "base/redact.h"
#include "compat/engine_layout.h"
#include "elf_image.h"
#include "process.h"

#include "ext/standard/basic_functions.h"
#include "zend_modules.h"

#include <stdlib.h>

#define MAX_FILES 4096
#define MAX_CONSTANTS ((uint64_t)256 << 20) /* bytes of the file that are searched for its version */
#define POWERED_BY "X-Powered-By: PHP/"

enum {
	EXECUTOR,
	COMPILER,
	SAPI,
	BASIC,
	OUTPUT,
	CORE,
	FILES,
	SCANNER,
	CLOSURE,
	GENERATOR,
	FIBER,
	WEAKREF,
	WEAKMAP,
	HANDLERS,
	REGISTRY,
	GC,
	SPL,
	GET_HEAP,
	SAPI_MODULE,
	THREAD_OFFSET,
	SYMBOLS
};

static const char *const symbol_names[SYMBOLS] = {
	[EXECUTOR] = "executor_globals", [COMPILER] = "compiler_globals",
	[SAPI] = "sapi_globals",         [BASIC] = "basic_globals",
	[OUTPUT] = "output_globals",     [CORE] = "core_globals",
	[FILES] = "file_globals",        [SCANNER] = "language_scanner_globals",
	[CLOSURE] = "zend_ce_closure",   [GENERATOR] = "zend_ce_generator",
	[FIBER] = "zend_ce_fiber",       [WEAKREF] = "zend_ce_weakref",
	[WEAKMAP] = "zend_ce_weakmap",   [HANDLERS] = "std_object_handlers",
	[REGISTRY] = "module_registry",  [GC] = "gc_globals",
	[SPL] = "spl_globals",           [GET_HEAP] = "zend_mm_get_heap",
	[SAPI_MODULE] = "sapi_module",   [THREAD_OFFSET] = "executor_globals_offset",
};

#ifdef ZTS
#define OWN_THREADS true
#else
#define OWN_THREADS false
#endif

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

/* Files are tried in this order: the program, those with "php" in their name, all others. */
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

/* The beginning of the file that defines the engine. */
static bool find_file(xhprof_remote *remote, const char *maps, xhprof_elf_symbol *symbols, xhprof_mapping *found)
{
	uint64_t work = XHPROF_ELF_WORK;
	for (int wanted = 0; wanted <= 2; wanted++) {
		const char *text = maps;
		bool first = true;
		unsigned files = 0;
		while (files < MAX_FILES && xhprof_process_mapping(&text, found)) {
			if (found->path_length == 0 || found->path[0] != '/' || found->offset != 0 || found->rights[0] != 'r') {
				continue;
			}
			files++;
			if (rank_mapping(found, first) == wanted &&
				xhprof_elf_find(remote, found->from, symbols, SYMBOLS, &work) > 0 &&
				(symbols[EXECUTOR].address || symbols[THREAD_OFFSET].address)) {
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
			if (found && (size_t)(window + length - found) > mark + 16) {
				size_t n = strspn(found + mark, "0123456789.");
				n = n < size - 1 ? n : size - 1;
				memcpy(version, found + mark, n);
				version[n] = '\0';
				return;
			}
		}
	}
}

/* "API20220829,NTS": the build of that PHP's modules, read from any of its own. */
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

static xhprof_exit check_abi(const xhprof_php *php, xhprof_remote *remote, const xhprof_elf_symbol *symbols,
							 xhprof_failure *failure)
{
	char sizes[512] = "", build[64];
	size_t used = 0, known = 0;
	for (size_t i = 0; i < ABI_COUNT; i++) {
		const xhprof_elf_symbol *symbol = &symbols[abi[i].symbol];
		known += symbol->address && symbol->size;
		if (symbol->size != abi[i].size) {
			used += xhprof_print_to(sizes + used, sizeof(sizes) - used, "%s%s %llu/%zu", used ? ", " : "", symbol->name,
									(unsigned long long)symbol->size, abi[i].size);
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
		xhprof_print_to(sizes, sizeof(sizes), "build %s/%s", build, ZEND_MODULE_BUILD_ID);
	}
	return xhprof_fail(
		failure, XHPROF_EXIT_OTHER_ABI,
		"process %d runs PHP %s, whose structures differ from those of PHP %s, which this xhprof-inspect is built for "
		"(%s); use one built for that PHP",
		(int)php->pid, php->version[0] ? php->version : "of an unknown version", PHP_VERSION, sizes);
}

/* zend_mm_get_heap() loads one variable of the engine's, which is no symbol; the function's first instructions contain
 * its address. */
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

void xhprof_php_find_heap(xhprof_php *php, xhprof_remote *remote)
{
	php->heap = php->heap_variable ? xhprof_remote_pointer(remote, php->heap_variable) : 0;
}

static void take_addresses(xhprof_php *php, xhprof_remote *remote, const xhprof_elf_symbol *symbols)
{
	php->engine = (xhprof_engine){
		.executor_globals = symbols[EXECUTOR].address,
		.compiler_globals = symbols[COMPILER].address,
		.sapi_globals = symbols[SAPI].address,
		.basic_globals = symbols[BASIC].address,
		.gc_globals = symbols[GC].address,
		.spl_globals = symbols[SPL].address,
		.output_globals = symbols[OUTPUT].address,
		.core_globals = symbols[CORE].address,
		.file_globals = symbols[FILES].address,
		.scanner_globals = symbols[SCANNER].address,
		.ce_closure = symbols[CLOSURE].address,
		.ce_generator = symbols[GENERATOR].address,
		.ce_fiber = symbols[FIBER].address,
		.ce_weakref = symbols[WEAKREF].address,
		.ce_weakmap = symbols[WEAKMAP].address,
		.std_object_handlers = symbols[HANDLERS].address,
		.module_registry = symbols[REGISTRY].address,
	};
	php->heap_variable = find_heap_variable(remote, symbols[GET_HEAP].address);
	xhprof_php_find_heap(php, remote);
	uint64_t module = symbols[SAPI_MODULE].address, name = module ? xhprof_remote_pointer(remote, module) : 0;
	if (name) {
		xhprof_remote_c_string(remote, name, php->sapi, sizeof(php->sapi));
	}
}

xhprof_exit xhprof_php_find(xhprof_php *php, xhprof_remote *remote, xhprof_failure *failure)
{
	memset(php, 0, sizeof(*php));
	php->pid = remote->pid;
	xhprof_exit code = xhprof_process_check(php->pid, failure);
	if (code) {
		return code;
	}
	char *maps = xhprof_process_file(php->pid, "maps", NULL);
	if (!maps) {
		return xhprof_process_gone(php->pid, failure);
	}
	xhprof_elf_symbol symbols[SYMBOLS];
	for (int i = 0; i < SYMBOLS; i++) {
		symbols[i].name = symbol_names[i];
	}
	xhprof_mapping file;
	if (!find_file(remote, maps, symbols, &file)) {
		char command[200];
		free(maps);
		if (remote->gone || xhprof_process_ended(php->pid)) {
			return xhprof_process_gone(php->pid, failure);
		}
		xhprof_process_command(php->pid, command, sizeof(command));
		return xhprof_fail(failure, XHPROF_EXIT_NOT_PHP, "process %d is not PHP: %s", (int)php->pid, command);
	}
	size_t length = file.path_length < sizeof(php->path) - 1 ? file.path_length : sizeof(php->path) - 1;
	memcpy(php->path, file.path, length);
	php->base = file.from;
	find_version(remote, maps, &file, php->version, sizeof(php->version));
	free(maps);
	if (symbols[THREAD_OFFSET].address || OWN_THREADS) {
		return xhprof_fail(
			failure, XHPROF_EXIT_THREAD_SAFE,
			OWN_THREADS ? "this xhprof-inspect is built for a thread-safe PHP (ZTS), which it cannot read; process "
						  "%d runs PHP %s; use xhprof_heap_snapshot() within it"
						: "process %d runs a thread-safe PHP %s (ZTS), which cannot be read from outside; use "
						  "xhprof_heap_snapshot() within it",
			(int)php->pid, php->version);
	}
	code = check_abi(php, remote, symbols, failure);
	if (code == XHPROF_EXIT_OK) {
		take_addresses(php, remote, symbols);
	}
	return code;
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
