#include "profile_log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "output.h"

#define NANOSECONDS 1000000000ULL
#define BUFFER_SIZE 32768
#define LONGEST_ROW 256 /* 7 numbers of 20 digits */
#define TITLE "# memory over time of process "

static char pattern[XHPROF_OUTPUT_PATH], path[XHPROF_OUTPUT_PATH];
static uint64_t interval, min_change;
static clockid_t quick_clock; /* cheap check whether a row may be due */
static bool named;
static atomic_flag writing = ATOMIC_FLAG_INIT;
static _Atomic uint64_t due;

/* The state of the writing thread. */
static uint64_t started, written, last_current;
static char buffer[BUFFER_SIZE];
static xhprof_output_text rows = XHPROF_OUTPUT_TEXT(buffer);
static xhprof_append_file file;

static uint64_t now_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
}

/* Reads a number and a unit of these, at the end of the text or before a comma. The default unit has no name. */
static bool read_quantity(const char **text, const char *const *names, const uint64_t *factors, int units,
						  uint64_t *value)
{
	char *end;
	if (**text < '0' || **text > '9') {
		return false;
	}
	int saved_errno = errno;
	errno = 0;
	unsigned long long number = strtoull(*text, &end, 10);
	bool fits = errno == 0;
	errno = saved_errno;
	size_t length = strcspn(end, ",");
	for (int i = 0; fits && i < units; i++) {
		if (strlen(names[i]) == length && strncmp(end, names[i], length) == 0 && number <= INT64_MAX / factors[i]) {
			*value = number * factors[i];
			*text = end + length;
			return true;
		}
	}
	return false;
}

static bool read_resolution(const char *text)
{
	static const char *const time_names[] = {"us", "ms", "s"}, *const byte_names[] = {"", "k", "m", "g"};
	static const uint64_t time_factors[] = {1000, 1000000, NANOSECONDS},
						  byte_factors[] = {1, 1 << 10, 1 << 20, 1 << 30};
	uint64_t time, bytes = 0;
	if (!read_quantity(&text, time_names, time_factors, 3, &time)) {
		return false;
	}
	if (*text == ',') {
		text++;
		if (!read_quantity(&text, byte_names, byte_factors, 4, &bytes)) {
			return false;
		}
	}
	if (*text != '\0') {
		return false;
	}
	interval = time;
	min_change = bytes;
	return true;
}

/* Returns whether the file is the profile of a process that still runs: then we must not overwrite it. */
static bool is_used_by_other_process(void)
{
	char head[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		return false;
	}
	ssize_t length = read(fd, head, sizeof(head) - 1);
	close(fd);
	if (length < (ssize_t)strlen(TITLE)) {
		return false;
	}
	head[length] = '\0';
	if (strncmp(head, TITLE, strlen(TITLE)) != 0) {
		return false;
	}
	long pid = strtol(head + strlen(TITLE), NULL, 10);
	return pid > 0 && pid != getpid() && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static void put_head(void)
{
	xhprof_output_put(&rows, TITLE);
	xhprof_output_number(&rows, (uint64_t)getpid());
	xhprof_output_put(&rows, ": ");
	xhprof_output_command(&rows, 200);
	xhprof_output_put(&rows, "\n# plot: gnuplot -p -e \"set xlabel 's'; set format y '%.1s %cB'; plot '");
	/* Control bytes would break the line; gnuplot reads two quotes as one. */
	for (const char *at = path; *at; at++) {
		const char bytes[] = {(unsigned char)*at < ' ' ? '?' : *at, '\0'};
		xhprof_output_put(&rows, *at == '\'' ? "''" : bytes);
	}
	xhprof_output_put(&rows, "' using 1:2 with steps title 'current', '' using 1:3 with steps title 'highest'\"\n"
							 "# highest_bytes: since the row before; all sizes as malloc_usable_size() counts\n"
							 "# time_s current_bytes highest_bytes peak_bytes total_bytes allocations frees\n");
}

static int flush_log(uint64_t now)
{
	int error = 0;
	if (!named) {
		/* The head comes before the rows already collected. */
		static char kept[BUFFER_SIZE];
		size_t size = rows.used;
		memcpy(kept, rows.bytes, size);
		rows.used = 0;
		put_head();
		error = xhprof_append_file_add(&file, path, true, rows.bytes, rows.used);
		memcpy(rows.bytes, kept, size);
		rows.used = size;
		named = true;
	}
	if (error == 0 && rows.used > 0) {
		error = xhprof_append_file_add(&file, path, false, rows.bytes, rows.used);
	}
	rows.used = 0;
	written = now;
	return error;
}

static void put_row(uint64_t now, bool always)
{
	xhprof_malloc_stats stats;
	uint64_t highest;
	xhprof_counters_read(&stats, &highest);
	atomic_store_explicit(&due, now + interval, memory_order_relaxed);
	uint64_t lowest = stats.current_bytes < last_current ? stats.current_bytes : last_current;
	if (!always && (highest > stats.current_bytes ? highest : stats.current_bytes) - lowest < min_change) {
		return;
	}
	uint64_t columns[] = {stats.current_bytes, highest,           stats.peak_bytes,
						  stats.total_bytes,   stats.allocations, stats.frees};
	xhprof_output_seconds(&rows, now - started);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		xhprof_output_put(&rows, " ");
		xhprof_output_number(&rows, columns[i]);
	}
	xhprof_output_put(&rows, "\n");
	last_current = stats.current_bytes;
	xhprof_counters_reset_highest();
	if (rows.size - rows.used < LONGEST_ROW || now - written >= NANOSECONDS) {
		flush_log(now);
	}
}

