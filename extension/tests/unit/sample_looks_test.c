/* Looks by CPU time, and ticks of many short requests by wall time, on a simulated machine: the clocks, the program's thread,
 * the alarm and the moments when looks come are made here, so what a real machine leaves to chance is the same each time. The
 * timer is compiled a second time, with these clocks. */
#include "unit.h"

#include "trace/alarm.h"
#include "trace/clock.h"
#include "trace/on_cpu.h"

static uint64_t simulated_wall(void);
static uint64_t simulated_cpu(clockid_t clock);
static bool simulated_look(xhprof_on_cpu *watched);
static void simulated_alarm(xhprof_alarm *alarm, uint64_t ns, uint64_t every);

#define xhprof_clock_monotonic_ns simulated_wall
#define xhprof_on_cpu_clock simulated_cpu
#define xhprof_on_cpu_look simulated_look
#define xhprof_alarm_set simulated_alarm
#define xhprof_sample_timer_align simulated_align
#define xhprof_sample_timer_start simulated_start
#define xhprof_sample_timer_stop simulated_stop
#define xhprof_sample_timer_own_files simulated_own_files
#define xhprof_sample_timer_uncounted simulated_uncounted
#define xhprof_sample_timer_end simulated_end
#define xhprof_sample_timer_wait_gone simulated_wait_gone
#define xhprof_sample_timer_forget simulated_forget
#include "trace/sample_timer.c"

enum { SHORT, LONG, WORKS };

#define INTERVAL UINT64_C(500000)
#define TURNS 1200
#define WAIT UINT64_C(700000)

/* How the machine treats the thread, and the looks. */
typedef struct machine {
	uint64_t slice, away; /* the thread runs so long, and then others do; 0: it always runs when it has work */
	uint64_t late;        /* looks come up to so long after their time */
	uint32_t blind;       /* of 100 looks that many find a running thread away from its processor */
} machine;

static struct {
	machine machine;
	uint64_t random;
	uint64_t wall, cpu;
	uint32_t turn;
	uint64_t work, wait; /* left in this turn */
	uint64_t slice, away;
	uint64_t used[WORKS];
} world;

static uint64_t random_below(uint64_t bound)
{
	world.random = world.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (world.random >> 33) % bound;
}

/* Every sixth burst is as long as the five others together. */
static int work_of(uint32_t turn)
{
	return turn % 6 == 0 ? LONG : SHORT;
}

static void begin_turn(void)
{
	world.work = work_of(world.turn) == LONG ? 1500000 : 300000;
	world.wait = WAIT;
}

