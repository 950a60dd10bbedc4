#include "walk_frames.h"
#include "walk_parts.h"

#include "zend_vm_opcodes.h"

#define MAX_FRAMES ((uint64_t)1 << 22)
#define MAX_PAGES 65536
#define MAX_PREPARED 64
#define MAX_RANGES 65536
#define MAX_ARGUMENTS ((uint64_t)1 << 24)

/* ---- Calls in preparation ---- */

typedef enum role {
	ROLE_NONE,
	ROLE_BEGINS_CALL,
	ROLE_MAKES_CALL,
	ROLE_PASSES_ONE,
	ROLE_PASSES_SOME, /* the call itself records how many */
} role;

static role role_of(const zend_op *instruction)
{
	switch (instruction->opcode) {
		case ZEND_INIT_FCALL:
		case ZEND_INIT_FCALL_BY_NAME:
		case ZEND_INIT_NS_FCALL_BY_NAME:
		case ZEND_INIT_DYNAMIC_CALL:
		case ZEND_INIT_USER_CALL:
		case ZEND_INIT_METHOD_CALL:
		case ZEND_INIT_STATIC_METHOD_CALL:
#ifdef ZEND_INIT_PARENT_PROPERTY_HOOK_CALL
		case ZEND_INIT_PARENT_PROPERTY_HOOK_CALL:
#endif
		case ZEND_NEW:
			return ROLE_BEGINS_CALL;
		case ZEND_DO_FCALL:
		case ZEND_DO_ICALL:
		case ZEND_DO_UCALL:
		case ZEND_DO_FCALL_BY_NAME:
		case ZEND_CALLABLE_CONVERT:
			return ROLE_MAKES_CALL;
		case ZEND_SEND_VAL:
		case ZEND_SEND_VAL_EX:
		case ZEND_SEND_VAR:
		case ZEND_SEND_VAR_EX:
		case ZEND_SEND_FUNC_ARG:
		case ZEND_SEND_REF:
		case ZEND_SEND_VAR_NO_REF:
		case ZEND_SEND_VAR_NO_REF_EX:
		case ZEND_SEND_USER:
			return instruction->op2_type == IS_CONST ? ROLE_PASSES_SOME : ROLE_PASSES_ONE; /* by name: the former */
		case ZEND_SEND_ARRAY:
		case ZEND_SEND_UNPACK:
		case ZEND_CHECK_UNDEF_ARGS:
			return ROLE_PASSES_SOME;
		default:
			return ROLE_NONE;
	}
}

/* Returns the number of arguments already passed to a call when the code is at instruction `*at`, which is moved to the
 * one before the call began. Calls made within it, or begun after it, are skipped. */
static uint64_t passed_arguments(xhprof_walker *walker, const zend_op_array *code, int64_t *at, uint64_t max)
{
	uint64_t passed = 0;
	bool known = false;
	for (int64_t level = 0; *at >= 0; --*at) {
		XHPROF_WALKER_LOAD(walker, zend_op, instruction, (xhprof_addr)code->opcodes + (uint64_t)*at * sizeof(zend_op));
		if (!instruction) {
			return 0;
		}
		role is = role_of(instruction);
		if (is == ROLE_MAKES_CALL) {
			level++;
		} else if (is == ROLE_BEGINS_CALL && level-- == 0) {
			--*at;
			return passed;
		} else if (!known && level == 0 && (is == ROLE_PASSES_ONE || is == ROLE_PASSES_SOME)) {
			passed = is == ROLE_PASSES_ONE && instruction->op2.num < max ? instruction->op2.num : max;
			known = true;
		}
	}
	return 0;
}

/* Visits calls in preparation. `calls`: the latest one first. */
static void visit_prepared(xhprof_walker *walker, const zend_op_array *code, int64_t at, const uint64_t *calls,
						   size_t count)
{
	XHPROF_WALKER_LOAD(walker, zend_op, instruction, (xhprof_addr)code->opcodes + (uint64_t)at * sizeof(zend_op));
	if (at >= 0 && instruction && role_of(instruction) == ROLE_BEGINS_CALL) {
		at--; /* its call has not begun */
	}
	for (size_t i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zend_execute_data, call, calls[i]);
		uint64_t passed = call && at >= 0 ? passed_arguments(walker, code, &at, ZEND_CALL_NUM_ARGS(call)) : 0;
		xhprof_walker_refer(walker, XHPROF_PART("call in preparation"), XHPROF_VISIT_FRAME, calls[i],
							XHPROF_FRAME_IN_PREPARATION + passed * XHPROF_FRAME_PLACES);
	}
}