bool xhprof_profile_log_start(const char *name, const char *resolution)
{
	started = now_of(CLOCK_MONOTONIC);
	if (!read_resolution(resolution ? resolution : "10ms")) {
		xhprof_output_warn("XHPROF_MALLOC_RESOLUTION must be a time, or a time and bytes like 10ms,64k, not ",
						   resolution, 0);
		read_resolution("10ms");
	}
	if (!xhprof_output_absolute(pattern, name) || !xhprof_output_path(path, pattern, false)) {
		xhprof_output_warn("cannot write ", name, ENAMETOOLONG);
		return false;
	}
	if (is_used_by_other_process() && !xhprof_output_path(path, pattern, true)) {
		return false;
	}
	struct timespec coarse;
	quick_clock = CLOCK_MONOTONIC;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &coarse) == 0 && coarse.tv_sec == 0 &&
		(uint64_t)coarse.tv_nsec * 2 <= interval) {
		quick_clock = CLOCK_MONOTONIC_COARSE;
	}
	written = started;
	put_row(started, true);
	int error = flush_log(started);
	if (error) {
		xhprof_output_warn("cannot write ", path, error);
	}
	return error == 0;
}

void xhprof_profile_log_change(void)
{
	if (now_of(quick_clock) < atomic_load_explicit(&due, memory_order_relaxed)) {
		return;
	}
	/* Another thread is writing a row, or has just done so: that is enough. */
	if (!atomic_flag_test_and_set(&writing)) {
		uint64_t now = now_of(CLOCK_MONOTONIC);
		if (now >= atomic_load_explicit(&due, memory_order_relaxed)) {
			put_row(now, false);
		}
		atomic_flag_clear(&writing);
	}
}

void xhprof_profile_log_end(void)
{
	/* Held by a thread that still runs, not by this one: that would be within malloc() and not end the process. */
	for (int tries = 0; atomic_flag_test_and_set(&writing); tries++) {
		if (tries == 1000) {
			return;
		}
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	uint64_t now = now_of(CLOCK_MONOTONIC);
	put_row(now, true);
	flush_log(now);
	atomic_flag_clear(&writing);
}

void xhprof_profile_log_forked(void)
{
	uint64_t now = now_of(CLOCK_MONOTONIC);
	rows.used = 0;
	named = false;
	xhprof_append_file_forget(&file);
	xhprof_output_path(path, pattern, true);
	/* The file is created later: most children become another program at once. */
	written = now;
	put_row(now, true);
	atomic_flag_clear(&writing);
}
