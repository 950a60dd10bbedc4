/* The writers of memory dumps, on dumps made by hand: golden/ has their output for a small one, and sums are right for any
 * dump. */
#include "sink.h"
#include "unit.h"

#include "export/alloc_callgrind.h"
#include "export/alloc_heap_profile.h"
#include "export/alloc_json.h"

#include <inttypes.h>
#include <setjmp.h>

/* strstr() would measure the whole text first, each time. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "intercept_strstr=0";
}

static xhprof_tracer tracer;
static xhprof_alloc_dump dump;
static xhprof_alloc_type type_names[] = {{"(unknown)", 9}, {"malloc", 6},    {"string", 6},
										 {"array", 5},     {"reference", 9}, {"object:A\nB;", 11}};
static xhprof_alloc_types types = {.types = type_names, .count = 6};

static const struct {
	const char *name;
	xhprof_alloc_write write;
} formats[] = {
	{"json", xhprof_alloc_write_json},
	{"callgrind", xhprof_alloc_write_callgrind},
	{"heap_profile", xhprof_alloc_write_heap_profile},
};
enum { JSON, CALLGRIND, HEAP_PROFILE, FORMATS };

static jmp_buf jump;
static xhprof_node *newest;

static xhprof_node *add_call(xhprof_node *parent, const char *name, size_t length)
{
	xhprof_node *node =
		xhprof_calltree_child(&tracer.tree, parent, xhprof_symbols_intern(&tracer.symbols, name, length, 0, 0));
	node->calls++;
	newest = node;
	return node;
}

#define CALL(parent, name) add_call(parent, name, sizeof(name) - 1)

static void program_goes_on(sink *out)
{
	char name[32];
	add_call(tracer.tree.root, name, (size_t)snprintf(name, sizeof(name), "later_%d", out->puts));
	add_call(newest, name, (size_t)snprintf(name, sizeof(name), "later_%d", out->puts));
}

static void jump_away(sink *out)
{
	(void)out;
	longjmp(jump, 1);
}

static bool write_with(xhprof_alloc_write format, sink *out)
{
	static xhprof_writer writer;
	xhprof_alloc_paths paths = {0};
	xhprof_writer_init_put(&writer, sink_put, out);
	bool whole = format(&dump, &paths, &writer);
	whole = xhprof_writer_flush(&writer) && whole;
	xhprof_alloc_paths_release(&paths);
	return whole;
}

static xhprof_node *begin_tree(uint32_t nodes)
{
	xhprof_symbols_begin(&tracer.symbols);
	xhprof_calltree_begin(&tracer.tree, nodes);
	tracer.tree.root->calls = 1;
	free(dump.rows);
	memset(&dump, 0, sizeof(dump));
	dump.tracer = &tracer;
	dump.types = &types;
	dump.time = 1700000000.25;
	dump.pid = 4711;
	dump.sums[XHPROF_ALLOCATOR_ZEND] = (xhprof_alloc_sums){.size = 2097152, .peak = 4194304, .tracked = true};
	dump.map_bytes = 65536;
	return tracer.tree.root;
}

static void add_row(const xhprof_node *node, uint32_t pseudo, uint16_t type, uint64_t blocks, uint64_t bytes)
{
	if (!(dump.count & (dump.count - 1))) {
		dump.rows = realloc(dump.rows, (dump.count * 2 + 1) * sizeof(*dump.rows));
	}
	dump.rows[dump.count++] = (xhprof_alloc_row){.node = node ? node->id : pseudo,
												 .type = type,
												 .allocator = type == XHPROF_TYPE_MALLOC,
												 .blocks = blocks,
												 .bytes = bytes};
}

/* Sets the dump's nodes by id, as of now. */
static const xhprof_node **take_dump(void)
{
	static const xhprof_node **node_of;
	node_of = realloc(node_of, (tracer.tree.nodes + 1) * sizeof(*node_of));
	for (const xhprof_node *node = tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		node_of[node->id] = node;
	}
	dump.nodes = tracer.tree.nodes;
	dump.node_of = node_of;
	return node_of;
}

