#include "restart.h"

#include "exec_check.h"
#include "request_info.h"
#include "run_order.h"

#include "base/process.h"
#include "hook/wrapped_function.h"

#include "php_main.h"

#include <sys/stat.h>

static bool watching_exec, watching_open; /* threads race for them atomically */
static zif_handler previous_exec, previous_open;
static void (*program_leaves)(void), (*program_stays)(void);

/* Returns whether the file is the running PHP. */
static bool is_php(const zval *name)
{
	struct stat ours, other;
	return name && Z_TYPE_P(name) == IS_STRING && PG(php_binary) && stat(PG(php_binary), &ours) == 0 &&
		   stat(Z_STRVAL_P(name), &other) == 0 && ours.st_dev == other.st_dev && ours.st_ino == other.st_ino;
}

static void add_option(zval *arguments, const char *name, const char *value)
{
	add_next_index_string(arguments, "-d");
	add_next_index_str(arguments, zend_strpprintf(0, "%s=\"%s\"", name, value));
}

/* Inserts our options before all but the first `kept` of an array of arguments. */
static void pass_settings(zval *arguments, uint32_t kept)
{
	const xhprof_run_order *order = XHPROF_G(order);
	zval more, *argument;
	uint32_t at = 0;
	array_init(&more);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(arguments), argument) {
		if (at++ == kept) {
			if (*order->extension) {
				add_option(&more, "extension", order->extension);
			}
			add_option(&more, XHPROF_RUN_ORDER_ENTRY, xhprof_run_order_text());
		}
		Z_TRY_ADDREF_P(argument);
		add_next_index_zval(&more, argument);
	}
	ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(arguments);
	ZVAL_COPY_VALUE(arguments, &more);
}

static zval *argument_of(zend_execute_data *call, uint32_t number)
{
	zval *argument = ZEND_CALL_NUM_ARGS(call) >= number ? ZEND_CALL_ARG(call, number) : NULL;
	return argument && Z_TYPE_P(argument) == IS_REFERENCE ? Z_REFVAL_P(argument) : argument;
}

static bool is_filled_array(const zval *value)
{
	return value && Z_TYPE_P(value) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(value)) > 0;
}

/* Returns whether all of our own arguments, the script first, are the last ones of these. */
static bool ends_with_own(const zval *arguments, uint32_t least)
{
	uint32_t count = zend_hash_num_elements(Z_ARRVAL_P(arguments)), own = (uint32_t)SG(request_info).argc;
	for (uint32_t i = 0; i < own && own + least <= count; i++) {
		const zval *argument = zend_hash_index_find(Z_ARRVAL_P(arguments), count - own + i);
		if (!argument || Z_TYPE_P(argument) != IS_STRING ||
			strcmp(Z_STRVAL_P(argument), SG(request_info).argv[i]) != 0) {
			return false;
		}
	}
	return own > 0 && own + least <= count;
}

/* Returns whether the profile is of an order to this process, not to the parent that forked it. */
static bool has_order(void)
{
	return XHPROF_G(automatic).running && XHPROF_G(automatic).ordered && XHPROF_G(order) &&
		   XHPROF_G(request_info)->pid == xhprof_process_id();
}

static void measure_texts(const zval *texts, size_t *bytes, size_t *longest, size_t *count)
{
	zend_string *key;
	const zval *text;
	if (texts && Z_TYPE_P(texts) == IS_ARRAY) {
		ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(texts), key, text) {
			size_t length = (key ? ZSTR_LEN(key) + 1 : 0) + (Z_TYPE_P(text) == IS_STRING ? Z_STRLEN_P(text) : 0);
			*longest = length > *longest ? length : *longest;
			*bytes += length;
			(*count)++;
		}
		ZEND_HASH_FOREACH_END();
	}
}

extern char **environ;

/* Returns whether the call will not return, as far as that can be known. */
static bool will_leave(zend_execute_data *call)
{
	const zval *file = argument_of(call, 1), *arguments = argument_of(call, 2), *variables = argument_of(call, 3);
	size_t bytes = 0, longest = 0, count = 0;
	if (!file || Z_TYPE_P(file) != IS_STRING || strlen(Z_STRVAL_P(file)) != Z_STRLEN_P(file) ||
		ZEND_CALL_NUM_ARGS(call) > 3 || (arguments && Z_TYPE_P(arguments) != IS_ARRAY) ||
		(variables && Z_TYPE_P(variables) != IS_ARRAY)) {
		return false;
	}
	measure_texts(arguments, &bytes, &longest, &count);
	measure_texts(variables, &bytes, &longest, &count);
	for (char **variable = variables ? NULL : environ; variable && *variable; variable++, count++) {
		bytes += strlen(*variable);
	}
	return xhprof_exec_is_possible(Z_STRVAL_P(file), bytes + Z_STRLEN_P(file), longest, count);
}

static void on_exec(zend_execute_data *execute_data, zval *return_value)
{
	zval *arguments = argument_of(execute_data, 2);
	bool leaves = (XHPROF_G(automatic).running || XHPROF_G(recording).apart) && will_leave(execute_data);
	bool follows =
		leaves && has_order() && is_php(argument_of(execute_data, 1)) && arguments && is_filled_array(arguments);
	bool restarts = follows && ends_with_own(arguments, 0);
	if (leaves && !restarts) {
		program_leaves();
	}
	if (follows) {
		pass_settings(arguments, 0);
	}
	xhprof_wrapped_function_call(&previous_exec, execute_data, return_value);
	if (leaves && !restarts) {
		program_stays();
	}
}

/* Returns whether a command starts PHP with options, our script, and all of our own arguments. */
static bool is_restart(const zval *command)
{
	return is_filled_array(command) && is_php(zend_hash_index_find(Z_ARRVAL_P(command), 0)) &&
		   ends_with_own(command, 1);
}

static void on_open(zend_execute_data *execute_data, zval *return_value)
{
	zval *command = argument_of(execute_data, 1);
	if (has_order() && is_restart(command)) {
		pass_settings(command, 1);
	}
	xhprof_wrapped_function_call(&previous_open, execute_data, return_value);
}

void xhprof_restart_watch(bool ordered, void (*leaves)(void), void (*stays)(void))
{
	program_leaves = leaves;
	program_stays = stays;
	/* Once: where another extension has wrapped ours since, doing it again would let each call the other for ever. */
	if (!__atomic_load_n(&watching_exec, __ATOMIC_ACQUIRE) &&
		!__atomic_exchange_n(&watching_exec, true, __ATOMIC_ACQ_REL)) {
		xhprof_wrapped_function_set(CG(function_table), "pcntl_exec", on_exec, &previous_exec);
	}
	if (ordered && !__atomic_exchange_n(&watching_open, true, __ATOMIC_ACQ_REL)) {
		xhprof_wrapped_function_set(CG(function_table), "proc_open", on_open, &previous_open);
	}
}

void xhprof_restart_mshutdown(void)
{
	xhprof_wrapped_function_restore(CG(function_table), "pcntl_exec", on_exec, previous_exec);
	xhprof_wrapped_function_restore(CG(function_table), "proc_open", on_open, previous_open);
	watching_exec = watching_open = false;
}
