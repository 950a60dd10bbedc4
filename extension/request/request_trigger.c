#include "request_trigger.h"

#include "SAPI.h"

#define VARIABLE "XHPROF_TRIGGER"

bool xhprof_request_has_variables(int track)
{
	const zval *variables = &PG(http_globals)[track];
	return Z_TYPE_P(variables) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(variables));
}

const zend_string *xhprof_request_variable(int track, const char *name)
{
	zval *variables = &PG(http_globals)[track];
	bool any = xhprof_request_has_variables(track);
	zval *value = any ? zend_hash_str_find_deref(Z_ARRVAL_P(variables), name, strlen(name)) : NULL;
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STR_P(value) : NULL;
}

void xhprof_request_environment(const char *name, char *to, size_t size)
{
	/* sapi_getenv() would copy it, for filters of the program's own. */
	const char *of_server = sapi_module.getenv ? sapi_module.getenv(name, strlen(name)) : NULL;
	const char *of_process = of_server ? NULL : getenv(name);
	const char *text = of_server ? of_server : of_process ? of_process : "";
	size_t length = strnlen(text, size - 1);
	memcpy(to, text, length); /* formats take longer, and this is asked six times in each request */
	to[length] = '\0';
}

bool xhprof_request_knows_secret(void)
{
	static const int where[] = {TRACK_VARS_GET, TRACK_VARS_POST, TRACK_VARS_COOKIE};
	const char *secret = XHPROF_G(trigger).value;
	bool knows = false;
	if (!secret || !*secret) {
		return false;
	}
	zend_string *expected = zend_string_init(secret, strlen(secret), false);
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		const zend_string *given = xhprof_request_variable(where[i], VARIABLE);
		knows |= given && php_safe_bcmp(given, expected) == 0; /* takes equally long wherever they differ */
	}
	zend_string_release(expected);
	return knows;
}

bool xhprof_request_triggered(void)
{
	char asked[2 + 1];
	xhprof_request_environment(VARIABLE, asked, sizeof(asked));
	return (*asked && strcmp(asked, "0") != 0) || xhprof_request_knows_secret();
}
