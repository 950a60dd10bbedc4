#include "heap_snapshot.h"

#include "rlimit_guard.h"
#include "heap_join.h"
#include "option.h"
#include "run_info.h"
#include "atomic_file.h"

#include "heap/heap_engine.h"

#include "SAPI.h"

#include <errno.h>
#include <sys/param.h>
#include <time.h>
#include <unistd.h>

/* The state of taking a snapshot, in pages of its own, mapped before the reader lists the memory. */
typedef struct xhprof_heap_snapshot {
	const xhprof_heap_request *request;
	xhprof_heap_values values; /* its address is passed on */
	xhprof_reader reader;
	xhprof_zmm zmm;
	xhprof_engine engine;
	xhprof_heap_join join;
	xhprof_heap_paths paths;
	xhprof_heap_info info;
	xhprof_heap_output output;
	xhprof_walk_result result;
	xhprof_siphash_key hash_key; /* of this snapshot alone, and never written */
	bool read, opened;           /* whether a reader, and a heap, must be closed */
	bool left;                   /* a handler has ended the request */
	uint64_t began_ns, took_ns, usage, written;
	xhprof_writer writer;
	char host[256], command[8192];
	char temporary[MAXPATHLEN], failure[256];
} snapshot;

void xhprof_heap_request_init(xhprof_heap_request *request)
{
	*request = (xhprof_heap_request){.max_string = XHPROF_HEAP_MAX_STRING, .handlers = true, .native = true};
}

static bool read_format(const xhprof_option *option, bool *summary_only)
{
	static const char *const formats[] = {"jsonl", "summary", NULL};
	const char *command =
		Z_TYPE_P(option->value) == IS_STRING ? xhprof_heap_export_command(Z_STRVAL_P(option->value)) : NULL;
	int format = 0;
	if (command) {
		zend_value_error("%s(): Option \"format\" cannot be \"%s\": take \"jsonl\", and run %s", option->function,
						 Z_STRVAL_P(option->value), command);
		return false;
	}
	bool read = xhprof_option_choice(option, formats, &format);
	*summary_only = format == 1;
	return read;
}

static bool read_option(void *to, const xhprof_option *option)
{
	xhprof_heap_request *request = to;
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {{"redact", &request->redact},
				 {"handlers", &request->handlers},
				 {"native", &request->native},
				 {"scalars", &request->scalars}};
	if (strcmp(option->name, "format") == 0) {
		return read_format(option, &request->summary_only);
	}
	if (strcmp(option->name, "max_string") == 0) {
		return xhprof_option_number(option, 0, XHPROF_HEAP_MAX_STRING_LIMIT, &request->max_string);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(option->name, flags[i].name) == 0) {
			return xhprof_option_bool(option, flags[i].flag);
		}
	}
	xhprof_option_unknown(option);
	return true;
}

bool xhprof_heap_request_read(xhprof_heap_request *request, HashTable *options)
{
	xhprof_heap_request_init(request);
	return xhprof_option_each("xhprof_heap_snapshot", options, read_option, request);
}

static void values_of(void *context, uint64_t object, void (*value)(void *to, uint64_t zval), void *to)
{
	xhprof_heap_values_of(&((snapshot *)context)->values, object, value, to);
}

static uint32_t path_of(void *context, uint64_t block)
{
	return xhprof_heap_join_path(&((const snapshot *)context)->join, block);
}

static const char *or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static void take_info(snapshot *taken)
{
	xhprof_heap_info *info = &taken->info;
	info->php = PHP_VERSION;
	info->sapi = sapi_module.name;
	info->host = taken->request->host;
	if (!info->host || !*info->host) {
		info->host = gethostname(taken->host, sizeof(taken->host) - 1) == 0 ? taken->host : NULL;
	}
	info->method = or_null(taken->request->method);
	info->url = or_null(taken->request->url);
	info->route = or_null(taken->request->route);
	info->taken_if = or_null(taken->request->taken_if);
	info->reached = taken->request->reached;
	info->command = xhprof_run_command(taken->command, sizeof(taken->command)) ? taken->command : NULL;
	info->reader = "inside";
	info->pid = (uint64_t)getpid();
	info->time = (int64_t)time(NULL);
	info->stopped = true;
	info->zmm = &taken->zmm;
	info->peak = xhprof_heap_peak();
	info->max_string = taken->request->max_string;
	info->redact = taken->request->redact;
}

