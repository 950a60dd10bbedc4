/* Looks by CPU time on a simulated machine: the clocks, the program's thread and the moments when looks come are made here,
 * so what a real machine leaves to chance is the same each time. The timer is compiled a second time, with these clocks. */
#include "unit.h"

#include "trace/clock.h"
#include "trace/on_cpu.h"

static uint64_t simulated_wall(void);
static uint64_t simulated_cpu(clockid_t clock);
static bool simulated_look(xhprof_on_cpu *watched);

#define xhprof_clock_monotonic_ns simulated_wall
#define xhprof_on_cpu_clock simulated_cpu
#define xhprof_on_cpu_look simulated_look
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

int main(void)
{
	shares_are_those_of_cpu_time();
	shares_stay_when_others_run_too();
	late_looks_lose_no_time();
	time_that_looks_miss_is_made_up_for();
	return unit_end();
}
