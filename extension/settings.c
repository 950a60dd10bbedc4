#include "settings.h"

#include "base/redact.h"
#include "export/run_write.h"
#include "hook/call_label.h"
#include "hook/profile_options.h"
#include "hook/session.h"
#include "request/heap_on_limit.h"
#include "folder/save_rule.h"
#include "request/trigger_secret.h"
#include "request/url_route.h"

#include "php_ini.h"

#include <math.h>

/* The bounds of a number: mh_arg3 of on_update_number(). */
typedef struct number_range {
	zend_long min, max;
	bool or_0; /* 0 is allowed as the default */
} number_range;

static ZEND_INI_MH(on_update_number)
{
	const number_range *range = mh_arg3;
	zend_string *error = NULL;
	zend_long number = zend_ini_parse_quantity(new_value, &error); /* as OnUpdateLong() reads it */
	if (error) {
		zend_string_release(error);
	}
	if ((number < range->min || number > range->max) && !(range->or_0 && number == 0)) {
		zend_error(E_WARNING, "%s must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT, ZSTR_VAL(entry->name),
				   range->min, range->max);
		return FAILURE;
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, NULL, stage);
}

/* The words that a setting accepts, of which several may mean the same: mh_arg3 of on_update_choice(). */
typedef struct word_choice {
	const char *allowed; /* for its warning */
	struct {
		const char *word;
		zend_long value;
	} words[10]; /* up to a NULL */
} word_choice;

/* clang-format off */
static const word_choice hooks = {"auto, walk or off",
	{{"auto", XHPROF_HOOKS_AUTO}, {"1", XHPROF_HOOKS_AUTO}, {"on", XHPROF_HOOKS_AUTO}, {"yes", XHPROF_HOOKS_AUTO},
	 {"walk", XHPROF_HOOKS_WALK},
	 {"off", XHPROF_HOOKS_OFF}, {"0", XHPROF_HOOKS_OFF}, {"no", XHPROF_HOOKS_OFF}, {"", XHPROF_HOOKS_OFF}}};
static const word_choice starts = {"no, yes, trigger or sampled",
	{{"no", XHPROF_START_NO}, {"0", XHPROF_START_NO}, {"off", XHPROF_START_NO}, {"", XHPROF_START_NO},
	 {"yes", XHPROF_START_YES}, {"1", XHPROF_START_YES}, {"on", XHPROF_START_YES},
	 {"trigger", XHPROF_START_TRIGGER}, {"sampled", XHPROF_START_SAMPLED}}};
static const word_choice modes = {"exact, sample, alloc or aggregate",
	{{"exact", XHPROF_RUN_EXACT}, {"sample", XHPROF_RUN_SAMPLE}, {"alloc", XHPROF_RUN_ALLOC},
	 {"aggregate", XHPROF_RUN_AGGREGATE}}};
static const word_choice route_hosts = {"no, server or request",
	{{"no", XHPROF_ROUTE_HOST_NONE}, {"0", XHPROF_ROUTE_HOST_NONE}, {"off", XHPROF_ROUTE_HOST_NONE},
	 {"", XHPROF_ROUTE_HOST_NONE},
	 {"server", XHPROF_ROUTE_HOST_OF_SERVER}, {"request", XHPROF_ROUTE_HOST_ASKED}}};
static const word_choice sample_clocks = {"wall or cpu", {{"wall", XHPROF_SAMPLE_WALL}, {"cpu", XHPROF_SAMPLE_CPU}}};
/* clang-format on */

static ZEND_INI_MH(on_update_choice)
{
	const word_choice *choice = mh_arg3;
	for (size_t i = 0; new_value && choice->words[i].word; i++) {
		if (zend_string_equals_cstr(new_value, choice->words[i].word, strlen(choice->words[i].word))) {
			*(zend_long *)ZEND_INI_GET_ADDR() = choice->words[i].value;
			return SUCCESS;
		}
	}
	zend_error(E_WARNING, "%s must be %s", ZSTR_VAL(entry->name), choice->allowed);
	return FAILURE;
}

/* What a text must be: mh_arg3 of on_update_text(). One of the two functions is set and judges it. */
typedef struct text_rule {
	bool (*is)(const char *text);
	bool (*fits)(const char *text, size_t length);
	const char *must; /* for its warning */
} text_rule;