static size_t collect_calls(xhprof_walker *walker, const void *first, uint64_t *calls)
{
	size_t count = 0;
	for (xhprof_addr call = (xhprof_addr)first; call && count < MAX_PREPARED; count++) {
		calls[count] = call;
		call = xhprof_walker_pointer(walker, call + offsetof(zend_execute_data, prev_execute_data));
	}
	return count;
}

/* ---- Code of a frame ---- */

/* Returns the index of the instruction that a frame is at, or -1. */
static int64_t instruction_of(const zend_execute_data *frame, const zend_op_array *code, xhprof_frame_place place)
{
	xhprof_addr from = (xhprof_addr)code->opcodes, at = (xhprof_addr)frame->opline;
	if (at < from || at - from >= (uint64_t)code->last * sizeof(zend_op) || (at - from) % sizeof(zend_op)) {
		return -1;
	}
	int64_t index = (int64_t)((at - from) / sizeof(zend_op));
	return place == XHPROF_FRAME_OF_GENERATOR ? index - XHPROF_LAYOUT_BEHIND_YIELD : index;
}

static uint32_t line_of(xhprof_walker *walker, const zend_execute_data *frame, const zend_op_array *code,
						xhprof_frame_place place)
{
	int64_t at = instruction_of(frame, code, place);
	xhprof_addr address = (xhprof_addr)code->opcodes + (uint64_t)at * sizeof(zend_op);
	if (at < 0) {
		/* An exception has been thrown. */
		address = xhprof_walker_pointer(walker, walker->engine->executor_globals +
													offsetof(zend_executor_globals, opline_before_exception));
		zend_execute_data before = *frame;
		before.opline = (const zend_op *)address;
		if (!address || instruction_of(&before, code, XHPROF_FRAME_CURRENT) < 0) {
			return 0;
		}
	}
	XHPROF_WALKER_LOAD(walker, zend_op, instruction, address);
	return instruction ? instruction->lineno : 0;
}

/* Returns whether an opcode belongs to a return or break out of loops, which frees their iterated values early, one by
 * one. */
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

/* Visits temporaries that are still live, found as the engine finds them when it throws an exception. */
static void visit_temporaries(xhprof_walker *walker, uint64_t frame, const zend_op_array *code, int64_t at,
							  xhprof_frame_place place, uint64_t slots)
{
	XHPROF_WALKER_LOAD(walker, zend_op, instruction, (xhprof_addr)code->opcodes + (uint64_t)at * sizeof(zend_op));
	if (!instruction || (place == XHPROF_FRAME_OF_CALL && leaves_loops(instruction))) {
		return;
	}
	int count = code->last_live_range < MAX_RANGES ? code->last_live_range : MAX_RANGES;
	for (int i = 0; i < count; i++) {
		XHPROF_WALKER_LOAD(walker, zend_live_range, range,
						   (xhprof_addr)code->live_range + (uint64_t)i * sizeof(zend_live_range));
		if (!range || range->start > (uint64_t)at) {
			return;
		}
		uint32_t kind = range->var & ZEND_LIVE_MASK;
		uint64_t offset = range->var & ~(uint32_t)ZEND_LIVE_MASK;
		if ((uint64_t)at >= range->end || (kind != ZEND_LIVE_TMPVAR && kind != ZEND_LIVE_LOOP) ||
			offset / sizeof(zval) >= slots) {
			continue;
		}
		XHPROF_WALKER_LOAD(walker, zval, value, frame + offset);
		if (value) {
			xhprof_walker_zval(
				walker, XHPROF_NAMED(kind == ZEND_LIVE_LOOP ? XHPROF_TEXT("(loop)") : XHPROF_TEXT("(temporary)")),
				value);
		}
	}
}

