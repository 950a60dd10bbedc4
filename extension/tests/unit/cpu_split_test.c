/* User and system time apart, on a simulated machine: the time, what the kernel has counted of the thread and the cost of
 * asking it are made here, so the truth of each function is known to the nanosecond. The clock is compiled a second time, with
 * these. */
#include "unit.h"

#include "trace/cpu_clock.h"

#include <errno.h>
#include <sys/resource.h>

static int simulated_getrusage(int who, struct rusage *usage);
static int simulated_gettime(clockid_t clock, struct timespec *time);
static uint64_t simulated_ticks(const xhprof_clock *clock);
static uint64_t simulated_thread_ns(void);

#define getrusage simulated_getrusage
#define clock_gettime simulated_gettime
#define xhprof_clock_thread_cpu_ns simulated_thread_ns
#define xhprof_clock_ticks simulated_ticks
#define xhprof_cpu_clock_refusal split_refusal
#define xhprof_cpu_clock_valid_choice split_valid_choice
#define xhprof_cpu_clock_choose split_choose
#define xhprof_cpu_clock_name split_name
#define xhprof_cpu_clock_thread_ns split_thread_ns
#define xhprof_cpu_clock_start split_start
#define xhprof_cpu_clock_stop split_stop
#define xhprof_cpu_clock_resync split_resync
#include "trace/cpu_clock.c"

#define TICK UINT64_C(4000000)

typedef enum accounting { EXACT, BY_TICKS } accounting;

static struct {
	accounting accounting;
	uint64_t wall, user, system;       /* ns */
	uint64_t user_ticks, system_ticks; /* what a kernel that counts by ticks has seen */
	uint64_t next_tick;                /* CPU time of that */
	uint64_t cost;                     /* of a call of getrusage() */
	uint64_t random;
	bool has_clock;
	uint64_t known; /* CPU time as getrusage() knows it */
	uint64_t bad;   /* readings that cannot be */
} world;

static uint64_t random_below(uint64_t bound)
{
	world.random = world.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (world.random >> 33) % bound;
}

/* Lets CPU time pass, a piece up to each tick. */
static void run(uint64_t ns, bool in_kernel)
{
	while (ns) {
		uint64_t used = world.user + world.system, piece = world.next_tick - used;
		piece = piece < ns ? piece : ns;
		*(in_kernel ? &world.system : &world.user) += piece;
		world.wall += piece;
		ns -= piece;
		world.known = world.accounting == EXACT ? used + piece : world.known;
		if (used + piece == world.next_tick) {
			(*(in_kernel ? &world.system_ticks : &world.user_ticks))++;
			world.next_tick += TICK;
			world.known = used + piece;
		}
	}
}

static struct timeval in_us(uint64_t ns)
{
	return (struct timeval){(time_t)(ns / 1000000000), (long)(ns / 1000 % 1000000)};
}

/* Lets the time of a system call pass: a sixth of it is the program's own way there and back. */
static void pass_in_call(void)
{
	run(world.cost / 12, false);
	run(world.cost - world.cost / 6, true);
	run(world.cost / 12, false);
}

/* Linux scales the ticks of both kinds to the CPU time, which it knows to the
 * nanosecond (cputime_adjust()), but brings up to date at ticks and by the clock alone. */
static int simulated_getrusage(int who, struct rusage *usage)
{
	pass_in_call();
	world.bad += who != RUSAGE_THREAD;
	uint64_t all = world.known, ticks = world.user_ticks + world.system_ticks;
	uint64_t system = world.system < all ? world.system : all;
	if (world.accounting == BY_TICKS) {
		system = ticks ? (uint64_t)((unsigned __int128)all * world.system_ticks / ticks) : 0;
	}
	usage->ru_stime = in_us(system);
	usage->ru_utime = in_us(all - system);
	return 0;
}

/* A system with a CPU clock of threads, or without one. */
static int simulated_gettime(clockid_t clock, struct timespec *time)
{
	*time = (struct timespec){0};
	errno = EINVAL;
	if (!world.has_clock || clock != CLOCK_THREAD_CPUTIME_ID) {
		return -1;
	}
	pass_in_call();
	world.known = world.user + world.system;
	*time = (struct timespec){(time_t)(world.known / 1000000000), (long)(world.known % 1000000000)};
	return 0;
}