/* clang-format off */
static const text_rule clock_rule = {xhprof_clock_valid_choice, NULL, "auto, tsc, tsc-pinned or monotonic"};
static const text_rule cpu_clock_rule = {xhprof_cpu_clock_valid_choice, NULL, "auto, rseq, interpolate or syscall"};
static const text_rule snapshot_rule = {xhprof_heap_on_limit_valid, NULL, "an absolute path; it may have %p, %t, %u and %%"};
static const text_rule source_rule = {NULL, xhprof_run_valid_source, "1 to 64 letters, digits, \"_\" or \"-\""};
static const text_rule release_rule = {NULL, xhprof_run_valid_release,
	"up to 64 letters, digits, \".\", \"_\", \"+\", \"~\" or \"-\", and no secret"};
/* clang-format on */
_Static_assert(XHPROF_RELEASE_MAX == 64, "it is in that text");

static ZEND_INI_MH(on_update_text)
{
	const text_rule *rule = mh_arg3;
	if (new_value &&
		!(rule->is ? rule->is(ZSTR_VAL(new_value)) : rule->fits(ZSTR_VAL(new_value), ZSTR_LEN(new_value)))) {
		zend_error(E_WARNING, "%s must be %s", ZSTR_VAL(entry->name), rule->must);
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, NULL, stage);
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

/* XHPROF_FLAGS_*, by their names without that prefix, or as a number; 0 for any other word. */
static zend_long flag_of_word(const char *word, size_t length)
{
	static const struct {
		const char *word;
		zend_long flag;
	} flags[] = {{"no_builtins", XHPROF_FLAGS_NO_BUILTINS},
				 {"cpu", XHPROF_FLAGS_CPU},
				 {"memory", XHPROF_FLAGS_MEMORY},
				 {"alloc", XHPROF_FLAGS_ALLOC},
				 {"timeline", XHPROF_FLAGS_TIMELINE}};
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
			zend_error(E_WARNING,
					   "%s must be a number from 0 to %d, or a list of no_builtins, cpu, memory, alloc, timeline",
					   ZSTR_VAL(entry->name), XHPROF_FLAGS_ALL);
			return FAILURE;
		}
		flags |= flag;
		word += length;
	}
	*(zend_long *)ZEND_INI_GET_ADDR() = flags;
	return SUCCESS;
}

