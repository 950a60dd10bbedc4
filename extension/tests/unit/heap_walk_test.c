/* The walk over made-up heaps: structures of the engine with references as in no program, whole and damaged. They are read in
 * place, between unreadable pages, and as another process's memory: with any contents the walk ends and accounts for all
 * blocks. */
#include "unit.h"

#include "compat/code_layout.h"
#include "compat/engine_layout.h"

#include "SAPI.h"
#include "ext/standard/file.h"
#include "php_globals.h"
#include "php_output.h"
#include "zend_ast.h"
#include "zend_vm_opcodes.h"

#include "heap/walk.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define __asan_region_is_poisoned(begin, size) NULL
#endif

#define ROUNDS 60
#define CHUNK XHPROF_ZMM_CHUNK_SIZE
#define PAGE XHPROF_ZMM_PAGE_SIZE
/* Fixed addresses, so that one seed makes one heap: a chunk, and a library's variables. */
#define CHUNK_AT UINT64_C(0x7a0000200000)
#define LIBRARY_AT UINT64_C(0x7b0000000000)
#define LIBRARY_SIZE (16 * PAGE)
/* Offsets of 8.2.35. */
#define MAP 544
#define FREE_SLOT 32
#define HUGE_LIST 320

/* Shapes of blocks; each has runs of its own. */
typedef enum shape {
	STRING,
	ARRAY,
	TABLE,
	OBJECT,
	CONTAINER, /* an object behind memory of its own */
	CLOSURE,
	GENERATOR,
	FIBER,
	CLASS,
	FUNCTION,
	CODE,
	FRAME,
	COUNTED, /* references, resources, constant expressions */
	ANYTHING,
	SHAPES
} shape;

static const size_t shape_size[SHAPES] = {
	[STRING] = 64,
	[ARRAY] = sizeof(zend_array),
	[TABLE] = 2560,
	[OBJECT] = sizeof(zend_object) + 4 * sizeof(zval),
	[CONTAINER] = sizeof(HashTable) + sizeof(zend_object),
	[CLOSURE] = sizeof(xhprof_layout_closure),
	[GENERATOR] = sizeof(zend_generator),
	[FIBER] = sizeof(zend_fiber),
	[CLASS] = sizeof(zend_class_entry),
	[FUNCTION] = sizeof(zend_op_array),
	[CODE] = 2560,
	[FRAME] = 320,
	[COUNTED] = 64,
	[ANYTHING] = 320,
};

static uint64_t runs[SHAPES];
static unsigned run_blocks[SHAPES], run_bin[SHAPES];
static uint64_t heap_size;
static xhprof_engine engine;
static uint64_t library_used;

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static uint64_t runs_size(void)
{
	return runs[SHAPES - 1] + xhprof_zmm_bins[run_bin[SHAPES - 1]].pages * PAGE - runs[0];
}

static uint64_t any(shape shape)
{
	uint64_t inside = shape == CONTAINER ? sizeof(HashTable) : 0;
	return runs[shape] + (uint64_t)rand() % run_blocks[shape] * xhprof_zmm_bins[run_bin[shape]].size + inside;
}

static uint64_t anywhere(void)
{
	return any((enum shape)(rand() % SHAPES));
}

static unsigned few(unsigned below)
{
	return (unsigned)rand() % below;
}

/* ---- Values ---- */

static uint64_t make_word(void)
{
	switch (few(12)) {
		case 0:
		case 1:
			return few(5);
		case 2:
			return (uint64_t)few(4) << 32 | few(40);
		case 3:
			return anywhere() + few(40);
		case 4:
			return LIBRARY_AT + few(LIBRARY_SIZE) / 8 * 8;
		case 5:
			return (uint64_t)rand() << 33 ^ (uint64_t)rand();
		default:
			return anywhere();
	}
}

