#include "settings.h"

#include "base/redact.h"
#include "export/run_write.h"
#include "hook/session.h"
#include "request/heap_on_limit.h"
#include "request/trigger_secret.h"

#include "php_ini.h"

#include <math.h>

/* A number between two bounds. */
static ZEND_INI_MH(on_update_number)
{
	static const struct {
		const char *name;
		zend_long least, most;
	} numbers[] = {
		{"xhprof.sampling_interval", XHPROF_SAMPLE_LEAST_US, UINT32_MAX},
		{"xhprof.sampling_depth", 1, ZEND_LONG_MAX},
		{"xhprof.max_nodes", 16, 100000000},
		{"xhprof.alloc_max_records", 1000, 1000000000},
		{"xhprof.alloc_sample_bytes", 0, (zend_long)1 << 40},
		{"xhprof.save_slower_than_ms", 0, (zend_long)1 << 40},
		{"xhprof.max_runs", 0, 1000000000},
		{"xhprof.max_bytes", 0, ZEND_LONG_MAX},
		{"xhprof.flush_seconds", 1, 86400},
	};
	zend_string *error = NULL;
	zend_long number = zend_ini_parse_quantity(new_value, &error); /* as OnUpdateLong() reads it */
	if (error) {
		zend_string_release(error);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(ZSTR_VAL(entry->name), numbers[i].name) == 0 &&
			!(number == 0 && zend_string_equals_literal(entry->name, "xhprof.sampling_interval")) &&
			(number < numbers[i].least || number > numbers[i].most)) {
			zend_error(E_WARNING, "%s must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT, numbers[i].name,
					   numbers[i].least, numbers[i].most);
			return FAILURE;
		}
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* One of some words, of which several may mean the same. */
static ZEND_INI_MH(on_update_choice)
{
	static const struct {
		const char *name, *word;
		zend_long value;
	} words[] = {
		{"xhprof.hooks", "auto", XHPROF_HOOKS_AUTO},
		{"xhprof.hooks", "1", XHPROF_HOOKS_AUTO},
		{"xhprof.hooks", "on", XHPROF_HOOKS_AUTO},
		{"xhprof.hooks", "yes", XHPROF_HOOKS_AUTO},
		{"xhprof.hooks", "walk", XHPROF_HOOKS_WALK},
		{"xhprof.hooks", "off", XHPROF_HOOKS_OFF},
		{"xhprof.hooks", "0", XHPROF_HOOKS_OFF},
		{"xhprof.hooks", "no", XHPROF_HOOKS_OFF},
		{"xhprof.hooks", "", XHPROF_HOOKS_OFF},
		{"xhprof.start_with_request", "no", XHPROF_START_NO},
		{"xhprof.start_with_request", "0", XHPROF_START_NO},
		{"xhprof.start_with_request", "off", XHPROF_START_NO},
		{"xhprof.start_with_request", "", XHPROF_START_NO},
		{"xhprof.start_with_request", "yes", XHPROF_START_YES},
		{"xhprof.start_with_request", "1", XHPROF_START_YES},
		{"xhprof.start_with_request", "on", XHPROF_START_YES},
		{"xhprof.start_with_request", "trigger", XHPROF_START_TRIGGER},
		{"xhprof.start_with_request", "sampled", XHPROF_START_SAMPLED},
		{"xhprof.mode", "exact", XHPROF_RUN_EXACT},
		{"xhprof.mode", "sample", XHPROF_RUN_SAMPLE},
		{"xhprof.mode", "alloc", XHPROF_RUN_ALLOC},
		{"xhprof.mode", "aggregate", XHPROF_RUN_AGGREGATE},
		{"xhprof.sampling_clock", "wall", XHPROF_SAMPLE_WALL},
		{"xhprof.sampling_clock", "cpu", XHPROF_SAMPLE_CPU},
	};
	static const struct {
		const char *name, *allowed;
	} settings[] = {
		{"xhprof.hooks", "auto, walk or off"},
		{"xhprof.start_with_request", "no, yes, trigger or sampled"},
		{"xhprof.mode", "exact, sample, alloc or aggregate"},
		{"xhprof.sampling_clock", "wall or cpu"},
	};
	const char *name = ZSTR_VAL(entry->name);
	for (size_t i = 0; new_value && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(name, words[i].name) == 0 &&
			zend_string_equals_cstr(new_value, words[i].word, strlen(words[i].word))) {
			*(zend_long *)ZEND_INI_GET_ADDR() = words[i].value;
			return SUCCESS;
		}
	}
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (strcmp(name, settings[i].name) == 0) {
			zend_error(E_WARNING, "%s must be %s", name, settings[i].allowed);
		}
	}
	return FAILURE;
}

