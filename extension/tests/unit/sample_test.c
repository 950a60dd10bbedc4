#include "unit.h"

#include "trace/clock.h"
#include "trace/sample_log.h"
#include "trace/sample_timer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void log_joins_runs(void)
{
	xhprof_sample_log log = {0};
	xhprof_node a = {.id = 1}, b = {.id = 2};
	xhprof_sample_log_add(&log, 1, 3, &a, 0);
	xhprof_sample_log_add(&log, 4, 1, &a, 0);
	CHECK(log.used == 1 && log.runs[0].count == 4 && log.samples == 4);
	xhprof_sample_log_add(&log, 6, 1, &a, 0); /* after a gap */
	xhprof_sample_log_add(&log, 7, 2, &b, 0);
	CHECK(log.used == 3 && log.runs[1].first == 6 && log.runs[2].node == &b && log.samples == 7);
	xhprof_sample_log_add(&log, 9, 0, &b, 0);
	CHECK(log.used == 3 && log.samples == 7 && log.dropped == 0);
	xhprof_sample_log_release(&log);
	CHECK(log.runs == NULL && log.samples == 0);
}

static void log_keeps_lines_apart(void)
{
	xhprof_sample_log log = {.lines = true};
	xhprof_node a = {.id = 1};
	CHECK(xhprof_sample_log_add(&log, 1, 2, &a, 7) && xhprof_sample_log_add(&log, 3, 1, &a, 7));
	CHECK(xhprof_sample_log_add(&log, 4, 5, &a, 8));
	CHECK(log.used == 2 && log.runs[0].count == 3 && log.runs[0].line == 7 && log.runs[1].line == 8);
	CHECK(log.samples == 8 && log.taken == 3 && xhprof_sample_overruns(&log) == 5 && a.calls == 8);
	xhprof_sample_log_release(&log);
}

static void log_counts_unread_samples(void)
{
	xhprof_sample_log log = {0};
	xhprof_node a = {.id = 1};
	CHECK(xhprof_sample_log_add(&log, 1, 1, &a, 0) && xhprof_sample_log_add_unread(&log, 2, 3));
	CHECK(log.used == 1 && log.samples == 4 && log.taken == 1 && a.calls == 4);
	xhprof_sample_log_delay(&log);
	xhprof_sample_log_drop(&log, 5);
	CHECK(log.delayed == 1 && log.dropped == 5 && log.samples == 4);
	xhprof_sample_log_release(&log);
}

/* Workers sample without end. */
static void counting_log_stores_no_runs(void)
{
	xhprof_sample_log log = {.only_counts = true};
	xhprof_node a = {.id = 1}, b = {.id = 2};
	unit_mmaps = 0;
	for (uint64_t i = 0; i < 3 * XHPROF_SAMPLE_MAX; i += 2) {
		xhprof_sample_log_add(&log, i, 2, i % 4 ? &a : &b, 0);
	}
	unit_mmaps = -1;
	CHECK(!log.runs && !log.used && !log.dropped && log.samples == 3 * XHPROF_SAMPLE_MAX);
	CHECK(a.calls + b.calls == log.samples && log.taken == log.samples / 2);
	xhprof_sample_log_release(&log);
}

static void log_is_bounded(void)
{
	xhprof_sample_log log = {0};
	xhprof_node nodes[2] = {{.id = 1}, {.id = 2}};
	for (uint64_t i = 1; i <= XHPROF_SAMPLE_MAX - 5; i++) {
		xhprof_sample_log_add(&log, i, 1, &nodes[i % 2], 0);
	}
	CHECK(log.used == XHPROF_SAMPLE_MAX - 5 && log.runs[0].node == &nodes[1] && log.runs[0].count == 1);
	xhprof_sample_log_add(&log, XHPROF_SAMPLE_MAX - 4, 12, &nodes[0], 0);
	CHECK(log.samples == XHPROF_SAMPLE_MAX && log.dropped == 7);
	xhprof_sample_log_add(&log, XHPROF_SAMPLE_MAX + 8, 1, &nodes[0], 0);
	CHECK(log.samples == XHPROF_SAMPLE_MAX && log.dropped == 8);
	xhprof_sample_log_release(&log);
}

