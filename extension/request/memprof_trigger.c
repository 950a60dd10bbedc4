#include "memprof_trigger.h"

#include "request_trigger.h"

#define VARIABLE "MEMPROF_PROFILE"

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
	char asked[64];
	xhprof_request_environment(VARIABLE, asked, sizeof(asked));
	xhprof_memprof_wish wish = read_wish(asked);
	if (!wish.enabled && xhprof_request_knows_secret()) {
		const zend_string *variable = xhprof_request_variable(TRACK_VARS_GET, VARIABLE);
		variable = variable ? variable : xhprof_request_variable(TRACK_VARS_POST, VARIABLE);
		wish = read_wish(variable ? ZSTR_VAL(variable) : "");
	}
	return wish;
}