static bool runs(void)
{
	return world.work && !world.away;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Lets the program go on until a moment, or its end. */
static void advance(uint64_t until)
{
	while (world.wall < until && world.turn < TURNS) {
		uint64_t step = until - world.wall;
		if (world.away) {
			step = least(step, world.away);
			world.away -= step;
		} else if (world.work) {
			step = least(step, world.work);
			step = world.machine.slice ? least(step, world.slice) : step;
			world.work -= step;
			world.cpu += step;
			world.used[work_of(world.turn)] += step;
			world.slice -= world.machine.slice ? step : 0;
			if (world.machine.slice && !world.slice) {
				world.slice = 1 + random_below(2 * world.machine.slice);
				world.away = 1 + random_below(2 * world.machine.away);
			}
		} else {
			step = least(step, world.wait);
			world.wait -= step;
		}
		world.wall += step;
		if (!world.work && !world.wait) {
			world.turn++;
			begin_turn();
		}
	}
}

static uint64_t simulated_wall(void)
{
	return world.wall;
}

static uint64_t simulated_cpu(clockid_t clock)
{
	(void)clock;
	return world.cpu;
}

static bool simulated_look(xhprof_on_cpu *watched)
{
	watched->cpu_ns = world.cpu;
	return runs() && random_below(100) >= world.machine.blind;
}

static uint64_t counted[WORKS];

static void count_look(void *context, uint64_t count)
{
	(void)context;
	counted[work_of(world.turn)] += count;
}

typedef struct outcome {
	double error;     /* of the share of the long bursts */
	double intervals; /* counted, for each interval used */
	double left;      /* intervals used and not counted at the end */
	bool adds_up;
} outcome;

static outcome run_on(machine machine, uint64_t seed)
{
	xhprof_sample_timer timer = {.clock = CLOCK_THREAD_CPUTIME_ID, .interval_ns = INTERVAL, .tick = count_look};
	memset(&world, 0, sizeof(world));
	memset(counted, 0, sizeof(counted));
	world.machine = machine;
	world.random = seed;
	world.wall = UINT64_C(1000000000) * seed;
	world.slice = machine.slice;
	begin_turn();
	/* It needs no thread: the looks are taken below. */
	pthread_mutex_init(&timer.lock, NULL);
	timer.alive = timer.opened = true;
	timer.process = xhprof_process_id();
	timer.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	simulated_start(&timer);
	while (world.turn < TURNS) {
		advance(timer.next_ns + (machine.late ? random_below(machine.late) : 0));
		timer_step(&timer);
	}
	uint64_t rest = simulated_stop(&timer), all = counted[SHORT] + counted[LONG];
	outcome found = {.error = (double)counted[LONG] / (double)all - (double)world.used[LONG] / (double)world.cpu,
					 .intervals = (double)all * INTERVAL / (double)world.cpu,
					 .left = (double)simulated_uncounted(&timer, world.cpu) / INTERVAL,
					 .adds_up = timer.counted == all + rest};
	pthread_mutex_destroy(&timer.lock);
	return found;
}

enum { SEEDS = 200 };

/* Of many runs: the mean of errors, the largest, the mean of what is left, and the most and the least of that. */
typedef struct outcomes {
	double error, worst, left, most, fewest;
	bool add_up;
} outcomes;

static outcomes many_on(machine machine)
{
	outcomes all = {.most = -1e9, .fewest = 1e9, .add_up = true};
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		outcome one = run_on(machine, seed);
		double size = one.error < 0 ? -one.error : one.error;
		all.error += one.error / SEEDS;
		all.worst = size > all.worst ? size : all.worst;
		all.left += one.left / SEEDS;
		all.most = one.left > all.most ? one.left : all.most;
		all.fewest = one.left < all.fewest ? one.left : all.fewest;
		all.add_up = all.add_up && one.adds_up && one.intervals > 0.9;
	}
	printf("# error %.4f, at worst %.3f; left %.1f, from %.1f to %.1f\n", all.error, all.worst, all.left, all.fewest,
		   all.most);
	return all;
}

static void shares_are_those_of_cpu_time(void)
{
	outcomes all = many_on((machine){0});
	CHECK(all.add_up && all.error > -0.01 && all.error < 0.01 && all.worst < 0.04);
	CHECK(all.fewest > -10 && all.most < 10 && all.left > -1 && all.left < 1);
}

/* Others have the processors half of the time, whatever the program does then. */
static void shares_stay_when_others_run_too(void)
{
	outcomes all = many_on((machine){.slice = 2000000, .away = 2000000});
	CHECK(all.add_up && all.error > -0.01 && all.error < 0.01 && all.worst < 0.04);
	CHECK(all.fewest > -10 && all.most < 10);
}

/* Intervals go by without their looks. */
static void late_looks_lose_no_time(void)
{
	outcomes all = many_on((machine){.slice = 2000000, .away = 2000000, .late = 5000000});
	CHECK(all.add_up && all.fewest > -20 && all.most < 20);
}

/* On a busy machine looks may come just when the thread has lost its processor. Each look that finds it makes up for a
 * sixteenth of what was missed. So this stays uncounted: 16 intervals, times the missed looks for each one that was not. */
static void time_that_looks_miss_is_made_up_for(void)
{
	for (uint32_t blind = 25; blind <= 75; blind += 25) {
		outcomes all = many_on((machine){.blind = blind});
		double stays = CATCH_UP * (double)blind / (100 - blind);
		CHECK(all.add_up && all.left > stays - 1 && all.left < stays + 1);
		CHECK(all.fewest > stays - 40 && all.most < stays + 40);
		CHECK(all.error > -0.01 && all.error < 0.01);
	}
}

/* The kernel's timer, and what its alarms have done. */
static struct {
	uint64_t at, every; /* of the next; XHPROF_ALARM_NEVER */
	unsigned sets, wakes, ticks, looks, refused;
} kernel;

static void simulated_alarm(xhprof_alarm *alarm, uint64_t ns, uint64_t every)
{
	if (alarm->opened) {
		kernel.at = ns;
		kernel.every = every;
		kernel.sets++;
	}
}