static zval make_value(void)
{
	static const struct {
		uint32_t type;
		shape target;
	} kinds[] = {
		{IS_STRING_EX, STRING},
		{IS_ARRAY_EX, ARRAY},
		{IS_OBJECT_EX, OBJECT},
		{IS_OBJECT_EX, CLOSURE},
		{IS_OBJECT_EX, CONTAINER},
		{IS_OBJECT_EX, GENERATOR},
		{IS_OBJECT_EX, FIBER},
		{IS_RESOURCE_EX, COUNTED},
		{IS_REFERENCE_EX, COUNTED},
		{IS_CONSTANT_AST_EX, COUNTED},
		{IS_INDIRECT, TABLE},
		{IS_PTR, FUNCTION},
		{IS_PTR, CLASS},
		{IS_PTR, ANYTHING},
		{IS_UNDEF, ANYTHING},
		{IS_LONG, ANYTHING},
		{IS_DOUBLE, ANYTHING},
	};
	unsigned kind = few(sizeof(kinds) / sizeof(kinds[0]));
	zval value;
	memset(&value, 0, sizeof(value));
	value.value.lval = (zend_long)any(kinds[kind].target);
	value.u1.type_info = kinds[kind].type;
	value.u2.next = few(9) ? few(8) : UINT32_MAX;
	return value;
}

static void make_values(uint64_t address, unsigned count)
{
	for (zval *value = at(address); count > 0; count--) {
		*value++ = make_value();
	}
}

static void make_header(uint64_t address, uint32_t type)
{
	zend_refcounted_h *header = at(address);
	header->refcount = 1 + few(3);
	header->u.type_info = type | (few(8) ? 0 : (uint32_t)GC_IMMUTABLE << GC_FLAGS_SHIFT);
}

static void make_table(HashTable *table)
{
	uint32_t size = 8u << few(3);
	make_header((uintptr_t)table, IS_ARRAY);
	table->u.flags = few(9) ? 0 : HASH_FLAG_UNINITIALIZED;
	table->nTableSize = size;
	table->nNumUsed = few(size + 1);
	table->nNumOfElements = few(table->nNumUsed + 1);
	table->nNextFreeElement = table->nNumUsed;
	table->nTableMask = few(2) ? HT_MIN_MASK : (uint32_t) - (int32_t)(2 * size);
	table->arData = at(any(TABLE) + (uint64_t)(uint32_t) - (int32_t)table->nTableMask * sizeof(uint32_t));
}

/* ---- Blocks ---- */

static void make_object(uint64_t address, unsigned class_number, unsigned slots)
{
	zend_object *object = at(address);
	make_header(address, IS_OBJECT);
	object->handle = few(16);
	object->ce = at(class_number ? runs[CLASS] + class_number * xhprof_zmm_bins[run_bin[CLASS]].size : any(CLASS));
	object->handlers = at(engine.std_object_handlers);
	object->properties = few(2) ? at(any(ARRAY)) : NULL;
	make_values(address + offsetof(zend_object, properties_table), slots);
}

static void make_function(uint64_t address)
{
	zend_op_array *code = at(address);
	code->type = few(4) ? ZEND_USER_FUNCTION : ZEND_INTERNAL_FUNCTION;
	code->function_name = at(few(4) ? any(STRING) : 0);
	code->scope = at(few(2) ? any(CLASS) : 0);
	code->filename = at(any(STRING));
	code->attributes = at(few(4) ? 0 : any(ARRAY));
	code->num_args = few(4);
	code->cache_size = (int)few(100);
	code->last_var = (int)few(5);
	code->T = few(5);
	code->last = few(64);
	code->last_live_range = (int)few(20);
	code->last_try_catch = (int)few(3);
	code->last_literal = (int)few(20);
	code->num_dynamic_func_defs = few(3);
	code->opcodes = at(any(CODE));
	code->vars = at(any(TABLE));
}

static void make_class(uint64_t address)
{
	zend_class_entry *entry = at(address);
	entry->type = few(3) ? ZEND_USER_CLASS : ZEND_INTERNAL_CLASS;
	entry->name = at(any(STRING));
	entry->parent = at(few(2) ? any(CLASS) : 0);
	entry->default_properties_count = (int)few(5);
	entry->default_static_members_count = (int)few(5);
	entry->default_properties_table = at(any(TABLE));
	entry->num_interfaces = few(3);
	entry->num_traits = few(3);
	make_table(&entry->function_table);
	make_table(&entry->properties_info);
	make_table(&entry->constants_table);
}

