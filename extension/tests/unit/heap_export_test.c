/* The writer of heap snapshots, on a heap made by hand: golden/ has its output. PHPUnit and the browser tests convert these
 * files to other tools' formats. */
#include "sink.h"
#include "unit.h"

#include "export/heap_output.h"
#include "heap/utf8_cut.h"

/* ---- A small heap ---- */

enum {
	FRAME = 0x7000,
	MAIN = 0x7080,
	STACK = 0x6000,
	FOO = 0x1000,
	BAR = 0x1040,
	LIST = 0x1080,
	LIST_TABLE = 0x10c0,
	MAP = 0x1200,
	MAP_TABLE = 0x1240,
	KEY = 0x1300,
	TEXT = 0x1340,
	HOSTILE = 0x1380,
	REFERENCE = 0x13c0,
	CLOSURE = 0x1400,
	FUNCTION = 0x1600,
	OPCODES = 0x1700,
	ARGUMENTS = 0x1780,
	STRLEN = 0x17c0,
	CLASS = 0x1800,
	METHODS = 0x1a00,
	CONSTANT = 0x1a80,
	PROPERTY = 0x1ac0,
	STREAM = 0x1b00,
	NATIVE = 0x1b40,
	GARBAGE = 0x1c00,
	CYCLE = 0x1c40,
	LEAK = 0x1d00,
	WEAKREF = 0x1e00,
	INTERNED = 0x500000000000,
	ENUM = 0x1f00,
};

static xhprof_heap_visitor visitor;

static void node(xhprof_heap_type type, uint64_t address, uint64_t size, uint64_t block, uint32_t refcount,
				 const char *name, xhprof_heap_node more)
{
	more.type = type;
	more.address = address;
	more.size = size;
	more.block = block;
	more.has_refcount = refcount != 0;
	more.refcount = refcount;
	more.name = name;
	more.name_length = name ? strlen(name) : 0;
	more.file_length = more.file ? strlen(more.file) : 0;
	if (more.value && !more.value_length) {
		more.value_length = strlen(more.value);
	}
	if (!more.length) {
		more.length = more.value_length;
	}
	visitor.node(visitor.context, &more);
}

