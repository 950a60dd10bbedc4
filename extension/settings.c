#include "settings.h"

#include "base/redact.h"
#include "export/run_write.h"
#include "hook/call_label.h"
#include "hook/profile_options.h"
#include "hook/session.h"
#include "request/heap_on_limit.h"
#include "folder/heap_rule.h"
#include "folder/save_rule.h"
#include "request/trigger_secret.h"
#include "request/url_route.h"

#include "php_ini.h"

#include <math.h>

/* The bounds of a number, mh_arg3 of on_update_number(). */
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

/* The words that a setting accepts, mh_arg3 of on_update_choice(). Several may have the same value. */
typedef struct word_choice {
	const char *allowed; /* the words, for the warning */
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
static const word_choice workers = {"auto or off",
	{{"auto", true}, {"1", true}, {"on", true}, {"yes", true},
	 {"off", false}, {"0", false}, {"no", false}, {"", false}}};
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
	zend_error(E_WARNING, "%s must be %s, not \"%s\"", ZSTR_VAL(entry->name), choice->allowed,
			   new_value ? ZSTR_VAL(new_value) : "");
	return FAILURE;
}

/* The rule for a text, mh_arg3 of on_update_text(). One of the two functions is set, and returns whether it is met. A warning
 * shows what `is` refuses; the texts of `fits` may be a secret, or have bytes of 0. */
typedef struct text_rule {
	bool (*is)(const char *text);
	bool (*fits)(const char *text, size_t length);
	const char *must; /* the rule in words, for the warning */
} text_rule;

/* clang-format off */
static const text_rule clock_rule = {xhprof_clock_valid_choice, NULL, "auto, tsc, tsc-pinned or monotonic"};
static const text_rule cpu_clock_rule = {xhprof_cpu_clock_valid_choice, NULL,
	"auto, rseq, interpolate, syscall or getrusage"};
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
		zend_error(E_WARNING, rule->is ? "%s must be %s, not \"%.200s\"" : "%s must be %s", ZSTR_VAL(entry->name),
				   rule->must, ZSTR_VAL(new_value));
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

/* Returns the XHPROF_FLAGS_* of a word: a name without that prefix, or a number. 0 for any other word. */
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

