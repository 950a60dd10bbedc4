#include "requests.h"

#include "aggregate/aggregate_run.h"
#include "aggregate/window_clock.h"

#include <dirent.h>
#include <inttypes.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static unsigned runs_saved;

static void count_run(const xhprof_aggregate_saver *saver, const xhprof_aggregate_place *place,
					  const xhprof_run_written *written)
{
	(void)saver;
	runs_saved += place->seconds && written->bytes;
}

static const xhprof_run_engine engine = {.sapi = "unit", .php = "0", .version = "0"};

static xhprof_aggregate_place place_here(uint32_t seconds)
{
	xhprof_aggregate_place place = {.source = "t", .seconds = seconds, .interval_us = INTERVAL};
	memcpy(place.directory, folder, strlen(folder) + 1);
	return place;
}

static uint64_t number_after(const char *text, const char *what)
{
	const char *at = strstr(text, what);
	return at ? strtoull(at + strlen(what), NULL, 10) : UINT64_MAX;
}

/* Sums of all runs in the folder, which are removed. */
typedef struct totals {
	unsigned runs, files, spools;
	uint64_t requests, processes, damaged, from, to;
	char meta[65536]; /* of the last run */
} totals;

static totals read_runs(bool keep_spools)
{
	static totals sum;
	memset(&sum, 0, sizeof(sum));
	DIR *files = opendir(folder);
	const struct dirent *entry;
	while ((entry = readdir(files))) {
		const char *path = in_folder(entry->d_name);
		bool spool = strstr(entry->d_name, ".spool") != NULL;
		if (entry->d_type == DT_DIR) {
			continue;
		}
		sum.files++;
		sum.spools += spool;
		if (strstr(entry->d_name, ".run")) {
			int fd = open(path, O_RDONLY);
			ssize_t length = read(fd, sum.meta, sizeof(sum.meta) - 1);
			close(fd);
			sum.meta[length > 0 ? length : 0] = '\0';
			const char *aggregate = strstr(sum.meta, "\"aggregate\":{");
			sum.runs++;
			sum.requests += aggregate ? number_after(aggregate, "\"requests\":") : 0;
			sum.processes += aggregate ? number_after(aggregate, "\"processes\":") : 0;
			sum.damaged += aggregate ? number_after(aggregate, "\"damaged\":") : 0;
			sum.from = aggregate ? number_after(aggregate, "\"from\":") : 0;
			sum.to = aggregate ? number_after(aggregate, "\"to\":") : 0;
		}
		if (!spool || !keep_spools) {
			unlink(path);
		}
	}
	closedir(files);
	return sum;
}

/* One process's window: the test chooses when its data go to the spool. */
static int flush_at(xhprof_spool *spool, const xhprof_aggregate_place *place, uint64_t window, xhprof_flush why,
					uint64_t now_ms, uint64_t process)
{
	xhprof_aggregate_saver saver = {&engine, count_run, process, now_ms, false, NULL};
	xhprof_merged merged;
	int save_error;
	memset(&merged, 0, sizeof(merged));
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, place->alloc_bytes, 30000, 4 << 20);
	if (window != UINT64_MAX) {
		fill(&merged, 1);
		merged.from = window * place->seconds;
		merged.to = merged.from + place->seconds;
	}
	int error = xhprof_aggregate_flush(place, spool, &merged, NULL, window, why, &saver, &save_error);
	xhprof_merged_release(&merged);
	return error ? error : save_error;
}

static void hold_window(xhprof_spool *spool, const xhprof_aggregate_place *place, uint64_t window)
{
	xhprof_aggregate_saver saver = {&engine, count_run, 0, 0, false, NULL};
	xhprof_aggregate_open(place, spool, &saver);
	xhprof_spool_hold(spool, window);
}

