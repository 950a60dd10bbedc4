#include "sampler.h"

#include "call_label.h"
#include "code_context.h"
#include "code_place.h"
#include "fork_watch.h"
#include "frameless.h"
#include "sample_line.h"
#include "stack_watch.h"
#include "wrapped_function.h"

#include "trace/cpu_meter.h"
#include "trace/sample_timer.h"

#include <errno.h>
#include <string.h>
#include <sys/time.h>

/* The part of the program's time that is spent reading stacks: at most one in this many; a very deep stack is read less
 * often. */
#define SHARE 10

/* The most ns that reading this many frames takes; a longer time was another program's. */
#define MAX_NS(frames) (20000 + (uint64_t)(frames)*500)

enum { MARK_NONE, MARK_LOOKING, MARK_READY, MARK_TAKING };

typedef struct xhprof_sampler {
	xhprof_sample_timer *timer;
	/* The calls that ran when the interval ended, as far as known. The engine's interrupt comes a little later, after
	 * returns and new calls. */
	xhprof_stack_watch watch;
	int mark;      /* MARK_*; the thread that set LOOKING or TAKING owns `watch` */
	bool orphaned; /* forked: the timer's thread is the parent's */
	bool ended;    /* no thread could be started in the child */
	bool leaves;   /* the program's own sampling: the timer's thread ends with it */
	zend_atomic_bool *interrupt;
	uint64_t next;           /* by wall time: number of the next interval to end */
	uint64_t due;            /* by CPU time: intervals that ticks have counted but no sample has yet */
	uint64_t not_before;     /* CLOCK_MONOTONIC */
	uint64_t started_ns;     /* the same */
	uint64_t wall_start_ns;  /* the same: interval 0 of wall time */
	uint64_t wall_next;      /* number of the first interval of wall time without a sample */
	uint64_t stopped_ns;     /* CLOCK_MONOTONIC at the stop, or while a job is left; or 0 */
	uint64_t stopped_cpu_ns; /* by CPU time: the thread's then */

	xhprof_cpu_meter cpu;   /* of the part that runs; see measures_cpu() */
	uint64_t cpu_at_fork;   /* ns since the begin, just before the last fork */
	uint64_t cpu_of_parent; /* ns since the begin, in processes that this one was forked from */

	xhprof_stack_reader stack;
	void (*ahead)(void); /* or NULL */
} xhprof_sampler;

/* What a thread of the program keeps as long as it lives: the next profile finds warm memory and a waiting timer
 * thread. */
typedef struct xhprof_sampler_kept {
	xhprof_sampler sampler;
	xhprof_sample_timer timer;
} xhprof_sampler_kept;

static void (*previous_interrupt)(zend_execute_data *call);
static bool ready; /* written in MINIT */

