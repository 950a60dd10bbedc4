#include "run_facts.h"

#include "SAPI.h"

void xhprof_run_engine_now(xhprof_run_engine *engine)
{
	*engine = (xhprof_run_engine){
		.sapi = sapi_module.name,
		.php = PHP_VERSION,
		.version = PHP_XHPROF_VERSION,
		.zts = USING_ZTS,
		.peak_memory = zend_memory_peak_usage(false),
		.flags = XHPROF_G(tracer).sample_interval_us ? 0 : XHPROF_G(profile).user_flags,
		.keep_run_init = XHPROF_G(profile).keep_run_init,
		.overhead = XHPROF_G(profile).overhead,
	};
}

typedef struct text {
	char *at, *end; /* the '\0' has a place of its own */
} text;

static void text_add(text *to, const char *bytes, size_t length)
{
	size_t room = (size_t)(to->end - to->at);
	length = length < room ? length : room;
	memcpy(to->at, bytes, length);
	to->at += length;
}

static void text_add_argument(text *to, const char *argument)
{
	bool plain = *argument && !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
														 "0123456789_-+=./:,@%^~")];
	text_add(to, " '", plain ? 1 : 2);
	for (const char *quote; (quote = strchr(argument, '\'')); argument = quote + 1) {
		text_add(to, argument, (size_t)(quote - argument));
		text_add(to, "'\\''", 4);
	}
	text_add(to, argument, strlen(argument));
	text_add(to, "'", !plain);
}

void xhprof_run_command(char *to, size_t size)
{
	text command = {to, to + size - 1};
	if (!SG(request_info).request_method && SG(request_info).argc > 0) {
		text_add(&command, "php", 3);
		for (int i = 0; i < SG(request_info).argc; i++) {
			text_add_argument(&command, SG(request_info).argv[i]);
		}
	}
	*command.at = '\0';
}
