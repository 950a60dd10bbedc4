#include "sampler.h"

#include "call_label.h"
#include "function_name.h"

#include "trace/sample_timer.h"

#include "zend_generators.h"

#include <errno.h>
#include <string.h>
#include <sys/time.h>
#ifdef HAVE_PROCESS_VM_READV
#include <sys/uio.h>
#include <unistd.h>
#endif

/* At most one part in this many of the program's time goes to reading stacks; a very deep one is read less often. */
#define SHARE 10

#define FIRST_FRAMES 256

/* What ran when the interval ended, the innermost call first, as far as it could be told; NULL frames after that. The
 * engine's interrupt comes a little later, when some of it may have returned, and other calls begun. */
#define SEEN_FRAMES 4
#define SEEN_TRIES 3

enum { MARK_NONE, MARK_LOOKING, MARK_READY, MARK_TAKING };

typedef struct seen_frame {
	const zend_execute_data *frame;
	const zend_function *function; /* NULL when it could not be told; may be freed meanwhile */
} seen_frame;

/* A frame of the stack as it was read last, from the bottom up. */
typedef struct known_frame {
	const zend_function *function; /* NULL when its name is not to be reused */
	xhprof_node *node;
} known_frame;

typedef struct xhprof_sampler {
	xhprof_sample_timer timer;
	seen_frame seen[SEEN_FRAMES];
	int mark;      /* MARK_*; who has set it to LOOKING or TAKING owns `seen` */
	bool orphaned; /* forked: the timer's thread is the parent's */
	bool ended;    /* no thread could be started in the child */
	zend_atomic_bool *interrupt;
	zend_execute_data **current;
	uintptr_t page; /* the first of the engine's stack; size 0 when it is not known */
	size_t page_size;
	uint64_t next;       /* number of the next interval to end */
	uint64_t not_before; /* CLOCK_MONOTONIC */

	xhprof_table functions; /* functions that live as long as the request -> symbol reference, or `unknown_function` */
	const zend_execute_data **frames;
	size_t frames_capacity;
	known_frame *known;
	size_t known_capacity, known_depth;
} xhprof_sampler;

static void (*previous_interrupt)(zend_execute_data *call);
static bool ready; /* written in MINIT */

static zend_op_array *(*previous_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*previous_compile_string)(zend_string *source, const char *filename,
												 zend_compile_position position);

static char unknown_function;

/* The first page of the engine's stack stays for the request and is read as it is. A frame elsewhere may be freed
 * meanwhile, even unmapped: where reading would crash, the kernel refuses to copy. */
static bool copy_frame(const xhprof_sampler *sampler, const zend_execute_data *frame, zend_execute_data *copy)
{
	uintptr_t offset = (uintptr_t)frame - sampler->page;
	if (offset < sampler->page_size && sampler->page_size - offset >= sizeof(*copy)) {
		memcpy(copy, frame, sizeof(*copy));
		return true;
	}
#ifdef HAVE_PROCESS_VM_READV
	struct iovec here = {copy, sizeof(*copy)}, there = {(void *)frame, sizeof(*copy)};
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof(*copy);
#else
	return false;
#endif
}

/* Notes the innermost frames while the program runs on. What was copied after the program left the innermost one may mix
 * two stacks and is not kept. */
static void look_at_stack(xhprof_sampler *sampler)
{
	memset(sampler->seen, 0, sizeof(sampler->seen));
	for (int tries = 0; tries < SEEN_TRIES && !sampler->seen[0].frame; tries++) {
		const zend_execute_data *current = __atomic_load_n(sampler->current, __ATOMIC_ACQUIRE), *frame = current;
		for (size_t i = 0; i < SEEN_FRAMES && frame; i++) {
			zend_execute_data copy;
			bool copied = copy_frame(sampler, frame, &copy);
			if (__atomic_load_n(sampler->current, __ATOMIC_ACQUIRE) != current) {
				break;
			}
			if (copied || i == 0) {
				sampler->seen[i] = (seen_frame){frame, copied ? copy.func : NULL};
			}
			frame = copied ? copy.prev_execute_data : NULL;
		}
	}
}

