/* The command threads: what runs PHP in a process, and what it is doing. */
#include "commands.h"
#include "output_file.h"
#include "php_process.h"

/* Writes the row of a thread: its process and number, "idle" or "busy", and the script and address of a busy one. */
static void write_row(xhprof_writer *writer, const xhprof_php *php, xhprof_remote *remote)
{
	char line[64], script[4096], uri[4096];
	bool idle = xhprof_php_is_idle(php, remote);
	xhprof_php_request(php, remote, script, sizeof(script), uri, sizeof(uri));
	size_t length =
		xhprof_print_to(line, sizeof(line), "%7d %7d  %s", (int)php->pid, (int)php->thread, idle ? "idle" : "busy");
	xhprof_write_bytes(writer, line, length);
	const char *texts[] = {script, uri};
	for (size_t i = 0; !idle && i < sizeof(texts) / sizeof(*texts); i++) {
		if (texts[i][0]) {
			xhprof_write_bytes(writer, "  ", 2);
			xhprof_write_name(writer, texts[i], strlen(texts[i]), '\0');
		}
	}
	xhprof_write_bytes(writer, "\n", 1);
}

/* Writes a thread, unless it has ended meanwhile. */
static xhprof_exit write_thread(xhprof_writer *writer, const xhprof_inspect_options *options, xhprof_chosen chosen,
								xhprof_failure *failure)
{
	xhprof_remote remote;
	xhprof_php php;
	if (!xhprof_remote_open(&remote, chosen.pid, XHPROF_REMOTE_WALK, 64)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	xhprof_exit code = xhprof_php_find(&php, &remote, chosen, failure);
	if (code == XHPROF_EXIT_OK) {
		write_row(writer, &php, &remote);
	}
	xhprof_remote_close(&remote);
	bool ended = code == XHPROF_EXIT_GONE || code == XHPROF_EXIT_NO_PROCESS;
	return ended && (chosen.thread || options->pool) ? XHPROF_EXIT_OK : code;
}

xhprof_exit xhprof_command_threads(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	xhprof_output_file output = {0};
	xhprof_exit code = XHPROF_EXIT_OK;
	xhprof_output_open(&output, NULL, failure);
	for (size_t i = 0; code == XHPROF_EXIT_OK && i < options->processes.count; i++) {
		code = write_thread(&output.writer, options, options->processes.list[i], failure);
	}
	xhprof_exit closed = xhprof_output_close(&output, true, failure);
	return code ? code : closed;
}