static void log_without_memory_counts_dropped_samples(void)
{
	xhprof_sample_log log = {0};
	xhprof_node nodes[2] = {{.id = 1}, {.id = 2}};
	unit_mmaps = 0;
	xhprof_sample_log_add(&log, 1, 4, &nodes[0], 0);
	CHECK(log.used == 0 && log.samples == 0 && log.dropped == 4);
	unit_mmaps = 1; /* for the first pages only */
	for (uint64_t i = 1; i <= 5000; i++) {
		xhprof_sample_log_add(&log, i, 1, &nodes[i % 2], 0);
	}
	unit_mmaps = -1;
	CHECK(log.used > 0 && log.used < 5000 && log.samples == log.used && log.dropped == 4 + 5000 - log.used);
	xhprof_sample_log_release(&log);
}

typedef struct ticks {
	unsigned count;
	uint64_t intervals; /* that they represent */
	pthread_t thread;
	unsigned blocked; /* signals that the thread does not take */
} ticks;

static void count_tick(void *context, uint64_t count)
{
	ticks *seen = context;
	sigset_t mask;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	seen->blocked = (unsigned)(sigismember(&mask, SIGALRM) + sigismember(&mask, SIGTERM) + sigismember(&mask, SIGPROF));
	seen->thread = pthread_self();
	seen->intervals += count;
	__atomic_add_fetch(&seen->count, 1, __ATOMIC_RELEASE);
}

static unsigned wait_for_ticks(ticks *seen, unsigned count)
{
	unsigned now;
	for (int i = 0; (now = __atomic_load_n(&seen->count, __ATOMIC_ACQUIRE)) < count && i < 20000; i++) {
		usleep(1000);
	}
	return now;
}

static void timer_prepare(xhprof_sample_timer *timer, ticks *seen, uint64_t interval_ns)
{
	*seen = (ticks){0};
	*timer = (xhprof_sample_timer){.clock = CLOCK_MONOTONIC,
								   .start_ns = xhprof_clock_monotonic_ns(),
								   .interval_ns = interval_ns,
								   .tick = count_tick,
								   .context = seen};
}

static bool timer_is_asleep(xhprof_sample_timer *timer)
{
	pthread_mutex_lock(&timer->lock);
	bool asleep = timer->alarm.sleeps_until >= timer->next_ns && timer->alarm.sleeps_until != XHPROF_ALARM_NEVER;
	pthread_mutex_unlock(&timer->lock);
	return asleep;
}

static void timer_ticks_at_its_interval(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	sigset_t before, after;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	timer_prepare(&timer, &seen, 1000000);
	CHECK(xhprof_sample_timer_start(&timer) == 0 && timer.running);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	int changed = 0;
	for (int i = 1; i < 65; i++) {
		changed += sigismember(&before, i) != sigismember(&after, i);
	}
	CHECK(changed == 0);
	CHECK(wait_for_ticks(&seen, 20) >= 20);
	xhprof_sample_timer_stop(&timer);
	unsigned count = seen.count;
	CHECK(!timer.running && seen.blocked == 3 && !pthread_equal(seen.thread, pthread_self()));
	usleep(5000);
	CHECK(seen.count == count && seen.intervals == count);
	xhprof_sample_timer_stop(&timer); /* once is enough */
	pthread_t thread = seen.thread;
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	CHECK(wait_for_ticks(&seen, count + 5) >= count + 5);
	xhprof_sample_timer_stop(&timer);
	CHECK(pthread_equal(seen.thread, thread) && timer.alive); /* it has waited */
	xhprof_sample_timer_end(&timer);
	xhprof_sample_timer_end(&timer);
	CHECK(!timer.alive);
	count = seen.count;
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	CHECK(wait_for_ticks(&seen, count + 5) >= count + 5);
	xhprof_sample_timer_end(&timer); /* while it ticks */
	CHECK(!timer.alive && !timer.running);
}

