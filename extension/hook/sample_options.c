#include "sample_options.h"

#define CALLER "xhprof_sample_enable"

static bool wrong_type(const char *name, const char *type, const zval *value)
{
	zend_type_error(CALLER "(): Option \"%s\" must be of type %s, %s given", name, type, zend_zval_type_name(value));
	return false;
}

static bool read_number(const char *name, const zval *value, zend_long min, zend_long max, zend_long *number)
{
	if (Z_TYPE_P(value) != IS_LONG) {
		return wrong_type(name, "int", value);
	}
	if (Z_LVAL_P(value) < min || Z_LVAL_P(value) > max) {
		zend_value_error(CALLER "(): Option \"%s\" must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT, name, min,
						 max);
		return false;
	}
	*number = Z_LVAL_P(value);
	return true;
}

static bool read_clock(const char *name, const zval *value, xhprof_sample_clock *clock)
{
	if (Z_TYPE_P(value) != IS_STRING) {
		return wrong_type(name, "string", value);
	}
	if (zend_string_equals_literal(Z_STR_P(value), "wall")) {
		*clock = XHPROF_SAMPLE_WALL;
	} else if (zend_string_equals_literal(Z_STR_P(value), "cpu")) {
		*clock = XHPROF_SAMPLE_CPU;
	} else {
		zend_value_error(CALLER "(): Option \"%s\" must be \"wall\" or \"cpu\"", name);
		return false;
	}
	return true;
}

static bool read_option(const zend_string *key, const zval *value, xhprof_sampler_options *options)
{
	const char *name = key ? ZSTR_VAL(key) : "(numeric)";
	if (key && zend_string_equals_literal(key, "interval")) {
		zend_long interval = options->interval_us;
		bool good = read_number(name, value, XHPROF_SAMPLE_LEAST_US, UINT32_MAX, &interval);
		options->interval_us = (uint32_t)interval;
		return good;
	}
	if (key && zend_string_equals_literal(key, "depth")) {
		return read_number(name, value, 1, ZEND_LONG_MAX, &options->depth);
	}
	if (key && zend_string_equals_literal(key, "clock")) {
		return read_clock(name, value, &options->clock);
	}
	if (key && zend_string_equals_literal(key, "lines")) {
		options->lines = Z_TYPE_P(value) == IS_TRUE;
		return Z_TYPE_P(value) == IS_TRUE || Z_TYPE_P(value) == IS_FALSE || wrong_type(name, "bool", value);
	}
	zend_error(E_WARNING, CALLER "(): Unknown option \"%s\" is ignored", name);
	return !EG(exception);
}

bool xhprof_sample_options_read(HashTable *given, xhprof_sampler_options *options)
{
	zend_string *key;
	zval *value;
	if (!given) {
		return true;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(given, key, value) {
		ZVAL_DEREF(value);
		if (!read_option(key, value, options)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}
