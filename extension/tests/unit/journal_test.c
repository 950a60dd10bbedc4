#include "requests.h"

#include "aggregate/aggregate_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#define FROM 6000u

static unsigned found;
#define OVERLAYFS 0x794c7630 /* linux/magic.h */

static char last[XHPROF_AGGREGATE_PATH];

static void remember(const char *path, uint64_t number, void *context)
{
	(void)context;
	found += number != 0;
	snprintf(last, sizeof(last), "%s", path);
}

static xhprof_aggregate_place place_here(void)
{
	xhprof_aggregate_place place = {.source = "t", .seconds = 60, .interval_us = INTERVAL};
	memcpy(place.directory, folder, strlen(folder) + 1);
	return place;
}

static unsigned journals(void)
{
	xhprof_aggregate_place place = place_here();
	found = 0;
	xhprof_aggregate_each_journal(&place, remember, NULL);
	return found;
}

/* It is asked for in children too, whose lines would be lost, or come twice: no journal can be opened there if it fails. */
static const char *prefix(void)
{
	static char path[XHPROF_AGGREGATE_PATH];
	xhprof_aggregate_place place = place_here();
	return xhprof_aggregate_journal_prefix(path, &place) ? path : "";
}

/* A request of some samples, merged and put into the journal as by a worker. */
static int add(xhprof_journal *journal, xhprof_merged *merged, unsigned seed)
{
	xhprof_tracer profile = {0};
	char path[64];
	request_begin(&profile, 1000);
	for (unsigned i = 0; i < seed % 5; i++) {
		snprintf(path, sizeof(path), "run>step %u>f%u", i % 3, (seed + i) % 40);
		request_sample(&profile, path, 1 + i);
	}
	snprintf(path, sizeof(path), "GET /%u", seed % 7);
	xhprof_merged_route *route = xhprof_merged_find(merged, path, strlen(path));
	xhprof_merged_request request = {.values = {seed * 10, seed * 7, seed * 4096},
									 .failed = seed % 3 == 0,
									 .early = seed % 4 == 0,
									 .after_us = seed % 4 ? 0 : seed,
									 .cut = seed % 3 == 0,
									 .mixed = seed % 9 == 0,
									 .unsampled_us = seed % 5 ? 0 : seed,
									 .suspended = seed % 4 == 0,
									 .suspended_us = seed % 4 ? 0 : seed / 2};
	xhprof_spool_part part = {route, seed % 11 ? &profile : NULL, seed % 13 ? &request : NULL, FROM, NULL, 0};
	xhprof_merged_span(merged, FROM, FROM + 1);
	xhprof_merged_add(merged, route, part.profile, part.request);
	int error = xhprof_journal_add(journal, &part, merged, 77);
	int64_t kept = (int64_t)seed * 4096 - 1000000;
	if (seed % 5) {
		xhprof_spool_part earlier = {.route = route, .from = FROM, .kept = &kept};
		xhprof_merged_keep(route, 1, kept);
		error = error ? error : xhprof_journal_add(journal, &earlier, merged, 77);
	}
	xhprof_tracer_release(&profile);
	return error;
}

static bool same(const xhprof_merged *a, const xhprof_merged *b)
{
	bool good = a->requests == b->requests && a->tracer.samples.samples == b->tracer.samples.samples &&
				a->tracer.samples.taken == b->tracer.samples.taken && a->route_count == b->route_count &&
				a->from == b->from && a->tracer.tree.nodes == b->tracer.tree.nodes;
	for (uint32_t i = 0; good && i < a->route_count; i++) {
		const xhprof_merged_route *x = &a->routes[i], *y = &b->routes[i];
		good = x->requests == y->requests && x->samples == y->samples && x->wall_us == y->wall_us &&
			   x->max_us == y->max_us && x->failed == y->failed && x->cpu_us == y->cpu_us && x->early == y->early &&
			   x->after_us == y->after_us && x->cut == y->cut && x->mixed == y->mixed && x->unsampled == y->unsampled &&
			   x->unsampled_us == y->unsampled_us && x->suspended == y->suspended &&
			   x->suspended_us == y->suspended_us && x->node->calls == y->node->calls &&
			   x->kept_requests == y->kept_requests && x->kept == y->kept;
		for (int measure = 0; good && measure < XHPROF_MERGED_MEASURES; measure++) {
			const xhprof_distribution *of_x = &x->distributions[measure], *of_y = &y->distributions[measure];
			good = of_x->used == of_y->used &&
				   (!of_x->used || memcmp(of_x->buckets, of_y->buckets, of_x->used * sizeof(*of_x->buckets)) == 0);
		}
	}
	return good;
}