static void make_frame(uint64_t address)
{
	zend_execute_data *frame = at(address);
	const zend_op_array *code = at(any(FUNCTION));
	frame->func = (zend_function *)(uintptr_t)code;
	frame->opline = at((uintptr_t)code->opcodes + few(70) * sizeof(zend_op));
	frame->This = make_value();
	ZEND_CALL_INFO(frame) = few(3) ? 0 : (uint32_t)rand();
	ZEND_CALL_NUM_ARGS(frame) = few(6);
	frame->prev_execute_data = at(few(5) ? any(FRAME) : 0);
	frame->call = at(few(2) ? any(FRAME) : 0);
	frame->return_value = at(any(TABLE));
	make_values(address + ZEND_CALL_FRAME_SLOT * sizeof(zval), 10);
}

/* Nested calls. */
static void make_code(uint64_t address)
{
	static const unsigned char codes[] = {
		ZEND_INIT_FCALL, ZEND_NEW,     ZEND_SEND_VAL, ZEND_SEND_VAR, ZEND_SEND_UNPACK, ZEND_DO_FCALL,
		ZEND_DO_UCALL,   ZEND_FE_FREE, ZEND_NOP,      ZEND_RETURN,   ZEND_YIELD,       ZEND_ASSIGN,
	};
	static const unsigned char types[] = {IS_UNUSED, IS_CONST, IS_TMP_VAR, IS_VAR, IS_CV};
	for (zend_op *op = at(address); (uintptr_t)(op + 1) <= address + shape_size[CODE]; op++) {
		op->opcode = codes[few(sizeof(codes))];
		op->op2_type = types[few(5)];
		op->result_type = types[few(5)];
		op->op2.num = few(6);
		op->result.var = few(12) * (uint32_t)sizeof(zval);
		op->extended_value = few(2) ? ZEND_FREE_ON_RETURN : few(4);
	}
}

static void make_block(shape shape, uint64_t address)
{
	switch (shape) {
		case STRING: {
			zend_string *string = at(address);
			make_header(address, IS_STRING);
			string->h = 0;
			string->len = few((unsigned)(shape_size[STRING] - offsetof(zend_string, val)));
			string->val[string->len] = '\0';
			if (few(2)) {
				static const char *const names[] = {"ArrayObject",       "SplFixedArray",    "SplHeap",
													"SplPriorityQueue",  "SplObjectStorage", "SplDoublyLinkedList",
													"__iterator_wrapper"};
				const char *name = names[few(sizeof(names) / sizeof(names[0]))];
				string->len = strlen(name);
				memcpy(string->val, name, string->len + 1);
			}
			return;
		}
		case ARRAY:
			make_table(at(address));
			return;
		case TABLE:
			/* The walk may read it as values, as elements with keys, as instructions, as pointers. */
			for (uint64_t word = address; word < address + shape_size[TABLE]; word += sizeof(Bucket)) {
				Bucket *bucket = at(word);
				bucket->val = make_value();
				bucket->h = few(16);
				bucket->key = at(few(2) ? any(STRING) : 0);
			}
			return;
		case OBJECT:
			make_object(address, few(3) ? 0 : 4 + few(2), 5); /* WeakReference, WeakMap */
			return;
		case CONTAINER: {
			uint64_t *words = at(address);
			make_object(address + sizeof(HashTable), 0, 0);
			((zend_object *)at(address + sizeof(HashTable)))->handlers =
				at(engine.std_object_handlers + sizeof(zend_object_handlers));
			if (few(2)) {
				make_table(at(address));
			} else {
				words[0] = few(2) ? few(20) : any(ANYTHING);
				words[1] = any(TABLE);
			}
			return;
		}
		case CLOSURE:
			make_object(address, 1, 0);
			make_function(address + offsetof(xhprof_layout_closure, func));
			return;
		case GENERATOR: {
			zend_generator *generator = at(address);
			make_object(address, 2, 0);
			generator->execute_data = at(few(3) ? any(FRAME) : 0);
			generator->frozen_call_stack = at(few(3) ? 0 : any(FRAME));
			generator->node.children = few(3);
			return;
		}
		case FIBER: {
			zend_fiber *fiber = at(address);
			make_object(address, 3, 0);
			fiber->context.status = (zend_fiber_status)few(5);
			fiber->execute_data = at(any(FRAME));
			return;
		}
		case CLASS:
			make_class(address);
			return;
		case FUNCTION:
			make_function(address);
			return;
		case CODE:
			make_code(address);
			return;
		case FRAME:
			make_frame(address);
			return;
		case COUNTED: {
			static const uint32_t types[] = {IS_RESOURCE, IS_REFERENCE, IS_CONSTANT_AST};
			make_header(address, types[few(3)]);
			make_values(address + sizeof(zend_refcounted_h), 1);
			return;
		}
		default: {
			/* The beginning of an arena. */
			uint64_t *words = at(address), end = address + shape_size[ANYTHING];
			if (few(2)) {
				words[0] = end - few(100);
				words[1] = end;
				words[2] = few(3) ? any(ANYTHING) : 0;
			}
			return;
		}
	}
}