static void visit_variables(xhprof_walker *walker, uint64_t frame, const zend_op_array *code)
{
	uint64_t from = frame + ZEND_CALL_FRAME_SLOT * sizeof(zval);
	for (int i = 0; i < code->last_var && xhprof_walker_may_continue(walker); i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, zval, value, from + (uint64_t)i * sizeof(zval));
		if (Z_TYPE_P(value) == IS_UNDEF) {
			continue;
		}
		xhprof_addr name = xhprof_walker_pointer(walker, (xhprof_addr)code->vars + (uint64_t)i * sizeof(void *));
		xhprof_text text = xhprof_walker_text(walker, name);
		xhprof_walker_zval(walker, text.bytes ? XHPROF_NAMED(text) : XHPROF_INDEX(i), value);
	}
}

/* ---- Frames ---- */

static void visit_symbol_table(xhprof_walker *walker, const zend_execute_data *frame)
{
	xhprof_addr table = (xhprof_addr)frame->symbol_table;
	if (table == walker->engine->executor_globals + offsetof(zend_executor_globals, symbol_table)) {
		xhprof_walker_edge(walker, XHPROF_WEAK(XHPROF_TEXT("symbol table")), XHPROF_HEAP_ROOT_GLOBALS);
	} else {
		xhprof_walker_refer(walker, XHPROF_PART("symbol table"), XHPROF_VISIT_ARRAY, frame->symbol_table, 0);
	}
}

static void visit_user_frame(xhprof_walker *walker, const zend_execute_data *frame, xhprof_addr address,
							 const zend_op_array *code, xhprof_frame_place place, uint64_t slots)
{
	uint32_t info = ZEND_CALL_INFO(frame);
	if (info & ZEND_CALL_HAS_SYMBOL_TABLE) {
		/* The table leads to the variables, which may belong to another frame by now: an included file's. */
		visit_symbol_table(walker, frame);
	} else {
		visit_variables(walker, address, code);
	}
	if (info & ZEND_CALL_FREE_EXTRA_ARGS && ZEND_CALL_NUM_ARGS(frame) > code->num_args) {
		uint64_t from = address + (ZEND_CALL_FRAME_SLOT + (uint64_t)code->last_var + code->T) * sizeof(zval);
		for (uint64_t i = code->num_args; i < ZEND_CALL_NUM_ARGS(frame) && xhprof_walker_may_continue(walker);
			 i++, from += sizeof(zval)) {
			XHPROF_WALKER_LOAD_OR(break, walker, zval, value, from);
			xhprof_walker_zval(walker, XHPROF_INDEX(i), value);
		}
	}
	int64_t at = instruction_of(frame, code, place);
	if (at < 0) {
		return;
	}
	if (place != XHPROF_FRAME_CURRENT) {
		visit_temporaries(walker, address, code, at, place, slots);
	}
	uint64_t calls[MAX_PREPARED];
	size_t count = place == XHPROF_FRAME_OF_GENERATOR ? 0 : collect_calls(walker, frame->call, calls);
	if (count) {
		visit_prepared(walker, code, place == XHPROF_FRAME_CURRENT ? -1 : at, calls, count);
	}
}

static uint64_t frame_slots(const zend_execute_data *frame, const zend_function *function, xhprof_frame_place place)
{
	uint64_t arguments = ZEND_CALL_NUM_ARGS(frame);
	if (place == XHPROF_FRAME_IN_PREPARATION || !ZEND_USER_CODE(function->type)) {
		return ZEND_CALL_FRAME_SLOT + arguments;
	}
	const zend_op_array *code = &function->op_array;
	return ZEND_CALL_FRAME_SLOT + (code->last_var > 0 ? (uint64_t)code->last_var : 0) + code->T +
		   (arguments > code->num_args ? arguments - code->num_args : 0);
}

