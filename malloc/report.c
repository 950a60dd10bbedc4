#include "report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "observe.h"
#include "output.h"

static enum { UNLESS_WATCHED, ALWAYS, NEVER, TO_FILE } where = UNLESS_WATCHED;
static char pattern[XHPROF_OUTPUT_PATH], path[XHPROF_OUTPUT_PATH];
static xhprof_append_file file;
static int forked_by;

static void put_line(xhprof_output_text *text, const char *name, uint64_t bytes)
{
	xhprof_output_put(text, name);
	xhprof_output_bytes(text, bytes);
}

static void put_count(xhprof_output_text *text, uint64_t count, const char *one)
{
	xhprof_output_number(text, count);
	xhprof_output_put(text, one);
	xhprof_output_put(text, count == 1 ? "" : "s");
}

static void put_report(xhprof_output_text *text)
{
	xhprof_malloc_stats stats;
	xhprof_counters_read(&stats, NULL);
	xhprof_output_put(text, "libxhprof_malloc: process ");
	xhprof_output_number(text, (uint64_t)getpid());
	if (forked_by) {
		xhprof_output_put(text, ", forked by ");
		xhprof_output_number(text, (uint64_t)forked_by);
	}
	xhprof_output_put(text, ": ");
	xhprof_output_command(text, 200);
	put_line(text, "\n  current  ", stats.current_bytes);
	xhprof_output_put(text, " in ");
	put_count(text, stats.current_blocks, " block");
	put_line(text, "\n  peak     ", stats.peak_bytes);
	put_line(text, "\n  total    ", stats.total_bytes);
	xhprof_output_put(text, " in ");
	put_count(text, stats.allocations, " allocation");
	xhprof_output_put(text, ", ");
	put_count(text, stats.frees, " free");
	xhprof_output_put(text, "\n");
}

void xhprof_report_start(const char *setting)
{
	if (!setting || setting[0] == '\0') {
		return;
	}
	if (strcmp(setting, "off") == 0) {
		where = NEVER;
	} else if (strcmp(setting, "stderr") == 0) {
		where = ALWAYS;
	} else if (xhprof_output_absolute(pattern, setting)) {
		where = TO_FILE;
		if (xhprof_output_path(path, pattern, false)) {
			xhprof_append_file_open(&file, path);
		}
	} else {
		xhprof_output_warn("cannot write ", setting, ENAMETOOLONG);
	}
}

void xhprof_report_end(void)
{
	if (where == NEVER || (where == UNLESS_WATCHED && xhprof_observe_was_watched())) {
		return;
	}
	/* Once in a process, and maybe by _exit() in a signal handler, on a small stack. */
	static char buffer[2048];
	xhprof_output_text text = XHPROF_OUTPUT_TEXT(buffer);
	put_report(&text);
	int error = 0;
	if (where == TO_FILE) {
		error = xhprof_output_path(path, pattern, false)
					? xhprof_append_file_add(&file, path, false, text.bytes, text.used)
					: ENAMETOOLONG;
		if (error) {
			xhprof_output_warn("cannot write ", pattern, error);
		}
	}
	if (where != TO_FILE || error) {
		xhprof_output_stderr(text.bytes, text.used);
	}
}

void xhprof_report_forked(int parent)
{
	forked_by = parent;
	static char own[XHPROF_OUTPUT_PATH];
	if (where == TO_FILE && (!xhprof_output_path(own, pattern, false) || strcmp(own, path) != 0)) {
		xhprof_append_file_forget(&file);
	}
}

void xhprof_malloc_write_report(int fd)
{
	char buffer[2048];
	xhprof_output_text text = XHPROF_OUTPUT_TEXT(buffer);
	put_report(&text);
	xhprof_output_write(fd, text.bytes, text.used);
}