/* Direct and indirect recursion, names of all kinds, twins, empty nodes, all pseudo paths. */
static void small_dump(void)
{
	xhprof_node *root = begin_tree(1000);
	xhprof_node *f = CALL(root, "f"), *f2 = CALL(f, "f"), *f3 = CALL(f2, "f"), *g = CALL(f3, "g");
	xhprof_node *a = CALL(root, "App\\A::a"), *b = CALL(a, "b"), *a2 = CALL(b, "App\\A::a"), *leaf = CALL(a2, "leaf");
	xhprof_node *odd = CALL(root, "(2) fn=x;\n\"\xff\xc3\xa9"), *type_like = CALL(odd, "string");
	CALL(CALL(root, "empty"), "also empty");
	xhprof_symbol_ref name = xhprof_symbols_intern(&tracer.symbols, "twin", 4, 0, 0);
	xhprof_node *twins[] = {xhprof_calltree_child(&tracer.tree, root, name),
							xhprof_calltree_child(&tracer.tree, root, name | XHPROF_SYMBOL_EXAMINED)};
	twins[0]->calls = 2;
	twins[1]->calls = 3;
	f->calls = 4;
	add_row(NULL, XHPROF_NODE_BEFORE, XHPROF_TYPE_ARRAY, 0, 300000);
	add_row(g, 0, XHPROF_TYPE_STRING, 2, 5000);
	add_row(g, 0, XHPROF_TYPE_OBJECTS, 1, 4000);
	add_row(f2, 0, XHPROF_TYPE_ARRAY, 1, 3000);
	add_row(f, 0, XHPROF_TYPE_ARRAY, 1, 2000);
	add_row(leaf, 0, XHPROF_TYPE_MALLOC, 7, 1500);
	add_row(leaf, 0, XHPROF_TYPE_UNKNOWN, 3, 1200);
	add_row(a2, 0, XHPROF_TYPE_UNKNOWN, 1, 1000);
	add_row(NULL, XHPROF_NODE_OTHER_THREADS, XHPROF_TYPE_MALLOC, 9, 900);
	add_row(type_like, 0, XHPROF_TYPE_STRING, 8, 800);
	add_row(g, 0, XHPROF_TYPE_STRING, 1, 700); /* of another mark */
	add_row(twins[0], 0, XHPROF_TYPE_REFERENCE, 1, 40);
	add_row(twins[1], 0, XHPROF_TYPE_REFERENCE, 1, 60);
	add_row(root, 0, XHPROF_TYPE_STRING, 1, 32);
	dump.rows[10].mark = dump.marks = 2;
	dump.rest_bytes = 111;
	dump.rest_blocks = 11;
	dump.rest_rows = 3;
	dump.sums[XHPROF_ALLOCATOR_MALLOC] =
		(xhprof_alloc_sums){.size = 81920, .allocated_blocks = 30, .freed_blocks = 14, .tracked = true};
	dump.sums[XHPROF_ALLOCATOR_ZEND].before_bytes = 300000;
	take_dump();
}

static const uint64_t small_bytes =
	300000 + 5000 + 4000 + 3000 + 2000 + 1500 + 1200 + 1000 + 900 + 800 + 700 + 40 + 60 + 32 + 111;

/* The words of gperftools' format, also as text. */
static void decode_words(const sink *binary, sink *text)
{
	const char *marker = "--- profile\n", *at = memmem(binary->bytes, binary->length, marker, strlen(marker));
	at += strlen(marker);
	sink_put(text, binary->bytes, (size_t)(at - binary->bytes));
	for (; at < binary->bytes + binary->length; at += sizeof(uintptr_t)) {
		char line[32];
		uintptr_t word;
		memcpy(&word, at, sizeof(word));
		sink_put(text, line, (size_t)snprintf(line, sizeof(line), "%" PRIuPTR "\n", word));
	}
}

static void check_golden(int format)
{
	sink out = {0}, text = {0};
	small_dump();
	out.each = program_goes_on;
	CHECK(write_with(formats[format].write, &out));
	if (format == HEAP_PROFILE) {
		decode_words(&out, &text);
	}
	printf("# %s\n", formats[format].name);
	CHECK(sink_is_golden(text.bytes ? &text : &out, "memory", formats[format].name));
	free(out.bytes);
	free(text.bytes);
}