static void count_tick_of_request(void *context, uint64_t count)
{
	(void)context;
	kernel.ticks += (unsigned)count;
}

static void count_on_look(void *context)
{
	kernel.looks += (unsigned)(context == &kernel);
}

/* Lets time go by, and the thread be woken, `late` ns after the alarm. */
static void pass(xhprof_sample_timer *timer, uint64_t ns, uint64_t late)
{
	uint64_t end = world.wall + ns;
	while (kernel.at != XHPROF_ALARM_NEVER && kernel.at + late <= end) {
		world.wall = kernel.at + late;
		kernel.at = kernel.every ? kernel.at + kernel.every : XHPROF_ALARM_NEVER;
		kernel.wakes++;
		timer_wake(timer);
	}
	world.wall = end;
}

#define SHORT_INTERVAL UINT64_C(10000000)

static xhprof_sample_timer wall_timer(void)
{
	xhprof_sample_timer timer = {.clock = CLOCK_MONOTONIC,
								 .interval_ns = SHORT_INTERVAL,
								 .tick = count_tick_of_request,
								 .on_look = count_on_look,
								 .look_context = &kernel};
	memset(&kernel, 0, sizeof(kernel));
	memset(&world, 0, sizeof(world));
	kernel.at = XHPROF_ALARM_NEVER;
	world.random = 7;
	world.wall = UINT64_C(5001000000);
	pthread_mutex_init(&timer.lock, NULL);
	timer.alive = true;
	timer.process = xhprof_process_id();
	timer.alarm = (xhprof_alarm){.opened = true, .by_signal = true, .ns = XHPROF_ALARM_NEVER};
	return timer;
}

/* As the sampler does it: from a clock `ahead` of the other one, which shows microseconds, and was read a little earlier. */
static void begin_request(xhprof_sample_timer *timer, uint64_t ahead)
{
	uint64_t shown = (world.wall + ahead - random_below(300)) / 1000 * 1000;
	timer->start_ns = simulated_align(timer, world.wall - shown % timer->interval_ns, world.wall);
	kernel.refused += simulated_start(timer) != 0;
}

/* The moments at which intervals end are those of the first request, for all. */
static uint64_t ends_by(uint64_t moment, uint64_t phase)
{
	return (moment - phase) / SHORT_INTERVAL;
}

/* Requests of a busy worker: each has a tick at each end of an interval within it, and none from before. */
static void requests_in_a_row_keep_the_alarm(void)
{
	xhprof_sample_timer timer = wall_timer();
	uint64_t length = 0, phase = 0;
	unsigned wrong = 0;
	enum { REQUESTS = 20000 };
	for (int i = 0; i < REQUESTS; i++) {
		uint64_t lasts = i % 50 ? random_below(2000000) : random_below(4 * SHORT_INTERVAL), begins = world.wall;
		begin_request(&timer, 123456789);
		phase = phase ? phase : timer.start_ns - 100 * SHORT_INTERVAL;
		wrong += timer.start_ns > begins || begins - timer.start_ns >= SHORT_INTERVAL ||
				 (timer.start_ns - phase) % SHORT_INTERVAL != 0;
		unsigned before = kernel.ticks;
		pass(&timer, lasts, 0);
		/* What the sampler counts. */
		wrong += kernel.ticks - before != (world.wall - timer.start_ns) / SHORT_INTERVAL;
		wrong += kernel.ticks - before != ends_by(world.wall, phase) - ends_by(begins, phase);
		simulated_stop(&timer);
		length += lasts;
		pass(&timer, random_below(200000), 0);
	}
	double share = (double)kernel.ticks * (double)SHORT_INTERVAL / (double)length;
	printf("# %u ticks, %.3f of the time; the alarm was set %u times\n", kernel.ticks, share, kernel.sets);
	CHECK(wrong == 0 && kernel.refused == 0 && share > 0.97 && share < 1.03 && kernel.looks == kernel.ticks);
	/* Only where it has run out between two of them, and after a long one. */
	CHECK(kernel.sets < REQUESTS / 15 && kernel.wakes >= kernel.ticks);
	pthread_mutex_destroy(&timer.lock);
}