/* The thread sleeps until the deadline of a finished run: the next one's is earlier. */
static void timer_starts_before_its_thread_wakes(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	timer_prepare(&timer, &seen, UINT64_C(3600) * 1000000000);
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	for (int i = 0; i < 20000 && !timer_is_asleep(&timer); i++) {
		usleep(1000);
	}
	xhprof_sample_timer_stop(&timer);
	timer.interval_ns = 1000000;
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	CHECK(wait_for_ticks(&seen, 3) >= 3);
	xhprof_sample_timer_end(&timer);
}

/* Whether the thread waits for the next start. */
static bool timer_is_parked(xhprof_sample_timer *timer)
{
	pthread_mutex_lock(&timer->lock);
	bool parked = timer->alarm.sleeps_until == XHPROF_ALARM_NEVER;
	pthread_mutex_unlock(&timer->lock);
	return parked;
}

/* How often the thread has begun to wait; 0: unknown. */
static unsigned long count_waits(const xhprof_sample_timer *timer)
{
	static const char name[] = "\nvoluntary_ctxt_switches:";
	char path[64], text[4096];
	snprintf(path, sizeof(path), "/proc/self/task/%ld/status", (long)timer->own);
	int file = open(path, O_RDONLY);
	ssize_t length = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	close(file);
	text[length > 0 ? length : 0] = '\0';
	const char *line = strstr(text, name);
	return line ? strtoul(line + sizeof(name) - 1, NULL, 10) : 0;
}

/* Requests that end before their first tick. A processor that is taken away from this thread makes it begin anew. */
static void starts_and_stops_do_not_wake_the_thread(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	timer_prepare(&timer, &seen, UINT64_C(3600) * 1000000000);
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	xhprof_sample_timer_stop(&timer);
	for (int i = 0; i < 20000 && !timer_is_parked(&timer); i++) {
		usleep(1000);
	}
	bool quiet = false;
	for (int tries = 0; tries < 5 && !quiet; tries++) { /* it may not have begun to wait yet */
		usleep(20000);
		unsigned long before = count_waits(&timer);
		for (int i = 0; i < 1000; i++) {
			xhprof_sample_timer_start(&timer);
			xhprof_sample_timer_stop(&timer);
		}
		quiet = count_waits(&timer) == before;
	}
	if (timer.alarm.by_signal) {
		CHECK(quiet && seen.count == 0);
	} else {
		printf("# the kernel gives no timers with a thread's signal\n");
	}
	xhprof_sample_timer_end(&timer);
}

static bool timer_alarm_stays(xhprof_sample_timer *timer)
{
	pthread_mutex_lock(&timer->lock);
	bool stays = timer->alarm_every != 0;
	pthread_mutex_unlock(&timer->lock);
	return stays;
}

/* Requests in a row leave it on. It wakes the thread, which then waits for a start alone. */
static void an_alarm_that_was_left_is_taken_back(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	bool left = false, parked = false;
	timer_prepare(&timer, &seen, 5000000);
	for (int i = 0; i < 20000 && !left; i++) { /* the thread may not be there yet, and the machine may be slow */
		xhprof_sample_timer_start(&timer);
		xhprof_sample_timer_stop(&timer);
		left = timer_alarm_stays(&timer);
		usleep(100);
	}
	for (int i = 0; i < 20000 && !parked; i++) {
		usleep(1000);
		parked = timer_is_parked(&timer) && !timer_alarm_stays(&timer);
	}
	CHECK(parked && (left || !timer.alarm.by_signal));
	unsigned count = seen.count;
	timer.start_ns = xhprof_clock_monotonic_ns();
	CHECK(xhprof_sample_timer_start(&timer) == 0 && wait_for_ticks(&seen, count + 3) >= count + 3);
	xhprof_sample_timer_end(&timer);
}