/* After the death of its process, by kill -9 in the middle of its work. */
static void journal_of_a_killed_process_has_all_merged_requests(void)
{
	for (unsigned requests = 0; requests <= 12000; requests = requests ? requests * 12 : 1) {
		xhprof_merged merged, got;
		xhprof_left_journal left;
		int ready[2];
		char byte;
		CHECK(pipe(ready) == 0);
		merged_new(&merged);
		merged_new(&got);
		pid_t child = fork();
		xhprof_journal journal = {0};
		if (!child) {
			if (xhprof_journal_open(&journal, prefix()) != 0) {
				_exit(1);
			}
		}
		for (unsigned i = 0; i < requests; i++) { /* the parent merges the same, without a journal */
			int error = add(&journal, &merged, i);
			if (!child && error) {
				_exit(2);
			}
		}
		if (!child) {
			byte = 'x';
			_exit(write(ready[1], &byte, 1) == 1 ? pause() : 3);
		}
		CHECK(read(ready[0], &byte, 1) == 1 && journals() == 1);
		CHECK(xhprof_left_journal_read(&left, last, &got) == EAGAIN); /* it is alive */
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		CHECK(xhprof_left_journal_read(&left, last, &got) == 0 && left.damaged == 0);
		CHECK(requests ? left.process == 77 && same(&merged, &got) : xhprof_merged_empty(&got));
		xhprof_left_journal_done(&left, last, ENOSPC); /* for the next process that looks */
		xhprof_merged_release(&got);
		merged_new(&got);
		CHECK(xhprof_left_journal_read(&left, last, &got) == 0 && (!requests || same(&merged, &got)));
		xhprof_left_journal_done(&left, last, 0);
		CHECK(journals() == 0);
		xhprof_merged_release(&merged);
		xhprof_merged_release(&got);
		close(ready[0]);
		close(ready[1]);
	}
}

static void journal_is_empty_after_each_open(void)
{
	xhprof_journal journal = {0};
	xhprof_merged merged;
	struct stat file;
	merged_new(&merged);
	CHECK(xhprof_journal_add(&journal, &(xhprof_spool_part){0}, &merged, 1) == EBADF);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0 && journals() == 1);
	CHECK(lstat(last, &file) == 0 && (file.st_mode & 07777) == 0600 && file.st_blocks * 512 >= file.st_size);
	size_t empty = journal.end;
	CHECK(add(&journal, &merged, 3) == 0 && journal.end > empty);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0 && journals() == 1 && journal.end == empty);
	/* A program closes descriptors of others. On overlayfs a mapping is of the lower file, and holds no lock. */
	xhprof_left_journal left;
	xhprof_merged got;
	struct statfs disk;
	merged_new(&got);
	CHECK(statfs(last, &disk) == 0);
	if (disk.f_type != OVERLAYFS) {
		CHECK(add(&journal, &merged, 3) == 0 && close(journal.fd) == 0);
		CHECK(xhprof_left_journal_read(&left, last, &got) == EAGAIN && add(&journal, &merged, 3) == 0);
	}
	CHECK(xhprof_journal_open(&journal, prefix()) == 0 && journals() == 1);
	/* A forked child does not use it. */
	pid_t child = fork();
	if (!child) {
		xhprof_journal_forget(&journal);
		_exit(!xhprof_journal_is_open(&journal) &&
					  xhprof_journal_add(&journal, &(xhprof_spool_part){0}, &merged, 1) == EBADF
				  ? 0
				  : 1);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(add(&journal, &merged, 4) == 0);
	xhprof_journal_leave(&journal);
	xhprof_merged_release(&got);
	merged_new(&got);
	CHECK(journals() == 1 && xhprof_left_journal_read(&left, last, &got) == 0 && got.requests == 1);
	xhprof_left_journal_done(&left, last, 0);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0);
	xhprof_journal_remove(&journal);
	CHECK(journals() == 0);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&got);
}

