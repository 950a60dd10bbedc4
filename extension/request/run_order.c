#include "run_order.h"

#include "export/run_write.h"

#include "ext/json/php_json.h"
#include "php_ini.h"

#include <fcntl.h>
#include <unistd.h>

static zend_string *from_digits(const char *digits)
{
	size_t length = strlen(digits) / 2;
	zend_string *bytes = zend_string_alloc(length, false);
	for (size_t i = 0; i < length; i++) {
		const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
		ZSTR_VAL(bytes)[i] = (char)strtoul(pair, NULL, 16);
	}
	ZSTR_VAL(bytes)[length] = '\0';
	return bytes;
}

static const zval *get_member(const zval *settings, const char *name, unsigned char type)
{
	const zval *value = zend_hash_str_find(Z_ARRVAL_P(settings), name, strlen(name));
	return value && Z_TYPE_P(value) == type ? value : NULL;
}

static bool is_true(const zval *settings, const char *name)
{
	return get_member(settings, name, IS_TRUE) != NULL;
}

static bool take_text(const zval *settings, const char *name, char *to, size_t size)
{
	const zval *value = get_member(settings, name, IS_STRING);
	return value && (size_t)snprintf(to, size, "%s", Z_STRVAL_P(value)) < size && *to;
}

static bool take_sampling(const zval *settings, xhprof_run_order *order)
{
	const zval *sampling = get_member(settings, "sampling", IS_ARRAY);
	order->sampling = xhprof_sampler_settings(XHPROF_SAMPLE_AUTOMATIC_US);
	if (sampling) {
		const zval *interval = get_member(sampling, "interval", IS_LONG),
				   *clock = get_member(sampling, "clock", IS_STRING);
		bool known =
			interval && clock && Z_LVAL_P(interval) >= XHPROF_SAMPLE_LEAST_US && Z_LVAL_P(interval) <= UINT32_MAX;
		order->sampled = true;
		order->sampling.interval_us = known ? (uint32_t)Z_LVAL_P(interval) : 0;
		order->sampling.clock =
			known && zend_string_equals_literal(Z_STR_P(clock), "cpu") ? XHPROF_SAMPLE_CPU : XHPROF_SAMPLE_WALL;
		order->sampling.lines = is_true(sampling, "lines");
		return known;
	}
	const zval *options = get_member(settings, "options", IS_ARRAY);
	if (options) {
		order->options = Z_ARRVAL_P(options);
		GC_TRY_ADDREF(order->options);
	}
	return options != NULL;
}

static bool take_settings(const zval *settings, xhprof_run_order *order, zend_string **meta)
{
	const zval *flags = get_member(settings, "flags", IS_LONG), *more = get_member(settings, "meta", IS_STRING);
	order->flags = flags ? Z_LVAL_P(flags) : 0;
	take_text(settings, "extension", order->extension, sizeof(order->extension));
	*meta = more ? zend_string_copy(Z_STR_P(more)) : NULL;
	return take_text(settings, "source", order->source, sizeof(order->source)) &&
		   take_text(settings, "directory", order->directory, sizeof(order->directory)) &&
		   take_text(settings, "handoff", order->handoff, sizeof(order->handoff)) &&
		   xhprof_run_valid_source(order->source, strlen(order->source)) && take_sampling(settings, order);
}

static bool take_from(const char *digits, xhprof_run_order *order, zend_string **meta)
{
	zval settings;
	zend_string *json = from_digits(digits);
	bool good = php_json_decode_ex(&settings, ZSTR_VAL(json), ZSTR_LEN(json), PHP_JSON_OBJECT_AS_ARRAY, 8) == SUCCESS;
	zend_string_release(json);
	if (good) {
		good = Z_TYPE(settings) == IS_ARRAY && take_settings(&settings, order, meta);
		zval_ptr_dtor(&settings);
	}
	return good;
}

const char *xhprof_run_order_text(void)
{
	const zval *value = strcmp(sapi_module.name, "cli") == 0
							? cfg_get_entry(XHPROF_RUN_ORDER_ENTRY, sizeof(XHPROF_RUN_ORDER_ENTRY) - 1)
							: NULL;
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : NULL;
}

bool xhprof_run_order_exists(void)
{
	return xhprof_run_order_text() != NULL;
}

bool xhprof_run_order_take(zend_string **meta)
{
	xhprof_run_order *order = XHPROF_G(order) = xhprof_pages_map(sizeof(*order));
	*meta = NULL;
	if (order && take_from(xhprof_run_order_text(), order, meta)) {
		order->follows = access(order->handoff, F_OK) == 0;
		return true;
	}
	if (*meta) {
		zend_string_release(*meta);
	}
	xhprof_run_order_drop_options();
	xhprof_run_order_release();
	return false;
}

void xhprof_run_order_drop_options(void)
{
	xhprof_run_order *order = XHPROF_G(order);
	if (order && order->options) {
		zend_array_release(order->options);
		order->options = NULL;
	}
}

void xhprof_run_order_answer(const char *id, const char *error, bool complete)
{
	char text[512]; /* all of it is ours: nothing needs escaping */
	const xhprof_run_order *order = XHPROF_G(order);
	int length = id ? snprintf(text, sizeof(text), "{\"error\":null,\"id\":\"%s\",\"whole\":%s}", id,
							   complete ? "true" : "false")
					: snprintf(text, sizeof(text), "{\"error\":\"%s\",\"id\":null,\"whole\":false}", error);
	int fd = open(order->handoff, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		if (write(fd, text, (size_t)length) != length) {
			unlink(order->handoff);
		}
		close(fd);
	}
}

bool xhprof_run_order_answered(void)
{
	const xhprof_run_order *order = XHPROF_G(order);
	return !order->follows && access(order->handoff, F_OK) == 0;
}

void xhprof_run_order_release(void)
{
	xhprof_pages_unmap(XHPROF_G(order), sizeof(xhprof_run_order));
	XHPROF_G(order) = NULL;
}