static bool change_mark(xhprof_sampler *sampler, int from, int to)
{
	return __atomic_compare_exchange_n(&sampler->mark, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* In the timer's thread. A mark that nobody has taken is made anew: the program is within a long call, and most of the
 * intervals that have ended belong to what runs now. */
static void sampler_tick(void *context)
{
	xhprof_sampler *sampler = context;
	if (change_mark(sampler, MARK_NONE, MARK_LOOKING) || change_mark(sampler, MARK_READY, MARK_LOOKING)) {
		look_at_stack(sampler);
		__atomic_store_n(&sampler->mark, MARK_READY, __ATOMIC_RELEASE);
	}
	zend_atomic_bool_store(sampler->interrupt, true);
}

/* Functions that are freed before the request ends may leave their address to another one. */
static bool function_stays(const zend_function *function)
{
	return function->common.function_name &&
		   !(function->common.fn_flags & (ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE | ZEND_ACC_CALL_VIA_TRAMPOLINE));
}

static bool table_has(HashTable *functions, const zend_function *wanted)
{
	const zend_function *function;
	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		if (function == wanted) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

/* Whether this address, which may be that of a freed function, is one of the request's functions or methods. */
static bool function_exists(const zend_function *function)
{
	zend_class_entry *class_entry;
	if (table_has(EG(function_table), function)) {
		return true;
	}
	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class_entry) {
		if (table_has(&class_entry->function_table, function)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static xhprof_symbol_ref remember_function(xhprof_sampler *sampler, const zend_function *function)
{
	xhprof_symbol_ref symbol = xhprof_function_symbol(&XHPROF_G(tracer).symbols, function);
	if (symbol) {
		xhprof_table_put(&sampler->functions, (uintptr_t)function, (void *)(uintptr_t)symbol);
	}
	return symbol;
}

/* The symbol of a function that is on the stack. */
static xhprof_symbol_ref live_symbol(xhprof_sampler *sampler, const zend_function *function)
{
	if (!function_stays(function)) {
		return xhprof_function_symbol(&XHPROF_G(tracer).symbols, function);
	}
	void *found = xhprof_table_find(&sampler->functions, (uintptr_t)function);
	return found && found != &unknown_function ? (xhprof_symbol_ref)(uintptr_t)found
											   : remember_function(sampler, function);
}

/* The symbol of a function that was on the stack; 0 when it may be gone. */
static xhprof_symbol_ref left_symbol(xhprof_sampler *sampler, const zend_function *function)
{
	void *found = xhprof_table_find(&sampler->functions, (uintptr_t)function);
	if (found) {
		return found == &unknown_function ? 0 : (xhprof_symbol_ref)(uintptr_t)found;
	}
	if (function_exists(function)) {
		return remember_function(sampler, function);
	}
	xhprof_table_put(&sampler->functions, (uintptr_t)function, &unknown_function);
	return 0;
}

/* Frames that are no calls of the program: placeholders, the engine's own, a call by __call() that has not begun, and the
 * script itself, which is main(). */
static bool frame_counts(const zend_execute_data *frame)
{
	const zend_function *function = frame->func;
	if (!function || function->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) {
		return false;
	}
	return function->common.function_name ||
		   (function->type != ZEND_INTERNAL_FUNCTION && frame->prev_execute_data != NULL);
}

/* Which of the frames seen this one still is; SEEN_FRAMES: none. */
static size_t find_seen(const seen_frame *seen, const zend_execute_data *frame)
{
	size_t i = 0;
	while (i < SEEN_FRAMES && (seen[i].frame != frame || (seen[i].function && seen[i].function != frame->func))) {
		i++;
	}
	return i;
}

/* Collects the frames from `top` down, in `frames`, and returns their number; SIZE_MAX without memory. Calls that began
 * after what was `seen` (or NULL) are left out. `*left`: so many of the innermost frames seen have returned meanwhile. */
static size_t collect_frames(xhprof_sampler *sampler, zend_execute_data *top, const seen_frame *seen, size_t *left)
{
	size_t count = 0;
	*left = 0;
	for (zend_execute_data *frame = top; frame; frame = frame->prev_execute_data) {
		size_t found = seen ? find_seen(seen, frame) : SEEN_FRAMES;
		if (found < SEEN_FRAMES) {
			count = 0;
			*left = found;
			seen = NULL;
		}
		frame = zend_generator_check_placeholder_frame(frame);
		if (!frame_counts(frame)) {
			continue;
		}
		if (count == sampler->frames_capacity &&
			!xhprof_pages_double((void **)&sampler->frames, sizeof(*sampler->frames), &sampler->frames_capacity,
								 FIRST_FRAMES)) {
			return SIZE_MAX;
		}
		sampler->frames[count++] = frame;
	}
	while (sampler->known_capacity < count) {
		if (!xhprof_pages_double((void **)&sampler->known, sizeof(*sampler->known), &sampler->known_capacity,
								 FIRST_FRAMES)) {
			return SIZE_MAX;
		}
	}
	return count;
}

static xhprof_node *child_node(xhprof_node *parent, xhprof_symbol_ref symbol)
{
	return symbol & XHPROF_SYMBOL_TRANSPARENT ? parent : xhprof_calltree_child(&XHPROF_G(tracer).tree, parent, symbol);
}

/* The node of the first `count` of `frames`. As far as the stack is the one that was read last, nothing is looked up. */
static xhprof_node *frames_node(xhprof_sampler *sampler, size_t count)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_node *node = tracer->tree.root;
	bool same = true;
	for (size_t i = 0; i < count; i++) {
		const zend_execute_data *frame = sampler->frames[count - 1 - i];
		known_frame *known = &sampler->known[i];
		same = same && i < sampler->known_depth;
		if (same && known->function == frame->func) {
			node = known->node;
			continue;
		}
		xhprof_symbol_ref symbol = live_symbol(sampler, frame->func);
		const zend_function *function = function_stays(frame->func) ? frame->func : NULL;
		if (symbol & XHPROF_SYMBOL_LABELLED) {
			zend_execute_data *current = EG(current_execute_data); /* asking curl goes back to `frame` */
			symbol = xhprof_call_label_symbol(tracer, (zend_execute_data *)frame, symbol);
			EG(current_execute_data) = current;
			function = NULL;
		}
		node = child_node(node, symbol);
		same = same && known->node == node;
		*known = (known_frame){function, node};
	}
	sampler->known_depth = count;
	return node;
}

/* One sample for every interval that has ended since the last, for the path that was `seen`; with NULL, for the one at
 * `top` and `leaf` below it. */
static void take_samples(xhprof_sampler *sampler, zend_execute_data *top, const seen_frame *seen,
						 xhprof_symbol_ref leaf)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	uint64_t now = xhprof_clock_monotonic_ns();
	uint64_t ended = (now - sampler->timer.start_ns) / sampler->timer.interval_ns;
	if (ended < sampler->next || now < sampler->not_before) {
		return;
	}
	uint64_t first = sampler->next, count = ended - first + 1;
	size_t left, frames = collect_frames(sampler, top, seen, &left);
	sampler->next = ended + 1;
	if (frames == SIZE_MAX) {
		tracer->samples.dropped += count;
		return;
	}
	xhprof_node *node = frames_node(sampler, frames);
	while (left--) {
		xhprof_symbol_ref symbol = seen[left].function ? left_symbol(sampler, seen[left].function) : 0;
		if (!symbol) {
			break; /* the time of a closure that is gone is its caller's */
		}
		node = child_node(node, symbol);
	}
	node = leaf ? child_node(node, leaf) : node;
	xhprof_sample_log_add(&tracer->samples, first, count, node);
	uint64_t after = xhprof_clock_monotonic_ns();
	sampler->not_before = after + (after - now) * (SHARE - 1);
}

/* In a forked child the samples go on with a thread of its own. */
static void restart_timer(xhprof_sampler *sampler)
{
	sampler->orphaned = false;
	xhprof_sample_timer_forget(&sampler->timer);
	sampler->ended = xhprof_sample_timer_start(&sampler->timer) != 0;
}

static void sampler_interrupt(zend_execute_data *call)
{
	if (XHPROF_G(calibration).running) { /* no place for the program's signal handlers */
		XHPROF_G(calibration).interrupted = true;
		return;
	}
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		bool orphaned = sampler->orphaned; /* what the parent's timer saw is its own */
		if (orphaned) {
			restart_timer(sampler);
		}
		if (change_mark(sampler, MARK_READY, MARK_TAKING)) {
			take_samples(sampler, call, orphaned ? NULL : sampler->seen, 0);
			__atomic_store_n(&sampler->mark, MARK_NONE, __ATOMIC_RELEASE);
		}
	}
	if (previous_interrupt) {
		previous_interrupt(call);
	}
}

/* The engine takes no interrupts while it compiles: what has ended before is charged now, and what ends meanwhile after. */
static void sample_before_compiling(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler && change_mark(sampler, MARK_READY, MARK_TAKING)) {
		take_samples(sampler, EG(current_execute_data), sampler->seen, 0);
		__atomic_store_n(&sampler->mark, MARK_NONE, __ATOMIC_RELEASE);
	}
}

static void sample_after_compiling(const char *prefix, const char *path, size_t length, bool shorten)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler && change_mark(sampler, MARK_READY, MARK_TAKING)) {
		xhprof_symbols *symbols = &XHPROF_G(tracer).symbols;
		take_samples(sampler, EG(current_execute_data), NULL,
					 shorten ? xhprof_file_symbol(symbols, prefix, path, length, 0)
							 : xhprof_joined_symbol(symbols, prefix, strlen(prefix), "", path, length, 0, 0));
		__atomic_store_n(&sampler->mark, MARK_NONE, __ATOMIC_RELEASE);
	}
}