static void each_window_becomes_one_run(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED, b = XHPROF_SPOOL_CLOSED, c = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place place = place_here(60);
	/* Three processes with data of window 100: the run is written when the last one has added its data. */
	hold_window(&a, &place, 100);
	hold_window(&b, &place, 100);
	hold_window(&c, &place, 100);
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_WINDOW, 6060100, 1) == 0);
	hold_window(&a, &place, 101);
	CHECK(flush_at(&b, &place, 100, XHPROF_FLUSH_WINDOW, 6060900, 2) == 0);
	hold_window(&b, &place, 101);
	CHECK(read_runs(true).runs == 0);
	CHECK(flush_at(&c, &place, 100, XHPROF_FLUSH_WINDOW, 6062000, 3) == 0);
	totals seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 60 && seen.processes == 3 && seen.from == 6000 && seen.to == 6060);
	CHECK(seen.files == 2 && strstr(seen.meta, "\"start\":\"aggregate\"") &&
		  strstr(seen.meta, "\"mode\":\"aggregate\""));
	CHECK(strstr(seen.meta, "\"routes\":{\"GET /") && strstr(seen.meta, "\"seconds\":60"));
	uint64_t suspended = number_after(seen.meta, "\"suspended\":{\"requests\":");
	CHECK(suspended % 3 == 0 && suspended > 0 && suspended < 60); /* the same of each process */
	/* An idle process is waited for until the middle of the next window; later data wait for the next run. */
	hold_window(&c, &place, 101);
	CHECK(flush_at(&a, &place, 101, XHPROF_FLUSH_WINDOW, 6120100, 1) == 0);
	hold_window(&a, &place, 102);
	CHECK(read_runs(true).runs == 0);
	CHECK(flush_at(&b, &place, 101, XHPROF_FLUSH_WINDOW, 6151000, 2) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 40); /* a window is one run */
	hold_window(&b, &place, 102);
	CHECK(flush_at(&c, &place, 101, XHPROF_FLUSH_WINDOW, 6155000, 3) == 0 && read_runs(true).runs == 0);
	hold_window(&c, &place, 102);
	CHECK(flush_at(&a, &place, 102, XHPROF_FLUSH_WINDOW, 6180100, 1) == 0);
	CHECK(flush_at(&b, &place, 102, XHPROF_FLUSH_WINDOW, 6180200, 2) == 0);
	CHECK(flush_at(&c, &place, 102, XHPROF_FLUSH_WINDOW, 6180300, 3) == 0);
	CHECK(read_runs(true).runs == 0); /* one in this period is enough */
	CHECK(flush_at(&a, &place, 103, XHPROF_FLUSH_END, 6211000, 1) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 80 && seen.from == 6060 && seen.to == 6180);
	/* The last process of those that have seen more than one window saves what is left. */
	hold_window(&b, &place, 103);
	CHECK(flush_at(&c, &place, 103, XHPROF_FLUSH_LAST, 6212000, 3) == 0 && read_runs(true).runs == 0);
	CHECK(flush_at(&b, &place, 103, XHPROF_FLUSH_LAST, 6213000, 2) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 60);
	/* Short processes, one after the other: the first has a run, the others are gathered. */
	for (uint64_t i = 0; i < 10; i++) {
		flush_at(&a, &place, 110, XHPROF_FLUSH_END, 6600000 + i * 1000, i);
		xhprof_spool_close(&a);
	}
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6690000, 1) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 180 && seen.processes == 9);
	/* The clock goes back by a day. */
	CHECK(flush_at(&a, &place, 200, XHPROF_FLUSH_EARLY, 12000000, 1) == 0);
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6000000, 1) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20 && seen.from == 12000);
	xhprof_spool_close(&a);
	xhprof_spool_close(&b);
	xhprof_spool_close(&c);
	read_runs(false);
}

