#include "options.h"

#include "help.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FORMAT = 256,
	MAX_STRING_OPTION,
	REDACT,
	SCALARS,
	NO_STOP,
	MAX_COPY,
	STOP,
	AFTER,
	LIMIT_FILE,
	LIMIT_LINE,
	LIMIT_DEPTH,
	RATE,
	FOR,
	DEPTH,
	INTERVAL,
	IMAGE,
	CORE_FILE,
	EXE,
	THREAD,
};

#define MEMORY 1
#define TRACE 2
#define TOP 4
#define COPY 8
#define THREADS 16
#define CORE 32

static const struct {
	const char *name;
	int commands;
} commands[] = {{"memory", MEMORY}, {"trace", TRACE},     {"top", TOP},
				{"image", COPY},    {"threads", THREADS}, {"core", CORE}};

static const struct {
	int option, commands;
} uses[] = {{FORMAT, MEMORY | TRACE},
			{MAX_STRING_OPTION, MEMORY | CORE},
			{REDACT, MEMORY | CORE},
			{SCALARS, MEMORY | CORE},
			{NO_STOP, MEMORY | COPY},
			{MAX_COPY, MEMORY | COPY},
			{STOP, TRACE | TOP},
			{AFTER, MEMORY},
			{LIMIT_FILE, MEMORY},
			{LIMIT_LINE, MEMORY},
			{LIMIT_DEPTH, MEMORY},
			{RATE, TRACE | TOP},
			{FOR, TRACE | TOP},
			{DEPTH, TRACE | TOP | CORE},
			{INTERVAL, TOP},
			{IMAGE, MEMORY},
			{CORE_FILE, MEMORY | TRACE | CORE},
			{EXE, MEMORY | TRACE | CORE},
			{'o', MEMORY | TRACE | COPY | CORE},
			{THREAD, MEMORY | TRACE | TOP | COPY | CORE},
			{'p', MEMORY | TRACE | TOP | COPY | THREADS},
			{'P', MEMORY | TRACE | COPY | THREADS}};

static const struct option longs[] = {{"format", required_argument, NULL, FORMAT},
									  {"max-string", required_argument, NULL, MAX_STRING_OPTION},
									  {"redact", no_argument, NULL, REDACT},
									  {"scalars", no_argument, NULL, SCALARS},
									  {"no-stop", no_argument, NULL, NO_STOP},
									  {"max-copy", required_argument, NULL, MAX_COPY},
									  {"stop", no_argument, NULL, STOP},
									  {"after", required_argument, NULL, AFTER},
									  {"memory-limit-error-file", required_argument, NULL, LIMIT_FILE},
									  {"memory-limit-error-line", required_argument, NULL, LIMIT_LINE},
									  {"memory-limit-error-max-depth", required_argument, NULL, LIMIT_DEPTH},
									  {"rate", required_argument, NULL, RATE},
									  {"for", required_argument, NULL, FOR},
									  {"depth", required_argument, NULL, DEPTH},
									  {"interval", required_argument, NULL, INTERVAL},
									  {"image", required_argument, NULL, IMAGE},
									  {"core", required_argument, NULL, CORE_FILE},
									  {"exe", required_argument, NULL, EXE},
									  {"thread", required_argument, NULL, THREAD},
									  {"output", required_argument, NULL, 'o'},
									  {"pid", required_argument, NULL, 'p'},
									  {"pool", required_argument, NULL, 'P'},
									  {"help", no_argument, NULL, 'h'},
									  {NULL, 0, NULL, 0}};

/* Reads a whole number from `min` to `max`, with `unit` behind it or nothing. */
static bool read_number(const char *text, const char *unit, uint64_t min, uint64_t max, uint64_t *number)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || errno || (*end && strcmp(end, unit) != 0) || value < min || value > max) {
		return false;
	}
	*number = value;
	return true;
}

/* Reads a whole number of 32 bits from 1 to `max`, with `unit` behind it or nothing. */
static bool read_word(const char *text, const char *unit, uint32_t max, uint32_t *word)
{
	uint64_t number = *word;
	bool read = read_number(text, unit, 1, max, &number);
	*word = (uint32_t)number;
	return read;
}

static bool read_seconds(const char *text, double *seconds)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "s") != 0) || !(value >= 0.01 && value <= 1e8)) {
		return false;
	}
	*seconds = value;
	return true;
}