static void visit_this(xhprof_walker *walker, const zend_execute_data *frame, const zend_function *function)
{
	if (Z_TYPE(frame->This) == IS_OBJECT) {
		xhprof_walker_refer(walker, XHPROF_NAMED(XHPROF_TEXT("this")), XHPROF_VISIT_OBJECT, Z_OBJ(frame->This), 0);
	}
	if (ZEND_CALL_INFO(frame) & ZEND_CALL_CLOSURE || function->common.fn_flags & ZEND_ACC_CLOSURE) {
		xhprof_walker_refer(walker, XHPROF_PART("closure"), XHPROF_VISIT_OBJECT, ZEND_CLOSURE_OBJECT(frame->func), 0);
	} else {
		xhprof_walker_refer(walker, XHPROF_PART("function"), XHPROF_VISIT_FUNCTION, frame->func, 0);
	}
	if (ZEND_CALL_INFO(frame) & ZEND_CALL_HAS_EXTRA_NAMED_PARAMS) {
		xhprof_walker_refer(walker, XHPROF_PART("extra named params"), XHPROF_VISIT_ARRAY, frame->extra_named_params,
							0);
	}
}

/* Visits the result that an internal function such as array_map() is building: nothing else refers to it before the
 * function returns. */
static void visit_result(xhprof_walker *walker, const zend_execute_data *frame)
{
	zend_function copy;
	xhprof_addr caller = (xhprof_addr)frame->prev_execute_data;
	XHPROF_WALKER_LOAD(walker, zend_execute_data, calling, caller);
	if (!caller || !calling || ZEND_CALL_INFO(frame) & ZEND_CALL_TOP) {
		return;
	}
	const zend_function *function = xhprof_walker_load_function(walker, calling->func, &copy);
	if (!function || !ZEND_USER_CODE(function->type) ||
		instruction_of(calling, &function->op_array, XHPROF_FRAME_OF_CALL) < 0) {
		return;
	}
	XHPROF_WALKER_LOAD(walker, zend_op, instruction, calling->opline);
	if (instruction && role_of(instruction) == ROLE_MAKES_CALL && instruction->result_type & (IS_VAR | IS_TMP_VAR) &&
		instruction->result.var / sizeof(zval) < frame_slots(calling, function, XHPROF_FRAME_OF_CALL)) {
		XHPROF_WALKER_LOAD(walker, zval, value, caller + instruction->result.var);
		if (value && Z_TYPE_P(value) >= IS_STRING) {
			xhprof_walker_zval(walker, XHPROF_PART("result"), value);
		}
	}
}

void xhprof_walk_frame(xhprof_walker *walker, const xhprof_item *item)
{
	xhprof_frame_place place = (xhprof_frame_place)(item->extra % XHPROF_FRAME_PLACES);
	xhprof_heap_node node = {.address = item->address,
							 .type = XHPROF_HEAP_FRAME,
							 .size = sizeof(zend_execute_data),
							 .name = "?",
							 .name_length = 1};
	zend_function copy;
	XHPROF_WALKER_LOAD(walker, zend_execute_data, frame, item->address);
	const zend_function *function = frame ? xhprof_walker_load_function(walker, frame->func, &copy) : NULL;
	if (!function) {
		walker->result->unreadable++;
		xhprof_walker_node(walker, &node, item->address);
		return;
	}
	/* A trampoline for __call() has no code of its own. */
	bool user = ZEND_USER_CODE(function->type) && function->common.fn_flags & ZEND_ACC_DONE_PASS_TWO;
	uint64_t slots = frame_slots(frame, function, place);
	xhprof_text name = xhprof_walker_function_name(walker, function);
	node.name = name.bytes;
	node.name_length = name.length;
	node.size = slots * sizeof(zval);
	if (user) {
		xhprof_text file = xhprof_walker_text(walker, function->op_array.filename);
		node.file = file.bytes;
		node.file_length = file.length;
		node.line = place == XHPROF_FRAME_IN_PREPARATION ? 0 : line_of(walker, frame, &function->op_array, place);
	}
	xhprof_walker_node(walker, &node, item->address);
	visit_this(walker, frame, function);
	if (place == XHPROF_FRAME_IN_PREPARATION || !ZEND_USER_CODE(function->type)) {
		uint64_t passed = place == XHPROF_FRAME_IN_PREPARATION ? item->extra / XHPROF_FRAME_PLACES
															   : (uint64_t)ZEND_CALL_NUM_ARGS(frame);
		xhprof_walker_zvals(walker, item->address + ZEND_CALL_FRAME_SLOT * sizeof(zval),
							passed < MAX_ARGUMENTS ? passed : MAX_ARGUMENTS);
		if (place != XHPROF_FRAME_IN_PREPARATION) {
			visit_result(walker, frame);
		}
	} else if (user) {
		visit_user_frame(walker, frame, item->address, &function->op_array, place, slots);
	}
}