static ZEND_INI_MH(on_update_clock)
{
	if (!xhprof_clock_valid_choice(ZSTR_VAL(new_value))) {
		zend_error(E_WARNING, "xhprof.clock must be auto, tsc, tsc-pinned or monotonic");
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_update_cpu_clock)
{
	if (!xhprof_cpu_clock_valid_choice(ZSTR_VAL(new_value))) {
		zend_error(E_WARNING, "xhprof.cpu_clock must be auto, rseq, interpolate or syscall");
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_update_rate)
{
	const char *end = ZSTR_VAL(new_value);
	double rate = zend_strtod(ZSTR_VAL(new_value), &end);
	if (end == ZSTR_VAL(new_value) || *end || !(rate >= 0 && rate <= 1)) {
		zend_error(E_WARNING, "%s must be between 0 and 1", ZSTR_VAL(entry->name));
		return FAILURE;
	}
	*(double *)ZEND_INI_GET_ADDR() = rate;
	return SUCCESS;
}

/* XHPROF_FLAGS_*, by their names without that, or as a number; 0 for any other word. */
static zend_long flag_of_word(const char *word, size_t length)
{
	static const struct {
		const char *word;
		zend_long flag;
	} flags[] = {{"no_builtins", XHPROF_FLAGS_NO_BUILTINS},
				 {"cpu", XHPROF_FLAGS_CPU},
				 {"memory", XHPROF_FLAGS_MEMORY},
				 {"alloc", XHPROF_FLAGS_ALLOC}};
	const size_t prefix = sizeof("xhprof_flags_") - 1;
	if (length > prefix && strncasecmp(word, "xhprof_flags_", prefix) == 0) {
		word += prefix;
		length -= prefix;
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strlen(flags[i].word) == length && strncasecmp(word, flags[i].word, length) == 0) {
			return flags[i].flag;
		}
	}
	char *end = NULL;
	zend_long number = *word >= '1' && *word <= '9' ? ZEND_STRTOL(word, &end, 10) : 0;
	return end == word + length && number <= XHPROF_FLAGS_ALL ? number : 0;
}

static ZEND_INI_MH(on_update_flags)
{
	static const char separators[] = " \t,|";
	const char *word = ZSTR_VAL(new_value);
	zend_long flags = 0;
	while (*(word += strspn(word, separators))) {
		size_t length = strcspn(word, separators);
		zend_long flag = flag_of_word(word, length);
		if (!flag && !(length == 1 && *word == '0')) {
			zend_error(E_WARNING, "%s must be a number from 0 to %d, or of the words no_builtins, cpu, memory, alloc",
					   ZSTR_VAL(entry->name), XHPROF_FLAGS_ALL);
			return FAILURE;
		}
		flags |= flag;
		word += length;
	}
	*(zend_long *)ZEND_INI_GET_ADDR() = flags;
	return SUCCESS;
}

static ZEND_INI_MH(on_update_source)
{
	if (!xhprof_run_valid_source(ZSTR_VAL(new_value), ZSTR_LEN(new_value))) {
		zend_error(E_WARNING, "%s must be 1 to 64 letters, digits, \"_\" or \"-\"", ZSTR_VAL(entry->name));
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_update_heap_on_limit)
{
	if (!xhprof_heap_on_limit_valid(ZSTR_VAL(new_value))) {
		zend_error(E_WARNING, "%s must be an absolute path, in which %%p, %%t, %%u and %%%% may stand",
				   ZSTR_VAL(entry->name));
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

#define PERDIR (PHP_INI_SYSTEM | PHP_INI_PERDIR)
#define SETTING(name, value, access, update, field) \
	STD_PHP_INI_ENTRY("xhprof." name, value, access, update, ini.field, zend_xhprof_globals, xhprof_globals)
#define SETTING_BOOL(name, value, access, field) \
	STD_PHP_INI_BOOLEAN("xhprof." name, value, access, OnUpdateBool, ini.field, zend_xhprof_globals, xhprof_globals)

/* clang-format off */
PHP_INI_BEGIN()
	SETTING("output_dir", "", PHP_INI_ALL, OnUpdateString, output_dir)
	SETTING("start_with_request", "no", PERDIR, on_update_choice, start_with_request)
	SETTING("sample_rate", "0.01", PERDIR, on_update_rate, sample_rate)
	SETTING("mode", "exact", PERDIR, on_update_choice, mode)
	SETTING("flags", "", PERDIR, on_update_flags, flags)
	SETTING("source", "auto", PHP_INI_SYSTEM, on_update_source, source)
	SETTING("save_slower_than_ms", "0", PHP_INI_ALL, on_update_number, save_slower_than_ms)
	SETTING("max_runs", "10000", PHP_INI_SYSTEM, on_update_number, max_runs)
	SETTING("max_bytes", "1G", PHP_INI_SYSTEM, on_update_number, max_bytes)
	SETTING("flush_seconds", "60", PHP_INI_SYSTEM, on_update_number, flush_seconds)
	SETTING("redact", XHPROF_REDACT_NAMES, PERDIR, OnUpdateString, redact)
	PHP_INI_ENTRY("xhprof.trigger_value", "", PHP_INI_SYSTEM, xhprof_trigger_secret_on_update)
	SETTING("sampling_interval", "0", PHP_INI_ALL, on_update_number, sampling_interval)
	SETTING("sampling_depth", "2147483647", PHP_INI_ALL, on_update_number, sampling_depth)
	SETTING("sampling_clock", "wall", PHP_INI_ALL, on_update_choice, sampling_clock)
	SETTING_BOOL("sampling_lines", "0", PHP_INI_ALL, sampling_lines)
	SETTING_BOOL("collect_additional_info", "0", PHP_INI_ALL, collect_additional_info)
	SETTING("max_nodes", "1000000", PHP_INI_ALL, on_update_number, max_nodes)
	SETTING("alloc_max_records", "10000000", PHP_INI_ALL, on_update_number, alloc_max_records)
	SETTING("alloc_sample_bytes", "0", PHP_INI_ALL, on_update_number, alloc_sample_bytes)
	SETTING("heap_on_limit", "", PERDIR, on_update_heap_on_limit, heap_on_limit)
	SETTING("clock", "auto", PHP_INI_SYSTEM, on_update_clock, clock)
	SETTING("cpu_clock", "auto", PHP_INI_SYSTEM, on_update_cpu_clock, cpu_clock)
	SETTING("hooks", "auto", PHP_INI_SYSTEM, on_update_choice, hooks)
PHP_INI_END()
/* clang-format on */

void xhprof_settings_minit(int type, int module_number)
{
	REGISTER_INI_ENTRIES();
	xhprof_trigger_secret_minit();
}

void xhprof_settings_mshutdown(int type, int module_number)
{
	UNREGISTER_INI_ENTRIES();
	xhprof_trigger_secret_mshutdown();
}