static bool change_mark(xhprof_sampler *sampler, int from, int to)
{
	return __atomic_compare_exchange_n(&sampler->mark, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Called at each tick, in the timer's thread. If the mark of the last tick is still set, the program is within a long
 * call. */
static void sampler_tick(void *context, uint64_t count)
{
	xhprof_sampler *sampler = context;
	__atomic_add_fetch(&sampler->due, count, __ATOMIC_RELAXED);
	bool again = change_mark(sampler, MARK_READY, MARK_LOOKING);
	if (again || change_mark(sampler, MARK_NONE, MARK_LOOKING)) {
		xhprof_stack_watch_look(&sampler->watch, sampler->timer, again);
		__atomic_store_n(&sampler->mark, MARK_READY, __ATOMIC_RELEASE);
	}
	zend_atomic_bool_store(sampler->interrupt, true);
}

static bool by_cpu(void)
{
	return XHPROF_G(tracer).samples.clock == XHPROF_SAMPLE_CPU;
}

/* A call without a frame on the stack, below the frames that have one. */
typedef struct xhprof_sample_leaf {
	xhprof_symbol_ref symbol;
	bool internal; /* an internal function, which takes no interrupts */
} xhprof_sample_leaf;

/* Returns the node of the calls `seen`, of which `frames` are still on the stack, with `leaf` (or 0) below these. */
static xhprof_node *seen_node(xhprof_sampler *sampler, size_t frames, xhprof_symbol_ref leaf,
							  const xhprof_seen_frame *seen, xhprof_stack_match *match)
{
	xhprof_node *node = xhprof_stack_node(&sampler->stack, frames);
	node = leaf ? xhprof_stack_child(node, leaf, sampler->stack.line) : node;
	uint32_t line = match->left ? xhprof_line_within(match->frame->func, seen[match->left].opline) : 0;
	for (; match->known < match->left; match->known++) {
		const xhprof_seen_frame *left = &seen[match->left - match->known - 1];
		const zend_function *function = left->function;
		xhprof_symbol_ref symbol = function ? xhprof_stack_left_symbol(&sampler->stack, function) : 0;
		if (!symbol) {
			break; /* the time of a freed closure is its caller's */
		}
		node = xhprof_stack_child(node, symbol, line);
		line = symbol & XHPROF_SYMBOL_TRANSPARENT ? 0 : xhprof_line_within(function, left->opline);
	}
	return node;
}

/* Returns whether the innermost call at the tick was an internal function, which takes no interrupts, and has ended.
 * Newer engines check interrupts when it is done but still on the stack. */
static bool was_delayed(const xhprof_seen_frame *seen, const xhprof_stack_match *match)
{
	const zend_function *function = NULL;
	if (match->left) {
		function = match->known == match->left ? seen[0].function : NULL;
	} else if (match->frame) {
		function = match->frame->func;
	}
	return function && function->type == ZEND_INTERNAL_FUNCTION;
}

/* Returns the place of samples in the log: their wall time; those of CPU time are just before the moment they were
 * taken. */
static uint64_t place_in_log(xhprof_sampler *sampler, uint64_t first, uint64_t count, uint64_t now)
{
	if (by_cpu()) {
		uint64_t ended = (now - sampler->wall_start_ns) / sampler->timer->interval_ns;
		first = ended >= count ? ended - count + 1 : 1;
		first = first < sampler->wall_next ? sampler->wall_next : first;
		sampler->wall_next = first + count;
	}
	return first;
}

/* Returns the number of intervals without a sample until `now`, CLOCK_MONOTONIC. By CPU time the ticks count them: more
 * may have passed by now than the tick has seen. */
static uint64_t intervals_due(const xhprof_sampler *sampler, uint64_t now)
{
	if (by_cpu()) {
		return __atomic_load_n(&sampler->due, __ATOMIC_RELAXED);
	}
	uint64_t ended = (now - sampler->timer->start_ns) / sampler->timer->interval_ns;
	return ended >= sampler->next ? ended - sampler->next + 1 : 0;
}

static uint64_t take_due(xhprof_sampler *sampler, uint64_t count, uint64_t now)
{
	uint64_t first = place_in_log(sampler, sampler->next, count, now);
	sampler->next += count;
	__atomic_sub_fetch(&sampler->due, by_cpu() ? count : 0, __ATOMIC_RELAXED);
	return first;
}

/* Takes one sample for each interval that has ended since the last one, for the path that was `seen`; with NULL for the
 * one at `top`. */
static void take_samples(xhprof_sampler *sampler, zend_execute_data *top, const xhprof_seen_frame *seen,
						 const xhprof_sample_leaf *leaf)
{
	xhprof_sample_log *log = &XHPROF_G(tracer).samples;
	uint64_t now = sampler->stopped_ns ? sampler->stopped_ns : xhprof_clock_monotonic_ns();
	uint64_t count = intervals_due(sampler, now);
	if (!count || now < sampler->not_before) {
		return;
	}
	uint64_t first = take_due(sampler, count, now);
	xhprof_stack_match match;
	size_t frames = xhprof_stack_collect(&sampler->stack, top, seen, &match);
	if (frames == SIZE_MAX) {
		xhprof_sample_log_drop(log, count);
		return;
	}
	xhprof_node *node = seen_node(sampler, frames, leaf ? leaf->symbol : 0, seen, &match);
	uint32_t line = log->lines ? xhprof_sample_line(top, seen, &match) : 0;
	if (match.left == 0 && leaf ? leaf->internal : was_delayed(seen, &match)) {
		xhprof_sample_log_delay(log);
	}
	log->context = xhprof_code_context_number(&XHPROF_G(tracer));
	xhprof_sample_log_add(log, first, count, node, line);
	uint64_t after = xhprof_clock_monotonic_ns(), cost = after - now, max = MAX_NS(frames);
	sampler->not_before = after + (cost < max ? cost : max) * (SHARE - 1);
}

/* Takes the samples for the calls seen at the last tick, unless already taken. */
static void take_ready(xhprof_sampler *sampler, zend_execute_data *top, bool by_watch)
{
	if (change_mark(sampler, MARK_READY, MARK_TAKING)) {
		take_samples(sampler, top, by_watch ? sampler->watch.seen : NULL, NULL);
		__atomic_store_n(&sampler->mark, MARK_NONE, __ATOMIC_RELEASE);
	}
}

/* Takes the samples of the intervals at the end that no tick has seen. They count for the last sample: the code that
 * stops the sampling is not what ran. */
static void take_unseen(xhprof_sampler *sampler)
{
	uint64_t count = intervals_due(sampler, sampler->stopped_ns);
	if (count) {
		uint64_t first = take_due(sampler, count, sampler->stopped_ns);
		xhprof_sample_log_add_unread(&XHPROF_G(tracer).samples, first, count);
	}
}

/* Settles CPU time that no tick has counted. In a window it goes to the next request: one of its ticks counts for all
 * of them, wherever each one ended. Elsewhere it is left out: it would be charged to the last call. */
static void settle_cpu_time(xhprof_sampler *sampler)
{
	if (XHPROF_G(tracer).samples.only_counts && !sampler->orphaned) {
		XHPROF_G(sampler).carried_ns = xhprof_sample_timer_uncounted(sampler->timer, sampler->stopped_cpu_ns);
	}
}

static void take_last_samples(xhprof_sampler *sampler)
{
	bool seen = sampler->mark == MARK_READY && !sampler->orphaned;
	sampler->not_before = 0;
	if (by_cpu()) {
		settle_cpu_time(sampler);
	}
	if (XHPROF_G(tracer).samples.last && !seen && !sampler->orphaned) {
		take_unseen(sampler);
	} else {
		take_samples(sampler, EG(current_execute_data) ? EG(current_execute_data)->prev_execute_data : NULL,
					 seen ? sampler->watch.seen : NULL, NULL);
	}
}

/* Sets the timer's clock and its start. */
static int choose_clock(xhprof_sampler *sampler)
{
	sampler->timer->clock = CLOCK_MONOTONIC;
	sampler->timer->start_ns = sampler->wall_start_ns;
	if (!by_cpu()) {
		return 0;
	}
	/* As with wall time, it begins anywhere within an interval: short profiles get their share of samples. */
	uint64_t before = XHPROF_G(tracer).samples.only_counts ? (uint64_t)XHPROF_G(sampler).carried_ns
														   : sampler->started_ns - sampler->wall_start_ns;
	sampler->due = sampler->timer->counted = 0;
	sampler->timer->start_ns = xhprof_clock_thread_cpu_ns() - before;
	return pthread_getcpuclockid(pthread_self(), &sampler->timer->clock);
}

/* Starts a new timer thread in a forked child, where sampling continues. By CPU time, what the child has used until now
 * is charged here at once: ticks would spread it over later calls. */
static void restart_timer(xhprof_sampler *sampler)
{
	sampler->orphaned = false;
	if (by_cpu()) {
		int64_t used = xhprof_sample_timer_uncounted(sampler->timer, xhprof_clock_thread_cpu_ns());
		uint64_t count = used > 0 ? (uint64_t)used / sampler->timer->interval_ns : 0;
		sampler->due += count;
		sampler->timer->start_ns += count * sampler->timer->interval_ns;
	}
	sampler->ended = xhprof_sample_timer_start(sampler->timer) != 0;
}

static void call_ahead(const xhprof_sampler *sampler)
{
	if (sampler->ahead && __atomic_load_n(&sampler->mark, __ATOMIC_ACQUIRE) == MARK_READY) {
		sampler->ahead();
	}
}

static void sampler_interrupt(zend_execute_data *call)
{
	if (XHPROF_G(session).state == XHPROF_CALIBRATING) { /* the program's signal handlers must not run here */
		XHPROF_G(sampler).deferred = true;
		return;
	}
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		bool orphaned = sampler->orphaned; /* the parent's timer saw the parent's calls */
		if (orphaned) {
			restart_timer(sampler);
		}
		call_ahead(sampler);
		take_ready(sampler, call, !orphaned);
	}
	if (previous_interrupt) {
		previous_interrupt(call);
	}
}

void xhprof_sampler_engine_begins(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		take_ready(sampler, EG(current_execute_data), true);
	}
}