static zend_op_array *wrapped_compile_file(zend_file_handle *file, int type)
{
	zend_string *path = file->opened_path ? file->opened_path : file->filename;
	if (!xhprof_sampler_running() || !path) {
		return previous_compile_file(file, type);
	}
	zend_string_addref(path);
	sample_before_compiling();
	zend_op_array *code = previous_compile_file(file, type);
	sample_after_compiling("load::", ZSTR_VAL(path), ZSTR_LEN(path), true);
	zend_string_release(path);
	return code;
}

static zend_op_array *wrapped_compile_string(zend_string *source, const char *filename, zend_compile_position position)
{
	sample_before_compiling();
	zend_op_array *code = previous_compile_string(source, filename, position);
	if (filename) {
		sample_after_compiling("eval::", filename, strlen(filename), false);
	}
	return code;
}

/* In the child of a fork, where no other thread is. The interrupt makes the program start one at the next safe place. */
static void forked_child(void)
{
#ifdef ZTS
	if (!tsrm_get_ls_cache()) {
		return; /* forked by a thread that knows no PHP */
	}
#endif
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (sampler) {
		sampler->orphaned = true;
		__atomic_store_n(&sampler->mark, MARK_READY, __ATOMIC_RELEASE);
		zend_atomic_bool_store(sampler->interrupt, true);
	}
}