/* The test would hang for an hour if stopping waited for the interval. */
static void timer_stops_within_an_interval(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	int wrong = 0;
	for (int i = 0; i < 200; i++) {
		timer_prepare(&timer, &seen, UINT64_C(3600) * 1000000000); /* as new */
		wrong += xhprof_sample_timer_start(&timer) != 0;
		if (i % 2) {
			usleep(100);
		}
		xhprof_sample_timer_stop(&timer);
		xhprof_sample_timer_end(&timer);
		wrong += seen.count != 0;
	}
	CHECK(wrong == 0);
}

typedef struct opening {
	xhprof_sample_timer *timer;
	bool own;
	int file;            /* of the timer's thread */
	bool opened, closed; /* atomic */
} opening;

static void open_in_tick(void *context, uint64_t count)
{
	opening *seen = context;
	(void)count;
	if (seen->opened) {
		return;
	}
	seen->own = xhprof_sample_timer_own_files(seen->timer) && xhprof_sample_timer_own_files(seen->timer);
	seen->file = seen->own ? open("/proc/self/stat", O_RDONLY) : -1;
	__atomic_store_n(&seen->opened, true, __ATOMIC_RELEASE);
	for (int i = 0; i < 20000 && !__atomic_load_n(&seen->closed, __ATOMIC_ACQUIRE); i++) {
		usleep(1000);
	}
	seen->own &= seen->file >= 0 && close(seen->file) == 0;
}

static int count_files(void)
{
	int files = 0;
	for (int i = 0; i < 256; i++) {
		files += fcntl(i, F_GETFD) >= 0;
	}
	return files;
}

static void timer_has_files_of_its_own(void)
{
	xhprof_sample_timer timer;
	ticks unused;
	opening seen = {.timer = &timer, .file = -1};
	timer_prepare(&timer, &unused, 1000000);
	timer.tick = open_in_tick;
	timer.context = &seen;
	int before = count_files();
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	for (int i = 0; i < 20000 && !__atomic_load_n(&seen.opened, __ATOMIC_ACQUIRE); i++) {
		usleep(1000);
	}
	bool kept = count_files() == before;
	if (seen.own) {
		CHECK(seen.file >= 0 && kept);
	} else {
		printf("# the kernel gives a thread no files of its own\n");
	}
	__atomic_store_n(&seen.closed, true, __ATOMIC_RELEASE);
	xhprof_sample_timer_end(&timer);
	CHECK(seen.own == (timer.files == XHPROF_SAMPLE_FILES_OWN) && count_files() == before);
}

static int child_of_fork(xhprof_sample_timer *timer, ticks *seen)
{
	unsigned count = seen->count;
	usleep(5000);
	if (seen->count != count) {
		return 1;
	}
	xhprof_sample_timer_forget(timer);
	xhprof_sample_timer_stop(timer);
	if (xhprof_sample_timer_start(timer) != 0 || wait_for_ticks(seen, count + 5) < count + 5) {
		return 2;
	}
	xhprof_sample_timer_stop(timer);
	xhprof_sample_timer_end(timer);
	return 0;
}

/* At any moment: also while the thread holds the lock. */
static void timer_survives_forks_at_any_moment(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	int wrong = 0;
	timer_prepare(&timer, &seen, 100000);
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	for (int i = 0; i < 30; i++) {
		int status = -1;
		pid_t child = fork();
		if (child == 0) {
			_exit(child_of_fork(&timer, &seen));
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
			printf("# fork %d: process %d, status %d, %s\n", i, (int)child, status, strerror(errno));
			wrong++;
		}
	}
	CHECK(wrong == 0);
	unsigned count = wait_for_ticks(&seen, 1);
	CHECK(wait_for_ticks(&seen, count + 3) >= count + 3);
	xhprof_sample_timer_stop(&timer);
	xhprof_sample_timer_end(&timer);
}

/* Of a timer that has not been informed of the fork, like another thread's. */
static void timer_ends_in_a_forked_child(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	int status = -1;
	timer_prepare(&timer, &seen, 1000000);
	CHECK(xhprof_sample_timer_start(&timer) == 0);
	pid_t child = fork();
	if (child == 0) {
		xhprof_sample_timer_stop(&timer);
		xhprof_sample_timer_end(&timer);
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
	xhprof_sample_timer_end(&timer);
}

static void burn_cpu(uint64_t ns)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	uint64_t end = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + ns;
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec < end);
}