/* ---- The heap ---- */

static uint32_t add_run(uint32_t page, unsigned number)
{
	const xhprof_zmm_bin *bin = &xhprof_zmm_bins[number];
	uint32_t *map = at(CHUNK_AT + MAP);
	unsigned char *used = at(CHUNK_AT + MAP - XHPROF_ZMM_FREE_MAP);
	for (uint32_t i = 0; i < bin->pages; i++) {
		map[page + i] = (i ? 0xc0000000 | i << 16 : 0x80000000) | number;
		used[(page + i) / 8] |= (unsigned char)(1 << (page + i) % 8);
	}
	heap_size += (uint64_t)bin->count * bin->size;
	return page + bin->pages;
}

/* Every shape has runs of its own, all of their blocks in use. */
static void lay_out_heap(void)
{
	memset(at(CHUNK_AT), 0, PAGE);
	uint64_t *chunk = at(CHUNK_AT), *heap = at(CHUNK_AT + XHPROF_ZMM_HEAP_SLOT);
	uint32_t page = 1;
	heap_size = 0;
	chunk[0] = CHUNK_AT + XHPROF_ZMM_HEAP_SLOT;
	chunk[1] = chunk[2] = CHUNK_AT;
	*(unsigned char *)at(CHUNK_AT + MAP - XHPROF_ZMM_FREE_MAP) = 1;
	*(uint32_t *)at(CHUNK_AT + MAP) = 0x40000001;
	for (shape i = 0; i < SHAPES; i++) {
		unsigned number = 0;
		while (xhprof_zmm_bins[number].size < shape_size[i]) {
			number++;
		}
		runs[i] = CHUNK_AT + page * PAGE;
		run_bin[i] = number;
		run_blocks[i] = xhprof_zmm_bins[number].count;
		page = add_run(page, number);
	}
	/* Where either version of PHP has them. */
	uint32_t counts = few(2) ? XHPROF_ZMM_CHUNK_FREE_PAGES : XHPROF_ZMM_CHUNK_FREE_PAGES_LAST;
	*(uint32_t *)at(CHUNK_AT + counts) = XHPROF_ZMM_PAGES - page;
	*(uint32_t *)at(CHUNK_AT + counts + 4) = page;
	heap[2] = heap[3] = heap_size;
	heap[FREE_SLOT / 8 + XHPROF_ZMM_BINS] = heap[FREE_SLOT / 8 + XHPROF_ZMM_BINS + 1] = CHUNK;
	heap[HUGE_LIST / 8 + 1] = CHUNK_AT;
	heap[HUGE_LIST / 8 + 3] = 1;
}

static void make_blocks(void)
{
	for (uint64_t *word = at(runs[0]); word < (uint64_t *)at(runs[0] + runs_size()); word++) {
		*word = make_word();
	}
	for (shape i = 0; i < SHAPES; i++) {
		for (unsigned block = 0; block < run_blocks[i]; block++) {
			make_block(i, runs[i] + block * xhprof_zmm_bins[run_bin[i]].size);
		}
	}
}

static uint64_t variable(size_t size)
{
	uint64_t address = LIBRARY_AT + library_used;
	library_used += (size + 7) & ~(size_t)7;
	return address;
}

