#include "block_types.h"

#include "compat/values.h"

#include "php_globals.h"
#include "php_variables.h"
#include "zend_fibers.h"
#include "zend_generators.h"

/* Which addresses have been met: a bit for each granule that a block can begin at, in maps of one chunk each. */
#define GRANULE_BITS 3
#define CHUNK_BITS 21
#define CHUNK_WORDS (1u << (CHUNK_BITS - GRANULE_BITS - 6))
#define RECENT_CHUNKS 64

/* What waits on the stack: tables, and functions, which this bit tells. */
#define IS_CODE ((uintptr_t)1)
#define FIRST_STACK 4096

#define KNOWN_HANDLERS 32

/* Copies of objects for their handlers to look at. */
#define SCRATCH ((size_t)64 * 1024)

typedef struct block_walk {
	xhprof_alloc_types *types;
	void (*found)(void *context, const void *block, uint16_t type);
	void *context;
	bool failed; /* no memory */

	xhprof_arena arena;
	xhprof_table maps; /* number of the chunk + 1 -> its bits */
	struct {
		uintptr_t number;
		uint64_t *bits;
	} recent[RECENT_CHUNKS];

	uintptr_t *stack;
	size_t depth, capacity;

	const zend_execute_data *unsettled; /* a frame in the middle of something, or NULL */
	const zend_class_entry *last_class;
	uint16_t last_type;
	const zend_object_handlers *handlers[KNOWN_HANDLERS]; /* that have been looked at */
	size_t handlers_count;
	char *scratch;
} block_walk;

/* Which of a frame's temporary values are there to be read. */
typedef enum temporaries {
	TEMPORARIES_NONE, /* not known: what the function does just now may not have been noted */
	TEMPORARIES_OF_CALL,
	TEMPORARIES_OF_GENERATOR /* its next instruction is not told from the last one */
} temporaries;

static uint64_t *chunk_bits(block_walk *walk, uintptr_t number)
{
	uint64_t *bits = xhprof_table_find(&walk->maps, number + 1);
	if (!bits) {
		bits = xhprof_arena_alloc(&walk->arena, CHUNK_WORDS * sizeof(*bits), 64);
		if (!bits || !xhprof_table_put(&walk->maps, number + 1, bits)) {
			walk->failed = true;
			return NULL;
		}
	}
	walk->recent[number % RECENT_CHUNKS].number = number;
	walk->recent[number % RECENT_CHUNKS].bits = bits;
	return bits;
}

/* True once for each address, and never without memory. */
static zend_always_inline bool first_time(block_walk *walk, const void *block)
{
	uintptr_t address = (uintptr_t)block;
	uintptr_t number = address >> CHUNK_BITS;
	uint64_t *bits = walk->recent[number % RECENT_CHUNKS].bits;
	if (UNEXPECTED(!bits || walk->recent[number % RECENT_CHUNKS].number != number)) {
		bits = chunk_bits(walk, number);
		if (!bits) {
			return false;
		}
	}
	uintptr_t granule = (address & (((uintptr_t)1 << CHUNK_BITS) - 1)) >> GRANULE_BITS;
	uint64_t bit = UINT64_C(1) << (granule & 63);
	bool first = !(bits[granule >> 6] & bit);
	bits[granule >> 6] |= bit;
	return first;
}

static zend_always_inline void tell(block_walk *walk, const void *block, uint16_t type)
{
	walk->found(walk->context, block, type);
}

static void push(block_walk *walk, uintptr_t entry)
{
	if (walk->depth == walk->capacity &&
		!xhprof_pages_double((void **)&walk->stack, sizeof(*walk->stack), &walk->capacity, FIRST_STACK)) {
		walk->failed = true;
		return;
	}
	walk->stack[walk->depth++] = entry;
}

/* The slots of a table, which itself is no block, or has been told. */
static zend_always_inline void see_slots(block_walk *walk, const HashTable *table, uint16_t type)
{
	if (!(HT_FLAGS(table) & HASH_FLAG_UNINITIALIZED)) {
		tell(walk, HT_GET_DATA_ADDR(table), type);
		if (table->nNumUsed) {
			push(walk, (uintptr_t)table);
		}
	}
}

