/* The CPU clock against the thread's own, over work, sleep, input and output, a busy competitor, and fork. Bounds are
 * wide: on any machine they distinguish a clock that follows from one that does not. */
#include "trace/cpu_clock.h"
#include "trace/cpu_meter.h"
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
	xhprof_cpu_clock_start(&reader->cpu, &reader->wall, source, XHPROF_CPU_OF_PROFILE);
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

static void spin(uint64_t ns)
{
	for (uint64_t until = thread_ns() + ns; thread_ns() < until;) {
	}
}

/* Requests, short and long, that work and wait, with both between them. */
static void meter_follows_the_kernel(xhprof_cpu_source source)
{
	const struct timespec moment = {0, 100000};
	xhprof_cpu_meter meter = {0};
	uint64_t counted = 0, truth = 0;
	for (int i = 0; i < 2000; i++) {
		uint64_t before = thread_ns();
		xhprof_cpu_meter_begin(&meter, xhprof_cpu_clock_name(source), XHPROF_CPU_OF_REQUESTS,
							   xhprof_clock_monotonic_ns());
		spin(i % 10 ? 20000 : 400000);
		if (i % 4 == 0) {
			nanosleep(&moment, NULL);
		}
		counted += xhprof_cpu_meter_end(&meter, xhprof_clock_monotonic_ns());
		truth += thread_ns() - before;
		if (i % 3 == 0) {
			nanosleep(&moment, NULL);
		}
	}
	xhprof_cpu_meter_close(&meter);
	printf("# %s, requests: %lu us counted of %lu us\n", xhprof_cpu_clock_name(source), (unsigned long)counted / 1000,
		   (unsigned long)truth / 1000);
	CHECK(counted <= truth + truth / 10 && counted + truth / 10 >= truth);
}

/* While an exact profile's clock uses the thread's word, a wait is no work, of either. */
static void clocks_of_one_thread_see_each_other(void)
{
	const struct timespec moment = {0, 30000};
	uint64_t waited = 0, counted = 0;
	xhprof_cpu_meter meter = {0};
	reader profile;
	for (int i = 0; i < 300; i++) {
		xhprof_cpu_meter_begin(&meter, "rseq", XHPROF_CPU_OF_REQUESTS, xhprof_clock_monotonic_ns());
		reader_start(&profile, XHPROF_CPU_RSEQ);
		uint64_t from = xhprof_clock_monotonic_ns(), cpu = thread_ns();
		nanosleep(&moment, NULL);
		waited += xhprof_clock_monotonic_ns() - from - (thread_ns() - cpu);
		reader_event(&profile); /* sets the word again */
		cpu = thread_ns() - cpu;
		uint64_t all = xhprof_cpu_meter_end(&meter, xhprof_clock_monotonic_ns());
		counted += all > cpu ? all - cpu : 0;
		reader_event(&profile);
		reader_stop(&profile);
	}
	xhprof_cpu_meter_close(&meter);
	printf("# waited %lu us; %lu us counted besides\n", (unsigned long)waited / 1000, (unsigned long)counted / 1000);
	CHECK(counted < waited / 2);
}

static void meter_of_a_forked_child_begins_anew(xhprof_cpu_source source)
{
	xhprof_cpu_meter meter = {0};
	for (int i = 0; i < 3; i++) {
		xhprof_cpu_meter_begin(&meter, xhprof_cpu_clock_name(source), XHPROF_CPU_OF_REQUESTS,
							   xhprof_clock_monotonic_ns());
		spin(5000000);
	}
	pid_t child = fork();
	if (child == 0) {
		xhprof_cpu_meter_forked(&meter);
		uint64_t from = thread_ns();
		spin(3000000);
		uint64_t ns = xhprof_cpu_meter_end(&meter, xhprof_clock_monotonic_ns()), truth = thread_ns() - from;
		_exit(ns >= 3000000 && ns <= truth + 1000000 ? 0 : 1);
	}
	int status = 1;
	waitpid(child, &status, 0);
	CHECK(status == 0 && xhprof_cpu_meter_end(&meter, xhprof_clock_monotonic_ns()) >= 5000000);
	xhprof_cpu_meter_close(&meter);
}

int main(void)
{
	static const xhprof_cpu_source sources[] = {XHPROF_CPU_RSEQ, XHPROF_CPU_INTERPOLATE, XHPROF_CPU_SYSCALL,
												XHPROF_CPU_GETRUSAGE};
	xhprof_clock_process_start();
	CHECK(xhprof_cpu_clock_valid_choice("auto") && !xhprof_cpu_clock_valid_choice("sundial"));
	CHECK(xhprof_cpu_clock_choose("syscall") == XHPROF_CPU_SYSCALL);
	CHECK(xhprof_cpu_clock_choose("getrusage") == XHPROF_CPU_GETRUSAGE);
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
		meter_follows_the_kernel(sources[i]);
		meter_of_a_forked_child_begins_anew(sources[i]);
	}
	if (!xhprof_cpu_clock_refusal()) {
		clocks_of_one_thread_see_each_other();
	}
	return unit_end();
}