static void make_executor(void)
{
	zend_executor_globals *executor = at(engine.executor_globals);
	make_table(&executor->symbol_table);
	make_table(&executor->included_files);
	make_table(&executor->regular_list);
	make_table(&executor->persistent_list);
	executor->function_table = at(any(ARRAY));
	executor->class_table = at(any(ARRAY));
	executor->zend_constants = at(any(ARRAY));
	executor->modified_ini_directives = at(any(ARRAY));
	executor->current_execute_data = at(any(FRAME));
	executor->vm_stack = at(any(ANYTHING));
	executor->objects_store.object_buckets = at(any(TABLE));
	executor->objects_store.top = (int)few(100);
	executor->objects_store.size = 100;
	executor->user_error_handlers.size = sizeof(zval);
	executor->user_error_handlers.top = executor->user_error_handlers.max = (int)few(8);
	executor->user_error_handlers.elements = at(any(TABLE));
	zend_output_globals *output = at(engine.output_globals);
	output->handlers.size = sizeof(void *);
	output->handlers.top = output->handlers.max = (int)few(8);
	output->handlers.elements = at(any(ANYTHING));
	zend_compiler_globals *compiler = at(engine.compiler_globals);
	make_table(&compiler->interned_strings);
	compiler->arena = at(any(ANYTHING));
	compiler->ast_arena = at(any(ANYTHING));
	make_table(at(engine.module_registry));
	for (unsigned i = 0; i < 5; i++) {
		uint64_t classes[] = {engine.ce_closure, engine.ce_generator, engine.ce_fiber, engine.ce_weakref,
							  engine.ce_weakmap};
		*(uint64_t *)at(classes[i]) = runs[CLASS] + (i + 1) * xhprof_zmm_bins[run_bin[CLASS]].size;
	}
	zend_object_handlers *handlers = at(engine.std_object_handlers);
	handlers[0].offset = 0;
	handlers[1].offset = sizeof(HashTable);
}

static void make_library(void)
{
	for (uint64_t *word = at(LIBRARY_AT); word < (uint64_t *)at(LIBRARY_AT + LIBRARY_SIZE); word++) {
		*word = make_word();
	}
	library_used = 0;
	engine = (xhprof_engine){
		.executor_globals = variable(sizeof(zend_executor_globals)),
		.compiler_globals = variable(sizeof(zend_compiler_globals)),
		.sapi_globals = variable(sizeof(sapi_globals_struct)),
		.basic_globals = variable(sizeof(php_basic_globals)),
		.output_globals = variable(sizeof(zend_output_globals)),
		.core_globals = variable(sizeof(php_core_globals)),
		.file_globals = variable(sizeof(php_file_globals)),
		.scanner_globals = variable(sizeof(zend_php_scanner_globals)),
		.std_object_handlers = variable(2 * sizeof(zend_object_handlers)),
		.module_registry = variable(sizeof(HashTable)),
		.ce_closure = variable(8),
		.ce_generator = variable(8),
		.ce_fiber = variable(8),
		.ce_weakref = variable(8),
		.ce_weakmap = variable(8),
	};
}

/* Replaces words by others, except in the memory manager's structures. */
static void damage(unsigned words)
{
	for (; words > 0; words--) {
		uint64_t *word = at(few(4) ? runs[0] + (uint64_t)rand() % runs_size() / 8 * 8
								   : LIBRARY_AT + (uint64_t)rand() % LIBRARY_SIZE / 8 * 8);
		*word = few(2) ? make_word() : *word ^ UINT64_C(1) << few(64);
	}
}

/* ---- The walk ---- */

typedef struct emitted {
	uint64_t nodes, edges, bytes, sum;
	unsigned char types[XHPROF_HEAP_TYPE_COUNT];
} emitted;

/* Reads all of an emitted text: it must be readable. */
static void read_text(emitted *all, const char *text, size_t length)
{
	for (size_t i = 0; text && i < length; i++) {
		all->sum += (unsigned char)text[i];
	}
}

static void count_node(void *context, const xhprof_heap_node *node)
{
	emitted *all = context;
	all->nodes++;
	all->bytes += node->block;
	all->types[node->type] = 1;
	read_text(all, node->name, node->name_length);
	read_text(all, node->file, node->file_length);
	read_text(all, node->value, node->value_length);
}

static void count_edge(void *context, const xhprof_heap_edge *edge)
{
	emitted *all = context;
	all->edges++;
	read_text(all, edge->name, edge->name_length);
}

static bool copy_of(xhprof_reader *reader, uint64_t address, void *to, size_t size)
{
	if (!xhprof_reader_readable(reader, address, size)) {
		return false;
	}
	memcpy(to, at(address), size);
	return true;
}