static uint64_t own_cpu(void)
{
	return xhprof_clock_thread_cpu_ns();
}

static void start_by_own_cpu(xhprof_sample_timer *timer)
{
	CHECK(pthread_getcpuclockid(pthread_self(), &timer->clock) == 0);
	timer->start_ns = own_cpu();
	CHECK(xhprof_sample_timer_start(timer) == 0);
}

/* Ticks come with the CPU time of this thread, and none while it sleeps. */
static void cpu_timer_ticks_only_while_the_thread_runs(void)
{
	xhprof_sample_timer timer;
	ticks seen;
	timer_prepare(&timer, &seen, 1000000);
	start_by_own_cpu(&timer);
	/* A busy machine may look late, and counts the time then: how many looks a moment has is not known, their sum is. */
	for (int i = 0; i < 20000 && (i < 200 || wait_for_ticks(&seen, 0) < 50); i++) {
		burn_cpu(1000000);
	}
	CHECK(wait_for_ticks(&seen, 0) >= 50);
	usleep(200000); /* as many intervals of wall time */
	burn_cpu(5000000);
	uint64_t end = own_cpu();
	uint64_t rest = xhprof_sample_timer_stop(&timer);
	int64_t left = xhprof_sample_timer_uncounted(&timer, end) / (int64_t)timer.interval_ns;
	CHECK(left > -40 && left < 40);
	unsigned count = seen.count;
	burn_cpu(5000000);
	CHECK(seen.count == count && seen.intervals + rest == timer.counted);
	xhprof_sample_timer_end(&timer);
}

/* CPU time used while no look comes, as when others have the processors, is counted at the next look, or at the end. */
static void late_looks_count_missed_cpu_time(void)
{
	for (int ends_at_once = 0; ends_at_once < 2; ends_at_once++) {
		xhprof_sample_timer timer;
		ticks seen;
		timer_prepare(&timer, &seen, 1000000);
		start_by_own_cpu(&timer);
		pthread_mutex_lock(&timer.lock); /* the thread waits for it */
		burn_cpu(60000000);
		pthread_mutex_unlock(&timer.lock);
		if (!ends_at_once) {
			for (int i = 0; i < 2000 && wait_for_ticks(&seen, 0) == 0; i++) {
				burn_cpu(1000000);
			}
		}
		uint64_t end = own_cpu(), rest = xhprof_sample_timer_stop(&timer);
		CHECK(timer.counted == seen.intervals + rest);
		int64_t left = xhprof_sample_timer_uncounted(&timer, end) / (int64_t)timer.interval_ns;
		CHECK(left > -8 && left < 8);
		xhprof_sample_timer_end(&timer);
	}
}

/* The work that ran when a tick came. */
typedef struct shares {
	int runs;
	uint64_t intervals[3];
	uint64_t late; /* of them: counted by a look that came later than the one before it should have */
	uint64_t last; /* counted by the last look */
} shares;

static void count_share(void *context, uint64_t count)
{
	shares *seen = context;
	seen->intervals[__atomic_load_n(&seen->runs, __ATOMIC_RELAXED)] += count;
	seen->late += count > 2 ? count : 0;
	__atomic_store_n(&seen->last, count, __ATOMIC_RELEASE);
}

/* Bursts and waits, many of them shorter than an interval: looks hit each in proportion to its CPU time, and waits almost
 * never. The bounds are about six standard deviations of this number of looks. On a busy machine looks come when this
 * thread has lost its processor, not at random, and most intervals are counted late: that is nothing to judge shares by,
 * however often it is tried. All of the time is counted all the same, when looks find the thread again: a part of what they
 * missed with each one. sample_looks_test has the same on a simulated machine, where nothing is left to chance. */
