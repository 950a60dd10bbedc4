#include "memprof_trigger.h"

#include "request_trigger.h"

#define VARIABLE "MEMPROF_PROFILE"

static xhprof_memprof_config parse_config(const char *value)
{
	xhprof_memprof_config config = {.enabled = *value != '\0' && strcmp(value, "0") != 0};
	while (*value) {
		size_t length = strcspn(value, ",");
		config.native |= length == 6 && memcmp(value, "native", length) == 0;
		config.dump_on_limit |= length == 13 && memcmp(value, "dump_on_limit", length) == 0;
		value += length + (value[length] == ',');
	}
	return config;
}

xhprof_memprof_config xhprof_memprof_requested(void)
{
	char asked[64];
	xhprof_request_environment(VARIABLE, asked, sizeof(asked));
	xhprof_memprof_config config = parse_config(asked);
	if (!config.enabled && xhprof_request_knows_secret()) {
		const zend_string *variable = xhprof_request_variable(TRACK_VARS_GET, VARIABLE);
		variable = variable ? variable : xhprof_request_variable(TRACK_VARS_POST, VARIABLE);
		config = parse_config(variable ? ZSTR_VAL(variable) : "");
	}
	return config;
}
