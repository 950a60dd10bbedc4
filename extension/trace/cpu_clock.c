#include "cpu_clock.h"

#include <string.h>
#include <sys/resource.h>
#if defined(HAVE_SYS_RSEQ_H) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/rseq.h>
#define HAVE_RSEQ 1
#endif

/* The longest time between two readings that is taken to be without a switch: a switch out and back takes the kernel
 * over a microsecond, and a thread switched out seldom returns at once. */
#define LONGEST_UNSEEN_NS 5000
/* The longest such time where there is a witness, which makes a bound unnecessary: it limits the error of a kernel that
 * clears the word late. */
#define LONGEST_WITNESSED_NS 200000
/* The system time in ns that may have been counted ahead of the kernel, which shares CPU time out by its ticks. */
#define LONGEST_AHEAD_NS 10000000
/* The ns by which a reading below the last one is another thread's: the program has forked. */
#define FORKED_NS 1000000

#ifdef HAVE_RSEQ
/* The critical section of the witness. When the kernel switches a thread, or moves it, or gives it a signal, it looks
 * at the section in the thread's rseq area; since the thread is elsewhere, it only zeroes that word. So a section that
 * is never entered is a witness. Its abort address must be preceded by the architecture's signature, or the kernel
 * kills. */
extern const char xhprof_rseq_section[] __attribute__((visibility("hidden")));
extern const char xhprof_rseq_abort[] __attribute__((visibility("hidden")));
__asm__(".pushsection .text\n"
		".balign 4\n"
		"xhprof_rseq_section:\n"
		"	nop\n"
		".balign 4\n"
#if defined(__x86_64__)
		"	.byte 0x0f, 0xb9, 0x3d\n" /* ud1 with the signature as its operand, as rseq(2) wants it */
		"	.long 0x53053053\n"
#else
		"	.inst 0xd428bc00\n" /* brk #0x45e0 */
#endif
		"xhprof_rseq_abort:\n"
		"	nop\n"
		".popsection\n");

/* The sections, one for each owner: a clock that finds another owner's sees that its own word is gone. */
static struct rseq_cs never_entered[XHPROF_CPU_OWNERS] __attribute__((aligned(32)));

static uint64_t *rseq_word(void)
{
	struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
	_Static_assert(sizeof(area->rseq_cs) == sizeof(uint64_t), "one word");
	return (uint64_t *)&area->rseq_cs;
}

/* Tests what rseq relies on: the word stays while the thread runs, and is cleared when it sleeps. */
static const char *rseq_test(void)
{
	enum { TRIES = 8 };
	int stayed = 0, went = 0;
	if (!__rseq_size) {
		return "the C library has registered no rseq area (an old kernel, or switched off by GLIBC_TUNABLES)";
	}
	volatile uint64_t *word = rseq_word();
	if (*word) {
		return "this thread's rseq area is in use by another library";
	}
	for (int i = 0; i < XHPROF_CPU_OWNERS; i++) {
		never_entered[i].start_ip = (uintptr_t)xhprof_rseq_section;
		never_entered[i].post_commit_offset = 1;
		never_entered[i].abort_ip = (uintptr_t)xhprof_rseq_abort;
	}
	for (int i = 0; i < TRIES; i++) {
		*word = (uintptr_t)&never_entered[0];
		for (int spin = 0; spin < 100; spin++) {
			__asm__ volatile("" ::: "memory");
		}
		stayed += *word == (uintptr_t)&never_entered[0];
	}
	for (int i = 0; i < TRIES; i++) {
		const struct timespec moment = {0, 10000};
		*word = (uintptr_t)&never_entered[0];
		nanosleep(&moment, NULL);
		went += *word == 0;
	}
	*word = 0;
	if (!stayed) {
		return "the kernel clears the rseq word of a running thread";
	}
	/* A sleep that ends before the kernel has switched the thread out does not count. */
	return went > TRIES / 2 ? NULL : "the kernel does not clear the rseq word of a thread that sleeps";
}
#else
static const char *rseq_test(void)
{
	return "built without <sys/rseq.h> (glibc 2.35 or newer)";
}
#endif