static ZEND_INI_MH(on_update_heap_if)
{
	const char *at;
	size_t length;
	xhprof_heap_rule rule;
	const char *mistake = new_value ? xhprof_heap_rule_read(ZSTR_VAL(new_value), &rule, &at, &length) : NULL;
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

/* The comment above each setting is its text in docs/reference.md (make reference). If it begins with "For debugging: ",
 * the setting is in the last section there: only the developers of this extension need it. */
/* clang-format off */
PHP_INI_BEGIN()
	/* The folder of the runs. If empty: the environment variable `XHPROF_OUTPUT_DIR`, or else `xhprof-UID`
	 * in the folder for temporary files, which only that user can enter (mode 0700). Runs get mode 0640. If nothing can
	 * be written there, `xhprof_save()` throws an exception; runs that settings start are lost, and PHP's log says
	 * why. */
	SETTING("output_dir", "", PHP_INI_ALL, OnUpdateString, output_dir)
	/* Selects the requests that are profiled without a change to the code: `no` (none), `yes` (all), `trigger` (those
	 * that send `XHPROF_TRIGGER` with the value of `xhprof.trigger_value`) or `sampled` (a random share,
	 * `xhprof.sample_rate`). An environment variable `XHPROF_TRIGGER` triggers, too, with any value except an empty one
	 * and 0. */
	SETTING_CHOICE("start_with_request", "no", PERDIR, start_with_request, starts)
	/* The share of requests that `xhprof.start_with_request=sampled` profiles, from 0 (none) to 1 (all): 0.01 is one in
	 * a hundred. */
	SETTING("sample_rate", "0.01", PERDIR, on_update_rate, sample_rate)
	/* Selects how requests and spans are profiled: `exact` (every call), `sample` (the call path at intervals), `alloc`
	 * (every call and every allocation; with `xhprof.alloc_sample_bytes` only sampled allocations) or `aggregate`
	 * (samples, merged by route to one run per host and window). */
	SETTING_CHOICE("mode", "exact", PERDIR, mode, modes)
	/* Selects what exact profiles of requests and spans record, as a list with commas: `cpu`, `memory`, `alloc` and
	 * `timeline` are recorded besides calls and wall time, and `no_builtins` leaves out PHP's own functions. A number
	 * is the sum of `XHPROF_FLAGS_*`. Empty: calls and wall time of all functions. */
	SETTING("flags", "", PERDIR, on_update_flags, flags)
	/* Whether the requests and jobs of workers are profiled without a change to the code. `auto`: known runtimes begin and
	 * end a span for each: FrankenPHP, RoadRunner, Swoole, OpenSwoole, Laravel's Octane and queue, Symfony Messenger, amphp,
	 * ReactPHP, and handlers of PSR-15 (docs/production.md, "Workers"). It has the method, the URL and the route of its request,
	 * or the name of the job. `off`: only spans that the program begins. With `xhprof.hooks=off` nothing begins by itself. */
	SETTING_CHOICE("workers", "auto", PERDIR, workers, workers)
	/* The source of runs that settings start: the group that lists show them in, and a part of their file names. */
	SETTING_TEXT("source", "auto", PHP_INI_SYSTEM, source, source_rule)
	/* The release of the program, such as 1.5.0. Runs and windows have it, and a window is of one release only;
	 * `bin/xhprof ship` sends it. Empty: none. A program may set it until a request ends. */
	SETTING_TEXT("release", "", PHP_INI_ALL, release, release_rule)
	/* The least duration, in milliseconds of wall time until the answer was finished, of requests and spans that are
	 * saved. Faster ones are dropped, except triggered ones. 0: all are saved. */
	SETTING_NUMBER("save_slower_than_ms", "0", PHP_INI_ALL, save_slower_than_ms, 0, (zend_long)1 << 40)
	/* The conditions for saving a run, a list with commas. They are tested when the request or span has ended, and one
	 * of them must be met; triggered runs are always saved. Conditions are `slower=500` (at least as many ms of wall
	 * time), `failed` (a status from 500, a fatal error or a signal), `peak=64M` (more bytes at the peak), `sql=100`
	 * (more operations of this kind; `operations=100`: of all kinds together) and `route=GET /cart*` (the route, or a
	 * span's name; `*`, `?` and `[...]` as in file names). `&` joins conditions that must be met together. `@N` at the
	 * end is the number of runs that a condition saves per minute, for all processes of a server (10 if not given):
	 * `route=GET /cart*&slower=200@5, failed`. With `xhprof.mode=aggregate` a request that meets a condition is also
	 * saved as a run of its own, with the samples that were taken. Sampled profiles count operations if
	 * `xhprof.collect_additional_info` is on; those of sampled allocations do not. Empty: all runs are saved; with
	 * `xhprof.mode=aggregate` only windows. A wrong condition is refused with a warning that names it, and the setting
	 * does not change. */
	SETTING("save_if", "", PHP_INI_ALL, on_update_save_if, save_if)
	/* The number of runs of `xhprof.source` that the folder keeps. Further ones replace the oldest; pinned runs stay.
	 * 0: no limit. */
	SETTING_NUMBER("max_runs", "10000", PHP_INI_SYSTEM, max_runs, 0, 1000000000)
	/* The total bytes of the runs of `xhprof.source` that the folder keeps. Further runs replace the oldest; pinned
	 * runs stay. 0: no limit. */
	SETTING_NUMBER("max_bytes", "1G", PHP_INI_SYSTEM, max_bytes, 0, ZEND_LONG_MAX)
	/* The length of a window of `xhprof.mode=aggregate`, in seconds. Each host saves one run per window. */
	SETTING_NUMBER("flush_seconds", "60", PHP_INI_SYSTEM, flush_seconds, 1, 86400)
	/* Patterns that name routes, with spaces between: `#^/shop/[^/]+/reviews#=reviews #^/(de|fr)/#=site_\1`. Each is a
	 * regular expression, `=` and a name. They are tried in order with the decoded path and query of the URL; the first
	 * that matches names the route. `\1` or `$1` to `\9` stand for the text of a group. Any delimiter may replace `#`,
	 * and the modifiers `i`, `m`, `s`, `u` and `x` may follow it, as in PHP. Empty: none. An invalid pattern is
	 * skipped, and PHP's log names it. */
	SETTING("route_patterns", "", PERDIR, OnUpdateString, route_patterns)
	/* Parameters of the URL or of a form that belong to the route, with commas between: `GET /?action=edit`. A value
	 * counts only if it looks like a name that the program has given; after `name*` other values count, too, as `{id}`.
	 * Empty: none. */
	SETTING("route_parameters", XHPROF_ROUTE_PARAMETERS, PERDIR, OnUpdateString, route_parameters)
	/* Selects the host that routes begin with: `no` (none), `server` (the site's name in the server's configuration,
	 * `SERVER_NAME`) or `request` (the host that the client asked for). */
	SETTING_CHOICE("route_host", "no", PERDIR, route_host, route_hosts)
	/* Names a request's route as Symfony, Drupal, Laravel, Slim, Laminas, WordPress or MediaWiki have found it. 0: the
	 * route is made of the URL, unless `xhprof_set_route()` names it. */
	SETTING_BOOL("framework_routes", "1", PERDIR, framework_routes)
	/* Parts of names, with commas between: values of parameters and options whose names contain one of them, in any
	 * case, are saved as `REDACTED`. After `=` only a whole word of the name matches: `=pin` matches `user_pin`, not
	 * `shipping`. Empty: no value is hidden by its name; what looks like a secret, such as a token, still is. */
	SETTING("redact", XHPROF_REDACT_NAMES, PERDIR, OnUpdateString, redact)
	/* The secret that a request must send as `XHPROF_TRIGGER`, in a GET or POST parameter or a cookie, to be profiled.
	 * `MEMPROF_PROFILE` needs the same secret. Empty: no visitor can start a profile. `phpinfo()` and `ini_get()` show
	 * `(set)` in its place. */
	PHP_INI_ENTRY("xhprof.trigger_value", "", PHP_INI_SYSTEM, xhprof_trigger_secret_on_update)
	/* The time between two samples, in microseconds. 0: 100000 for `xhprof_sample_enable()`, as in PECL xhprof, and
	 * 10000 for requests and spans that settings sample. */
	SETTING_NUMBER_OR_0("sampling_interval", PHP_INI_ALL, sampling_interval, XHPROF_SAMPLE_LEAST_US, UINT32_MAX)
	/* The most functions of a path in the array of `xhprof_sample_disable()`, counted from the innermost. The default
	 * is no limit. */
	SETTING_NUMBER("sampling_depth", "2147483647", PHP_INI_ALL, sampling_depth, 1, ZEND_LONG_MAX)
	/* Selects the clock of samples: `wall` (wall time) or `cpu` (CPU time of the thread, which does not pass while it
	 * waits). */
	SETTING_CHOICE("sampling_clock", "wall", PHP_INI_ALL, sampling_clock, sample_clocks)
	/* Records the current line in each sample of profiles that settings start. 0: only functions. */
	SETTING_BOOL("sampling_lines", "0", PHP_INI_ALL, sampling_lines)
	/* Records operations in exact profiles: SQL, HTTP requests, caches, files, processes ..., each by its text and call
	 * path. A text has no values: SQL has `?`, a URL `{id}`. Sampled profiles only count operations, for
	 * `xhprof.save_if`. 0: operations are neither recorded nor counted. */
	SETTING_BOOL("collect_additional_info", "1", PHP_INI_ALL, collect_additional_info)
	/* Records operations with their values: SQL with its literals and those given to execute(), URLs, paths, keys. They
	 * may contain secrets. 0: texts have no values. */
	SETTING_BOOL("operation_values", "0", PHP_INI_ALL, operation_values)
	/* Functions whose calls get a label, the value of an argument, with spaces or commas between. The number of the
	 * argument, from 1, follows the name: with `apply_filters:1 do_action:1` calls are shown as
	 * `apply_filters(the_content)`. A method has its class, as in a report:
	 * `Symfony\Component\EventDispatcher\EventDispatcher::dispatch:1`. The value may be a text of up to 200 bytes,
	 * which is shown without numbers, tokens and secrets, or an object, of which the class is shown. Other values give
	 * no label; longer texts, and all after 1000 labels of a profile, give `apply_filters(...)`. Closures, generators
	 * and operations have no labels. A sample shows the value at the time when the stack is read: a call that has
	 * returned by then has no label, and no call has one where a JIT runs, or where allocations are sampled without
	 * following calls (`memprof_enable()`, `xhprof.mode=alloc` or `aggregate`). Empty: no labels. A word that does not
	 * name a function and an argument is refused with a warning, and the setting does not change. */
	SETTING("label_calls", "", PHP_INI_ALL, on_update_label_calls, label_calls)
	/* The most call paths of a profile; each takes up to 98 bytes. When there are more, light paths are folded into
	 * their callers: those with the least time (or samples) and the least bytes allocated, live, and live at the peak.
	 * Sums stay exact, and so do the calls of each function: those of folded paths are in `main()`, below
	 * `(truncated)`. A timeline drops and counts the calls of folded paths. With less than 1000 paths, and while a dump
	 * is written, nothing is folded: the time of calls on further paths is that of `(truncated)`. */
	SETTING_NUMBER("max_nodes", "1000000", PHP_INI_ALL, max_nodes, 16, 100000000)
	/* The most bytes of a profile's memory that a process keeps mapped for its next request, which saves the time to
	 * map them again. At most half of them are for names of functions, a quarter for records of blocks, and half, but
	 * no more than 4 MB, for saving. Of those for saving, what exceeds 1 MB is given back when 16 requests have not
	 * needed it. The first request after a minute in which nothing was profiled gives all of them back. A call path
	 * takes some 95 bytes. 0: nothing is kept. */
	SETTING_NUMBER("keep_memory", "8M", PHP_INI_SYSTEM, keep_memory, 0, (zend_long)1 << 40)
	/* The least duration of calls in a timeline (`XHPROF_FLAGS_TIMELINE`), in microseconds. Shorter calls are part of
	 * their callers' time. 0: every call is kept, as long as there is room (`xhprof.timeline_max_calls`). */
	SETTING_NUMBER("timeline_threshold", "0", PHP_INI_ALL, timeline_threshold, 0, XHPROF_TIMELINE_THRESHOLD_MAX)
	/* The most calls of a timeline; each takes 32 bytes. When there are more, the shortest are dropped: the threshold
	 * is doubled (from 0 to 100 ns) until the others fit. The end of a program is never lost. */
	SETTING_NUMBER("timeline_max_calls", "1000000", PHP_INI_ALL, timeline_max_calls, 1000, 100000000)
	/* The most live blocks that are recorded while allocations are tracked; each takes a little more than 10 bytes.
	 * Further blocks are only counted, as dropped. */
	SETTING_NUMBER("alloc_max_records", "10000000", PHP_INI_ALL, alloc_max_records, 1000, 1000000000)
	/* The average distance between sampled allocations, in bytes; figures are scaled up. `xhprof.mode=alloc` and
	 * `memprof_enable()` then record only the sampled allocations, no calls and no times; `xhprof.mode=aggregate`
	 * samples allocations besides time. 0: every allocation is recorded; `aggregate` samples time alone. */
	SETTING_NUMBER("alloc_sample_bytes", "0", PHP_INI_ALL, alloc_sample_bytes, 0, (zend_long)1 << 40)
	/* The absolute path of a heap snapshot that is written when memory_limit ends a request. `%p` is the process id,
	 * `%t` the time, `%u` a UUID, `%%` a percent sign. The folder keeps at most `xhprof.max_runs` files of this
	 * pattern, and `xhprof.max_bytes` of them in total. Empty: none is written. */
	SETTING_TEXT("heap_on_limit", "", PERDIR, heap_on_limit, snapshot_rule)
	/* The conditions for a heap snapshot in the run folder, a list with commas: `kept=50M, peak=256M`. `peak` is the
	 * most bytes of PHP's heap of a request or span. `kept` is what a process keeps from one request or span to the
	 * next: the growth since the first ten have ended, of PHP's heap at the end of a span, of the process's own
	 * resident memory at the begin of a request (not with threads). A process writes at most one snapshot per hour. The
	 * folder keeps at most `xhprof.max_runs` of them, and `xhprof.max_bytes` in total. A wrong condition is refused
	 * with a warning that names it. Empty: none is written. */
	SETTING("heap_if", "", PERDIR, on_update_heap_if, heap_if)
	/* For debugging: the wall clock of exact profiles. `auto` chooses the fastest reliable one, each other value forces
	 * one. `phpinfo()` shows the clock in use. */
	SETTING_TEXT("clock", "auto", PHP_INI_SYSTEM, clock, clock_rule)
	/* The way in which CPU time is read. `auto` chooses the fastest that works, each other value forces one:
	 * `getrusage` is the slowest, and has user and system time apart, as `ut` and `st` beside `cpu` in exact runs;
	 * `auto` takes it only where the system has no CPU clock of threads. `rseq`, `interpolate` and `syscall` are for
	 * debugging. `phpinfo()` shows the way in use, and why a faster one is not. */
	SETTING_TEXT("cpu_clock", "auto", PHP_INI_SYSTEM, cpu_clock, cpu_clock_rule)
	/* The way in which calls are observed. `auto` chooses one. `walk` visits all functions at the start
	 * and at the end of a profile. `off` observes no calls: they cost nothing, and only time and allocations can be
	 * sampled. PHP reads it when it starts: from php.ini only. */
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