/* Takes the samples of intervals of wall time whose ticks are late, as on busy processors the timer's thread waits. They
 * count for the code of the program that runs: what switches to another job is of the engine. */
static void take_late(xhprof_sampler *sampler, uint64_t now)
{
	if (by_cpu() || sampler->orphaned || now - sampler->timer->start_ns < sampler->next * sampler->timer->interval_ns) {
		return;
	}
	zend_execute_data *top = EG(current_execute_data);
	while (top && (!top->func || !ZEND_USER_CODE(top->func->type))) {
		top = top->prev_execute_data;
	}
	take_samples(sampler, top, NULL, NULL);
}

void xhprof_sampler_settle(uint64_t now)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		sampler->stopped_ns = now; /* what comes is the next one's */
		take_ready(sampler, EG(current_execute_data), !sampler->orphaned);
		take_late(sampler, now);
		sampler->stopped_ns = 0;
		sampler->stack.known_depth = 0; /* the next one may have another tree */
	}
}

/* Takes the samples for the work of the engine that has ended, of this name, unless they have been taken. */
static void take_for_engine(xhprof_sampler *sampler, xhprof_symbol_ref symbol)
{
	xhprof_sample_leaf leaf = {symbol, false};
	take_samples(sampler, EG(current_execute_data), NULL, leaf.symbol ? &leaf : NULL);
	__atomic_store_n(&sampler->mark, MARK_NONE, __ATOMIC_RELEASE);
}