static void formats_equal_their_golden_files(void)
{
	for (int i = 0; i < FORMATS; i++) {
		check_golden(i);
	}
}

/* Sums of callgrind's lines: own figures of all functions, and the calls to one. */
static uint64_t callgrind_own(const char *text)
{
	uint64_t sum = 0;
	bool call_line = false;
	for (const char *line = strstr(text, "\nfl=") + 1; *line; line = strchr(line, '\n') + 1) {
		if (!strncmp(line, "1 ", 2) && !call_line) {
			sum += strtoull(line + 2, NULL, 10);
		}
		call_line = !strncmp(line, "calls=", 6);
	}
	return sum;
}

static uint64_t callgrind_inclusive(const char *text, uint32_t symbol)
{
	char wanted[32];
	uint64_t sum = 0;
	size_t length = (size_t)snprintf(wanted, sizeof(wanted), "\ncfn=(%u)", symbol);
	for (const char *at = text; (at = strstr(at, wanted));) {
		at = strchr(strchr(at + length, '\n') + 1, '\n') + 1;
		sum += strtoull(at + 2, NULL, 10);
	}
	return sum;
}

static uint64_t words_sum(const sink *binary)
{
	const char *marker = "--- profile\n", *at = memmem(binary->bytes, binary->length, marker, strlen(marker));
	uint64_t words[2], sum = 0;
	at += strlen(marker) + 5 * sizeof(uint64_t);
	for (; memcpy(words, at, sizeof(words)), words[0]; at += (2 + words[1]) * sizeof(uint64_t)) {
		sum += words[0];
	}
	return sum;
}

/* The sum and the count of a list's numbers. */
static uint64_t json_sum(const char *text, const char *name, size_t *count)
{
	char key[32];
	uint64_t sum = 0;
	snprintf(key, sizeof(key), "\n\"%s\":[", name);
	*count = 0;
	for (const char *at = strstr(text, key) + strlen(key); *at != ']'; ++*count) {
		char *end;
		sum += strtoull(at, &end, 10);
		at = end + (*end == ',');
	}
	return sum;
}

/* Each format has `bytes` in total, and the columns of the JSON are of equal length. */
static void check_sums(uint64_t bytes)
{
	sink out[FORMATS] = {{0}};
	size_t rows, count, nodes;
	for (int i = 0; i < FORMATS; i++) {
		CHECK(write_with(formats[i].write, &out[i]));
	}
	CHECK(json_sum(out[JSON].bytes, "bytes", &rows) == bytes);
	for (int i = 0; i < 4; i++) {
		json_sum(out[JSON].bytes, (const char *[]){"node", "type", "mark", "blocks"}[i], &count);
		CHECK(count == rows);
	}
	json_sum(out[JSON].bytes, "fn", &nodes);
	json_sum(out[JSON].bytes, "depth", &count);
	CHECK(count == nodes && nodes > 0);
	json_sum(out[JSON].bytes, "ct", &count);
	CHECK(count == nodes);
	CHECK(callgrind_own(out[CALLGRIND].bytes) == bytes);
	CHECK(words_sum(&out[HEAP_PROFILE]) == bytes);
	for (int i = 0; i < FORMATS; i++) {
		free(out[i].bytes);
	}
}

static void exported_sums_equal_the_dump(void)
{
	sink out = {0};
	small_dump();
	check_sums(small_bytes);
	CHECK(write_with(xhprof_alloc_write_callgrind, &out));
	/* f calls itself, a() and b() call each other: each counts once */
	xhprof_symbol_ref f = xhprof_symbols_intern(&tracer.symbols, "f", 1, 0, 0);
	xhprof_symbol_ref a = xhprof_symbols_intern(&tracer.symbols, "App\\A::a", 8, 0, 0);
	xhprof_symbol_ref b = xhprof_symbols_intern(&tracer.symbols, "b", 1, 0, 0);
	CHECK(callgrind_inclusive(out.bytes, XHPROF_SYMBOL_ID(f)) == 5000 + 4000 + 3000 + 2000 + 700);
	CHECK(callgrind_inclusive(out.bytes, XHPROF_SYMBOL_ID(a)) == 1500 + 1200 + 1000);
	CHECK(callgrind_inclusive(out.bytes, XHPROF_SYMBOL_ID(b)) == 1500 + 1200 + 1000);
	free(out.bytes);

	begin_tree(100); /* nothing */
	take_dump();
	check_sums(0);
	dump.rest_bytes = 5; /* all is below the threshold */
	dump.rest_blocks = dump.rest_rows = 1;
	check_sums(5);
}