static const char *no_journal_is_mapped_to_be_read_or_written(void)
{
	static char line[8192];
	FILE *maps = fopen("/proc/self/maps", "r");
	const char *found = NULL;
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		found = strstr(line, ".journal") && !strstr(line, " ---p ") ? line : NULL;
	}
	fclose(maps);
	return found;
}

enum what_is_done {
	EMPTIED,
	CUT_IN_HEAD,
	CUT_IN_RECORDS,
	REMOVED,
	REPLACED,
	MOVED,
	CLOSED,
	REUSED,
	CLOSED_AND_REMOVED,
	DONE
};

static void do_to_journal(xhprof_journal *journal, enum what_is_done what)
{
	char other[XHPROF_AGGREGATE_PATH + 8];
	snprintf(other, sizeof(other), "%s.old", journal->path);
	int fd;
	switch (what) {
		case EMPTIED:
			CHECK(truncate(journal->path, 0) == 0);
			break;
		case CUT_IN_HEAD:
			CHECK(truncate(journal->path, 20) == 0);
			break;
		case CUT_IN_RECORDS:
			CHECK(truncate(journal->path, (off_t)journal->end - 9) == 0);
			break;
		case CLOSED_AND_REMOVED:
			CHECK(close(journal->fd) == 0);
			/* fall through */
		case REMOVED:
			CHECK(unlink(journal->path) == 0);
			break;
		case REPLACED:
			fd = open(other, O_CREAT | O_WRONLY, 0600);
			CHECK(write(fd, "another", 7) == 7 && close(fd) == 0 && rename(other, journal->path) == 0);
			break;
		case MOVED:
			CHECK(rename(journal->path, other) == 0);
			break;
		case CLOSED:
			CHECK(close(journal->fd) == 0);
			break;
		default: /* its number is that of a file of the program's */
			fd = open("/dev/zero", O_RDONLY);
			CHECK(dup2(fd, journal->fd) == journal->fd && close(fd) == 0);
	}
}

/* Whatever others do to the file of a living process, that goes on, and after its end everything is there. */
static void what_others_do_to_a_journal_loses_nothing_that_is_added_later(void)
{
	for (enum what_is_done what = EMPTIED; what < DONE; what++) {
		for (unsigned before = 0; before <= 3000; before = before ? before * 1000 : 3) {
			xhprof_journal journal = {0};
			xhprof_merged merged, got;
			xhprof_left_journal left;
			int errors = 0;
			merged_new(&merged);
			merged_new(&got);
			CHECK(xhprof_journal_open(&journal, prefix()) == 0);
			for (unsigned i = 0; i < before; i++) {
				errors += add(&journal, &merged, i) != 0;
			}
			CHECK(no_journal_is_mapped_to_be_read_or_written() == NULL);
			do_to_journal(&journal, what);
			for (unsigned i = 0; i < 3; i++) {
				errors += add(&journal, &merged, before + i) != 0;
			}
			char path[XHPROF_JOURNAL_PATH], other[XHPROF_AGGREGATE_PATH + 8];
			strcpy(path, journal.path);
			xhprof_journal_leave(&journal);
			bool good = xhprof_left_journal_read(&left, path, &got) == 0 && left.damaged == 0 && same(&merged, &got);
			if (!good || errors) {
				printf("# what %u after %u: %d errors\n", what, before, errors);
			}
			CHECK(good && errors == 0);
			xhprof_left_journal_done(&left, path, 0);
			/* What was moved away does not count again. */
			found = 0;
			unsigned others = journals();
			CHECK(others == (what == REPLACED));
			if (what == REPLACED) {
				CHECK(unlink(last) == 0);
			} else if (what == MOVED) {
				DIR *files = opendir(folder);
				const struct dirent *entry;
				while ((entry = readdir(files))) {
					if (strstr(entry->d_name, ".old")) {
						xhprof_merged_release(&got);
						merged_new(&got);
						snprintf(other, sizeof(other), "%s", in_folder(entry->d_name));
						CHECK(xhprof_left_journal_read(&left, other, &got) == 0 && xhprof_merged_empty(&got));
						xhprof_left_journal_done(&left, other, 0);
					}
				}
				closedir(files);
			}
			xhprof_merged_release(&merged);
			xhprof_merged_release(&got);
		}
	}
}