/* Opens the heap. Returns NULL, or the reason why it cannot be read. */
static const char *open_heap(snapshot *taken)
{
	int error = xhprof_reader_open_self(&taken->reader);
	if (error) {
		snprintf(taken->failure, sizeof(taken->failure), "/proc/self/maps: %s", strerror(error));
		return taken->failure;
	}
	taken->read = true;
	const char *failure = xhprof_zmm_open(&taken->zmm, &taken->reader, (uint64_t)(uintptr_t)zend_mm_get_heap(),
										  (uint64_t)(uintptr_t)EG(vm_stack), taken->request->in_heap);
	taken->opened = !failure;
	taken->usage = taken->zmm.size;
	return failure;
}

static const char *walk_heap(snapshot *taken, xhprof_heap_visitor visitor)
{
	const xhprof_heap_request *request = taken->request;
	/* This puts callers' registers on the stack, above the address taken next. */
	__builtin_unwind_init();
	const void *stack_from = __builtin_alloca(sizeof(void *));
	xhprof_walk_options options = {
		.max_string = request->redact ? 0 : request->max_string,
		.hash_key = !request->summary_only && xhprof_siphash_make_key(&taken->hash_key) ? &taken->hash_key : NULL,
		.scalars = request->scalars && !request->redact,
		.native = request->native,
		.path_of = taken->join.tracer ? path_of : NULL,
		.context = taken,
		.stack_from = (uint64_t)(uintptr_t)stack_from,
	};
	if (taken->join.blocks) {
		const xhprof_table *large = &taken->join.blocks->large; /* the map's other records have no addresses */
		options.list_from = (uint64_t)(uintptr_t)large->slots;
		options.list_to = (uint64_t)(uintptr_t)(large->slots + large->capacity);
	}
	if (request->handlers && xhprof_heap_values_begin(&taken->values, taken->zmm.real_size)) {
		options.values_of = values_of;
	}
	return xhprof_walk(&taken->zmm, &taken->engine, &options, &visitor, &taken->result);
}

/* Walks the heap and writes it. Returns NULL, or the reason why it could not be walked. The writer records errors of
 * output. */
static const char *walk_and_write(snapshot *taken)
{
	const char *failure = walk_heap(taken, xhprof_heap_output_begin(&taken->output, &taken->paths));
	if (failure) {
		return failure;
	}
	taken->took_ns = xhprof_clock_monotonic_ns() - taken->began_ns;
	xhprof_heap_output_end(&taken->output, &taken->result, taken->took_ns);
	return NULL;
}

/* Takes the snapshot, except for what is done about its file. The Zend heap may be left by a jump while an extension's
 * handler runs; then everything is released, and the jump continues. */
static const char *take_snapshot(snapshot *taken, int fd)
{
	const char *volatile failure = NULL;
	take_info(taken);
	xhprof_heap_engine_self(&taken->engine);
	xhprof_heap_join_begin(&taken->join);
	taken->paths = xhprof_heap_join_paths(&taken->join);
	xhprof_writer_init(&taken->writer, fd);
	taken->output.summary_only = taken->request->summary_only;
	taken->output.writer = &taken->writer;
	taken->output.info = &taken->info;
	zend_try
	{
		failure = walk_and_write(taken);
	}
	zend_catch
	{
		taken->left = true;
	}
	zend_end_try();
	xhprof_siphash_clear_key(&taken->hash_key);
	xhprof_heap_values_end(&taken->values);
	xhprof_heap_join_end(&taken->join);
	if (taken->left) {
		return "an extension's handler has ended the request";
	}
	if (!failure && !xhprof_writer_flush(&taken->writer)) {
		return strerror(taken->writer.error);
	}
	taken->written = taken->writer.written;
	return failure;
}

/* Makes the temporary name, in the file's folder. False if it is too long. */
static bool name_temporary(snapshot *taken, const char *path)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) : 0;
	char id[XHPROF_RUN_ID_LENGTH + 1];
	xhprof_run_make_id(id);
	int length = snprintf(taken->temporary, sizeof(taken->temporary), "%.*s/.%s.heap.tmp", folder, path, id);
	return length > 0 && (size_t)length < sizeof(taken->temporary);
}

static const char *write_file(snapshot *taken, const char *path)
{
	xhprof_atomic_file file;
	const char *failure = open_heap(taken);
	if (failure) {
		return failure;
	}
	int error =
		name_temporary(taken, path) ? xhprof_atomic_file_open(&file, path, taken->temporary, 0600) : ENAMETOOLONG;
	if (error) {
		return strerror(error);
	}
	failure = take_snapshot(taken, file.fd);
	error = xhprof_atomic_file_close(&file, failure ? ECANCELED : 0);
	return failure || !error ? failure : strerror(error);
}