static bool read_format(int command, const char *text, xhprof_inspect_options *options)
{
	if (command == TRACE) {
		options->lines = strcmp(text, "lines") == 0;
		return options->lines || strcmp(text, "folded") == 0;
	}
	return strcmp(text, "jsonl") == 0;
}

/* Reads the numbers of processes, with commas between. */
static bool read_processes(const char *text, xhprof_choice *choice)
{
	for (;;) {
		char word[16];
		uint64_t number;
		size_t length = strcspn(text, ",");
		if (length >= sizeof(word)) {
			return false;
		}
		memcpy(word, text, length);
		word[length] = '\0';
		if (!read_number(word, "", 1, INT_MAX, &number) || !xhprof_choice_add(choice, (pid_t)number)) {
			return false;
		}
		if (!text[length]) {
			return true;
		}
		text += length + 1;
	}
}

/* Reads the number of a thread, or "all". */
static bool read_thread(const char *text, pid_t *thread)
{
	uint64_t number = 0;
	bool all = strcmp(text, "all") == 0;
	if (!all && !read_number(text, "", 1, INT_MAX, &number)) {
		return false;
	}
	*thread = all ? XHPROF_CHOICE_THREADS : (pid_t)number;
	return true;
}

/* Sets an option. False if it cannot have this value. */
static bool take_option(xhprof_inspect_options *options, int command, int option, const char *value)
{
	uint64_t number;
	switch (option) {
		case 'p':
			return read_processes(value, &options->processes);
		case 'P':
			options->pool = value;
			return value[0] != '\0';
		case 'o':
			options->output = value;
			return value[0] != '\0';
		case FORMAT:
			return read_format(command, value, options);
		case MAX_STRING_OPTION:
			return read_number(value, "", 0, XHPROF_HEAP_MAX_STRING_LIMIT, &options->max_string);
		case REDACT:
			return options->redact = true;
		case SCALARS:
			return options->scalars = true;
		case NO_STOP:
			return options->no_stop = true;
		case MAX_COPY:
			options->copy_is_bounded = read_number(value, "", 0, (uint64_t)1 << 40, &number);
			options->max_copied = options->copy_is_bounded ? number << 20 : 0;
			return options->copy_is_bounded;
		case STOP:
			return options->stop = true;
		case AFTER:
			return read_seconds(value, &options->after);
		case LIMIT_FILE:
			options->limit_file = value;
			return value[0] != '\0';
		case LIMIT_LINE:
			return read_word(value, "", UINT32_MAX, &options->limit_line);
		case LIMIT_DEPTH:
			return read_word(value, "", 100000, &options->limit_depth);
		case RATE:
			return read_word(value, "/s", 1000, &options->rate);
		case FOR:
			return read_seconds(value, &options->seconds);
		case DEPTH:
			return read_word(value, "", 8000, &options->depth);
		case INTERVAL:
			return read_seconds(value, &options->interval);
		case IMAGE:
			options->image = value;
			return value[0] != '\0';
		case CORE_FILE:
			options->core = value;
			return value[0] != '\0';
		case EXE:
			options->exe = value;
			return value[0] != '\0';
		case THREAD:
			return read_thread(value, &options->thread);
		default:
			return false;
	}
}

static const char *option_name(int option)
{
	for (const struct option *at = longs; at->name; at++) {
		if (at->val == option) {
			return at->name;
		}
	}
	return "?";
}

