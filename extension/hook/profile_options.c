#include "profile_options.h"

static bool is_threshold(const zval *value)
{
	return Z_TYPE_P(value) == IS_LONG && Z_LVAL_P(value) >= 0 && Z_LVAL_P(value) <= XHPROF_TIMELINE_THRESHOLD_MAX;
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

/* Adds a name to those that are ignored. Its type is checked again: it may be a reference, which an error handler has
 * changed. */
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