/* The last alarm is taken back by the thread that it has woken. */
static void an_idle_worker_is_woken_once_at_most(void)
{
	xhprof_sample_timer timer = wall_timer();
	for (int i = 0; i < 3; i++) {
		begin_request(&timer, 0);
		pass(&timer, 100, 0);
		simulated_stop(&timer);
		pass(&timer, 100, 0);
	}
	CHECK(kernel.sets == 3 && kernel.every && kernel.wakes == 0); /* set, taken back, and set for good */
	pass(&timer, 1000 * SHORT_INTERVAL, 0);
	CHECK(kernel.wakes == 1 && kernel.ticks == 0 && kernel.at == XHPROF_ALARM_NEVER);
	/* Requests with longer pauses wake it never. */
	unsigned left = 0;
	for (int i = 0; i < 100; i++) {
		begin_request(&timer, 0);
		pass(&timer, 100, 0);
		simulated_stop(&timer);
		left += kernel.at != XHPROF_ALARM_NEVER;
		pass(&timer, 5 * SHORT_INTERVAL - 100 - world.wall % SHORT_INTERVAL, 0);
	}
	CHECK(kernel.wakes == 1 && kernel.ticks == 0 && left == 0 && kernel.refused == 0);
	pthread_mutex_destroy(&timer.lock);
}

/* It comes on a busy machine, when the next request has begun. */
static void a_late_alarm_is_no_tick_of_the_next_request(void)
{
	xhprof_sample_timer timer = wall_timer();
	begin_request(&timer, 0);
	simulated_stop(&timer);
	begin_request(&timer, 0);
	pass(&timer, SHORT_INTERVAL / 2, 0);
	simulated_stop(&timer);
	CHECK(kernel.every == SHORT_INTERVAL);
	world.wall = kernel.at + 1000; /* nothing has woken the thread yet */
	begin_request(&timer, 0);
	CHECK(kernel.every == SHORT_INTERVAL && world.wall - timer.start_ns < SHORT_INTERVAL);
	unsigned sets = kernel.sets;
	pass(&timer, SHORT_INTERVAL / 2, 1000);
	CHECK(kernel.wakes == 1 && kernel.ticks == 0 && kernel.sets == sets);
	pass(&timer, SHORT_INTERVAL / 2, 1000);
	CHECK(kernel.ticks == 1 && (world.wall - timer.start_ns) / SHORT_INTERVAL == 1);
	pthread_mutex_destroy(&timer.lock);
}

static void the_alarm_is_set_anew_for_another_rhythm(void)
{
	xhprof_sample_timer timer = wall_timer();
	for (int i = 0; i < 2; i++) {
		begin_request(&timer, 0);
		simulated_stop(&timer);
	}
	unsigned sets = kernel.sets;
	begin_request(&timer, 0);
	simulated_stop(&timer);
	CHECK(kernel.sets == sets);
	/* Somebody has set the system's clock. */
	begin_request(&timer, 3000000);
	CHECK(kernel.sets == sets + 1 && kernel.at == timer.start_ns + SHORT_INTERVAL);
	simulated_stop(&timer);
	/* The next request has another interval. */
	timer.interval_ns = 1000000;
	begin_request(&timer, 3000000);
	CHECK(kernel.sets == sets + 2 && kernel.every == 1000000);
	simulated_stop(&timer);
	/* Or it is sampled by CPU time: an alarm for each look, and none when it has ended. */
	timer.opened = true;
	timer.clock = CLOCK_THREAD_CPUTIME_ID;
	timer.start_ns = 0;
	CHECK(simulated_start(&timer) == 0 && kernel.sets == sets + 3 && kernel.every == 0);
	simulated_stop(&timer);
	CHECK(kernel.sets == sets + 4 && kernel.at == XHPROF_ALARM_NEVER);
	timer.clock = CLOCK_MONOTONIC;
	begin_request(&timer, 3000000);
	CHECK(kernel.sets == sets + 5 && kernel.every == 1000000 && kernel.at == timer.start_ns + 1000000);
	pthread_mutex_destroy(&timer.lock);
}

int main(void)
{
	requests_in_a_row_keep_the_alarm();
	an_idle_worker_is_woken_once_at_most();
	a_late_alarm_is_no_tick_of_the_next_request();
	the_alarm_is_set_anew_for_another_rhythm();
	shares_are_those_of_cpu_time();
	shares_stay_when_others_run_too();
	late_looks_lose_no_time();
	time_that_looks_miss_is_made_up_for();
	return unit_end();
}