const char *xhprof_cpu_clock_refusal(void)
{
	/* The same in all threads; two that test at once get the same result. */
	static bool tested;
	static const char *refusal;
	if (!__atomic_load_n(&tested, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&refusal, rseq_test(), __ATOMIC_RELAXED);
		__atomic_store_n(&tested, true, __ATOMIC_RELEASE);
	}
	return __atomic_load_n(&refusal, __ATOMIC_RELAXED);
}

bool xhprof_cpu_clock_valid_choice(const char *choice)
{
	return !strcmp(choice, "auto") || !strcmp(choice, "rseq") || !strcmp(choice, "interpolate") ||
		   !strcmp(choice, "syscall") || !strcmp(choice, "getrusage");
}

static int thread_clock; /* the same in all threads: 1 the system has one, -1 it has not, 0 not tested */

/* Returns whether the system has a CPU clock of threads. All other sources are made of it. */
static bool has_thread_clock(void)
{
	int has = __atomic_load_n(&thread_clock, __ATOMIC_RELAXED);
	if (!has) {
		struct timespec now;
		has = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 ? 1 : -1;
		__atomic_store_n(&thread_clock, has, __ATOMIC_RELAXED);
	}
	return has > 0;
}

xhprof_cpu_source xhprof_cpu_clock_choose(const char *choice)
{
	if (!strcmp(choice, "getrusage") || !has_thread_clock()) {
		return XHPROF_CPU_GETRUSAGE;
	}
	if (!strcmp(choice, "syscall")) {
		return XHPROF_CPU_SYSCALL;
	}
	return strcmp(choice, "interpolate") != 0 && !xhprof_cpu_clock_refusal() ? XHPROF_CPU_RSEQ : XHPROF_CPU_INTERPOLATE;
}

const char *xhprof_cpu_clock_name(xhprof_cpu_source source)
{
	static const char *const names[] = {"rseq", "interpolate", "syscall", "getrusage"};
	return names[source];
}

/* CPU time of the calling thread, ns. */
typedef struct cpu_times {
	uint64_t all;
	uint64_t system; /* if the source has it; else 0 */
} cpu_times;