/* One that nobody refers to is being destroyed, piece by piece. */
static zend_always_inline void see_array(block_walk *walk, const zend_array *array)
{
	if (!first_time(walk, array) || (GC_FLAGS(array) & GC_IMMUTABLE) || GC_TYPE(array) != IS_ARRAY ||
		!GC_REFCOUNT(array)) {
		return;
	}
	tell(walk, array, XHPROF_TYPE_ARRAY);
	see_slots(walk, array, XHPROF_TYPE_ARRAY);
}

static zend_always_inline void see_string(block_walk *walk, const zend_string *string)
{
	if (first_time(walk, string)) {
		tell(walk, string, XHPROF_TYPE_STRING);
	}
}

/* Objects are not followed: all are in the engine's list of them. */
static zend_always_inline void see(block_walk *walk, const zval *value)
{
	for (;;) {
		switch (Z_TYPE_P(value)) {
			case IS_STRING:
				if (Z_REFCOUNTED_P(value)) {
					see_string(walk, Z_STR_P(value));
				}
				return;
			case IS_ARRAY:
				if (Z_REFCOUNTED_P(value)) {
					see_array(walk, Z_ARR_P(value));
				}
				return;
			case IS_REFERENCE:
				if (!first_time(walk, Z_REF_P(value)) || !GC_REFCOUNT(Z_REF_P(value))) {
					return;
				}
				tell(walk, Z_REF_P(value), XHPROF_TYPE_REFERENCE);
				value = Z_REFVAL_P(value);
				break;
			case IS_INDIRECT:
				value = Z_INDIRECT_P(value);
				break;
			default:
				return;
		}
	}
}

static void see_all(block_walk *walk, const zval *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		see(walk, &values[i]);
	}
}

static void scan_table(block_walk *walk, const HashTable *table)
{
	if (xhprof_compat_array_is_packed(table)) {
		see_all(walk, table->arPacked, table->nNumUsed);
		return;
	}
	bool keys = !(HT_FLAGS(table) & HASH_FLAG_STATIC_KEYS);
	for (const Bucket *bucket = table->arData, *end = bucket + table->nNumUsed; bucket != end; bucket++) {
		if (Z_TYPE(bucket->val) == IS_UNDEF) {
			continue; /* its key is gone */
		}
		if (keys && bucket->key) {
			see_string(walk, bucket->key);
		}
		see(walk, &bucket->val);
	}
}

/* Static variables, constants in the code, and the closures in it: what a function holds while it does not run. */
static void see_code(block_walk *walk, const zend_op_array *code)
{
	if (!(code->fn_flags & ZEND_ACC_DONE_PASS_TWO)) {
		return; /* still being compiled */
	}
	if (code->static_variables) {
		see_array(walk, code->static_variables);
		const HashTable *variables = ZEND_MAP_PTR_GET(code->static_variables_ptr);
		if (variables) {
			see_array(walk, variables);
		}
	}
	if ((code->last_literal || code->num_dynamic_func_defs) && first_time(walk, code->opcodes)) {
		push(walk, (uintptr_t)code | IS_CODE);
	}
}

static void scan_code(block_walk *walk, const zend_op_array *code)
{
	see_all(walk, code->literals, code->last_literal > 0 ? (size_t)code->last_literal : 0);
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		see_code(walk, code->dynamic_func_defs[i]);
	}
}

/* Reads all that waits, so that little does. */
static void drain(block_walk *walk)
{
	while (walk->depth && !walk->failed) {
		uintptr_t entry = walk->stack[--walk->depth];
		if (entry & IS_CODE) {
			scan_code(walk, (const zend_op_array *)(entry & ~IS_CODE));
		} else {
			scan_table(walk, (const HashTable *)entry);
		}
	}
}

