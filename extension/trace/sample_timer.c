#include "sample_timer.h"

#include "clock.h"

#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The bytes of the stack of the timer's thread, which also holds the thread-local variables of all libraries. */
#define STACK_SIZE ((size_t)256 * 1024)

/* The intervals from which on a difference is corrected: by CPU time the number of looks that find the thread running
 * is random. Its difference from the intervals used is corrected slowly, one part in CATCH_UP at each tick. */
#define STRAY 2
#define CATCH_UP 16

/* The tolerance of the alignment, one part in this many of an interval: two clocks are not read at once, and one of
 * them in microseconds. */
#define ALIGNED 64

static uint64_t timer_random(xhprof_sample_timer *timer, uint64_t below)
{
	timer->random ^= timer->random << 13;
	timer->random ^= timer->random >> 7;
	timer->random ^= timer->random << 17;
	return timer->random % below;
}

static bool timer_is_by_cpu(const xhprof_sample_timer *timer)
{
	return timer->clock != CLOCK_MONOTONIC;
}

bool xhprof_sample_timer_own_files(xhprof_sample_timer *timer)
{
	if (timer->files == XHPROF_SAMPLE_FILES_UNASKED) {
		timer->files = xhprof_on_cpu_own_files() ? XHPROF_SAMPLE_FILES_OWN : XHPROF_SAMPLE_FILES_SHARED;
	}
	return timer->files == XHPROF_SAMPLE_FILES_OWN;
}

int64_t xhprof_sample_timer_uncounted(const xhprof_sample_timer *timer, uint64_t now_ns)
{
	return (int64_t)(now_ns - timer->start_ns - timer->counted * timer->interval_ns);
}

/* Returns the intervals of a tick. It is one interval, however much was used since the last one: otherwise a function
 * would be charged for its predecessor. */
static uint64_t timer_count(xhprof_sample_timer *timer)
{
	int64_t interval = (int64_t)timer->interval_ns;
	int64_t stray = xhprof_sample_timer_uncounted(timer, timer->on_cpu.cpu_ns) - interval;
	if (stray >= -STRAY * interval && stray <= STRAY * interval) {
		return 1;
	}
	uint64_t size = (uint64_t)(stray < 0 ? -stray : stray), part = CATCH_UP * timer->interval_ns;
	uint64_t more = (size + timer_random(timer, part)) / part;
	return stray > 0 ? 1 + more : more ? 0 : 1;
}

/* Notes the intervals whose looks never came, as on busy processors a look comes too late. The next tick includes the
 * CPU time that they would have met: as much as was `used` since the look before, at most those intervals. */
static void timer_miss(xhprof_sample_timer *timer, uint64_t now, uint64_t used)
{
	uint64_t late = now > timer->turn_ns ? (now - timer->turn_ns) / timer->interval_ns * timer->interval_ns : 0;
	timer->turn_ns += late;
	uint64_t lost = timer->lost_ns + late;
	timer->lost_ns = 0;
	timer->missed_ns += used < lost ? used : lost;
}

/* Takes the number of missed intervals. */
static uint64_t timer_take_missed(xhprof_sample_timer *timer)
{
	uint64_t count = timer->missed_ns / timer->interval_ns;
	timer->missed_ns -= count * timer->interval_ns;
	timer->counted += count;
	return count;
}

static void timer_look(xhprof_sample_timer *timer)
{
	if (!timer->opened) {
		xhprof_on_cpu_open(&timer->on_cpu, timer->clock, timer->watched, xhprof_sample_timer_own_files(timer));
		timer->opened = true;
	}
	uint64_t now = xhprof_clock_monotonic_ns(), before = timer->on_cpu.cpu_ns;
	bool met = xhprof_on_cpu_look(&timer->on_cpu);
	timer_miss(timer, now, timer->on_cpu.cpu_ns - before);
	if (met) {
		uint64_t missed = timer_take_missed(timer), count = timer_count(timer);
		timer->counted += count;
		if (missed + count) {
			timer->tick(timer->context, missed + count);
		}
	}
}

/* Plans the next look. By CPU time each interval of wall time has one, at any moment of it: it measures the thread's
 * CPU time, whatever the rhythm of its work and waits. */
