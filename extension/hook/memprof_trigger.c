#include "memprof_trigger.h"

#define VARIABLE "MEMPROF_PROFILE"

static const zend_string *request_variable(int track, const char *name)
{
	zval *variables = &PG(http_globals)[track];
	zval *value =
		Z_TYPE_P(variables) == IS_ARRAY ? zend_hash_str_find_deref(Z_ARRVAL_P(variables), name, strlen(name)) : NULL;
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STR_P(value) : NULL;
}

static bool request_may_ask(void)
{
	static const int where[] = {TRACK_VARS_GET, TRACK_VARS_POST, TRACK_VARS_COOKIE};
	const char *secret = XHPROF_G(ini).trigger_value;
	bool may = false;
	if (!secret || !*secret) {
		return false;
	}
	zend_string *expected = zend_string_init(secret, strlen(secret), false);
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		const zend_string *given = request_variable(where[i], "XHPROF_TRIGGER");
		may |= given && php_safe_bcmp(given, expected) == 0; /* takes as long wherever they differ */
	}
	zend_string_release(expected);
	return may;
}

static xhprof_memprof_wish read_wish(const char *value)
{
	xhprof_memprof_wish wish = {.enabled = *value != '\0' && strcmp(value, "0") != 0};
	while (*value) {
		size_t length = strcspn(value, ",");
		wish.native |= length == 6 && memcmp(value, "native", length) == 0;
		wish.dump_on_limit |= length == 13 && memcmp(value, "dump_on_limit", length) == 0;
		value += length + (value[length] == ',');
	}
	return wish;
}

xhprof_memprof_wish xhprof_memprof_wished(void)
{
	char *of_server = sapi_getenv(VARIABLE, sizeof(VARIABLE) - 1);
	const char *of_process = getenv(VARIABLE);
	xhprof_memprof_wish wish = read_wish(of_server ? of_server : of_process ? of_process : "");
	if (of_server) {
		efree(of_server);
	}
	if (!wish.enabled && XHPROF_G(ini).trigger_value && *XHPROF_G(ini).trigger_value && request_may_ask()) {
		const zend_string *asked = request_variable(TRACK_VARS_GET, VARIABLE);
		asked = asked ? asked : request_variable(TRACK_VARS_POST, VARIABLE);
		wish = read_wish(asked ? ZSTR_VAL(asked) : "");
	}
	return wish;
}