void xhprof_sampler_compiled(const xhprof_compiled *what)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler && change_mark(sampler, MARK_READY, MARK_TAKING)) {
		take_for_engine(sampler, xhprof_compiled_symbol(&XHPROF_G(tracer).symbols, what, XHPROF_SYMBOL_COMPILED));
	}
}

void xhprof_sampler_collected(void)
{
	static const char name[] = XHPROF_SYMBOL_GC_NAME;
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler && change_mark(sampler, MARK_READY, MARK_TAKING)) {
		take_for_engine(sampler, xhprof_symbols_intern(&XHPROF_G(tracer).symbols, name, sizeof(name) - 1, 0,
													   XHPROF_SYMBOL_INTERNAL));
	}
}

/* Charges earlier intervals, as before compiling, because an internal function is called without a frame. */
static void frameless_calling(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler && !sampler->orphaned) {
		take_ready(sampler, EG(current_execute_data), true);
	}
}

static void frameless_called(const zend_function *function)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (!sampler || sampler->orphaned) {
		return;
	}
	call_ahead(sampler);
	if (change_mark(sampler, MARK_READY, MARK_TAKING)) {
		xhprof_sample_leaf leaf = {xhprof_stack_live_symbol(&sampler->stack, function), true};
		take_samples(sampler, EG(current_execute_data), sampler->watch.seen, leaf.symbol ? &leaf : NULL);
		__atomic_store_n(&sampler->mark, MARK_NONE, __ATOMIC_RELEASE);
	}
}

/* Windows measure the CPU time of their requests themselves. */
static bool measures_cpu(void)
{
	return !XHPROF_G(tracer).samples.only_counts;
}

static void begin_cpu(xhprof_sampler *sampler, uint64_t now)
{
	if (measures_cpu()) {
		sampler->cpu_of_parent = 0;
		xhprof_cpu_meter_begin(&sampler->cpu, XHPROF_G(ini).cpu_clock, XHPROF_CPU_OF_PROFILE, now);
	}
}

static uint64_t end_cpu(xhprof_sampler *sampler, uint64_t now)
{
	return measures_cpu() ? sampler->cpu_of_parent + xhprof_cpu_meter_end(&sampler->cpu, now) : 0;
}

void xhprof_sampler_cpu_begin(uint64_t now)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		begin_cpu(sampler, now);
	}
}

uint64_t xhprof_sampler_cpu_end(uint64_t now)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	return sampler ? end_cpu(sampler, now) : 0;
}

/* The child's profile has the samples of both, but its thread's CPU time begins anew. */
static void before_fork(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler && measures_cpu()) {
		sampler->cpu_at_fork = xhprof_cpu_meter_end(&sampler->cpu, xhprof_clock_monotonic_ns());
	}
}

/* Called in the child of a fork, which has no other thread. The interrupt makes the program start one at the next safe
 * place. */
static void forked_child(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (XHPROF_G(sampler).kept) {
		xhprof_sample_timer_forget(&XHPROF_G(sampler).kept->timer);
	}
	if (sampler) {
		sampler->orphaned = true;
		choose_clock(sampler); /* CPU time begins anew */
		if (measures_cpu()) {
			sampler->cpu_of_parent += sampler->cpu_at_fork;
			xhprof_cpu_meter_forked(&sampler->cpu);
		}
		__atomic_store_n(&sampler->mark, MARK_READY, __ATOMIC_RELEASE);
		zend_atomic_bool_store(sampler->interrupt, true);
	}
}