void xhprof_walk_frames(xhprof_walker *walker, xhprof_at where, xhprof_frame_place innermost)
{
	xhprof_addr frame = where.number;
	uint64_t index = 0, page = 0, seen = frame, until = 1;
	xhprof_frame_place place = innermost;
	for (uint64_t i = 0; frame && i < MAX_FRAMES; i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, zend_execute_data, data, frame);
		/* Some exist only for the engine: a generator's that waits for another, for example. */
		if (data->func) {
			xhprof_zmm_block block;
			xhprof_walker_refer(walker, XHPROF_INDEX(index++), XHPROF_VISIT_FRAME, frame, place);
			place = XHPROF_FRAME_OF_CALL;
			if (!(ZEND_CALL_INFO(data) & ZEND_CALL_GENERATOR) && xhprof_zmm_block_of(walker->zmm, frame, &block) &&
				block.address != page) {
				page = block.address;
				xhprof_walker_part_around(walker, XHPROF_HEAP_VM_STACK, "vm stack", frame);
			}
		}
		frame = (xhprof_addr)data->prev_execute_data;
		if (frame == seen) {
			walker->result->unreadable++; /* a circle */
			return;
		}
		if (i == until) {
			seen = frame;
			until *= 2;
		}
	}
}

void xhprof_walk_frozen_calls(xhprof_walker *walker, const zend_generator *generator)
{
	uint64_t calls[MAX_PREPARED];
	zend_function copy;
	XHPROF_WALKER_LOAD(walker, zend_execute_data, frame, generator->execute_data);
	const zend_function *function = frame ? xhprof_walker_load_function(walker, frame->func, &copy) : NULL;
	if (!function || !ZEND_USER_CODE(function->type)) {
		return;
	}
	/* They are linked in the opposite order. */
	size_t count = collect_calls(walker, generator->frozen_call_stack, calls);
	for (size_t i = 0; i < count / 2; i++) {
		uint64_t swapped = calls[i];
		calls[i] = calls[count - 1 - i];
		calls[count - 1 - i] = swapped;
	}
	visit_prepared(walker, &function->op_array, instruction_of(frame, &function->op_array, XHPROF_FRAME_OF_GENERATOR),
				   calls, count);
}

/* Reports a list of pages. `first`: address of a pointer to the first one. */
static void refer_pages(xhprof_walker *walker, const char *name, xhprof_addr first)
{
	xhprof_addr page = xhprof_walker_pointer(walker, first);
	for (unsigned i = 0; page && i < MAX_PAGES; i++) {
		xhprof_walker_part_around(walker, XHPROF_HEAP_VM_STACK, name, page);
		xhprof_addr previous = xhprof_walker_pointer(walker, page + offsetof(struct _zend_vm_stack, prev));
		page = previous == page ? 0 : previous;
	}
}

void xhprof_walk_calls(xhprof_walker *walker)
{
	uint64_t globals = walker->engine->executor_globals;
	size_t kept[2];
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_CALL_FRAMES);
	refer_pages(walker, "vm stack", globals + offsetof(zend_executor_globals, vm_stack));
	for (size_t i = xhprof_layout_kept_pages(kept); i > 0; i--) {
		refer_pages(walker, "vm stack kept for reuse", globals + kept[i - 1]);
	}
	xhprof_walk_frames(walker,
					   xhprof_walker_pointer(walker, globals + offsetof(zend_executor_globals, current_execute_data)),
					   XHPROF_FRAME_CURRENT);
	xhprof_walker_drain(walker);
}