static uint64_t simulated_thread_ns(void)
{
	struct timespec time;
	world.bad += simulated_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0;
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t simulated_ticks(const xhprof_clock *clock)
{
	(void)clock;
	return world.wall;
}

typedef struct function {
	uint64_t user, system; /* truth, ns: what its calls have used */
	uint64_t counted, counted_system;
} function;

enum { IN_USER, IN_KERNEL, IN_BOTH, SLEEPS, FUNCTIONS };

static void call(xhprof_cpu_clock *cpu, const xhprof_clock *wall, uint64_t *last, function *function, int kind,
				 uint64_t ns)
{
	uint64_t in_kernel = kind == IN_KERNEL ? ns : kind == IN_USER ? 0 : kind == IN_BOTH ? ns / 2 : ns / 10;
	uint64_t away = kind == SLEEPS ? 5 * ns : 0;
	run(ns - in_kernel, false);
	run(in_kernel, true);
	world.wall += away;
	function->user += ns - in_kernel;
	function->system += in_kernel;
	uint64_t now = simulated_ticks(wall);
	xhprof_cpu_reading reading = xhprof_cpu_clock_disturbed(cpu, now - *last)
									 ? split_resync(cpu, wall, *last, now)
									 : (xhprof_cpu_reading){now - *last, now, 0};
	world.bad += reading.system > reading.passed || reading.now < now;
	*last = reading.now;
	function->counted += reading.passed;
	function->counted_system += reading.system;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* A program of `seconds`, whose calls take `shortest` to ten times that. */
static void split_follows(accounting accounting, bool has_clock, uint64_t shortest, uint64_t cost, uint64_t seconds)
{
	xhprof_clock wall = {.source = XHPROF_CLOCK_MONOTONIC, .ns_per_tick = UINT64_C(1) << 32};
	xhprof_cpu_clock cpu = {0};
	function functions[FUNCTIONS] = {{0}};
	memset(&world, 0, sizeof(world));
	world.accounting = accounting;
	world.has_clock = has_clock;
	thread_clock = 0;
	world.next_tick = TICK;
	world.cost = cost;
	world.random = shortest + cost;
	run(TICK * 3 / 2, true); /* what the thread had used before */
	split_start(&cpu, &wall, XHPROF_CPU_GETRUSAGE, XHPROF_CPU_OF_PROFILE);
	uint64_t last = simulated_ticks(&wall);
	while (functions[IN_USER].user < seconds * 250000000) {
		int kind = (int)random_below(FUNCTIONS);
		call(&cpu, &wall, &last, &functions[kind], kind, shortest + random_below(9 * shortest));
	}
	split_stop(&cpu);
	uint64_t truth = 0, counted = 0, system = 0, counted_system = 0;
	for (int i = 0; i < FUNCTIONS; i++) {
		const function *function = &functions[i];
		truth += function->user + function->system;
		system += function->system;
		counted += function->counted;
		counted_system += function->counted_system;
		printf("# %s, %s, calls from %lu ns, reading takes %lu ns: function %d: user %lu of %lu us, system %lu of %lu "
			   "us\n",
			   accounting == EXACT ? "exact" : "by ticks", has_clock ? "a clock" : "no clock", (unsigned long)shortest,
			   (unsigned long)cost, i, (unsigned long)(function->counted - function->counted_system) / 1000,
			   (unsigned long)function->user / 1000, (unsigned long)function->counted_system / 1000,
			   (unsigned long)function->system / 1000);
		/* Without a clock the CPU time itself is known at ticks only. */
		if (has_clock) {
			uint64_t used = function->user + function->system;
			CHECK(difference(function->counted, used) < used / 50 + 1000000);
		}
		/* The kernel's figures are in us, or as of its last tick: for shorter calls only their sum is known. */
		if (accounting == EXACT ? shortest >= 20000 : has_clock && shortest >= TICK / 2) {
			CHECK(difference(function->counted_system, function->system) < function->counted / 20);
		}
	}
	CHECK(world.bad == 0);
	/* Without a clock and by ticks, what reading takes cannot be separated from what calls take, if these are as short. */
	CHECK(difference(counted, truth) < truth / (has_clock || accounting == EXACT ? 20 : 5));
	CHECK(difference(counted_system, system) < truth / 10);
}

static void a_forked_child_begins_anew(void)
{
	xhprof_clock wall = {.source = XHPROF_CLOCK_MONOTONIC, .ns_per_tick = UINT64_C(1) << 32};
	xhprof_cpu_clock cpu = {0};
	function child = {0};
	memset(&world, 0, sizeof(world));
	world.next_tick = UINT64_MAX;
	run(100000000, false);
	run(100000000, true);
	world.has_clock = true;
	thread_clock = 0;
	split_start(&cpu, &wall, XHPROF_CPU_GETRUSAGE, XHPROF_CPU_OF_PROFILE);
	uint64_t last = simulated_ticks(&wall);
	world.user = world.system = 0;
	call(&cpu, &wall, &last, &child, IN_BOTH, 2000000); /* at its end the fork is noticed */
	child = (function){0};
	call(&cpu, &wall, &last, &child, IN_KERNEL, 4000000);
	CHECK(child.counted_system == 4000000 && child.counted == 4000000);
	call(&cpu, &wall, &last, &child, IN_USER, 3000000);
	CHECK(child.counted_system == 4000000 && child.counted == 7000000);
	split_stop(&cpu);
}

int main(void)
{
	CHECK(split_choose("auto") == XHPROF_CPU_GETRUSAGE && split_choose("rseq") == XHPROF_CPU_GETRUSAGE);
	CHECK(split_choose("syscall") == XHPROF_CPU_GETRUSAGE && !strcmp(split_name(split_choose("auto")), "getrusage"));
	world.next_tick = UINT64_MAX;
	run(5000000, false);
	run(3000000, true);
	CHECK(split_thread_ns() == 8000000);
	world.has_clock = true;
	thread_clock = 0;
	CHECK(split_choose("syscall") == XHPROF_CPU_SYSCALL && split_choose("getrusage") == XHPROF_CPU_GETRUSAGE);
	CHECK(split_choose("auto") != XHPROF_CPU_GETRUSAGE && split_thread_ns() == 8000000);
	for (int i = 0; i < 4; i++) {
		accounting accounting = i & 1 ? BY_TICKS : EXACT;
		bool has_clock = i & 2;
		split_follows(accounting, has_clock, 300, 400, 2);
		split_follows(accounting, has_clock, 300, 0, 2);
		split_follows(accounting, has_clock, 5000, 500, 4);
		split_follows(accounting, has_clock, 20000, 500, 8);
		split_follows(accounting, has_clock, 3000000, 500, 40);
	}
	a_forked_child_begins_anew();
	return unit_end();
}