static void spool_of_other_settings_is_saved_after_its_window(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED, b = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place minute = place_here(60), hour = place_here(3600), cpu = place_here(60);
	cpu.clock = XHPROF_SAMPLE_CPU;
	CHECK(flush_at(&a, &minute, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
	CHECK(flush_at(&b, &hour, 1, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
	totals seen = read_runs(true);
	CHECK(seen.runs == 0 && seen.spools == 2);
	xhprof_spool_close(&a); /* that server has ended; it starts again with other settings */
	xhprof_aggregate_saver saver = {&engine, count_run, 0, 6061000, false, NULL};
	CHECK(xhprof_aggregate_open(&cpu, &a, &saver) == 0 && read_runs(true).runs == 0); /* not yet */
	xhprof_spool_close(&a);
	cpu.interval_us = 50;
	saver.now_ms = 6200000;
	CHECK(xhprof_aggregate_open(&cpu, &a, &saver) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20 && strstr(seen.meta, "\"seconds\":60"));
	CHECK(!strstr(seen.meta, "\"allocations\""));
	xhprof_spool_close(&a);
	xhprof_spool_close(&b);
	read_runs(false);
}

/* The spool's name is all that others know of how it was sampled. */
static void spool_of_allocations_is_saved_by_others(void)
{
	static const uint64_t sizes[] = {1, ALLOC_BYTES, UINT64_C(1) << 40};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		xhprof_spool a = XHPROF_SPOOL_CLOSED;
		xhprof_aggregate_place place = place_here(60), other = place_here(60);
		char expected[64];
		place.alloc_bytes = sizes[i];
		CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
		xhprof_spool_close(&a);
		xhprof_aggregate_saver saver = {&engine, count_run, 0, 6200000, false, NULL};
		CHECK(xhprof_aggregate_open(&other, &a, &saver) == 0);
		totals seen = read_runs(false);
		snprintf(expected, sizeof(expected), "\"allocations\":{\"sample_bytes\":%" PRIu64 ",\"dropped\":0}", sizes[i]);
		CHECK(seen.runs == 1 && seen.requests == 20 && seen.damaged == 0 && strstr(seen.meta, expected));
		xhprof_spool_close(&a);
	}
}

/* Also of what a release's name may be in a file's. */
static void spool_of_a_release_is_saved_by_another(void)
{
	static const char *const releases[] = {"1", "1.5", "1.0123456789abcdef", "1.spool", "v_1.5.0-rc1+a~b", ".", "-1"};
	const size_t count = sizeof(releases) / sizeof(*releases);
	xhprof_aggregate_saver saver = {&engine, count_run, 0, 6200000, false, NULL};
	xhprof_spool a = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place other = place_here(60);
	for (size_t i = 0; i < count; i++) {
		xhprof_aggregate_place place = place_here(60);
		char expected[100];
		strcpy(place.release, releases[i]);
		CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
		xhprof_spool_close(&a);
		CHECK(xhprof_aggregate_open(&other, &a, &saver) == 0);
		totals seen = read_runs(false);
		snprintf(expected, sizeof(expected), "\"release\":\"%s\"", releases[i]);
		CHECK(seen.runs == 1 && seen.requests == 20 && seen.damaged == 0 && strstr(seen.meta, expected));
		xhprof_spool_close(&a);
	}
	/* Each has a spool of its own. */
	for (size_t i = 0; i < count; i++) {
		xhprof_aggregate_place place = place_here(60);
		strcpy(place.release, releases[i]);
		CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
		xhprof_spool_close(&a);
	}
	CHECK(read_runs(true).spools == count);
	CHECK(xhprof_aggregate_open(&other, &a, &saver) == 0);
	totals seen = read_runs(false);
	CHECK(seen.runs == count && seen.requests == 20 * count);
	xhprof_spool_close(&a);
}

static void run_that_cannot_be_written_stays_in_the_spool(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place place = place_here(60);
	strcat(place.directory, "/missing");
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_END, 6060000, 1) == ENOENT);
	place = place_here(60);
	memset(place.directory, '/', sizeof(place.directory) - 1);
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_END, 6060000, 1) == ENOENT ||
		  flush_at(&a, &place, 100, XHPROF_FLUSH_END, 6060000, 1) == ENAMETOOLONG || geteuid() == 0);
	xhprof_spool_close(&a);
	/* A run that cannot be written stays in the spool. */
	place = place_here(60);
	struct rlimit before, limit;
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
	limit.rlim_cur = 100;
	setrlimit(RLIMIT_FSIZE, &limit);
	int refused = flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6120000, 1);
	setrlimit(RLIMIT_FSIZE, &before); /* of stdout too */
	CHECK(refused == EFBIG);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6121000, 1) == 0 && read_runs(true).runs == 0);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6180000, 1) == 0);
	totals seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20 && seen.damaged == 0);
	xhprof_spool_close(&a);
	read_runs(false);
}

