#include "profile_options.h"

static bool check_ignored(zval *names)
{
	ZVAL_DEREF(names);
	if (Z_TYPE_P(names) == IS_STRING) {
		return true;
	}
	if (Z_TYPE_P(names) != IS_ARRAY) {
		zend_type_error("xhprof_enable(): Option \"ignored_functions\" must be of type array|string, %s given",
						zend_zval_type_name(names));
		return false;
	}
	zval *name;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(names), name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_type_error("xhprof_enable(): Option \"ignored_functions\" must contain only strings, %s given",
							zend_zval_type_name(name));
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool is_threshold(const zval *value)
{
	return Z_TYPE_P(value) == IS_LONG && Z_LVAL_P(value) >= 0 && Z_LVAL_P(value) <= XHPROF_TIMELINE_THRESHOLD_MAX;
}

static bool check_threshold(zval *value)
{
	if (Z_TYPE_P(value) != IS_LONG) {
		zend_type_error("xhprof_enable(): Option \"timeline_threshold\" must be of type int, %s given",
						zend_zval_type_name(value));
		return false;
	}
	if (!is_threshold(value)) {
		zend_value_error("xhprof_enable(): Option \"timeline_threshold\" must be between 0 and " ZEND_LONG_FMT,
						 (zend_long)XHPROF_TIMELINE_THRESHOLD_MAX);
		return false;
	}
	return true;
}

bool xhprof_profile_options_check(HashTable *options)
{
	zend_string *key;
	zval *value;
	if (!options) {
		return true;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(options, key, value) {
		ZVAL_DEREF(value);
		if (key && zend_string_equals_literal(key, "ignored_functions")) {
			if (!check_ignored(value)) {
				return false;
			}
		} else if (key && zend_string_equals_literal(key, "timeline_threshold")) {
			if (!check_threshold(value)) {
				return false;
			}
		} else if (key && (zend_string_equals_literal(key, "run_init") || zend_string_equals_literal(key, "native"))) {
			if (Z_TYPE_P(value) != IS_TRUE && Z_TYPE_P(value) != IS_FALSE) {
				zend_type_error("xhprof_enable(): Option \"%s\" must be of type bool, %s given", ZSTR_VAL(key),
								zend_zval_type_name(value));
				return false;
			}
		} else {
			zend_error(E_WARNING, "xhprof_enable(): Unknown option \"%s\" is ignored",
					   key ? ZSTR_VAL(key) : "(numeric)");
			if (EG(exception)) {
				return false;
			}
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

bool xhprof_profile_option(HashTable *options, const char *name)
{
	zval *value = options ? zend_hash_str_find_deref(options, name, strlen(name)) : NULL;
	return value && Z_TYPE_P(value) == IS_TRUE;
}

zend_long xhprof_profile_option_threshold(HashTable *options, zend_long usual)
{
	zval *value = options ? zend_hash_str_find_deref(options, ZEND_STRL("timeline_threshold")) : NULL;
	return value && is_threshold(value) ? Z_LVAL_P(value) : usual; /* it may be a reference, as below */
}

/* Checks its type again: it may be a reference, which an error handler has changed. */
static bool ignore_name(zval *name, xhprof_symbols *symbols)
{
	ZVAL_DEREF(name);
	return Z_TYPE_P(name) != IS_STRING || xhprof_symbols_ignore(symbols, Z_STRVAL_P(name), Z_STRLEN_P(name));
}

bool xhprof_profile_options_ignore(HashTable *options, xhprof_symbols *symbols)
{
	zval *ignored = options ? zend_hash_str_find_deref(options, ZEND_STRL("ignored_functions")) : NULL;
	if (ignored && Z_TYPE_P(ignored) == IS_ARRAY) {
		zval *name;
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(ignored), name) {
			if (!ignore_name(name, symbols)) {
				return false;
			}
		}
		ZEND_HASH_FOREACH_END();
		return true;
	}
	return !ignored || ignore_name(ignored, symbols);
}