/* Where the folder cannot be reached any more, as after chroot(), what is open is used. */
static void journal_goes_on_where_its_folder_cannot_be_reached(void)
{
	xhprof_journal journal = {0};
	xhprof_merged merged, got;
	xhprof_left_journal left;
	char away[600];
	merged_new(&merged);
	merged_new(&got);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0 && add(&journal, &merged, 1) == 0);
	snprintf(away, sizeof(away), "%s.away", folder);
	CHECK(rename(folder, away) == 0);
	CHECK(add(&journal, &merged, 2) == 0 && add(&journal, &merged, 3) == 0);
	CHECK(rename(away, folder) == 0);
	xhprof_journal_leave(&journal);
	CHECK(journals() == 1 && xhprof_left_journal_read(&left, last, &got) == 0 && same(&merged, &got) && !left.damaged);
	xhprof_left_journal_done(&left, last, 0);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&got);
}

/* A record that is refused closes the journal; nothing of it is left, and nobody gets a signal. */
static void limit_of_a_files_size_only_closes_the_journal(void)
{
	pid_t child = fork();
	if (!child) {
		xhprof_journal journal = {0};
		xhprof_merged merged;
		merged_new(&merged);
		bool good = xhprof_journal_open(&journal, prefix()) == 0 && add(&journal, &merged, 1) == 0;
		good = good && setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100}) == 0 && add(&journal, &merged, 2) == EFBIG;
		_exit(good && !xhprof_journal_is_open(&journal) ? 0 : 1);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0 && journals() == 0);
}

/* A write that its process's end has cut counts neither as data nor for more than itself. */
static void cut_record_is_damage_and_others_count(void)
{
	xhprof_journal journal = {0};
	xhprof_merged merged, got;
	xhprof_left_journal left;
	merged_new(&merged);
	merged_new(&got);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0 && add(&journal, &merged, 1) == 0);
	size_t from = journal.end;
	CHECK(add(&journal, &merged, 2) == 0);
	size_t to = journal.end;
	CHECK(add(&journal, &merged, 5) == 0);
	static const char zeros[8192];
	size_t kept = from + (to - from) / 3;
	CHECK(to - kept < sizeof(zeros) && pwrite(journal.fd, zeros, to - kept, (off_t)kept) == (ssize_t)(to - kept));
	xhprof_journal_leave(&journal);
	CHECK(journals() == 1 && xhprof_left_journal_read(&left, last, &got) == 0 && left.damaged > 0);
	CHECK(got.requests == merged.requests - 1);
	xhprof_left_journal_done(&left, last, 0);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&got);
}

static void files_of_others_are_not_used(void)
{
	xhprof_left_journal left;
	xhprof_merged got;
	char path[XHPROF_AGGREGATE_PATH], other[512];
	merged_new(&got);
	snprintf(path, sizeof(path), "%s0.journal", prefix());
	snprintf(other, sizeof(other), "%s", in_folder("other"));
	CHECK(symlink("/etc/passwd", path) == 0 && xhprof_left_journal_read(&left, path, &got) == ELOOP);
	unlink(path);
	CHECK(mkfifo(path, 0600) == 0 && xhprof_left_journal_read(&left, path, &got) == EPERM);
	unlink(path);
	close(open(other, O_CREAT | O_WRONLY, 0600));
	CHECK(link(other, path) == 0 && xhprof_left_journal_read(&left, path, &got) == EPERM);
	unlink(path);
	unlink(other);
	CHECK(journals() == 0);
	xhprof_merged_release(&got);
}