#define NODE(type, address, size, block, refcount, name, ...) \
	node(XHPROF_HEAP_##type, address, size, block, refcount, name, (xhprof_heap_node){__VA_ARGS__})

static void named(xhprof_edge_kind kind, const char *name, uint64_t to)
{
	visitor.edge(visitor.context,
				 &(xhprof_heap_edge){.kind = kind, .name = name, .name_length = strlen(name), .to = to});
}

static void indexed(int64_t index, uint64_t to)
{
	visitor.edge(visitor.context, &(xhprof_heap_edge){.kind = XHPROF_EDGE_INDEX, .index = index, .to = to});
}

static void scalar(const char *name, const char *value)
{
	visitor.edge(
		visitor.context,
		&(xhprof_heap_edge){.kind = XHPROF_EDGE_NAMED, .name = name, .name_length = strlen(name), .scalar = value});
}

#define EDGE(name, to) named(XHPROF_EDGE_NAMED, name, to)
#define PART(name, to) named(XHPROF_EDGE_PART, name, to)
#define WEAK(name, to) named(XHPROF_EDGE_WEAK, name, to)

/* Emits a heap with nodes of all kinds, as the walk does. */
static void emit_heap(void)
{
	NODE(ROOT, XHPROF_HEAP_ROOT_CALL_FRAMES, 0, 0, 0, "call_frames", 0);
	indexed(0, FRAME);
	indexed(1, MAIN);
	PART("vm stack", STACK);
	NODE(FRAME, FRAME, 112, 0, 0, "Foo::run", .line = 12, .file = "/srv/app/Foo.php");
	PART("function", FUNCTION);
	EDGE("this", FOO);
	EDGE("list", LIST);
	EDGE("map", MAP);
	scalar("count", "3");
	scalar("ratio", "0.25");
	scalar("far", "INF");
	EDGE("callback", CLOSURE);
	EDGE("(temporary)", TEXT);
	EDGE("(temporary)", KEY);
	indexed(0, TEXT);
	NODE(FRAME, MAIN, 96, 0, 0, "{main}", .line = 40, .file = "/srv/app/index.php");
	WEAK("symbol table", XHPROF_HEAP_ROOT_GLOBALS);
	EDGE("foo", FOO);
	NODE(VM_STACK, STACK, 262144, 262144, 0, "vm stack", 0);
	NODE(ROOT, XHPROF_HEAP_ROOT_GLOBALS, 0, 0, 0, "global_variables", 0);
	EDGE("foo", FOO);
	EDGE("alias", REFERENCE);
	scalar("null", "null");
	NODE(ROOT, XHPROF_HEAP_ROOT_FUNCTIONS, 0, 0, 0, "function_table", 0);
	EDGE("strlen", STRLEN);
	EDGE("foo\\helper", FUNCTION);
	NODE(ROOT, XHPROF_HEAP_ROOT_CLASSES, 0, 0, 0, "class_table", 0);
	EDGE("foo", CLASS);
	PART("key", INTERNED);
	NODE(ROOT, XHPROF_HEAP_ROOT_CONSTANTS, 0, 0, 0, "global_constants", 0);
	EDGE("LIMIT", CONSTANT);
	NODE(ROOT, XHPROF_HEAP_ROOT_INCLUDED_FILES, 0, 0, 0, "included_files", 0);
	indexed(0, INTERNED);
	NODE(ROOT, XHPROF_HEAP_ROOT_INTERNED_STRINGS, 0, 0, 0, "interned_strings", 0);
	indexed(0, INTERNED);
	NODE(OBJECT, FOO, 72, 80, 3, "Foo", .path = 3);
	EDGE("bar", BAR);
	EDGE("self", FOO);
	EDGE("#type", TEXT);
	EDGE("case", ENUM);
	scalar("id", "-7");
	PART("properties", MAP);
	NODE(OBJECT, BAR, 40, 40, 1, "Foo\\Bar", .path = 2);
	WEAK("owner", FOO);
	NODE(ENUM_CASE, ENUM, 64, 64, 1, "Suit", 0);
	EDGE("name", INTERNED);
	NODE(ARRAY, LIST, 56, 56, 1, NULL, .length = 4);
	indexed(0, BAR);
	indexed(1, BAR);
	indexed(-5, TEXT);
	indexed(5000000000, HOSTILE);
	PART("table", LIST_TABLE);
	NODE(ARRAY_TABLE, LIST_TABLE, 128, 128, 0, "table", 0);
	NODE(ARRAY, MAP, 56, 56, 2, NULL, .length = 2);
	EDGE("key with space", LIST);
	PART("key", KEY);
	EDGE("\xff\"\n", HOSTILE);
	PART("table", MAP_TABLE);
	NODE(ARRAY_TABLE, MAP_TABLE, 320, 320, 0, "table", 0);
	NODE(STRING, KEY, 39, 40, 1, NULL, .value = "key with space", .has_hash = true, .hash = 0xab);
	/* "Grüße", cut in the middle of a character */
	NODE(STRING, TEXT, 1024, 1024, 3, NULL, .value = "Gr\xc3\xbc\xc3", .length = 1000);
	NODE(STRING, HOSTILE, 40, 40, 1, NULL, .value = "</script>\\ \"\x01\xff", 0);
	NODE(REFERENCE, REFERENCE, 32, 32, 2, NULL, 0);
	EDGE("value", MAP);
	NODE(CLOSURE, CLOSURE, 320, 320, 1, "Closure", .file = "/srv/app/Foo.php", .line = 20);
	EDGE("this", FOO);
	EDGE("$used", TEXT);
	PART("opcodes", OPCODES);
	NODE(FUNCTION, FUNCTION, 240, 240, 0, "foo\\helper", .file = "/srv/app/Foo.php", .line = 8);
	PART("opcodes", OPCODES);
	PART("arguments", ARGUMENTS);
	PART("file", INTERNED);
	PART("literal", TEXT);
	PART("literal", KEY);
	NODE(OPCODES, OPCODES, 128, 128, 0, "opcodes", 0);
	NODE(FUNCTION_PART, ARGUMENTS, 48, 48, 0, "arguments", 0);
	NODE(FUNCTION, STRLEN, 168, 0, 0, "strlen", 0);
	NODE(CLASS, CLASS, 488, 0, 0, "Foo", .shared = true, .file = "/srv/app/Foo.php", .line = 3);
	PART("name", INTERNED);
	EDGE("run()", FUNCTION);
	EDGE("::$instances", LIST);
	scalar("::$count", "2");
	EDGE("::MAP", CONSTANT);
	PART("property", PROPERTY);
	PART("methods", METHODS);
	NODE(CLASS_PART, METHODS, 320, 320, 0, "methods", 0);
	NODE(CLASS_PART, PROPERTY, 64, 0, 0, "property", 0);
	NODE(CONSTANT, CONSTANT, 32, 32, 0, "LIMIT", 0);
	EDGE("value", MAP);
	NODE(STRING, INTERNED, 32, 0, 1, NULL, .value = "Foo", .shared = true);
	NODE(ROOT, XHPROF_HEAP_ROOT_OBJECTS_STORE, 0, 0, 0, "objects_store", 0);
	WEAK("#1", FOO);
	WEAK("#2", BAR);
	WEAK("#3", CLOSURE);
	WEAK("#4", GARBAGE);
	WEAK("#5", CYCLE);
	WEAK("#6", 0x99990); /* freed meanwhile: never emitted */
	NODE(OBJECT, GARBAGE, 56, 56, 1, "Node", 0);
	EDGE("other", CYCLE);
	NODE(OBJECT, CYCLE, 56, 56, 1, "Node", 0);
	EDGE("other", GARBAGE);
	NODE(ROOT, XHPROF_HEAP_ROOT_RESOURCES, 0, 0, 0, "resources", 0);
	indexed(5, STREAM);
	NODE(RESOURCE, STREAM, 32, 32, 1, "stream", .path = 2);
	PART("internals", NATIVE);
	NODE(ROOT, XHPROF_HEAP_ROOT_ENGINE_STATE, 0, 0, 0, "engine", 0);
	PART("shutdown function", CLOSURE);
	NODE(ROOT, XHPROF_HEAP_ROOT_NATIVE_MEMORY, 0, 0, 0, "native_memory", 0);
	NODE(NATIVE, NATIVE, 224, 224, 0, "stream", 0);
	NODE(ROOT, XHPROF_HEAP_ROOT_LEAK_CANDIDATES, 0, 0, 0, "unreachable", 0);
	WEAK("0", LEAK);
	NODE(UNREACHABLE, LEAK, 64, 64, 0, "string?", 0);
}

static const xhprof_walk_result walked = {
	.nodes = 45,
	.edges = 62,
	.typed_bytes = 266000,
	.native_bytes = 224,
	.unreachable_bytes = 64,
	.typed_blocks = 22,
	.native_blocks = 1,
	.unreachable_blocks = 1,
	.shared_bytes = 520,
	.outside_bytes = 168,
	.unreadable = 1,
};

static const xhprof_heap_info info = {
	.php = "8.2.35",
	.sapi = "cli",
	.host = "example",
	.command = "php \"a\xff.php\"",
	.reader = "inside",
	.pid = 4711,
	.time = 1763700000,
	.stopped = true,
	.max_string = 80,
};

/* 1 main, 2 main > fopen, 3 main > Foo::make */
static bool resolve_path(void *context, uint32_t path, uint32_t *parent, const char **function, size_t *length)
{
	static const char *const names[] = {NULL, "main()", "fopen", "Foo::make"};
	(void)context;
	if (!path || path > 3) {
		return false;
	}
	*parent = path > 1;
	*function = names[path];
	*length = strlen(names[path]);
	return true;
}

static const xhprof_heap_paths paths = {.resolve = resolve_path};
static xhprof_writer writer;

/* Writes the heap that `emit` emits, as lines. False when that failed, or there was no memory for paths. */
static bool write_with(sink *out, const xhprof_heap_info *given, void (*emit)(void))
{
	xhprof_heap_output output = {.writer = &writer, .info = given};
	xhprof_writer_init_put(&writer, sink_put, out);
	visitor = xhprof_heap_output_begin(&output, &paths);
	emit();
	xhprof_heap_output_end(&output, &walked, 1500000);
	bool fine = !output.jsonl.no_memory;
	xhprof_heap_output_release(&output);
	return xhprof_writer_flush(&writer) && fine;
}

static void lines_equal_their_golden_files(void)
{
	xhprof_heap_info redacted = info;
	sink out = {0};
	redacted.redact = true;
	CHECK(write_with(&out, &info, emit_heap) && sink_is_golden(&out, "heap", "jsonl"));
	CHECK(strstr(out.bytes, "</script>") && strstr(out.bytes, "0.25") && strstr(out.bytes, "Gr\xc3\xbc\""));
	out.length = 0;
	CHECK(write_with(&out, &redacted, emit_heap) && sink_is_golden(&out, "heap", "redacted.jsonl"));
	CHECK(!strstr(out.bytes, "</script>") && !strstr(out.bytes, "0.25") && !strstr(out.bytes, "Gr\xc3"));
	free(out.bytes);
}

static void export_commands_name_the_format(void)
{
	CHECK(!strcmp(xhprof_heap_export_command("reli"), "xhprof heap export FILE --format=reli"));
	CHECK(!strcmp(xhprof_heap_export_command("heapsnapshot"), "xhprof heap export FILE --format=heapsnapshot"));
	CHECK(!xhprof_heap_export_command("jsonl") && !xhprof_heap_export_command(""));
}

/* ---- Output of damaged memory ---- */

static void emit_nothing(void)
{
}

/* A list of objects, each of which refers to the next. */
static void emit_list(void)
{
	enum { LENGTH = 5000 };
	NODE(ROOT, XHPROF_HEAP_ROOT_GLOBALS, 0, 0, 0, "global_variables", 0);
	EDGE("list", 0x10000);
	for (uint64_t i = 0; i < LENGTH; i++) {
		NODE(OBJECT, 0x10000 + i * 64, 56, 56, 1, "Node", 0);
		EDGE("next", i + 1 < LENGTH ? 0x10000 + (i + 1) * 64 : 0x10000);
	}
}

/* The same node twice; edges before any node, to nowhere, of the same name; odd names; sizes that do not match. */
static void emit_odd_nodes(void)
{
	EDGE("early", FOO);
	NODE(ROOT, XHPROF_HEAP_ROOT_GLOBALS, 0, 0, 0, "global_variables", 0);
	EDGE("", FOO);
	EDGE("x", FOO);
	EDGE("x", BAR);
	EDGE("x", FOO);
	EDGE("gone", 0xdead);
	visitor.edge(visitor.context, &(xhprof_heap_edge){.kind = XHPROF_EDGE_NAMED});
	NODE(OBJECT, FOO, UINT64_MAX, UINT64_MAX / 2, UINT32_MAX, NULL, .path = 9);
	indexed(INT64_MIN, BAR);
	indexed(INT64_MAX, BAR);
	NODE(OBJECT, FOO, 1, 1, 1, "again", 0);
	EDGE("second", BAR);
	NODE(UNREACHABLE, BAR, 1, 1, 0, NULL, 0);
	NODE(ROOT, 999, 0, 0, 0, NULL, 0);
}

/* The deepest nesting of brackets; -1 when they do not match. */
static int depth_of(const char *json)
{
	char open[1024];
	int depth = 0, deepest = 0;
	for (bool in_string = false; *json; json++) {
		if (*json == '"') {
			in_string = !in_string;
		} else if (in_string) {
			json += *json == '\\';
		} else if (*json == '{' || *json == '[') {
			open[depth++] = *json;
			deepest = depth > deepest ? depth : deepest;
			if (depth == sizeof(open)) {
				return -1;
			}
		} else if (*json == '}' || *json == ']') {
			if (!depth || open[--depth] != (*json == '}' ? '{' : '[')) {
				return -1;
			}
		}
	}
	return depth ? -1 : deepest;
}

static size_t occurrences(const char *text, const char *what)
{
	size_t count = 0;
	while ((text = strstr(text, what))) {
		text += strlen(what);
		count++;
	}
	return count;
}

static void damaged_memory_gives_valid_lines(void)
{
	sink out = {0};
	CHECK(write_with(&out, &info, emit_nothing) && depth_of(out.bytes) > 0);
	out.length = 0;
	CHECK(write_with(&out, &info, emit_odd_nodes));
	CHECK(depth_of(out.bytes) > 0 && !strstr(out.bytes, "early"));
	out.length = 0;
	CHECK(write_with(&out, &info, emit_list));
	CHECK(depth_of(out.bytes) > 0 && depth_of(out.bytes) <= 8);
	out.length = 0;
	out.refuse_after = 1; /* long past */
	CHECK(!write_with(&out, &info, emit_list) && writer.error == EIO);
	free(out.bytes);
}

static void lines_without_memory_are_valid(void)
{
	sink out = {0};
	int refused = 0, sound = 1;
	for (int mmaps = 0; mmaps < 60; mmaps++) {
		out.length = 0;
		unit_mmaps = mmaps;
		refused += !write_with(&out, &info, emit_heap);
		unit_mmaps = -1;
		sound = sound && out.length && depth_of(out.bytes) > 0; /* whole lines, though some are missing */
	}
	CHECK(refused > 0 && refused < 60 && sound);
	free(out.bytes);
}

/* ---- Parts ---- */

static void strings_are_cut_between_characters(void)
{
	static const struct {
		const char *text;
		size_t available, total, max, kept;
	} cuts[] = {
		{"abc", 3, 3, 80, 3},
		{"abc", 3, 9, 2, 2},
		{"a\xc3\xbc", 3, 3, 80, 3},
		{"a\xc3\xbc", 3, 3, 2, 1},
		{"a\xc3\xbc", 3, 9, 80, 3},
		{"a\xc3", 2, 2, 80, 2}, /* not cut: its real end */
		{"a\xc3", 2, 9, 80, 1},
		{"\xe2\x82\xac\xe2\x82", 5, 9, 80, 3},
		{"\xf0\x9f\x98\x80\xf0\x9f\x98", 7, 9, 80, 4},
		{"\x80\x80\x80\x80\x80", 5, 9, 80, 5}, /* not UTF-8 at all */
		{"\xff\xff", 2, 9, 80, 1},
		{"", 0, 9, 80, 0},
		{"abc", 3, 3, 0, 0},
	};
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		CHECK(xhprof_utf8_cut(cuts[i].text, cuts[i].available, cuts[i].total, cuts[i].max) == cuts[i].kept);
	}
}