/* A return or break out of loops frees what they go through one by one, early. */
static bool leaves_loops(const zend_op *instruction)
{
	switch (instruction->opcode) {
		case ZEND_FREE:
		case ZEND_FE_FREE:
			return instruction->extended_value & ZEND_FREE_ON_RETURN;
		case ZEND_DISCARD_EXCEPTION:
		case ZEND_FAST_CALL:
		case ZEND_JMP:
		case ZEND_RETURN:
		case ZEND_RETURN_BY_REF:
		case ZEND_GENERATOR_RETURN:
			return true;
		default:
			return false;
	}
}

/* As the engine finds them when it throws an exception. */
static void see_temporaries(block_walk *walk, const zend_execute_data *frame, temporaries which)
{
	const zend_op_array *code = &frame->func->op_array;
	if (which == TEMPORARIES_NONE || frame->opline < code->opcodes || frame->opline >= code->opcodes + code->last ||
		leaves_loops(frame->opline)) {
		return;
	}
	uint32_t at = (uint32_t)(frame->opline - code->opcodes);
	uint32_t since = which == TEMPORARIES_OF_GENERATOR && at ? at - 1 : at;
	for (int i = 0; i < code->last_live_range && code->live_range[i].start <= since; i++) {
		const zend_live_range *range = &code->live_range[i];
		uint32_t kind = range->var & ZEND_LIVE_MASK;
		if (at < range->end && (kind == ZEND_LIVE_TMPVAR || kind == ZEND_LIVE_LOOP)) {
			see(walk, ZEND_CALL_VAR(frame, range->var & ~ZEND_LIVE_MASK));
		}
	}
}

static void see_frame(block_walk *walk, zend_execute_data *frame, temporaries which)
{
	const zend_function *function = frame->func;
	if (!function || !first_time(walk, frame)) {
		return;
	}
	uint32_t info = ZEND_CALL_INFO(frame);
	if (!ZEND_USER_CODE(function->type)) {
		see_all(walk, ZEND_CALL_ARG(frame, 1), ZEND_CALL_NUM_ARGS(frame));
	} else if (function->common.fn_flags & ZEND_ACC_DONE_PASS_TWO) {
		const zend_op_array *code = &function->op_array;
		if (info & ZEND_CALL_HAS_SYMBOL_TABLE) {
			/* The table leads to the variables, which may be another frame's by now: an included file's. While it is
			 * made or changes hands, neither can be relied on. */
			if (frame != walk->unsettled) {
				see_array(walk, frame->symbol_table);
			}
		} else {
			see_all(walk, ZEND_CALL_VAR_NUM(frame, 0), (size_t)code->last_var);
		}
		if (info & ZEND_CALL_FREE_EXTRA_ARGS) {
			see_all(walk, ZEND_CALL_VAR_NUM(frame, code->last_var + code->T),
					ZEND_CALL_NUM_ARGS(frame) - code->num_args);
		}
		see_temporaries(walk, frame, info & ZEND_CALL_GENERATOR ? TEMPORARIES_OF_GENERATOR : which);
		see_code(walk, code);
	} else {
		return; /* a stand-in for __call() */
	}
	if (info & ZEND_CALL_HAS_EXTRA_NAMED_PARAMS) {
		see_array(walk, frame->extra_named_params);
	}
}

static void see_generator(block_walk *walk, const zend_generator *generator, uint16_t type)
{
	if (generator->execute_data) {
		tell(walk, generator->execute_data, type);
		/* One that runs is among the calls, unless a fatal error has ended it wherever it was. */
		if (!(generator->flags & ZEND_GENERATOR_CURRENTLY_RUNNING)) {
			see_frame(walk, generator->execute_data, TEMPORARIES_OF_GENERATOR);
		}
	}
	if (generator->frozen_call_stack) {
		tell(walk, generator->frozen_call_stack, type);
	}
	see(walk, &generator->value);
	see(walk, &generator->key);
	see(walk, &generator->retval);
	see(walk, &generator->values);
}