/* A window with more data than a spool holds. */
static void full_spool_is_saved_early(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place place = place_here(60);
	xhprof_aggregate_saver saver = {&engine, count_run, 1, 6000000, false, NULL};
	xhprof_merged merged;
	merged_new(&merged);
	xhprof_tracer profile = {0};
	request_begin(&profile, 30000);
	for (int i = 0; i < 3000; i++) {
		char path[1200];
		snprintf(path, sizeof(path), "%d%01000d", i, i);
		request_sample(&profile, path, 1);
	}
	merged_request(&merged, "r", &profile, 1);
	runs_saved = 0;
	int save_error, errors = 0;
	for (int i = 0; i < 8; i++) { /* of 3 MB */
		errors += xhprof_aggregate_flush(&place, &a, &merged, NULL, 100, XHPROF_FLUSH_EARLY, &saver, &save_error) != 0;
		errors += save_error != 0;
	}
	CHECK(errors == 0 && runs_saved == 1);
	totals seen = read_runs(true);
	CHECK(seen.requests == 5 && seen.damaged == 0);
	xhprof_tracer_release(&profile);
	xhprof_merged_release(&merged);
	xhprof_spool_close(&a);
	read_runs(false);
}

/* Processes that write, end and are killed at any moment: only requests of killed ones are lost. */
static void only_requests_of_killed_processes_are_lost(void)
{
	enum { PROCESSES = 6, ROUNDS = 30 };
	xhprof_aggregate_place place = place_here(1);
	pid_t children[PROCESSES];
	for (int process = 0; process < PROCESSES; process++) {
		children[process] = fork();
		if (children[process] == 0) {
			xhprof_spool spool = XHPROF_SPOOL_CLOSED;
			int failures = 0;
			for (uint64_t round = 0; round < ROUNDS; round++) {
				struct timespec now;
				clock_gettime(CLOCK_REALTIME, &now);
				uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
				bool last = round + 1 == ROUNDS;
				hold_window(&spool, &place, now_ms / 1000);
				while (flush_at(&spool, &place, now_ms / 1000, last ? XHPROF_FLUSH_LAST : XHPROF_FLUSH_WINDOW, now_ms,
								(uint64_t)getpid()) == EAGAIN) {
					failures++;
					usleep(1000);
				}
				usleep((useconds_t)(rand() % 100000));
			}
			_exit(failures > 1000);
		}
	}
	int status, failed = 0;
	for (int process = 0; process < PROCESSES; process++) {
		waitpid(children[process], &status, 0);
		failed += status != 0;
	}
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	CHECK(flush_at(&spool, &place, UINT64_MAX, XHPROF_FLUSH_LAST, (uint64_t)time(NULL) * 1000 + 5000, 1) == 0);
	totals seen = read_runs(true);
	printf("# %u runs\n", seen.runs);
	CHECK(failed == 0 && seen.requests == 20 * PROCESSES * ROUNDS && seen.damaged == 0 && seen.runs < 60);
	xhprof_spool_close(&spool);
	read_runs(false);
}

static uint64_t clock_at(const char *text)
{
	int fd = open(in_folder("clock"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	return xhprof_window_clock_ms();
}

/* A window that is over does not begin again. */
static void finished_window_stays_finished_when_the_clock_steps_back(void)
{
	CHECK(setenv("XHPROF_TEST_CLOCK", in_folder("clock"), 1) == 0);
	CHECK(clock_at("1700000000000") == UINT64_C(1700000000000));
	CHECK(clock_at("1700000000999") == UINT64_C(1700000000999));
	CHECK(clock_at("1700000000001") == UINT64_C(1700000000999));
	CHECK(clock_at("") == UINT64_C(1700000000999));
	CHECK(clock_at("1700000001000") == UINT64_C(1700000001000));
	CHECK(clock_at("1600000000000") == UINT64_C(1600000000000)); /* it was set */
	unlink(in_folder("clock"));
}

int main(void)
{
	CHECK(folder_make());
	finished_window_stays_finished_when_the_clock_steps_back();
	each_window_becomes_one_run();
	spool_of_other_settings_is_saved_after_its_window();
	spool_of_allocations_is_saved_by_others();
	spool_of_a_release_is_saved_by_another();
	run_that_cannot_be_written_stays_in_the_spool();
	full_spool_is_saved_early();
	only_requests_of_killed_processes_are_lost();
	CHECK(rmdir(folder) == 0);
	return unit_end();
}