static void samples_are_proportional_to_cpu_time(void)
{
	enum { WAITS, SHORT, LONG };
	xhprof_sample_timer timer;
	shares seen;
	bool in_time = false;
	for (int i = 0; i < 10 && !in_time; i++) {
		uint64_t used[3] = {0};
		seen = (shares){0};
		timer = (xhprof_sample_timer){.interval_ns = 500000, .tick = count_share, .context = &seen};
		start_by_own_cpu(&timer);
		for (int turn = 0; turn < 1200; turn++) {
			bool is_long = turn % 6 == 0; /* as much as the five others together */
			uint64_t from = own_cpu();
			__atomic_store_n(&seen.runs, is_long ? LONG : SHORT, __ATOMIC_RELAXED);
			burn_cpu(is_long ? 1500000 : 300000);
			uint64_t to = own_cpu();
			__atomic_store_n(&seen.runs, WAITS, __ATOMIC_RELAXED);
			usleep(700);
			used[is_long ? LONG : SHORT] += to - from;
			used[WAITS] += own_cpu() - to;
		}
		pthread_mutex_lock(&timer.lock); /* no look comes meanwhile */
		shares judged = seen;
		pthread_mutex_unlock(&timer.lock);
		bool settled = false;
		for (int wait = 0; wait < 2000 && !settled; wait++) {
			settled = __atomic_load_n(&seen.last, __ATOMIC_ACQUIRE) <= 2;
			burn_cpu(settled ? 0 : 1000000);
		}
		uint64_t end = own_cpu(), rest = xhprof_sample_timer_stop(&timer);
		double all = (double)(judged.intervals[0] + judged.intervals[1] + judged.intervals[2]);
		double cpu = (double)(used[0] + used[1] + used[2]);
		in_time = (double)judged.late < all / 4;
		for (int k = 0; k < 3 && in_time; k++) {
			double error = (double)judged.intervals[k] / all - (double)used[k] / cpu;
			CHECK(error > -0.15 && error < 0.15);
		}
		int64_t left = xhprof_sample_timer_uncounted(&timer, end) / (int64_t)timer.interval_ns;
		CHECK(all > 0 && (!settled || (left > -40 && left < 40)));
		CHECK(seen.intervals[0] + seen.intervals[1] + seen.intervals[2] + rest == timer.counted);
		xhprof_sample_timer_end(&timer);
	}
	if (!in_time) {
		printf("# this machine is too busy for shares\n");
	}
}

/* Where the kernel refuses the timer, as here for want of room for its signal. */
static void timer_works_without_the_kernels(void)
{
	struct rlimit before, none;
	xhprof_sample_timer timer;
	ticks seen;
	getrlimit(RLIMIT_SIGPENDING, &before);
	none = (struct rlimit){0, before.rlim_max};
	setrlimit(RLIMIT_SIGPENDING, &none);
	timer_ticks_at_its_interval();
	timer_starts_before_its_thread_wakes();
	timer_stops_within_an_interval();
	timer_prepare(&timer, &seen, 1000000);
	CHECK(xhprof_sample_timer_start(&timer) == 0 && wait_for_ticks(&seen, 3) >= 3);
	CHECK(timer.alarm.opened && !timer.alarm.by_signal);
	xhprof_sample_timer_end(&timer);
	setrlimit(RLIMIT_SIGPENDING, &before);
}

int main(void)
{
	log_joins_runs();
	log_keeps_lines_apart();
	log_counts_unread_samples();
	counting_log_stores_no_runs();
	log_is_bounded();
	log_without_memory_counts_dropped_samples();
	timer_ticks_at_its_interval();
	timer_stops_within_an_interval();
	timer_starts_before_its_thread_wakes();
	timer_ends_in_a_forked_child();
	starts_and_stops_do_not_wake_the_thread();
	an_alarm_that_was_left_is_taken_back();
	timer_works_without_the_kernels();
	cpu_timer_ticks_only_while_the_thread_runs();
	late_looks_count_missed_cpu_time();
	samples_are_proportional_to_cpu_time();
	timer_survives_forks_at_any_moment();
	timer_has_files_of_its_own();
	return unit_end();
}