static xhprof_exit check_options(const xhprof_inspect_options *options, int command, xhprof_failure *failure)
{
	bool processes = options->processes.count || options->pool;
	bool several = options->processes.count > 1 || options->pool, to_files = command == MEMORY || command == COPY;
	bool named = processes + (options->image != NULL) + (options->core != NULL) + (options->arguments != NULL) == 1;
	const char *output = options->output ? options->output : "";
	const struct {
		bool is;
		const char *why;
	} wrong[] = {
		{!named && command == MEMORY, "no process is named: -p PID, -P POOL, --image=FILE, or -- COMMAND, or "
									  "--core=FILE; see xhprof-inspect --help"},
		{!named && command == CORE, "--core=FILE is missing; see xhprof-inspect --help"},
		{!named, "-p PID is missing; see xhprof-inspect --help"},
		{command == TOP && several, "top takes one process; trace adds up several"},
		{command != MEMORY && options->arguments, "only memory runs a command"},
		{options->arguments && !options->output, "-o FILE is missing: standard output is the command's"},
		{command == COPY && !options->output, "-o FILE is missing: an image is not for a terminal"},
		{options->thread > 0 && several, "--thread=NUMBER takes one process, which it is of"},
		{options->exe && !options->core, "--exe names the program of a core file: --core=FILE"},
		{options->core && options->thread == XHPROF_CHOICE_THREADS, "--thread=NUMBER takes one thread of a core file"},
		{options->core && options->limit_file, "--memory-limit-error-file needs -p: a process that runs"},
		{options->thread && !processes && !options->core, "--thread needs -p PID: a process that runs"},
		{options->thread == XHPROF_CHOICE_THREADS && to_files && !strstr(output, "%t"),
		 "--thread=all needs -o FILE with %t, which becomes the number of each"},
		{several && to_files && !strstr(output, "%p"),
		 "several processes need -o FILE with %p, which becomes the number of each"},
		{!options->limit_file != !options->limit_line,
		 "--memory-limit-error-file and --memory-limit-error-line belong together"},
		{options->limit_file && options->arguments,
		 "--memory-limit-error-file needs -p: a process that is in its shutdown functions"},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (wrong[i].is) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "%s", wrong[i].why);
		}
	}
	return XHPROF_EXIT_OK;
}

/* Returns the name of the snapshot of a core file, in the current folder; NULL without memory. */
static const char *default_output(const char *core)
{
	static const char suffix[] = ".heap.jsonl";
	const char *slash = strrchr(core, '/'), *name = slash ? slash + 1 : core;
	size_t length = strlen(name);
	char *output = malloc(length + sizeof(suffix));
	if (output) {
		memcpy(output, name, length);
		memcpy(output + length, suffix, sizeof(suffix));
	}
	return output;
}

xhprof_exit xhprof_options_read(xhprof_inspect_options *options, const char *command, int count, char **words,
								xhprof_failure *failure)
{
	int which = 0, option;
	*options = (xhprof_inspect_options){
		.max_string = XHPROF_HEAP_MAX_STRING, .after = 1, .limit_depth = 512, .rate = 100, .depth = 512};
	for (unsigned i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		which = strcmp(commands[i].name, command) == 0 ? commands[i].commands : which;
	}
	if (!which) {
		return xhprof_fail(
			failure, XHPROF_EXIT_USAGE,
			"there is no command \"%s\"; take memory, trace, top, image or threads; see xhprof-inspect --help",
			command);
	}
	if (which == CORE && count > 1 && words[1][0] != '-') { /* core FILE */
		options->core = *++words;
		count--;
	}
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(count, words, "+:p:P:o:h", longs, NULL)) != -1) {
		int allowed = 0;
		if (option == 'h') {
			xhprof_help(command);
			exit(0);
		}
		if (option == ':' || option == '?') {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "%s \"%s\"; see xhprof-inspect --help",
							   option == ':' ? "a value is missing after" : "unknown option", words[optind - 1]);
		}
		for (unsigned i = 0; i < sizeof(uses) / sizeof(*uses); i++) {
			allowed = uses[i].option == option ? uses[i].commands : allowed;
		}
		if (!(allowed & which)) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "%s has no option --%s; see xhprof-inspect --help", command,
							   option_name(option));
		}
		const char *made_by = option == FORMAT && which == MEMORY ? xhprof_heap_export_command(optarg) : NULL;
		if (made_by) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "--format cannot be \"%s\": take jsonl, and run %s", optarg,
							   made_by);
		}
		if (!take_option(options, which, option, optarg)) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "--%s cannot be \"%s\"; see xhprof-inspect --help",
							   option_name(option), optarg);
		}
	}
	if (optind < count) {
		if (strcmp(words[optind - 1], "--") != 0) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "\"%s\" is not an option; put -- before a command",
							   words[optind]);
		}
		options->arguments = words + optind;
	}
	if (which == CORE && options->core) {
		options->stack = true;
		options->output = options->output ? options->output : default_output(options->core);
	}
	if (options->thread == XHPROF_CHOICE_THREAD && !options->core && which & (TRACE | TOP | THREADS)) {
		options->thread = XHPROF_CHOICE_THREADS;
	}
	return check_options(options, which, failure);
}