static void see_fiber(block_walk *walk, const zend_fiber *fiber, uint16_t type)
{
	zend_fiber_status status = fiber->context.status;
	if (fiber->stack_bottom && (status == ZEND_FIBER_STATUS_RUNNING || status == ZEND_FIBER_STATUS_SUSPENDED)) {
		tell(walk, (zval *)fiber->stack_bottom - ZEND_VM_STACK_HEADER_SLOTS, type);
		tell(walk, fiber->context.stack, type);
	}
	/* The frames of one that runs are below the current one. */
	for (zend_execute_data *frame = status == ZEND_FIBER_STATUS_SUSPENDED ? fiber->execute_data : NULL; frame;
		 frame = frame->prev_execute_data) {
		see_frame(walk, frame, TEMPORARIES_OF_CALL);
	}
	see(walk, &fiber->result);
}

static void see_closure(block_walk *walk, zend_object *object, uint16_t type)
{
	const zend_function *function = zend_get_closure_method_def(object);
	if (function->type == ZEND_USER_FUNCTION) {
		see_code(walk, &function->op_array);
		if (function->common.fn_flags & ZEND_ACC_HEAP_RT_CACHE) {
			tell(walk, ZEND_MAP_PTR(function->op_array.run_time_cache), type);
		}
	}
}

/* What these handlers return besides, the table of all properties, they would make if there was none: they get to see a
 * copy of the object that has one. */
static void see_values_of(block_walk *walk, const zend_object *object, uint16_t type)
{
	size_t own = (size_t)object->handlers->offset;
	size_t size = own + sizeof(zend_object) + zend_object_properties_size(object->ce);
	if (size > SCRATCH || (!walk->scratch && !(walk->scratch = xhprof_pages_map(SCRATCH)))) {
		return;
	}
	memcpy(walk->scratch, (const char *)object - own, size);
	zend_object *copy = (zend_object *)(walk->scratch + own);
	if (!copy->properties) {
		copy->properties = (zend_array *)&zend_empty_array;
	}
	zval *values = NULL;
	int count = 0;
	copy->handlers->get_gc(copy, &values, &count);
	if ((char *)values < walk->scratch || (char *)values >= walk->scratch + SCRATCH) {
		tell(walk, values, type);
	}
	see_all(walk, values, count > 0 ? (size_t)count : 0);
}

static void see_stored(block_walk *walk, const zval *value, uint16_t type)
{
	if (Z_TYPE_P(value) != IS_PTR) {
		see(walk, value);
		return;
	}
	const xhprof_compat_storage_element *element = Z_PTR_P(value);
	if (element) {
		tell(walk, element, type);
		see(walk, &element->info);
	}
}

static void see_storage(block_walk *walk, const HashTable *table, uint16_t type)
{
	if (GC_TYPE(table) != IS_ARRAY || (HT_FLAGS(table) & HASH_FLAG_UNINITIALIZED)) {
		return;
	}
	tell(walk, HT_GET_DATA_ADDR(table), type);
	bool packed = xhprof_compat_array_is_packed(table);
	for (uint32_t i = 0; i < table->nNumUsed; i++) {
		see_stored(walk, packed ? &table->arPacked[i] : &table->arData[i].val, type);
	}
}

static void see_list(block_walk *walk, const xhprof_compat_list *list, uint16_t type)
{
	if (!list) {
		return;
	}
	tell(walk, list, type);
	for (const xhprof_compat_list_element *element = list->head; element && !walk->failed; element = element->next) {
		tell(walk, element, type);
		see(walk, &element->value);
	}
}

/* What an object of the engine's or an extension's class holds beyond its properties, where that is known. */
static void see_internals(block_walk *walk, zend_object *object, const void *block, uint16_t type)
{
	if (object->ce == zend_ce_closure) {
		see_closure(walk, object, type);
	} else if (object->ce == zend_ce_generator) {
		see_generator(walk, (const zend_generator *)object, type);
	} else if (object->ce == zend_ce_fiber) {
		see_fiber(walk, (const zend_fiber *)object, type);
	} else if (object->handlers->offset) {
		switch (xhprof_compat_container(object->ce)) {
			case XHPROF_CONTAINER_HEAP:
				if (!*(void *const *)block) {
					break;
				}
				tell(walk, *(void *const *)block, type);
				ZEND_FALLTHROUGH;
			case XHPROF_CONTAINER_VALUES:
				see_values_of(walk, object, type);
				break;
			case XHPROF_CONTAINER_TABLE:
				see_storage(walk, block, type);
				break;
			case XHPROF_CONTAINER_LIST:
				see_list(walk, *(const xhprof_compat_list *const *)block, type);
				break;
			default:
				break;
		}
	}
}