static void timer_plan(xhprof_sample_timer *timer, uint64_t now)
{
	uint64_t interval = timer->interval_ns, turn = timer->turn_ns + interval;
	if (timer_is_by_cpu(timer)) {
		timer->lost_ns += turn < now ? (now - turn) / interval * interval : 0; /* the look itself took that long */
		timer->turn_ns = turn < now ? now : turn;
		timer->next_ns = timer->turn_ns + timer_random(timer, interval);
	} else {
		timer->next_ns = timer->start_ns + ((now - timer->start_ns) / interval + 1) * interval;
	}
}

/* Sets the alarm for what is planned. By wall time that is once for all ticks. */
static void timer_arm(xhprof_sample_timer *timer)
{
	uint64_t at = timer->ends ? 0 : timer->running ? timer->next_ns : XHPROF_ALARM_NEVER;
	uint64_t every = timer->running && !timer_is_by_cpu(timer) ? timer->interval_ns : 0;
	xhprof_alarm_set(&timer->alarm, at, every);
	timer->alarm_every = timer->alarm.opened && timer->alarm.by_signal ? every : 0;
}

/* Returns whether the alarm that an earlier start has set has the ticks of this one. */
static bool timer_is_armed(const xhprof_sample_timer *timer)
{
	uint64_t interval = timer->interval_ns;
	return !timer_is_by_cpu(timer) && timer->alarm_every == interval && timer->phase_every == interval &&
		   (timer->start_ns - timer->phase_ns) % interval == 0;
}

static void timer_step(xhprof_sample_timer *timer)
{
	bool by_cpu = timer_is_by_cpu(timer);
	if (timer->on_look) {
		timer->on_look(timer->look_context);
	}
	if (by_cpu) {
		timer_look(timer);
	} else {
		timer->tick(timer->context, 1);
	}
	timer_plan(timer, xhprof_clock_monotonic_ns());
	if (by_cpu || !timer->alarm.by_signal) {
		timer_arm(timer);
	}
}

/* Handles an alarm, which may be one that was left for a start that has not come, or of the time before a start. */
static void timer_wake(xhprof_sample_timer *timer)
{
	if (!timer->running && timer->alarm_every) {
		timer_arm(timer);
	} else if (timer->running && xhprof_clock_monotonic_ns() >= timer->next_ns) {
		timer_step(timer);
	}
}

static void *timer_run(void *argument)
{
	xhprof_sample_timer *timer = argument;
	prctl(PR_SET_NAME, "xhprof-sampler");
	prctl(PR_SET_TIMERSLACK, 1000ul); /* ns; of this thread only */
	xhprof_alarm alarm = xhprof_alarm_open();
	pthread_mutex_lock(&timer->lock);
	timer->own = xhprof_on_cpu_self();
	timer->alarm = alarm;
	timer_arm(timer);
	while (!timer->ends) {
		timer_wake(timer);
		xhprof_alarm_wait(&timer->alarm, &timer->lock);
	}
	xhprof_alarm_close(&timer->alarm);
	if (timer->opened) {
		xhprof_on_cpu_close(&timer->on_cpu);
	}
	pthread_mutex_unlock(&timer->lock);
	return NULL;
}

static int timer_create_thread(xhprof_sample_timer *timer)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);
	if (error) {
		return error;
	}
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	error = pthread_create(&timer->thread, &attributes, timer_run, timer);
	pthread_attr_destroy(&attributes);
	if (error == EINVAL) { /* if thread-local variables need more */
		error = pthread_create(&timer->thread, NULL, timer_run, timer);
	}
	return error;
}