static void deep_recursion_keeps_the_sums(void)
{
	enum { DEEP = 200000 };
	xhprof_node *node = begin_tree(DEEP + 10);
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < DEEP; i++) {
		node = i % 3 ? CALL(node, "odd") : CALL(node, "even");
		add_row(node, 0, XHPROF_TYPE_STRING + i % 2, 1, i + 8);
		bytes += i + 8;
	}
	take_dump();
	check_sums(bytes);
}

static void many_paths_keep_the_sums(void)
{
	enum { NODES = 100000 };
	static xhprof_node *nodes[NODES];
	char name[32];
	uint64_t bytes = 0;
	nodes[0] = begin_tree(NODES + 10);
	for (unsigned i = 1; i < NODES; i++) {
		nodes[i] = add_call(nodes[i / 7], name, (size_t)snprintf(name, sizeof(name), "function_%u", i % 9973));
		add_row(nodes[i], 0, XHPROF_TYPE_UNKNOWN + i % 6, 2, i);
		bytes += i;
	}
	take_dump();
	check_sums(bytes);
}

/* The first refusal ends it; after a longjmp() out of the program's stream a release frees everything. */
static void failed_output_ends_the_export(void)
{
	static xhprof_writer writer;
	static xhprof_alloc_paths paths;
	small_dump();
	for (int i = 0; i < FORMATS; i++) {
		sink out = {.refuse_after = 1};
		add_row(NULL, XHPROF_NODE_BEFORE, 0, 1, 1);
		xhprof_writer_init_put(&writer, sink_put, &out);
		xhprof_write_string(&writer, "first");
		xhprof_writer_flush(&writer);
		CHECK(formats[i].write(&dump, &paths, &writer) && !xhprof_writer_flush(&writer));
		xhprof_write_string(&writer, "never");
		CHECK(!xhprof_writer_flush(&writer) && writer.error == EIO && out.puts == 2);
		xhprof_alloc_paths_release(&paths);
		free(out.bytes);

		sink jumps = {.each = jump_away};
		xhprof_writer_init_put(&writer, sink_put, &jumps);
		if (!setjmp(jump)) {
			formats[i].write(&dump, &paths, &writer);
			xhprof_writer_flush(&writer);
			CHECK(false);
		}
		CHECK(paths.items != NULL);
		xhprof_alloc_paths_release(&paths);
		CHECK(paths.items == NULL && jumps.puts == 1);
	}
}

/* When any of its tables gets no memory, the dump reports it or is whole. */
static void export_without_memory_fails_or_is_complete(void)
{
	small_dump();
	for (int i = 0; i < FORMATS; i++) {
		int refused = 0;
		bool whole = false;
		for (int mmaps = 0; mmaps < 50 && !whole; mmaps++) {
			sink out = {0};
			unit_mmaps = mmaps;
			whole = write_with(formats[i].write, &out);
			unit_mmaps = -1;
			refused += !whole;
			free(out.bytes);
		}
		CHECK(whole && refused > 0);
	}
}

/* The process's mapped memory, in pages. */
static long mapped_pages(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file) {
		CHECK(fscanf(file, "%ld", &pages) == 1);
		fclose(file);
	}
	return pages;
}

/* Each time they would leave megabytes. */
static void exports_unmap_their_pages(void)
{
	long before = mapped_pages();
	for (int i = 0; i < 5; i++) {
		failed_output_ends_the_export();
		export_without_memory_fails_or_is_complete();
	}
	long grown = mapped_pages() - before;
	printf("# %ld pages\n", grown);
	CHECK(grown < 512);
}

int main(void)
{
	formats_equal_their_golden_files();
	exported_sums_equal_the_dump();
	deep_recursion_keeps_the_sums();
	many_paths_keep_the_sums();
	failed_output_ends_the_export();
	export_without_memory_fails_or_is_complete();
	exports_unmap_their_pages();
	return unit_end();
}