static uint64_t ns_of(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Reads the times. getrusage() may know the CPU time only as of the last tick of the scheduler: it is the clock's where
 * there is one, read before, which brings both up to date. */
static cpu_times read_times(xhprof_cpu_source source)
{
	bool clock = !xhprof_cpu_source_is_split(source) || has_thread_clock();
	cpu_times times = {clock ? xhprof_clock_thread_cpu_ns() : 0, 0};
	if (xhprof_cpu_source_is_split(source)) {
		struct rusage usage = {0};
		getrusage(RUSAGE_THREAD, &usage);
		times.system = ns_of(usage.ru_stime);
		times.all = clock ? times.all : ns_of(usage.ru_utime) + times.system;
	}
	return times;
}

uint64_t xhprof_cpu_clock_thread_ns(void)
{
	return read_times(has_thread_clock() ? XHPROF_CPU_SYSCALL : XHPROF_CPU_GETRUSAGE).all;
}

static uint64_t cpu_ns_to_ticks(const xhprof_cpu_clock *cpu, uint64_t ns)
{
	return (uint64_t)(((unsigned __int128)ns * cpu->ticks_per_ns) >> 32);
}

void xhprof_cpu_clock_start(xhprof_cpu_clock *cpu, const xhprof_clock *wall, xhprof_cpu_source source,
							xhprof_cpu_owner owner)
{
	/* Over one second's worth of ns the ratio keeps 9 digits. */
	cpu->ticks_per_ns = (uint64_t)(((unsigned __int128)xhprof_clock_from_ns(wall, 1000000000u) << 32) / 1000000000u);
	cpu->source = source;
	cpu->witness = &cpu->idle_witness;
	cpu->idle_witness = cpu->undisturbed = 1;
	cpu->longest = 0;
	if (source == XHPROF_CPU_INTERPOLATE) {
		cpu->longest = cpu_ns_to_ticks(cpu, LONGEST_UNSEEN_NS);
	}
#ifdef HAVE_RSEQ
	if (source == XHPROF_CPU_RSEQ) {
		cpu->witness = rseq_word();
		cpu->undisturbed = (uintptr_t)&never_entered[owner];
		cpu->longest = cpu_ns_to_ticks(cpu, LONGEST_WITNESSED_NS);
	}
#endif
	*(volatile uint64_t *)cpu->witness = cpu->undisturbed;
	cpu->reading = UINT64_MAX;
	for (int i = 0; i < 4; i++) {
		uint64_t before = xhprof_clock_ticks(wall);
		cpu_times times = read_times(source);
		uint64_t used = cpu_ns_to_ticks(cpu, times.all);
		uint64_t after = xhprof_clock_ticks(wall);
		cpu->system = cpu_ns_to_ticks(cpu, times.system);
		cpu->behind = (int64_t)(after - used);
		if (after - before < cpu->reading) {
			cpu->reading = after - before;
		}
	}
}

void xhprof_cpu_clock_stop(xhprof_cpu_clock *cpu)
{
#ifdef HAVE_RSEQ
	/* The kernel must not keep the address of unloaded code. */
	if (cpu->witness && cpu->witness != &cpu->idle_witness && *cpu->witness == cpu->undisturbed) {
		*(volatile uint64_t *)cpu->witness = 0;
	}
#endif
	cpu->witness = NULL;
}

/* Returns the system time within `passed`, of all the thread's system time by now, and counts it. Reading the clock has
 * taken `own`, of which five sixths are system time (x86-64, Linux 6.18, 8 million calls). No more is counted than has
 * passed: the rest goes to the next readings. */
static uint64_t take_system(xhprof_cpu_clock *cpu, uint64_t system, uint64_t passed, uint64_t own)
{
	uint64_t counted = cpu->system + own - own / 6, most = system + cpu_ns_to_ticks(cpu, LONGEST_AHEAD_NS);
	uint64_t taken = system > counted ? system - counted : 0;
	taken = taken > passed ? passed : taken;
	counted += taken;
	cpu->system = counted < most ? counted : most;
	return taken;
}

xhprof_cpu_reading xhprof_cpu_clock_resync(xhprof_cpu_clock *cpu, const xhprof_clock *wall, uint64_t last, uint64_t now)
{
	int64_t before = (int64_t)last - cpu->behind; /* CPU time at the last event, as it was counted */
	/* In this order: from here on a switch of the thread clears the word again. */
	*(volatile uint64_t *)cpu->witness = cpu->undisturbed;
	cpu_times times = read_times(cpu->source);
	int64_t used = (int64_t)cpu_ns_to_ticks(cpu, times.all);
	uint64_t after = xhprof_clock_ticks(wall);
	/* This function's own CPU time; where it took long the thread was away meanwhile. */
	int64_t own = (int64_t)(after - now > 4 * cpu->reading ? cpu->reading : after - now);
	int64_t wall_passed = (int64_t)(now - last) > 0 ? (int64_t)(now - last) : 0;
	int64_t passed = used - own - before;
	if (used < before - (int64_t)cpu_ns_to_ticks(cpu, FORKED_NS)) {
		passed = 0;
		cpu->system = cpu_ns_to_ticks(cpu, times.system);
	} else if (used < before) {
		used = before; /* too much was counted: the clock stops until the true time has caught up */
		passed = 0;
	} else if (passed > wall_passed) {
		used -= passed - wall_passed; /* no call uses more than has passed; the rest goes to the next reading */
		passed = wall_passed;
	}
	/* A long call was time away, which is wall time of the node that runs next. */
	now += (uint64_t)own;
	cpu->behind = (int64_t)now - used;
	xhprof_cpu_reading reading = {passed > 0 ? (uint64_t)passed : 0, now, 0};
	if (xhprof_cpu_source_is_split(cpu->source)) {
		reading.system = take_system(cpu, cpu_ns_to_ticks(cpu, times.system), reading.passed, (uint64_t)own);
	}
	return reading;
}