/* Any contents of the file are read, or reported as damaged: nothing else happens. */
static void damaged_journals_are_reported(void)
{
	xhprof_journal journal = {0};
	xhprof_merged merged, got;
	static char good[8192], bytes[8192];
	merged_new(&merged);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0);
	for (unsigned i = 0; i < 20; i++) {
		add(&journal, &merged, i);
	}
	off_t size = (off_t)journal.size;
	CHECK(pread(journal.fd, good, sizeof(good), 0) == sizeof(good));
	xhprof_journal_remove(&journal);
	char path[XHPROF_AGGREGATE_PATH];
	snprintf(path, sizeof(path), "%s1.journal", prefix());
	unsigned whole = 0, damaged = 0, refused = 0;
	srand(5);
	for (unsigned round = 0; round < 3000; round++) {
		memcpy(bytes, good, sizeof(bytes));
		size_t length = round % 4 ? sizeof(bytes) : (size_t)rand() % sizeof(bytes);
		for (unsigned i = 0; i < round % 9; i++) {
			size_t range = round % 2 ? 64 : sizeof(bytes);
			bytes[(size_t)rand() % range] = (char)(rand() % 4 ? rand() : rand() % 2 - 1);
		}
		int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
		refused += write(fd, bytes, length) != (ssize_t)length;
		refused += round % 4 && ftruncate(fd, size) != 0; /* else it is cut off */
		close(fd);
		xhprof_left_journal left;
		merged_new(&got);
		int error = xhprof_left_journal_read(&left, path, &got);
		refused += error != 0;
		if (!error) {
			whole += !left.damaged && !xhprof_merged_empty(&got);
			damaged += left.damaged > 0;
			xhprof_left_journal_done(&left, path, 0);
		}
		xhprof_merged_release(&got);
		unlink(path);
	}
	printf("# %u whole, %u damaged, %u refused\n", whole, damaged, refused);
	CHECK(whole > 300 && damaged > 300 && refused == 0);
	xhprof_merged_release(&merged);
}

static const xhprof_run_engine engine = {.sapi = "unit", .php = "0", .version = "0"};

static uint64_t saved;

static void count_run(const xhprof_aggregate_saver *saver, const xhprof_aggregate_place *place,
					  const xhprof_run_written *written)
{
	(void)saver;
	saved += place->seconds && written->bytes;
}

static uint64_t requests_of(const char *run)
{
	static char text[65536];
	int fd = open(in_folder(run), O_RDONLY);
	ssize_t length = read(fd, text, sizeof(text) - 1);
	text[length > 0 ? length : 0] = '\0';
	close(fd);
	return strtoull(strstr(text, "\"requests\":") + 11, NULL, 10) + (strstr(text, "\"damaged\":0,") ? 0 : 1000000) +
		   (strstr(text, "GET /later") ? UINT64_C(1) << 32 : 0);
}

/* Of all runs, and then of those that know "GET /later"; the folder is emptied. */
static void count_requests(uint64_t requests[2])
{
	DIR *files = opendir(folder);
	const struct dirent *entry;
	requests[0] = requests[1] = 0;
	while ((entry = readdir(files))) {
		size_t length = strlen(entry->d_name);
		if (length > 4 && !strcmp(entry->d_name + length - 4, ".run")) {
			uint64_t of_run = requests_of(entry->d_name);
			requests[of_run >> 32] += of_run & UINT32_MAX;
		}
	}
	rewinddir(files);
	while ((entry = readdir(files))) {
		unlink(in_folder(entry->d_name));
	}
	closedir(files);
}

enum { NOT_TRACED = 77 };

/* A worker adds its window, adopts the data that another one has left, and saves the run of both. */
static void worker(void)
{
	xhprof_aggregate_place place = place_here();
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	xhprof_journal journal = {0};
	xhprof_merged merged;
	int save_error;
	merged_new(&merged);
	if (xhprof_journal_open(&journal, prefix()) != 0 || add(&journal, &merged, 3) != 0) {
		_exit(1);
	}
	xhprof_aggregate_saver saver = {&engine, NULL, 1, (FROM + 60) * UINT64_C(1000), false, NULL};
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
		_exit(NOT_TRACED);
	}
	raise(SIGSTOP);
	int error =
		xhprof_aggregate_flush(&place, &spool, &merged, &journal, FROM / 60, XHPROF_FLUSH_WINDOW, &saver, &save_error);
	_exit(error || save_error);
}

/* True when it ended before that many stops, at the beginnings and ends of its system calls. */
static bool kill_after(pid_t child, unsigned stops, bool *traced)
{
	int status;
	waitpid(child, &status, 0);
	for (unsigned i = 0; i < stops && WIFSTOPPED(status); i++) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		waitpid(child, &status, 0);
	}
	if (WIFSTOPPED(status)) {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
	}
	*traced = !WIFEXITED(status) || WEXITSTATUS(status) != NOT_TRACED;
	return WIFEXITED(status);
}

