#include "option.h"

#include "zend_smart_str.h"

bool xhprof_option_each(const char *function, HashTable *options, bool (*read)(void *to, const xhprof_option *option),
						void *to)
{
	zend_string *name;
	zval *value;
	if (!options) {
		return true;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(options, name, value) {
		ZVAL_DEREF(value);
		xhprof_option option = {function, name ? ZSTR_VAL(name) : "(numeric)", value};
		if (!read(to, &option) || EG(exception)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

bool xhprof_option_wrong_type(const xhprof_option *option, const char *type)
{
	zend_type_error("%s(): Option \"%s\" must be of type %s, %s given", option->function, option->name, type,
					zend_zval_type_name(option->value));
	return false;
}

bool xhprof_option_bool(const xhprof_option *option, bool *flag)
{
	if (Z_TYPE_P(option->value) != IS_TRUE && Z_TYPE_P(option->value) != IS_FALSE) {
		return xhprof_option_wrong_type(option, "bool");
	}
	*flag = Z_TYPE_P(option->value) == IS_TRUE;
	return true;
}

bool xhprof_option_number(const xhprof_option *option, zend_long min, zend_long max, uint64_t *number)
{
	if (Z_TYPE_P(option->value) != IS_LONG) {
		return xhprof_option_wrong_type(option, "int");
	}
	if (Z_LVAL_P(option->value) < min || Z_LVAL_P(option->value) > max) {
		zend_value_error("%s(): Option \"%s\" must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT, option->function,
						 option->name, min, max);
		return false;
	}
	*number = (uint64_t)Z_LVAL_P(option->value);
	return true;
}

bool xhprof_option_choice(const xhprof_option *option, const char *const *words, int *choice)
{
	smart_str list = {0};
	if (Z_TYPE_P(option->value) != IS_STRING) {
		return xhprof_option_wrong_type(option, "string");
	}
	for (int i = 0; words[i]; i++) {
		if (zend_string_equals_cstr(Z_STR_P(option->value), words[i], strlen(words[i]))) {
			*choice = i;
			return true;
		}
	}
	for (int i = 0; words[i]; i++) {
		smart_str_append_printf(&list, "%s\"%s\"", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
	}
	smart_str_0(&list);
	zend_value_error("%s(): Option \"%s\" must be %s", option->function, option->name, ZSTR_VAL(list.s));
	smart_str_free(&list);
	return false;
}

void xhprof_option_unknown(const xhprof_option *option)
{
	zend_error(E_WARNING, "%s(): Unknown option \"%s\" is ignored", option->function, option->name);
}