static int timer_begin(xhprof_sample_timer *timer)
{
	sigset_t all, before;
	pthread_mutex_init(&timer->lock, NULL);
	timer->process = xhprof_process_id();
	timer->watched = xhprof_on_cpu_self();
	timer->alarm = (xhprof_alarm){0};
	timer->own = 0;
	timer->alarm_every = 0;
	timer->ends = timer->opened = timer->running = false;
	timer->files = XHPROF_SAMPLE_FILES_UNASKED;
	/* The thread inherits the mask: it never receives a signal for the process. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = timer_create_thread(timer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	timer->alive = !error;
	return error;
}

/* Returns whether this process has the thread: a forked child does not, whichever thread forked. */
static bool timer_has_thread(const xhprof_sample_timer *timer)
{
	return timer->alive && timer->process == xhprof_process_id();
}

uint64_t xhprof_sample_timer_align(const xhprof_sample_timer *timer, uint64_t start_ns, uint64_t now)
{
	int64_t interval = (int64_t)timer->interval_ns;
	if (timer->phase_every != timer->interval_ns) {
		return start_ns;
	}
	int64_t after = (int64_t)(start_ns - timer->phase_ns) % interval;
	after -= after > interval / 2 ? interval : after < -interval / 2 ? -interval : 0;
	if (after > interval / ALIGNED || after < -interval / ALIGNED) {
		return start_ns;
	}
	start_ns -= (uint64_t)after;
	return start_ns > now                         ? start_ns - timer->interval_ns
		   : now - start_ns >= timer->interval_ns ? start_ns + timer->interval_ns
												  : start_ns;
}

int xhprof_sample_timer_start(xhprof_sample_timer *timer)
{
	int error = timer_has_thread(timer) ? 0 : timer_begin(timer);
	if (error) {
		return error;
	}
	pthread_mutex_lock(&timer->lock);
	uint64_t now = xhprof_clock_monotonic_ns();
	timer->counted = timer->lost_ns = timer->missed_ns = 0;
	timer->on_cpu.cpu_ns = timer_is_by_cpu(timer) ? xhprof_on_cpu_clock(timer->clock) : 0;
	timer->random = timer->random ? timer->random : (now ^ (uint64_t)(uintptr_t)timer << 20) | 1;
	timer->turn_ns = now - timer->interval_ns;
	timer->follows = timer->began_ns && now - timer->began_ns < timer->interval_ns;
	timer->began_ns = now;
	timer->running = true;
	timer_plan(timer, now);
	if (!timer_is_armed(timer)) {
		timer_arm(timer);
	}
	timer->phase_ns = timer->start_ns;
	timer->phase_every = timer_is_by_cpu(timer) ? 0 : timer->interval_ns;
	pthread_mutex_unlock(&timer->lock);
	return 0;
}

uint64_t xhprof_sample_timer_stop(xhprof_sample_timer *timer)
{
	if (!timer->running) {
		return 0;
	}
	if (!timer_has_thread(timer)) {
		xhprof_sample_timer_forget(timer);
		return 0;
	}
	pthread_mutex_lock(&timer->lock);
	uint64_t count = 0;
	timer->running = false;
	if (!timer->follows || !timer->alarm_every) {
		timer_arm(timer);
	}
	if (timer_is_by_cpu(timer)) {
		uint64_t now = xhprof_clock_monotonic_ns();
		timer_miss(timer, now, xhprof_on_cpu_clock(timer->clock) - timer->on_cpu.cpu_ns);
		count = timer_take_missed(timer);
		if (!count && now >= timer->next_ns) {
			timer->counted += ++count;
		}
	}
	pthread_mutex_unlock(&timer->lock);
	return count;
}

void xhprof_sample_timer_end(xhprof_sample_timer *timer)
{
	if (timer_has_thread(timer)) {
		pthread_mutex_lock(&timer->lock);
		timer->ends = true;
		timer_arm(timer);
		pthread_mutex_unlock(&timer->lock);
		pthread_join(timer->thread, NULL);
		pthread_mutex_destroy(&timer->lock);
	}
	xhprof_sample_timer_forget(timer);
}

void xhprof_sample_timer_wait_gone(const xhprof_sample_timer *timer)
{
	const struct timespec short_while = {.tv_nsec = 100000};
	for (int i = 0; i < 1000 && timer->own && syscall(SYS_tgkill, getpid(), timer->own, 0) == 0; i++) {
		nanosleep(&short_while, NULL);
	}
}

void xhprof_sample_timer_forget(xhprof_sample_timer *timer)
{
	timer->alive = timer->running = false;
}