/* Wherever a worker is killed while it adds its window: data that it and others have merged count exactly once. */
static void killed_worker_counts_once_at_every_step(void)
{
	unsigned stops = 0, wrong = 0;
	bool ended = false, traced = true;
	for (; !ended && stops < 2000; stops++) {
		xhprof_aggregate_place place = place_here();
		xhprof_spool spool = XHPROF_SPOOL_CLOSED;
		xhprof_merged merged;
		xhprof_journal journal = {0};
		int save_error, error;
		uint64_t requests[2];
		merged_new(&merged);
		error = xhprof_journal_open(&journal, prefix()) || add(&journal, &merged, 1) || add(&journal, &merged, 2);
		xhprof_journal_leave(&journal);
		xhprof_merged_release(&merged);
		fflush(stdout);
		pid_t child = fork();
		if (!child) {
			worker();
		}
		ended = kill_after(child, stops, &traced);
		merged_new(&merged);
		xhprof_aggregate_saver saver = {&engine, NULL, 2, (FROM + 600) * UINT64_C(1000), false, NULL};
		error = error || xhprof_aggregate_flush(&place, &spool, &merged, NULL, (FROM + 600) / 60, XHPROF_FLUSH_LAST,
												&saver, &save_error);
		xhprof_spool_close(&spool);
		xhprof_merged_release(&merged);
		unsigned left = journals();
		count_requests(requests);
		if (error || save_error || requests[0] != 3 || requests[1] || left) {
			printf("# killed after %u stops: %u requests of 3, %u journals\n", stops, (unsigned)requests[0], left);
			wrong++;
		}
	}
	printf("# %u moments%s\n", stops, traced ? "" : ": no process can be traced here");
	CHECK(ended && (stops > 50 || !traced) && wrong == 0);
}

/* The data that a process has left go with its own window, once. */
static void journal_is_adopted_once(void)
{
	xhprof_aggregate_place place = place_here();
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	xhprof_merged merged, left;
	xhprof_journal journal = {0};
	int save_error;
	merged_new(&merged);
	merged_new(&left);
	CHECK(xhprof_journal_open(&journal, prefix()) == 0 && add(&journal, &left, 1) == 0 && add(&journal, &left, 2) == 0);
	xhprof_journal_leave(&journal);
	xhprof_merged_find(&merged, "GET /later", 10);
	xhprof_merged_span(&merged, FROM + 60, FROM + 120);
	xhprof_merged_add(&merged, xhprof_merged_find(&merged, "GET /later", 10), NULL,
					  &(xhprof_merged_request){.values = {5}});
	xhprof_aggregate_saver saver = {&engine, count_run, 1, (FROM + 120) * UINT64_C(1000), false, NULL};
	CHECK(xhprof_aggregate_flush(&place, &spool, &merged, NULL, (FROM + 60) / 60, XHPROF_FLUSH_WINDOW, &saver,
								 &save_error) == 0);
	CHECK(saved == 2 && journals() == 0); /* a window each */
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 4 << 20);
	saver.now_ms += 600000;
	CHECK(xhprof_aggregate_flush(&place, &spool, &merged, NULL, (FROM + 720) / 60, XHPROF_FLUSH_LAST, &saver,
								 &save_error) == 0);
	CHECK(saved == 2);
	uint64_t requests[2];
	count_requests(requests);
	CHECK(requests[0] == 2 && requests[1] == 1);
	xhprof_spool_close(&spool);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&left);
}

int main(void)
{
	CHECK(folder_make());
	journal_of_a_killed_process_has_all_merged_requests();
	journal_is_empty_after_each_open();
	what_others_do_to_a_journal_loses_nothing_that_is_added_later();
	journal_goes_on_where_its_folder_cannot_be_reached();
	limit_of_a_files_size_only_closes_the_journal();
	cut_record_is_damage_and_others_count();
	files_of_others_are_not_used();
	damaged_journals_are_reported();
	journal_is_adopted_once();
	killed_worker_counts_once_at_every_step();
	CHECK(rmdir(folder) == 0);
	return unit_end();
}