static bool installed; /* threads race for it atomically */

/* What only programs that sample need: at the first sampling of the process. */
static void install_once(void)
{
	if (__atomic_exchange_n(&installed, true, __ATOMIC_ACQ_REL)) {
		return;
	}
	pthread_atfork(NULL, NULL, forked_child);
	previous_compile_file = zend_compile_file;
	previous_compile_string = zend_compile_string;
	/* Another thread that sees the wrapper must see what it wraps. */
	__atomic_store_n(&zend_compile_file, wrapped_compile_file, __ATOMIC_RELEASE);
	__atomic_store_n(&zend_compile_string, wrapped_compile_string, __ATOMIC_RELEASE);
}

void xhprof_sampler_minit(void)
{
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = sampler_interrupt;
	ready = true;
}

void xhprof_sampler_mshutdown(void)
{
	xhprof_sampler_stop();
	/* An embedding program may start the engine again; to be told of a fork twice then does no harm. */
	installed = false;
	/* Only what nobody has wrapped since. */
	if (zend_compile_file == wrapped_compile_file) {
		zend_compile_file = previous_compile_file;
	}
	if (zend_compile_string == wrapped_compile_string) {
		zend_compile_string = previous_compile_string;
	}
	if (zend_interrupt_function == sampler_interrupt) {
		zend_interrupt_function = previous_interrupt;
	}
}

