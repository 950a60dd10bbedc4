#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Looks into running PHP processes from outside: what they have in memory, and what they are at.\n"
	"\n"
	"  xhprof-inspect memory -p PID [options]             a snapshot of the heap\n"
	"  xhprof-inspect memory [options] -- COMMAND ...     runs COMMAND and takes one after a while; the exit code is "
	"its\n"
	"  xhprof-inspect memory --image=FILE [options]       of a process whose memory was copied before\n"
	"  xhprof-inspect trace -p PID [options]              samples its stack until it ends, or ^C\n"
	"  xhprof-inspect top -p PID [options]                the functions it is in, live; not to a terminal: a table at "
	"the end\n"
	"  xhprof-inspect image -p PID -o FILE                copies PHP's memory to a file\n"
	"\n"
	"memory\n"
	"  --format=jsonl|reli|heapsnapshot   default: jsonl, which bin/xhprof and the pages read; heapsnapshot is "
	"Chrome's\n"
	"  --max-string=N         bytes of each string that are told; default 80\n"
	"  --redact               no contents of strings, no numbers: names and keys only\n"
	"  --scalars              numbers, true, false and null too (jsonl)\n"
	"  --max-copy=MB          the process is stopped while its memory is copied, if that is not more; else until all "
	"is "
	"read.\n"
	"                         Default: half of the memory that the system has available\n"
	"  --no-stop              the process is not stopped; what changes meanwhile is missed, or shown as it was before\n"
	"  --pretty-print         indented (reli)\n"
	"  --after=SECONDS        with COMMAND, which needs -o FILE: when; default 1\n"
	"  --memory-limit-error-file=FILE, --memory-limit-error-line=LINE\n"
	"                         the process is in a shutdown function after it ran out of memory_limit there: finds the "
	"calls\n"
	"                         that it was in (as error_get_last() tells \"file\" and \"line\")\n"
	"  --memory-limit-error-max-depth=N   calls around one that are looked at before it is believed; default 512\n"
	"\n"
	"trace, top\n"
	"  --rate=N/s             samples per second, at most 1000; default 100\n"
	"  --for=SECONDS          default: until the process ends\n"
	"  --depth=N              innermost calls that are told; default 512\n"
	"  --stop                 stops the process for each sample: exact. Otherwise it goes on unnoticed; of calls that\n"
	"                         changed while they were read the sample has those that stayed, or it is dropped\n"
	"  --format=folded|lines  trace: paths with their counts at the end, or each sample as phpspy prints it, at once\n"
	"  --interval=SECONDS     top: between two tables; default 1\n"
	"\n"
	"  -o, --output=FILE      default: standard output. FILE is of this user alone, and appears when it is complete\n"
	"  -h, --help             this\n"
	"\n"
	"A process that is stopped within its allocator, or by another program, goes on and is stopped again after 1 to "
	"100 "
	"ms, up to\n"
	"25 times in 2 seconds.\n"
	"The process has to run the PHP that this program is built for (sizes of the engine's structures tell), not "
	"thread-safe.\n"
	"Reading another user's process takes root or CAP_SYS_PTRACE. It goes on however this program ends.\n"
	"\n"
	"Exit codes: 0 done; 1 cannot write, no memory, COMMAND cannot be run; 2 wrong options; 3 no such process; 4 no "
	"permission;\n"
	"5 not PHP; 6 PHP of another ABI; 7 thread-safe PHP; 8 the process ended meanwhile; 9 it cannot be stopped; 10 its "
	"heap is\n"
	"not the Zend heap (USE_ZEND_ALLOC=0), or damaged; 11 the image is damaged; 12 no calls were found at the "
	"memory_limit\n"
	"error's place. With COMMAND its own, or 128 and the signal that ended it.\n";

void xhprof_options_help(void)
{
	fputs(help, stdout);
}

enum {
	FORMAT = 256,
	MAX_STRING_OPTION,
	REDACT,
	SCALARS,
	NO_STOP,
	MAX_COPY,
	STOP,
	PRETTY,
	AFTER,
	LIMIT_FILE,
	LIMIT_LINE,
	LIMIT_DEPTH,
	RATE,
	FOR,
	DEPTH,
	INTERVAL,
	IMAGE,
};

#define MEMORY 1
#define TRACE 2
#define TOP 4
#define COPY 8

static const struct {
	const char *name;
	int commands;
} commands[] = {{"memory", MEMORY}, {"trace", TRACE}, {"top", TOP}, {"image", COPY}};

static const struct {
	int option, commands;
} uses[] = {{FORMAT, MEMORY | TRACE},
			{MAX_STRING_OPTION, MEMORY},
			{REDACT, MEMORY},
			{SCALARS, MEMORY},
			{NO_STOP, MEMORY | COPY},
			{MAX_COPY, MEMORY | COPY},
			{STOP, TRACE | TOP},
			{PRETTY, MEMORY},
			{AFTER, MEMORY},
			{LIMIT_FILE, MEMORY},
			{LIMIT_LINE, MEMORY},
			{LIMIT_DEPTH, MEMORY},
			{RATE, TRACE | TOP},
			{FOR, TRACE | TOP},
			{DEPTH, TRACE | TOP},
			{INTERVAL, TOP},
			{IMAGE, MEMORY},
			{'o', MEMORY | TRACE | COPY},
			{'p', MEMORY | TRACE | TOP | COPY}};

