#include "request_trigger.h"

#include "given_request.h"

#include "base/text.h"

#include "SAPI.h"

#define VARIABLE "XHPROF_TRIGGER"

/* Returns the variables of the request that the runtime of a worker has given, or of the server's; or NULL. */
static const HashTable *variables_of(int track)
{
	const xhprof_given_request *given = xhprof_given_request_now();
	if (given) {
		return track <= TRACK_VARS_COOKIE ? given->variables[track] : NULL;
	}
	const zval *variables = &PG(http_globals)[track];
	return Z_TYPE_P(variables) == IS_ARRAY ? Z_ARRVAL_P(variables) : NULL;
}

bool xhprof_request_has_variables(int track)
{
	const HashTable *variables = variables_of(track);
	return variables && zend_hash_num_elements(variables);
}

const zend_string *xhprof_request_variable(int track, const char *name)
{
	const HashTable *variables = variables_of(track);
	zval *value = variables ? zend_hash_str_find_deref((HashTable *)variables, name, strlen(name)) : NULL;
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

static bool is_text(const char *given, const zend_string *expected)
{
	zend_string *text = zend_string_init(given, strlen(given), false);
	bool is = php_safe_bcmp(text, expected) == 0;
	zend_string_release(text);
	return is;
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
	const xhprof_given_request *request = xhprof_given_request_now();
	for (size_t i = 0; request && i < sizeof(request->triggers) / sizeof(*request->triggers); i++) {
		knows |= is_text(request->triggers[i], expected);
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