bool xhprof_sampler_ready(void)
{
	return ready;
}

static void sampler_release(xhprof_sampler *sampler)
{
	xhprof_table_release(&sampler->functions);
	xhprof_pages_unmap(sampler->frames, sampler->frames_capacity * sizeof(*sampler->frames));
	xhprof_pages_unmap(sampler->known, sampler->known_capacity * sizeof(*sampler->known));
	xhprof_pages_unmap(sampler, sizeof(*sampler));
}

static void find_first_page(xhprof_sampler *sampler)
{
	zend_vm_stack page = EG(vm_stack);
	while (page && page->prev) {
		page = page->prev;
	}
	if (page && !EG(active_fiber)) { /* a fiber has pages of its own, which end with it */
		sampler->page = (uintptr_t)page;
		sampler->page_size = (uintptr_t)page->end - (uintptr_t)page;
	}
}

int xhprof_sampler_start(uint32_t interval_us)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_sampler *sampler = xhprof_pages_map(sizeof(*sampler));
	if (!sampler) {
		return ENOMEM;
	}
	install_once();
	struct timeval wall;
	gettimeofday(&wall, NULL);
	uint64_t now_us = (uint64_t)wall.tv_sec * 1000000 + (uint64_t)wall.tv_usec;
	/* Interval 0 began at the multiple of the interval before now, so that samples of several processes line up. */
	tracer->sample_interval_us = interval_us;
	tracer->sample_epoch_us = now_us / interval_us * interval_us;
	sampler->timer.start_ns = xhprof_clock_monotonic_ns() - (now_us % interval_us) * 1000;
	sampler->timer.interval_ns = (uint64_t)interval_us * 1000;
	sampler->timer.tick = sampler_tick;
	sampler->timer.context = sampler;
	sampler->interrupt = &EG(vm_interrupt);
	sampler->current = &EG(current_execute_data);
	sampler->next = 1;
	find_first_page(sampler);
	if (EG(current_execute_data)) { /* xhprof_sample_enable() itself is its caller's time */
		xhprof_table_put(
			&sampler->functions, (uintptr_t)EG(current_execute_data)->func,
			(void *)((uintptr_t)XHPROF_SYMBOL_MAIN << XHPROF_SYMBOL_FLAG_BITS | XHPROF_SYMBOL_TRANSPARENT));
	}
	int error = xhprof_sample_timer_start(&sampler->timer);
	if (error) {
		sampler_release(sampler);
		return error;
	}
	XHPROF_G(sampler).running = sampler;
	return 0;
}

bool xhprof_sampler_stop(void)
{
	xhprof_sampler *sampler = XHPROF_G(sampler).running;
	if (!sampler) {
		return true;
	}
	XHPROF_G(sampler).running = NULL;
	if (sampler->orphaned) {
		xhprof_sample_timer_forget(&sampler->timer);
	} else {
		xhprof_sample_timer_stop(&sampler->timer);
	}
	bool ended = sampler->ended;
	if (!ended) {
		sampler->not_before = 0;
		take_samples(sampler, EG(current_execute_data) ? EG(current_execute_data)->prev_execute_data : NULL,
					 sampler->mark == MARK_READY && !sampler->orphaned ? sampler->seen : NULL, 0);
	}
	xhprof_calltree_order(&XHPROF_G(tracer).tree);
	sampler_release(sampler);
	return !ended;
}