static bool has_handlers(block_walk *walk, const zend_object *object)
{
	for (size_t i = 0; i < walk->handlers_count; i++) {
		if (walk->handlers[i] == object->handlers) {
			return true;
		}
	}
	bool are = xhprof_compat_are_handlers(object->handlers);
	if (are && walk->handlers_count < KNOWN_HANDLERS) {
		walk->handlers[walk->handlers_count++] = object->handlers;
	}
	return are;
}

static void see_object(block_walk *walk, zend_object *object)
{
	zend_class_entry *class_entry = object->ce;
	if (object->handlers != &std_object_handlers && !has_handlers(walk, object)) {
		return; /* being made */
	}
	if (class_entry != walk->last_class) {
		walk->last_class = class_entry;
		walk->last_type = xhprof_alloc_types_class(walk->types, class_entry, ZSTR_VAL(class_entry->name),
												   ZSTR_LEN(class_entry->name));
	}
	uint16_t type = walk->last_type;
	const char *block = (const char *)object - object->handlers->offset;
	tell(walk, block, type);
	if (OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED) {
		return;
	}
	/* One more for what __get() and its like have under way. */
	see_all(walk, object->properties_table,
			(size_t)class_entry->default_properties_count + (class_entry->ce_flags & ZEND_ACC_USE_GUARDS ? 1 : 0));
	if (object->properties) {
		see_array(walk, object->properties);
	}
	if (object->handlers != &std_object_handlers) {
		see_internals(walk, object, block, type);
	}
}

static void see_objects(block_walk *walk)
{
	const zend_objects_store *store = &EG(objects_store);
	if (!store->object_buckets) {
		return;
	}
	tell(walk, store->object_buckets, xhprof_alloc_types_other(walk->types, "list of objects"));
	for (uint32_t i = 1; i < store->top && !walk->failed; i++) {
		if (IS_OBJ_VALID(store->object_buckets[i])) {
			see_object(walk, store->object_buckets[i]);
			drain(walk);
		}
	}
}

static bool is_ours(const zend_execute_data *frame)
{
	return frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION &&
		   frame->func->internal_function.module &&
		   !strcmp(frame->func->internal_function.module->name, xhprof_module_entry.name);
}

static void see_calls(block_walk *walk)
{
	uint16_t type = xhprof_alloc_types_other(walk->types, "stack of calls");
	for (const struct _zend_vm_stack *page = EG(vm_stack); page; page = page->prev) {
		tell(walk, page, type);
	}
	/* Below a function of ours, all is settled. Else memory_limit is reached, and the uppermost PHP code may be anywhere. */
	zend_execute_data *frame = EG(current_execute_data);
	if (!is_ours(frame)) {
		walk->unsettled = frame;
		while (walk->unsettled && (!walk->unsettled->func || !ZEND_USER_CODE(walk->unsettled->func->type))) {
			walk->unsettled = walk->unsettled->prev_execute_data;
		}
	}
	for (; frame && !walk->failed; frame = frame->prev_execute_data) {
		/* Code that waits for a call has noted where it is. */
		see_frame(walk, frame, frame == EG(current_execute_data) ? TEMPORARIES_NONE : TEMPORARIES_OF_CALL);
		drain(walk);
	}
}