static void scalars_are_valid_json(void)
{
	static const char *const scalars[][2] = {
		{"0", "0"},       {"-1", "-1"},     {"1.5", "1.5"},     {"1.0e+25", "1.0e+25"}, {"1E9", "1E9"},
		{"true", "true"}, {"null", "null"}, {"NAN", "\"NAN\""}, {"-INF", "\"-INF\""},   {"01", "\"01\""},
		{"1.", "\"1.\""}, {"-", "\"-\""},   {"1e", "\"1e\""},   {"", "\"\""},           {"1,\"x", "\"1,\\\"x\""},
	};
	for (size_t i = 0; i < sizeof(scalars) / sizeof(*scalars); i++) {
		sink out = {0};
		xhprof_writer_init_put(&writer, sink_put, &out);
		xhprof_heap_write_scalar(&writer, scalars[i][0]);
		CHECK(xhprof_writer_flush(&writer) && !strcmp(out.bytes, scalars[i][1]));
		free(out.bytes);
	}
}

/* 5 is called by 6, and 6 by 5. */
static bool resolve_path_in_a_circle(void *context, uint32_t path, uint32_t *parent, const char **function,
									 size_t *length)
{
	(void)context;
	*parent = path ^ 3;
	*function = "f";
	*length = 1;
	return path == 5 || path == 6;
}

