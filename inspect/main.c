/* xhprof-inspect: inspects PHP processes from outside. See help.c for its commands. */
#include "commands.h"
#include "help.h"
#include "privileges.h"
#include "signals.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static xhprof_exit run_command(int count, char **words, int *status, xhprof_failure *failure)
{
	static xhprof_inspect_options options;
	const char *command = count > 1 ? words[1] : "";
	if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0 || strcmp(command, "help") == 0) {
		xhprof_help(count > 2 ? words[2] : "");
		return XHPROF_EXIT_OK;
	}
	if (strcmp(command, "--version") == 0 || strcmp(command, "-V") == 0) {
		xhprof_help_version();
		return XHPROF_EXIT_OK;
	}
	if (count < 2) {
		return xhprof_fail(failure, XHPROF_EXIT_USAGE,
						   "missing command: memory, trace, top, image or threads; see xhprof-inspect --help");
	}
	bool is_core = strcmp(command, "--core") == 0 || strncmp(command, "--core=", 7) == 0;
	xhprof_exit code = is_core ? xhprof_options_read(&options, "core", count, words, failure)
							   : xhprof_options_read(&options, command, count - 1, words + 1, failure);
	if (code) {
		return code;
	}
	xhprof_signals_watch();
	if (!options.arguments) {
		xhprof_privileges_drop(false);
	}
	if (options.pool) {
		code = xhprof_choice_add_pool(&options.processes, options.pool, failure);
		if (code) {
			return code;
		}
	}
	code = xhprof_choice_take_threads(&options.processes, options.thread, failure);
	if (code) {
		return code;
	}
	if (strcmp(command, "threads") == 0) {
		return xhprof_command_threads(&options, failure);
	}
	if (strcmp(command, "trace") == 0) {
		return xhprof_command_trace(&options, failure);
	}
	if (strcmp(command, "top") == 0) {
		return xhprof_command_top(&options, failure);
	}
	if (strcmp(command, "image") == 0) {
		return xhprof_command_image(&options, failure);
	}
	return xhprof_command_memory(&options, status, failure);
}

int main(int count, char **words)
{
	static xhprof_failure failure;
	int status = 0;
	xhprof_exit code = run_command(count, words, &status, &failure);
	if (code) {
		fflush(stdout);
		fprintf(stderr, "xhprof-inspect: %s\n", failure.text);
		return (int)code;
	}
	return fflush(stdout) == 0 ? status : XHPROF_EXIT_ERROR;
}