snapshot *xhprof_heap_snapshot_write(const xhprof_heap_request *request, const char *path, const char **failure)
{
	xhprof_rlimit_guard guard;
	snapshot *taken = xhprof_pages_map(sizeof(*taken));
	if (!taken) {
		*failure = strerror(ENOMEM);
		return NULL;
	}
	taken->request = request;
	taken->began_ns = xhprof_clock_monotonic_ns();
	xhprof_rlimit_guard_begin(&guard);
	*failure = write_file(taken, path);
	taken->took_ns = xhprof_clock_monotonic_ns() - taken->began_ns;
	xhprof_rlimit_guard_end(&guard, *failure ? EFBIG : 0);
	if (taken->opened) {
		xhprof_zmm_close(&taken->zmm);
	}
	if (taken->read) {
		xhprof_reader_close(&taken->reader);
	}
	return taken;
}

bool xhprof_heap_snapshot_left(const snapshot *taken)
{
	return taken && taken->left;
}

void xhprof_heap_snapshot_release(snapshot *taken)
{
	if (taken) {
		xhprof_heap_output_release(&taken->output);
		xhprof_pages_unmap(taken, sizeof(*taken));
	}
}

static void add_tier(zval *to, const char *name, uint64_t bytes, uint64_t blocks)
{
	zval tier;
	array_init_size(&tier, 2);
	add_assoc_long(&tier, "bytes", (zend_long)bytes);
	add_assoc_long(&tier, "blocks", (zend_long)blocks);
	add_assoc_zval(to, name, &tier);
}

static void add_count(zval *to, const char *name, size_t length, const xhprof_heap_count *counted, bool with_size)
{
	zval count;
	array_init_size(&count, 3);
	add_assoc_long(&count, "count", (zend_long)counted->count);
	add_assoc_long(&count, "bytes", (zend_long)counted->bytes);
	if (with_size) {
		add_assoc_long(&count, "size", (zend_long)counted->size);
	}
	add_assoc_zval_ex(to, name, length, &count);
}

static void add_names(zval *to, const char *key, xhprof_heap_names *names, bool with_size)
{
	zval list;
	array_init(&list);
	for (const xhprof_heap_named *each = xhprof_heap_names_sort(names); each; each = each->next) {
		add_count(&list, each->name, each->length, &each->counted, with_size);
	}
	add_assoc_zval(to, key, &list);
}

void xhprof_heap_snapshot_array(snapshot *taken, zval *to)
{
	const xhprof_walk_result *result = &taken->result;
	zval types;
	array_init(to);
	add_assoc_long(to, "nodes", (zend_long)taken->output.summary.nodes);
	add_assoc_long(to, "edges", (zend_long)taken->output.summary.edges);
	add_assoc_long(to, "usage", (zend_long)taken->usage);
	add_tier(to, "typed", result->typed_bytes, result->typed_blocks);
	add_tier(to, "native", result->native_bytes, result->native_blocks);
	add_tier(to, "unreachable", result->unreachable_bytes, result->unreachable_blocks);
	add_assoc_long(to, "shared_bytes", (zend_long)result->shared_bytes);
	add_assoc_long(to, "outside_bytes", (zend_long)result->outside_bytes);
	uint64_t all = result->typed_bytes + result->native_bytes + result->unreachable_bytes;
	add_assoc_double(to, "typed_percent", all ? 100.0 * (double)result->typed_bytes / (double)all : 0.0);
	add_assoc_long(to, "unreadable", (zend_long)result->unreadable);
	add_assoc_bool(to, "incomplete", result->incomplete);
	add_assoc_double(to, "took_ms", (double)taken->took_ns / 1e6);
	add_assoc_long(to, "written", (zend_long)taken->written);
	array_init(&types);
	for (int type = 0; type < XHPROF_HEAP_TYPE_COUNT; type++) {
		if (taken->output.summary.types[type].count) {
			const char *name = xhprof_heap_type_name((xhprof_heap_type)type);
			add_count(&types, name, strlen(name), &taken->output.summary.types[type], true);
		}
	}
	add_assoc_zval(to, "types", &types);
	add_names(to, "classes", &taken->output.summary.classes, true);
	add_names(to, "owners", &taken->output.summary.owners, false);
}
