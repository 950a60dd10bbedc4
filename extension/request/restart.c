#include "restart.h"

#include "run_order.h"

#include "hook/wrapped_function.h"

#include "php_main.h"

#include <sys/stat.h>

/* Written once, by the only thread of a command line. */
static bool watching;
static zif_handler previous_exec, previous_open;
static void (*program_leaves)(void), (*program_stays)(void);

/* Whether the file is the running PHP. */
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

static void on_exec(zend_execute_data *execute_data, zval *return_value)
{
	zval *arguments = argument_of(execute_data, 2);
	bool ordered = XHPROF_G(automatic).running && XHPROF_G(automatic).ordered;
	bool follows = ordered && is_php(argument_of(execute_data, 1)) && is_filled_array(arguments);
	if (follows) {
		pass_settings(arguments, 0);
	} else if (ordered) {
		program_leaves();
	}
	previous_exec(execute_data, return_value);
	if (ordered && !follows) {
		program_stays();
	}
}

/* PHP with options, our script, and all of our own arguments. */
static bool is_restart(const zval *command)
{
	if (!is_filled_array(command) || !is_php(zend_hash_index_find(Z_ARRVAL_P(command), 0))) {
		return false;
	}
	uint32_t count = zend_hash_num_elements(Z_ARRVAL_P(command)), own = (uint32_t)SG(request_info).argc;
	for (uint32_t i = 0; i < own && own < count; i++) {
		const zval *argument = zend_hash_index_find(Z_ARRVAL_P(command), count - own + i);
		if (!argument || Z_TYPE_P(argument) != IS_STRING ||
			strcmp(Z_STRVAL_P(argument), SG(request_info).argv[i]) != 0) {
			return false;
		}
	}
	return own > 0 && own < count;
}

static void on_open(zend_execute_data *execute_data, zval *return_value)
{
	zval *command = argument_of(execute_data, 1);
	if (XHPROF_G(automatic).running && XHPROF_G(automatic).ordered && is_restart(command)) {
		pass_settings(command, 1);
	}
	previous_open(execute_data, return_value);
}

void xhprof_restart_watch(void (*leaves)(void), void (*stays)(void))
{
	program_leaves = leaves;
	program_stays = stays;
	/* Once: where another extension has wrapped ours since, doing it again would let each call the other for ever. */
	if (!watching) {
		watching = true;
		xhprof_wrapped_function_set(CG(function_table), "pcntl_exec", on_exec, &previous_exec);
		xhprof_wrapped_function_set(CG(function_table), "proc_open", on_open, &previous_open);
	}
}