/* The handlers of functions that the kernel refuses in a process with threads: our thread that waits for the next span
 * ends before. */
static zif_handler previous_alone[2];

static void run_alone(const zif_handler *previous, zend_execute_data *execute_data, zval *return_value)
{
	if (XHPROF_G(sampler).kept && !XHPROF_G(sampler).running) {
		xhprof_sample_timer_end(&XHPROF_G(sampler).kept->timer);
		xhprof_sample_timer_wait_gone(&XHPROF_G(sampler).kept->timer);
	}
	xhprof_wrapped_function_call(previous, execute_data, return_value);
}

static void on_unshare(zend_execute_data *execute_data, zval *return_value)
{
	run_alone(&previous_alone[0], execute_data, return_value);
}

static void on_setns(zend_execute_data *execute_data, zval *return_value)
{
	run_alone(&previous_alone[1], execute_data, return_value);
}

static bool installed; /* threads race for it atomically */

/* Installs, at the first sampling of the process, what only sampled programs need. */
static void install_once(void)
{
	if (__atomic_exchange_n(&installed, true, __ATOMIC_ACQ_REL)) {
		return;
	}
	static xhprof_fork_watcher forks = {.before = before_fork, .in_child = forked_child};
	xhprof_fork_watch(&forks);
	xhprof_wrapped_function_set(CG(function_table), "pcntl_unshare", on_unshare, &previous_alone[0]);
	xhprof_wrapped_function_set(CG(function_table), "pcntl_setns", on_setns, &previous_alone[1]);
}

void xhprof_sampler_minit(void)
{
	xhprof_frameless_watch(&(xhprof_frameless_watcher){frameless_calling, frameless_called});
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = sampler_interrupt;
	ready = true;
}

void xhprof_sampler_mshutdown(void)
{
	xhprof_sampler_stop();
	installed = false;                                  /* an embedding program may start the engine again */
	if (zend_interrupt_function == sampler_interrupt) { /* still unwrapped */
		zend_interrupt_function = previous_interrupt;
	}
}

void xhprof_sampler_raise_deferred(void)
{
	if (XHPROF_G(sampler).deferred) {
		XHPROF_G(sampler).deferred = false;
		zend_atomic_bool_store(&EG(vm_interrupt), true);
	}
}

bool xhprof_sampler_ready(void)
{
	return ready;
}

/* Lets the sampler rest until it is started again. */
static void sampler_rest(xhprof_sampler *sampler)
{
	xhprof_frameless_end();
	if (sampler->leaves) {
		xhprof_sample_timer_end(sampler->timer);
	}
	xhprof_stack_reader_reset(&sampler->stack);
	xhprof_cpu_meter_close(&sampler->cpu);
}

/* Makes a sampler, or resets the present one, of which its memory and the timer's thread stay; NULL without memory. */
static xhprof_sampler *sampler_make(void)
{
	xhprof_sampler_kept *kept = XHPROF_G(sampler).kept;
	if (!kept) {
		kept = XHPROF_G(sampler).kept = xhprof_pages_map(sizeof(*kept));
	}
	if (kept) {
		kept->sampler = (xhprof_sampler){.timer = &kept->timer, .stack = kept->sampler.stack};
	}
	return kept ? &kept->sampler : NULL;
}

xhprof_sampler_options xhprof_sampler_settings(uint32_t interval_us)
{
	zend_long set = XHPROF_G(ini).sampling_interval;
	return (xhprof_sampler_options){
		.interval_us = set ? (uint32_t)set : interval_us,
		.depth = XHPROF_G(ini).sampling_depth,
		.clock = (xhprof_sample_clock)XHPROF_G(ini).sampling_clock,
		.lines = XHPROF_G(ini).sampling_lines,
		.keep_log = true,
	};
}

/* Begins interval 0 at a multiple of the interval, so that samples of several processes line up; by wall time a little
 * beside it, where the timer has its ticks already. */
static void begin_intervals(xhprof_sampler *sampler, uint64_t now_us, uint32_t interval_us)
{
	sampler->timer->interval_ns = (uint64_t)interval_us * 1000;
	sampler->started_ns = xhprof_clock_monotonic_ns();
	sampler->wall_start_ns = sampler->started_ns - (now_us % interval_us) * 1000;
	sampler->wall_start_ns = xhprof_sample_timer_align(sampler->timer, sampler->wall_start_ns, sampler->started_ns);
}

