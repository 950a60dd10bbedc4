#include "request_trigger.h"

#include "base/text.h"

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

/* Returns a variable of the server; sapi_getenv() would copy it, for filters of the program's own. */
static const char *of_server(const char *name)
{
	return sapi_module.getenv ? sapi_module.getenv(name, strlen(name)) : NULL;
}

void xhprof_request_server_variable(const char *name, char *to, size_t size)
{
	xhprof_text_copy(to, size, of_server(name));
}

void xhprof_request_environment(const char *name, char *to, size_t size)
{
	const char *text = of_server(name);
	xhprof_text_copy(to, size, text ? text : getenv(name));
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
