/* The CPU clock against the thread's own, over work, sleep, input and output, a busy competitor, and fork. Bounds are
 * wide: on any machine they distinguish a clock that follows from one that does not. */
#include "trace/cpu_clock.h"
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct reader {
	xhprof_clock wall;
	xhprof_cpu_clock cpu;
	uint64_t last;
	uint64_t counted; /* CPU ticks of all readings, with the cost of reading, which a profile leaves out */
	uint64_t backwards;
} reader;

static uint64_t thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void reader_start(reader *reader, xhprof_cpu_source source)
{
	*reader = (struct reader){0};
	xhprof_clock_start(&reader->wall, xhprof_clock_choose("auto"));
	xhprof_cpu_clock_start(&reader->cpu, &reader->wall, source);
	reader->last = xhprof_clock_ticks(&reader->wall);
}

static void reader_event(reader *reader)
{
	uint64_t now = xhprof_clock_ticks(&reader->wall);
	xhprof_cpu_reading reading = xhprof_cpu_clock_read(&reader->cpu, &reader->wall, reader->last, now);
	reader->backwards += reading.now < reader->last;
	reader->counted += reading.passed + (reading.now - now);
	reader->last = reading.now;
}

static uint64_t reader_stop(reader *reader)
{
	reader_event(reader);
	xhprof_cpu_clock_stop(&reader->cpu);
	xhprof_clock_stop(&reader->wall);
	return xhprof_clock_to_ns(&reader->wall, reader->counted);
}

/* Work of `ns` of CPU time with an event every few hundred ns. */
static void work(reader *reader, uint64_t ns)
{
	uint64_t until = thread_ns() + ns;
	do {
		for (int i = 0; i < 100; i++) {
			for (volatile int spin = 0; spin < 100; spin++) {
			}
			reader_event(reader);
		}
	} while (thread_ns() < until);
}

static void sleeps(reader *reader)
{
	const struct timespec moment = {0, 300000};
	for (int i = 0; i < 100; i++) {
		nanosleep(&moment, NULL);
		reader_event(reader);
		work(reader, 100000);
	}
}

/* Sends bytes through pipes to a child and back: short waits, which only the kernel sees. */
static void input_and_output(reader *reader)
{
	int there[2], back[2];
	char byte = 'x';
	if (pipe(there) != 0 || pipe(back) != 0) {
		return;
	}
	pid_t child = fork();
	if (child == 0) {
		while (read(there[0], &byte, 1) == 1 && byte != 'q' && write(back[1], &byte, 1) == 1) {
		}
		_exit(0);
	}
	for (int i = 0; i < 2000; i++) {
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) {
			break;
		}
		reader_event(reader);
	}
	byte = 'q';
	CHECK(write(there[1], &byte, 1) == 1);
	waitpid(child, NULL, 0);
	for (int i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

static void competitor(reader *reader)
{
	cpu_set_t all, one;
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	pid_t child = fork();
	if (child == 0) {
		for (;;) {
		}
	}
	work(reader, 100000000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	sched_setaffinity(0, sizeof(all), &all);
}

static void cpu_clock_follows_the_kernel(const char *name, xhprof_cpu_source source, void (*program)(reader *))
{
	reader reader;
	uint64_t before = thread_ns();
	reader_start(&reader, source);
	program(&reader);
	uint64_t counted = reader_stop(&reader);
	uint64_t truth = thread_ns() - before;
	printf("# %s, %s: %lu us counted of %lu us\n", xhprof_cpu_clock_name(source), name, (unsigned long)counted / 1000,
		   (unsigned long)truth / 1000);
	CHECK(reader.backwards == 0);
	/* Interpolation may count each of some thousand short absences as 5 us of work. */
	uint64_t unseen = source == XHPROF_CPU_INTERPOLATE ? 20000000 : 2000000;
	CHECK(counted <= truth + truth / 10 + unseen);
	CHECK(counted + 2000000 >= truth - truth / 10);
}

static void work_alone(reader *reader)
{
	work(reader, 50000000);
}

/* The child's CPU time begins at 0: it must be counted from there, not from the parent's time. */
static void cpu_clock_of_a_forked_child_begins_at_zero(xhprof_cpu_source source)
{
	reader reader;
	reader_start(&reader, source);
	work(&reader, 50000000);
	pid_t child = fork();
	if (child == 0) {
		uint64_t before = reader.counted;
		work(&reader, 30000000);
		uint64_t ns = reader_stop(&reader);
		_exit(ns - xhprof_clock_to_ns(&reader.wall, before) > 10000000 ? 0 : 1);
	}
	int status = 1;
	waitpid(child, &status, 0);
	CHECK(status == 0);
	reader_stop(&reader);
}

int main(void)
{
	static const xhprof_cpu_source sources[] = {XHPROF_CPU_RSEQ, XHPROF_CPU_INTERPOLATE, XHPROF_CPU_SYSCALL};
	xhprof_clock_process_start();
	CHECK(xhprof_cpu_clock_valid_choice("auto") && !xhprof_cpu_clock_valid_choice("sundial"));
	CHECK(xhprof_cpu_clock_choose("syscall") == XHPROF_CPU_SYSCALL);
	CHECK(xhprof_cpu_clock_choose("interpolate") == XHPROF_CPU_INTERPOLATE);
	CHECK(xhprof_cpu_clock_choose("auto") == (xhprof_cpu_clock_refusal() ? XHPROF_CPU_INTERPOLATE : XHPROF_CPU_RSEQ));
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (sources[i] == XHPROF_CPU_RSEQ && xhprof_cpu_clock_refusal()) {
			printf("# no rseq here: %s\n", xhprof_cpu_clock_refusal());
			continue;
		}
		cpu_clock_follows_the_kernel("work", sources[i], work_alone);
		cpu_clock_follows_the_kernel("sleeps", sources[i], sleeps);
		cpu_clock_follows_the_kernel("input and output", sources[i], input_and_output);
		cpu_clock_follows_the_kernel("a competitor", sources[i], competitor);
		cpu_clock_of_a_forked_child_begins_at_zero(sources[i]);
	}
	return unit_end();
}