/* Whether the walk accounted for all blocks. */
static bool walk_accounts_for_all_blocks(xhprof_reader *reader, emitted *all)
{
	static const xhprof_siphash_key key = {{1, 2}};
	static const xhprof_walk_options options = {.max_string = 40, .hash_key = &key, .scalars = true, .native = true};
	xhprof_heap_visitor visitor = {.context = all, .node = count_node, .edge = count_edge};
	xhprof_zmm zmm;
	xhprof_walk_result result;
	const char *error = xhprof_zmm_open(&zmm, reader, CHUNK_AT + XHPROF_ZMM_HEAP_SLOT, 0, false);
	if (error) {
		printf("# %s\n", error);
		return false;
	}
	all->bytes = all->nodes = all->edges = all->sum = 0;
	error = xhprof_walk(&zmm, &engine, &options, &visitor, &result);
	xhprof_zmm_close(&zmm);
	return !error && all->bytes == heap_size && result.nodes == all->nodes && result.edges == all->edges &&
		   result.typed_bytes + result.native_bytes + result.unreachable_bytes == heap_size;
}

static void count_leaf(void *context, uint64_t block, xhprof_heap_type type)
{
	emitted *all = context;
	all->sum += *(const unsigned char *)at(block);
	all->types[type] = 1;
}

/* The types alone: with any memory it ends, and emits no more blocks than exist. */
static bool walk_emits_types_of_existing_blocks(xhprof_reader *reader, emitted *all)
{
	static const xhprof_walk_options options = {.types_only = true};
	xhprof_heap_visitor visitor = {.context = all, .node = count_node, .edge = count_edge, .leaf = count_leaf};
	xhprof_zmm zmm;
	xhprof_walk_result result;
	const char *error = xhprof_zmm_open(&zmm, reader, CHUNK_AT + XHPROF_ZMM_HEAP_SLOT, 0, false);
	if (error) {
		return false;
	}
	all->bytes = 0;
	error = xhprof_walk(&zmm, &engine, &options, &visitor, &result);
	xhprof_zmm_close(&zmm);
	return !error && all->bytes <= heap_size;
}

static bool map_at(uint64_t address, uint64_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
	/* Between unreadable pages. */
	if (mmap(at(address - PAGE), size + 2 * PAGE, PROT_NONE, flags, -1, 0) != at(address - PAGE)) {
		return false;
	}
	/* What the sanitizer knows of the address space depends on where the stack is. */
	return mprotect(at(address), size, PROT_READ | PROT_WRITE) == 0 && !__asan_region_is_poisoned(at(address), size);
}

int main(void)
{
	static const xhprof_region regions[] = {
		{CHUNK_AT, CHUNK_AT + CHUNK, XHPROF_REGION_ANON, true, 0},
		{LIBRARY_AT, LIBRARY_AT + LIBRARY_SIZE, XHPROF_REGION_LIBRARY, true, 1},
	};
	if (!map_at(CHUNK_AT, CHUNK) || !map_at(LIBRARY_AT, LIBRARY_SIZE)) {
		printf("1..0 # skip these addresses are in use, or unknown to the sanitizer\n");
		return 0;
	}
	unsigned wrong = 0, different = 0, types = 0;
	emitted in_place = {0}, copied = {0}, only = {0};
	srand(3);
	for (int round = 0; round < ROUNDS; round++) {
		static const unsigned damages[] = {0, 10, 300, 3000};
		xhprof_reader reader = {
			.regions = regions, .region_count = 2, .names = "\0/usr/lib/libphp.so", .copy = copy_of};
		lay_out_heap();
		make_library();
		make_blocks();
		make_executor();
		damage(damages[round % 4]);
		wrong += !walk_accounts_for_all_blocks(&reader, &copied);
		reader.in_place = true;
		wrong += !walk_accounts_for_all_blocks(&reader, &in_place);
		wrong += !walk_emits_types_of_existing_blocks(&reader, &only);
		different += in_place.nodes != copied.nodes || in_place.edges != copied.edges || in_place.sum != copied.sum;
	}
	CHECK(library_used <= LIBRARY_SIZE);
	CHECK(wrong == 0);
	CHECK(different == 0);
	CHECK(only.types[XHPROF_HEAP_STRING] && only.types[XHPROF_HEAP_ARRAY_TABLE] &&
		  !only.types[XHPROF_HEAP_UNREACHABLE]);
	for (int type = 0; type < XHPROF_HEAP_TYPE_COUNT; type++) {
		types += in_place.types[type];
	}
	CHECK(types == XHPROF_HEAP_TYPE_COUNT);
	return unit_end();
}