static void see_keys(block_walk *walk, HashTable *table)
{
	zend_string *key;
	ZEND_HASH_MAP_FOREACH_STR_KEY(table, key)
	{
		if (key) {
			see_string(walk, key);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void see_globals(block_walk *walk)
{
	see_slots(walk, &EG(symbol_table), XHPROF_TYPE_ARRAY);
	see_all(walk, PG(http_globals), NUM_TRACK_VARS);
	see(walk, &EG(user_error_handler));
	see(walk, &EG(user_exception_handler));
	for (zend_array **cached = EG(symtable_cache); cached < EG(symtable_cache_ptr); cached++) {
		see_array(walk, *cached); /* kept empty for the next extract() */
	}
	drain(walk);
	see_keys(walk, &CG(interned_strings)); /* those that exist once and are shared by whatever has such a string */
	see_keys(walk, &EG(included_files));
}

static void see_constants(block_walk *walk)
{
	const zend_constant *constant;
	ZEND_HASH_MAP_FOREACH_PTR(EG(zend_constants), constant) {
		see(walk, &constant->value);
	}
	ZEND_HASH_FOREACH_END();
	drain(walk);
}

static void see_functions(block_walk *walk, HashTable *functions)
{
	const zend_function *function;
	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		if (function->type == ZEND_USER_FUNCTION) {
			see_code(walk, &function->op_array);
		}
	}
	ZEND_HASH_FOREACH_END();
	drain(walk);
}

static void see_class_constants(block_walk *walk, HashTable *constants)
{
	const zend_class_constant *constant;
	ZEND_HASH_MAP_FOREACH_PTR(constants, constant) {
		see(walk, &constant->value);
	}
	ZEND_HASH_FOREACH_END();
}

static void see_hook(zend_function *function, void *walk)
{
	if (function->type == ZEND_USER_FUNCTION) {
		see_code(walk, &function->op_array);
	}
}

static void see_class(block_walk *walk, zend_class_entry *class_entry)
{
	const zval *members = class_entry->default_static_members_count && ZEND_MAP_PTR(class_entry->static_members_table)
							  ? CE_STATIC_MEMBERS(class_entry)
							  : NULL;
	if (members) {
		see_all(walk, members, (size_t)class_entry->default_static_members_count);
	}
	if (class_entry->type != ZEND_USER_CLASS || !(class_entry->ce_flags & ZEND_ACC_LINKED)) {
		return;
	}
	size_t properties = (size_t)class_entry->default_properties_count;
	see_all(walk, class_entry->default_properties_table, properties);
	see_all(walk, class_entry->default_static_members_table, (size_t)class_entry->default_static_members_count);
	see_class_constants(walk, &class_entry->constants_table);
	const zend_class_mutable_data *own = xhprof_compat_own_data(class_entry);
	if (own && own->default_properties_table) {
		see_all(walk, own->default_properties_table, properties);
	}
	if (own && own->constants_table) {
		see_class_constants(walk, own->constants_table);
	}
	xhprof_compat_each_property_hook(class_entry, see_hook, walk);
	see_functions(walk, &class_entry->function_table);
}

static void see_classes(block_walk *walk)
{
	zval *entry;
	ZEND_HASH_MAP_FOREACH_VAL(EG(class_table), entry)
	{
		if (Z_TYPE_P(entry) == IS_PTR) { /* no alias */
			see_class(walk, Z_PTR_P(entry));
		}
	}
	ZEND_HASH_FOREACH_END();
}

void xhprof_block_types_walk(xhprof_alloc_types *types, void (*found)(void *context, const void *block, uint16_t type),
							 void *context)
{
	block_walk walk = {.types = types, .found = found, .context = context};
	/* Calls first: their frames, once met, are not taken for those of suspended generators. */
	see_calls(&walk);
	see_globals(&walk);
	see_objects(&walk);
	see_constants(&walk);
	see_functions(&walk, EG(function_table));
	see_classes(&walk);
	drain(&walk);
	xhprof_pages_unmap(walk.stack, walk.capacity * sizeof(*walk.stack));
	xhprof_pages_unmap(walk.scratch, SCRATCH);
	xhprof_table_release(&walk.maps);
	xhprof_arena_release(&walk.arena);
}