static ZEND_INI_MH(on_update_save_if)
{
	const char *at;
	size_t length;
	const char *mistake = new_value ? xhprof_save_rule_mistake(ZSTR_VAL(new_value), &at, &length) : NULL;
	if (mistake) {
		zend_error(E_WARNING, "%s: \"%.*s\" is no condition: %s", ZSTR_VAL(entry->name), (int)length, at, mistake);
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_update_label_calls)
{
	size_t length;
	const char *mistake = new_value ? xhprof_call_label_mistake(ZSTR_VAL(new_value), &length) : NULL;
	if (mistake) {
		zend_error(E_WARNING,
				   "%s: \"%.*s\" does not name a function and the number of an argument, such as apply_filters:1",
				   ZSTR_VAL(entry->name), (int)length, mistake);
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

#define PERDIR (PHP_INI_SYSTEM | PHP_INI_PERDIR)
#define SETTING(name, value, access, update, field) \
	STD_PHP_INI_ENTRY("xhprof." name, value, access, update, ini.field, zend_xhprof_globals, xhprof_globals)
#define SETTING_BOOL(name, value, access, field) \
	STD_PHP_INI_BOOLEAN("xhprof." name, value, access, OnUpdateBool, ini.field, zend_xhprof_globals, xhprof_globals)

/* Passes an argument to the setting's handler. */
#ifdef ZTS
#define GLOBALS ((void *)&xhprof_globals_id)
#else
#define GLOBALS ((void *)&xhprof_globals)
#endif
#define SETTING_OF(name, value, access, update, field, own)                                                           \
	ZEND_INI_ENTRY3("xhprof." name, value, access, update, (void *)offsetof(zend_xhprof_globals, ini.field), GLOBALS, \
					(void *)(own))
#define SETTING_CHOICE(name, value, access, field, words) \
	SETTING_OF(name, value, access, on_update_choice, field, &(words))
#define SETTING_TEXT(name, value, access, field, rule) SETTING_OF(name, value, access, on_update_text, field, &(rule))
#define SETTING_RANGE(name, value, access, field, from, to, zero) \
	SETTING_OF(name, value, access, on_update_number, field, (&(const number_range){from, to, zero}))
#define SETTING_NUMBER(name, value, access, field, from, to) SETTING_RANGE(name, value, access, field, from, to, false)
#define SETTING_NUMBER_OR_0(name, access, field, from, to) SETTING_RANGE(name, "0", access, field, from, to, true)

/* The comment above each setting is its text in docs/reference.md (make reference). */
/* clang-format off */
PHP_INI_BEGIN()
	/* Folder of the runs. If empty: the environment variable `XHPROF_OUTPUT_DIR`, or else `xhprof-UID` in the folder
	 * for temporary files, which only that user can read (0700). Files get mode 0640. */
	SETTING("output_dir", "", PHP_INI_ALL, OnUpdateString, output_dir)
	/* Which requests are profiled without a change to the code: `no` (none), `yes` (all), `trigger` (those that send
	 * `XHPROF_TRIGGER` with the value of `xhprof.trigger_value`), `sampled` (a share, `xhprof.sample_rate`). An environment
	 * variable `XHPROF_TRIGGER` also triggers, with any value except an empty one and 0. */
	SETTING_CHOICE("start_with_request", "no", PERDIR, start_with_request, starts)
	/* Share of the requests that `xhprof.start_with_request=sampled` profiles: 0.01 is one in a hundred. */
	SETTING("sample_rate", "0.01", PERDIR, on_update_rate, sample_rate)
	/* How these requests are profiled: `exact` (every call), `sample` (the call path at intervals), `alloc` (every
	 * call and every allocation; with `xhprof.alloc_sample_bytes` only sampled allocations), `aggregate` (sampled,
	 * merged by route, one run per window and host). */
	SETTING_CHOICE("mode", "exact", PERDIR, mode, modes)
	/* What exact profiles of requests record: a number (the sum of `XHPROF_FLAGS_*`), or a list with commas:
	 * `cpu,memory,no_builtins,alloc,timeline`. */
	SETTING("flags", "", PERDIR, on_update_flags, flags)
	/* Source (the group in lists) of the runs that settings start. */
	SETTING_TEXT("source", "auto", PHP_INI_SYSTEM, source, source_rule)
	/* Release of the program, as 1.5.0: saved with runs and windows, which are of one release each. `bin/xhprof ship`
	 * sends it. A program may set it until a request ends. Up to 64 letters, digits, ".", "_", "+", "~" and "-". */
	SETTING_TEXT("release", "", PHP_INI_ALL, release, release_rule)
	/* Requests and spans that took less time, until the answer was finished, are not saved, except triggered ones. 0: all are
	 * saved. */
	SETTING_NUMBER("save_slower_than_ms", "0", PHP_INI_ALL, save_slower_than_ms, 0, (zend_long)1 << 40)
	/* Which runs are saved, by conditions that are tested when the request or span has ended; triggered ones always
	 * are. One of a list with commas has to be met: `slower=500` (ms), `failed` (a status from 500, a fatal error or
	 * a signal), `peak=64M` (more bytes than this), `sql=100` (more operations of a kind; `operations=100`: of all
	 * kinds; sampled profiles count them unless `xhprof.hooks` or `xhprof.collect_additional_info` is off; sampled
	 * allocations do not), `route=GET /cart*` (`*`, `?` and `[...]`; of a span its name). `&` joins those that have
	 * to be met together. `@N` behind a condition is the number of runs that it saves per minute, for all processes
	 * of a server (10 unless given): `route=GET /cart*&slower=200@5, failed`. With `xhprof.mode=aggregate` a request
	 * that meets one is also saved as a run of its own, of the samples that were taken. Empty: all are saved; with
	 * that mode none. */
	SETTING("save_if", "", PHP_INI_ALL, on_update_save_if, save_if)
	/* Runs of this source that the folder keeps. The oldest are deleted first; pinned runs stay. 0: no limit. */
	SETTING_NUMBER("max_runs", "10000", PHP_INI_SYSTEM, max_runs, 0, 1000000000)
	/* Total bytes of the runs of this source that the folder keeps. 0: no limit. */
	SETTING_NUMBER("max_bytes", "1G", PHP_INI_SYSTEM, max_bytes, 0, ZEND_LONG_MAX)
	/* Length of a window of `xhprof.mode=aggregate`: each host saves one run per window. */
	SETTING_NUMBER("flush_seconds", "60", PHP_INI_SYSTEM, flush_seconds, 1, 86400)
	/* Regular expressions that name routes, with spaces between: `#^/shop/[^/]+/reviews#=reviews #^/(de|fr)/#=site_\1`. Each
	 * is tried with the path and the query of a URL, decoded; the first that matches names the route. `\1` or `$1` to `\9`
	 * stand for the text of a group. Any delimiter may replace `#`; the modifiers `i`, `m`, `s`, `u`, `x` may follow, as in
	 * PHP. An invalid pattern is ignored and logged. */
	SETTING("route_patterns", "", PERDIR, OnUpdateString, route_patterns)
	/* Parameters of a URL, or of a form, that are a part of a request's route, with commas between: `GET /?action=edit`. Their
	 * values count only if they look like names within the program; after `name*` others do too, as `{id}`. */
	SETTING("route_parameters", XHPROF_ROUTE_PARAMETERS, PERDIR, OnUpdateString, route_parameters)
	/* Whether the host is a part of routes: `no`, `server` (the name that the server's configuration gives the site,
	 * `SERVER_NAME`), `request` (the host that was asked for). */
	SETTING_CHOICE("route_host", "no", PERDIR, route_host, route_hosts)
	/* Whether a request's route is the one that Symfony, Drupal, Laravel, Slim, Laminas, WordPress or MediaWiki has found for it.
	 * Off: it is its URL, unless `xhprof_set_route()` names it. */
	SETTING_BOOL("framework_routes", "1", PERDIR, framework_routes)
	/* Values of parameters and options are saved as `REDACTED` if the name contains one of these, with commas between.
	 * After `=` only whole words of a name match: `=pin` matches `user_pin`, not `shipping`. */
	SETTING("redact", XHPROF_REDACT_NAMES, PERDIR, OnUpdateString, redact)
	/* The secret that a request must send as `XHPROF_TRIGGER`: a GET or POST parameter or a cookie. If empty, no visitor
	 * can start a profile. `MEMPROF_PROFILE` needs the same secret. `phpinfo()` and `ini_get()` show `(set)`. */
	PHP_INI_ENTRY("xhprof.trigger_value", "", PHP_INI_SYSTEM, xhprof_trigger_secret_on_update)
	/* Microseconds between two samples. 0: 100000 for `xhprof_sample_enable()`, as in PECL xhprof, and 10000 for
	 * requests and spans that settings sample. */
	SETTING_NUMBER_OR_0("sampling_interval", PHP_INI_ALL, sampling_interval, XHPROF_SAMPLE_LEAST_US, UINT32_MAX)
	/* Most functions in a sample's path, counted from the innermost. */
	SETTING_NUMBER("sampling_depth", "2147483647", PHP_INI_ALL, sampling_depth, 1, ZEND_LONG_MAX)
	/* Clock of the samples: `wall`, or `cpu` (CPU time of the thread, without waiting). */
	SETTING_CHOICE("sampling_clock", "wall", PHP_INI_ALL, sampling_clock, sample_clocks)
	/* Whether samples that settings start record the line that ran. */
	SETTING_BOOL("sampling_lines", "0", PHP_INI_ALL, sampling_lines)
	/* Whether exact profiles record operations: SQL, HTTP requests, caches, files, processes ..., each by its text and
	 * call path. A text has no values: SQL has `?`, a URL `{id}`. Sampled profiles only count them, for `xhprof.save_if`. */
	SETTING_BOOL("collect_additional_info", "1", PHP_INI_ALL, collect_additional_info)
	/* Whether texts of operations have their values: SQL with its literals and those given to execute(), URLs, paths,
	 * keys. They may contain secrets. */
	SETTING_BOOL("operation_values", "0", PHP_INI_ALL, operation_values)
	/* Functions whose calls are named with an argument, by its number from 1 on, with spaces or commas between:
	 * `apply_filters:1 do_action:1` make `apply_filters(the_content)`. A method has its class, as in a report:
	 * `Symfony\Component\EventDispatcher\EventDispatcher::dispatch:1`. The argument is a text of up to 200 bytes, shown
	 * as a key of a cache in operations is (without numbers, tokens and secrets), or an object, whose class is shown;
	 * other values give no label. After 1000 labels of a profile further ones are `apply_filters(...)`, as
	 * longer texts are. Closures, generators and operations have none. Samples show what the argument is when the stack
	 * is read: calls that had returned by then have no label, nor has a program that runs with a JIT. Allocations that
	 * are sampled without following calls (`xhprof.mode=alloc` and `aggregate`, `memprof_enable()`) have none. */
	SETTING("label_calls", "", PHP_INI_ALL, on_update_label_calls, label_calls)
	/* Most call paths of a profile. Each takes 80 bytes, and up to 18 more in an index. When there are more, the paths
	 * that have least of the time, of the samples, and of the bytes allocated, live, or live at the peak are folded into
	 * their callers, again and again: what is heavy stays, and sums do. A timeline loses the calls of folded paths, and
	 * counts them. With less than 1000, and while a dump is written, the time of further calls is that of `(truncated)`. The
	 * calls of each function stay exact: those of folded paths are in `main()`, below `(truncated)`. */
	SETTING_NUMBER("max_nodes", "1000000", PHP_INI_ALL, max_nodes, 16, 100000000)
	/* Bytes of a profile's memory that a process keeps for its next request, so that not every request has new pages
	 * made, the names of its functions, in half of them at most, and pages for records of blocks, in a quarter. A call
	 * path takes some 95 bytes; saving, folding or merging takes up to 4 MB, half of them at most; what is over 1 MB of
	 * that goes back when 16 requests have not needed it. When no request has been profiled for a minute, the next one
	 * gives them back. 0: nothing is kept. */
	SETTING_NUMBER("keep_memory", "8M", PHP_INI_SYSTEM, keep_memory, 0, (zend_long)1 << 40)
	/* Microseconds that a call must last to be kept in a timeline (`XHPROF_FLAGS_TIMELINE`); shorter ones are part of their
	 * callers' time. 0: every call is kept, as long as there is room. */
	SETTING_NUMBER("timeline_threshold", "0", PHP_INI_ALL, timeline_threshold, 0, XHPROF_TIMELINE_THRESHOLD_MAX)
	/* Most calls that a timeline keeps. Each takes 32 bytes. When there are more, the shortest go: the threshold is doubled, from
	 * 0 to 100 ns, and what lasted less is dropped. The end of a program is never lost. */
	SETTING_NUMBER("timeline_max_calls", "1000000", PHP_INI_ALL, timeline_max_calls, 1000, 100000000)
	/* Most live blocks that are recorded while allocations are tracked. Each takes a little more than 10 bytes.
	 * Further blocks are counted as dropped. */
	SETTING_NUMBER("alloc_max_records", "10000000", PHP_INI_ALL, alloc_max_records, 1000, 1000000000)
	/* Average distance of sampled allocations, in bytes; figures are scaled up. 0: every allocation is recorded. With
	 * `xhprof.mode=alloc` and in `memprof_enable()` nothing else is recorded then, no call and no time. With
	 * `xhprof.mode=aggregate` requests are sampled by their allocations too, and with 0 by time alone. */
	SETTING_NUMBER("alloc_sample_bytes", "0", PHP_INI_ALL, alloc_sample_bytes, 0, (zend_long)1 << 40)
	/* Absolute path of a heap snapshot that is written when memory_limit ends the request. `%p` is the process, `%t` the
	 * time, `%u` a UUID, `%%` a percent sign. The folder keeps at most `xhprof.max_runs` files of this pattern, and
	 * `xhprof.max_bytes` in total. */
	SETTING_TEXT("heap_on_limit", "", PERDIR, heap_on_limit, snapshot_rule)
	/* Wall clock. `auto` chooses; the others force one. phpinfo() shows the clock in use. */
	SETTING_TEXT("clock", "auto", PHP_INI_SYSTEM, clock, clock_rule)
	/* How CPU time is read. `auto` chooses the best way that works; the others force one. phpinfo() shows the way in
	 * use, and why a better one is not. */
	SETTING_TEXT("cpu_clock", "auto", PHP_INI_SYSTEM, cpu_clock, cpu_clock_rule)
	/* How functions are observed. `auto` chooses. `off` observes none: calls cost nothing, and only sampling is possible,
	 * of allocations too.
	 * `walk` visits all functions at the start and the end of a profile. Read when PHP starts: in php.ini only. */
	SETTING_CHOICE("hooks", "auto", PHP_INI_SYSTEM, hooks, hooks)
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