static const struct option longs[] = {{"format", required_argument, NULL, FORMAT},
									  {"max-string", required_argument, NULL, MAX_STRING_OPTION},
									  {"redact", no_argument, NULL, REDACT},
									  {"scalars", no_argument, NULL, SCALARS},
									  {"no-stop", no_argument, NULL, NO_STOP},
									  {"max-copy", required_argument, NULL, MAX_COPY},
									  {"stop", no_argument, NULL, STOP},
									  {"pretty-print", no_argument, NULL, PRETTY},
									  {"after", required_argument, NULL, AFTER},
									  {"memory-limit-error-file", required_argument, NULL, LIMIT_FILE},
									  {"memory-limit-error-line", required_argument, NULL, LIMIT_LINE},
									  {"memory-limit-error-max-depth", required_argument, NULL, LIMIT_DEPTH},
									  {"rate", required_argument, NULL, RATE},
									  {"for", required_argument, NULL, FOR},
									  {"depth", required_argument, NULL, DEPTH},
									  {"interval", required_argument, NULL, INTERVAL},
									  {"image", required_argument, NULL, IMAGE},
									  {"output", required_argument, NULL, 'o'},
									  {"pid", required_argument, NULL, 'p'},
									  {"help", no_argument, NULL, 'h'},
									  {NULL, 0, NULL, 0}};

/* A whole number from `least` to `most`, with `unit` behind it or nothing. */
static bool read_number(const char *text, const char *unit, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || errno || (*end && strcmp(end, unit) != 0) || value < least || value > most) {
		return false;
	}
	*number = value;
	return true;
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
	for (unsigned i = 0; i < XHPROF_HEAP_FORMAT_SUMMARY; i++) {
		if (strcmp(xhprof_heap_format_names[i], text) == 0) {
			options->heap_format = (xhprof_heap_format)i;
			return true;
		}
	}
	return false;
}

/* False when its value is none. */
static bool take(xhprof_inspect_options *options, int command, int option, const char *value)
{
	uint64_t number;
	switch (option) {
		case 'p':
			if (!read_number(value, "", 1, INT_MAX, &number)) {
				return false;
			}
			options->pid = (pid_t)number;
			return true;
		case 'o':
			options->output = value;
			return value[0] != '\0';
		case FORMAT:
			return read_format(command, value, options);
		case MAX_STRING_OPTION:
			return read_number(value, "", 0, XHPROF_HEAP_MAX_STRING_MOST, &options->max_string);
		case REDACT:
			return options->redact = true;
		case SCALARS:
			return options->scalars = true;
		case NO_STOP:
			return options->no_stop = true;
		case MAX_COPY:
			options->copy_is_bounded = read_number(value, "", 0, (uint64_t)1 << 40, &number);
			options->most_copied = options->copy_is_bounded ? number << 20 : 0;
			return options->copy_is_bounded;
		case STOP:
			return options->stop = true;
		case PRETTY:
			return options->pretty = true;
		case AFTER:
			return read_seconds(value, &options->after);
		case LIMIT_FILE:
			options->limit_file = value;
			return value[0] != '\0';
		case LIMIT_LINE:
			if (!read_number(value, "", 1, UINT32_MAX, &number)) {
				return false;
			}
			options->limit_line = (uint32_t)number;
			return true;
		case LIMIT_DEPTH:
			if (!read_number(value, "", 1, 100000, &number)) {
				return false;
			}
			options->limit_depth = (uint32_t)number;
			return true;
		case RATE:
			if (!read_number(value, "/s", 1, 1000, &number)) {
				return false;
			}
			options->rate = (uint32_t)number;
			return true;
		case FOR:
			return read_seconds(value, &options->seconds);
		case DEPTH:
			if (!read_number(value, "", 1, 8000, &number)) {
				return false;
			}
			options->depth = (uint32_t)number;
			return true;
		case INTERVAL:
			return read_seconds(value, &options->interval);
		case IMAGE:
			options->image = value;
			return value[0] != '\0';
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

static xhprof_exit check(const xhprof_inspect_options *options, int command, xhprof_failure *failure)
{
	int targets = (options->pid != 0) + (options->image != NULL) + (options->arguments != NULL);
	if (targets != 1) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE, "%s; see xhprof-inspect --help",
						   command == MEMORY ? "say which: either -p PID, or --image=FILE, or -- COMMAND"
											 : "-p PID is missing");
	}
	if (command != MEMORY && options->arguments) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE, "only memory runs a command");
	}
	if (options->arguments && !options->output) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE, "-o FILE is missing: standard output is the command's");
	}
	if (command == COPY && !options->output) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE, "-o FILE is missing: an image is not for a terminal");
	}
	if (!options->limit_file != !options->limit_line) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE,
						   "--memory-limit-error-file and --memory-limit-error-line belong together");
	}
	if (options->limit_file && options->arguments) {
		return xhprof_fail(
			failure, XHPROF_EXIT_USAGE,
			"--memory-limit-error-file goes with -p: it is for a process that is in its shutdown functions");
	}
	return XHPROF_EXIT_OK;
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
			"there is no command \"%s\"; there are memory, trace, top and image; see xhprof-inspect --help", command);
	}
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(count, words, "+:p:o:h", longs, NULL)) != -1) {
		int allowed = 0;
		if (option == 'h') {
			xhprof_options_help();
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
		if (!take(options, which, option, optarg)) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "--%s cannot be \"%s\"; see xhprof-inspect --help",
							   option_name(option), optarg);
		}
	}
	if (optind < count) {
		if (strcmp(words[optind - 1], "--") != 0) {
			return xhprof_fail(failure, XHPROF_EXIT_USAGE, "\"%s\" is no option; a command to run comes after --",
							   words[optind]);
		}
		options->arguments = words + optind;
	}
	return check(options, which, failure);
}
