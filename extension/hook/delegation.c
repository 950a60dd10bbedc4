#include "delegation.h"

#include "zend_generators.h"

/* The most delegating generators that are followed. A generator that starts another one for each value has as many as
 * there are values: each resume would take longer than the one before. xhprof-inspect has the same bound. */
#define MOST_DELEGATING 1000

/* Returns whether this is the placeholder frame that the engine puts before the running generator, in place of the
 * generators that delegate to it. */
static bool is_placeholder(const zend_execute_data *frame)
{
	return !frame->func && Z_TYPE(frame->This) == IS_OBJECT && Z_OBJCE(frame->This) == zend_ce_generator;
}

/* Returns the generator of a frame; NULL if the frame is of something else. */
static const zend_generator *generator_of(const zend_execute_data *frame)
{
	bool is_one = frame->func && ZEND_USER_CODE(frame->func->type) && ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR;
	return is_one ? (const zend_generator *)frame->return_value : NULL;
}

/* Returns whether the frame is of a generator whose iterator runs: it is not resumed itself for the next value. */
static bool iterates(const zend_execute_data *frame)
{
	const zend_generator *generator = generator_of(frame);
	return generator && !Z_ISUNDEF(generator->values);
}

bool xhprof_delegation_is_at(const zend_execute_data *frame)
{
	const zend_generator *generator = generator_of(frame);
	return generator && (generator->node.parent || !Z_ISUNDEF(generator->values));
}

bool xhprof_delegation_may_call(const zend_function *function)
{
	static const char *const names[] = {"next", "valid", "current", "key"};
	const zend_string *name = function->common.scope ? function->common.function_name : NULL; /* of a file: NULL */
	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
		if (zend_string_equals_cstr(name, names[i], strlen(names[i]))) {
			return true;
		}
	}
	return false;
}

const zend_execute_data *xhprof_delegation_of(const zend_execute_data *call, bool builtins)
{
	const zend_execute_data *frame = call->prev_execute_data;
	while (!builtins && frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION) {
		frame = frame->prev_execute_data;
	}
	return frame && (is_placeholder(frame) || iterates(frame)) ? frame : NULL;
}

static void each_before(const zend_execute_data *placeholder,
						void (*visit)(void *context, const zend_execute_data *frame), void *context)
{
	const zend_generator *generator = (const zend_generator *)Z_OBJ(placeholder->This);
	for (int i = 0; i < MOST_DELEGATING && generator->node.parent; i++, generator = generator->node.parent) {
		if (generator->execute_data) {
			visit(context, generator->execute_data);
		}
	}
}

void xhprof_delegation_each(const zend_execute_data *delegation,
							void (*visit)(void *context, const zend_execute_data *frame), void *context)
{
	if (is_placeholder(delegation)) {
		each_before(delegation, visit, context);
		return;
	}
	if (delegation->prev_execute_data && is_placeholder(delegation->prev_execute_data)) {
		each_before(delegation->prev_execute_data, visit, context);
	}
	visit(context, delegation);
}

bool xhprof_delegation_has(const zend_execute_data *frame, const zend_execute_data *wanted)
{
	if (!is_placeholder(frame)) {
		return false;
	}
	const zend_generator *generator = (const zend_generator *)Z_OBJ(frame->This);
	for (int i = 0; i < MOST_DELEGATING && generator->node.parent; i++, generator = generator->node.parent) {
		if (generator->execute_data == wanted) {
			return true;
		}
	}
	return false;
}