/* Returns the time of day, in us, of the multiple of the interval at which interval 0 begins. */
static uint64_t epoch_of(const xhprof_sampler *sampler, uint64_t now_us, uint32_t interval_us)
{
	uint64_t began_us = now_us - (sampler->started_ns - sampler->wall_start_ns) / 1000;
	return (began_us + interval_us / 2) / interval_us * interval_us;
}

int xhprof_sampler_start(const xhprof_sampler_options *options, bool leaves)
{
	uint32_t interval_us = options->interval_us;
	xhprof_sampler *sampler = sampler_make();
	if (!sampler) {
		return ENOMEM;
	}
	install_once();
	xhprof_frameless_begin();
	struct timeval wall;
	gettimeofday(&wall, NULL);
	uint64_t now_us = (uint64_t)wall.tv_sec * 1000000 + (uint64_t)wall.tv_usec;
	begin_intervals(sampler, now_us, interval_us);
	xhprof_tracer_sampling sampling = {
		.interval_us = interval_us,
		.clock = options->clock,
		.lines = options->lines,
		.only_counts = !options->keep_log,
		.epoch_us = epoch_of(sampler, now_us, interval_us),
		.started = (double)now_us / 1e6,
	};
	xhprof_tracer_start_sampling(&XHPROF_G(tracer), &sampling);
	begin_cpu(sampler, sampler->started_ns);
	XHPROF_G(sampler).depth = options->depth;
	sampler->timer->tick = sampler_tick;
	sampler->timer->context = sampler;
	sampler->timer->on_look = options->on_look;
	sampler->timer->look_context = options->look_context;
	sampler->interrupt = &EG(vm_interrupt);
	sampler->ahead = options->ahead;
	sampler->leaves = leaves;
	sampler->stack.labels = xhprof_call_label_can_sample();
	sampler->next = sampler->wall_next = 1;
	xhprof_stack_watch_init(&sampler->watch);
	if (EG(current_execute_data)) { /* xhprof_sample_enable() itself is its caller's time */
		xhprof_stack_ignore(&sampler->stack, EG(current_execute_data)->func);
	}
	int error = choose_clock(sampler);
	XHPROF_G(sampler).carried_ns = 0;
	if (!error) {
		error = xhprof_sample_timer_start(sampler->timer);
	}
	if (error) {
		sampler_rest(sampler);
		return error;
	}
	XHPROF_G(sampler).running = sampler;
	return 0;
}

uint64_t xhprof_sampler_started_ns(void)
{
	const xhprof_sampler *sampler = XHPROF_G(sampler).running;
	return sampler ? sampler->started_ns : 0;
}

uint64_t xhprof_sampler_stopped_ns(void)
{
	return XHPROF_G(sampler).kept ? XHPROF_G(sampler).kept->sampler.stopped_ns : 0;
}

void xhprof_sampler_stop(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (!sampler) {
		return;
	}
	XHPROF_G(sampler).running = NULL;
	/* Before waiting for a tick, which takes long on busy cores. */
	sampler->stopped_ns = xhprof_clock_monotonic_ns();
	sampler->stopped_cpu_ns = by_cpu() ? xhprof_clock_thread_cpu_ns() : 0;
	uint64_t cpu_ns = end_cpu(sampler, sampler->stopped_ns);
	sampler->due += xhprof_sample_timer_stop(sampler->timer);
	XHPROF_G(sampler).cut_short = sampler->ended;
	if (!sampler->ended) {
		take_last_samples(sampler);
	}
	xhprof_tracer_stop_sampling(&XHPROF_G(tracer), sampler->stopped_ns - sampler->started_ns);
	XHPROF_G(tracer).thread_cpu_ns = cpu_ns;
	sampler_rest(sampler);
}

void xhprof_sampler_drop(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		XHPROF_G(sampler).running = NULL;
		xhprof_sample_timer_stop(sampler->timer);
		sampler_rest(sampler);
	}
}

void xhprof_sampler_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_sampler_kept *kept = globals->sampler.kept;
	if (kept) {
		globals->sampler.running = NULL;
		globals->sampler.kept = NULL;
		xhprof_sample_timer_end(&kept->timer);
		xhprof_stack_reader_release(&kept->sampler.stack);
		xhprof_pages_unmap(kept, sizeof(*kept));
	}
}