static void paths_that_form_a_circle_end(void)
{
	static const xhprof_heap_paths circle = {.resolve = resolve_path_in_a_circle};
	sink out = {0};
	xhprof_heap_jsonl jsonl;
	xhprof_writer_init_put(&writer, sink_put, &out);
	xhprof_heap_jsonl_begin(&jsonl, &writer, &info, &circle);
	visitor = xhprof_heap_jsonl_visitor(&jsonl);
	NODE(OBJECT, FOO, 8, 8, 1, "Foo", .path = 5);
	NODE(OBJECT, BAR, 8, 8, 1, "Foo", .path = 6);
	NODE(OBJECT, LIST, 8, 8, 1, "Foo", .path = 7); /* not known */
	NODE(OBJECT, MAP, 8, 8, 1, "Foo", .path = UINT32_MAX);
	xhprof_heap_jsonl_release(&jsonl);
	CHECK(xhprof_writer_flush(&writer));
	CHECK(occurrences(out.bytes, "{\"p\":5,") == 1 && occurrences(out.bytes, "{\"p\":6,") == 1);
	CHECK(occurrences(out.bytes, ",\"p\":") == 2 && !strstr(out.bytes, "\"end\""));
	free(out.bytes);
}

static void summary_counts_every_node(void)
{
	static xhprof_heap_summary summary;
	char name[32];
	xhprof_heap_summary_begin(&summary, NULL);
	visitor = xhprof_heap_summary_visitor(&summary);
	for (unsigned i = 0; i < XHPROF_HEAP_NAMES_MAX + 1000; i++) {
		snprintf(name, sizeof(name), "Class%u", i);
		NODE(OBJECT, 64 * (i + 1), 40, 40, 1, name, 0);
		if (i % 1000 == 7) {
			NODE(OBJECT, 64 * (i + 1) + 8, 40, 56, 1, name, 0);
		}
	}
	NODE(NATIVE, 32, 100, 100, 0, NULL, 0);
	uint64_t count = 0, bytes = 0, before = UINT64_MAX;
	bool sorted = true;
	for (const xhprof_heap_named *each = xhprof_heap_names_sort(&summary.classes); each; each = each->next) {
		sorted = sorted && each->counted.bytes <= before;
		before = each->counted.bytes;
		bytes += each->counted.bytes;
		count++;
	}
	const xhprof_heap_count *objects = &summary.types[XHPROF_HEAP_OBJECT];
	CHECK(count == XHPROF_HEAP_NAMES_MAX + 1 && sorted && bytes == objects->bytes);
	CHECK(objects->count == XHPROF_HEAP_NAMES_MAX + 1000 + 67 && summary.classes.others.counted.count == 1000 + 1);
	CHECK(xhprof_heap_names_sort(&summary.classes)->length == 8); /* "(others)" */
	CHECK(summary.owners.count == 1 && xhprof_heap_names_sort(&summary.owners)->counted.bytes == 100);
	xhprof_heap_summary_release(&summary);
}

int main(void)
{
	lines_equal_their_golden_files();
	export_commands_name_the_format();
	damaged_memory_gives_valid_lines();
	lines_without_memory_are_valid();
	strings_are_cut_between_characters();
	scalars_are_valid_json();
	paths_that_form_a_circle_end();
	summary_counts_every_node();
	return unit_end();
}
