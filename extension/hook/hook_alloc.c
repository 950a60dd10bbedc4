#include "hook_alloc.h"

#include "bare_heap.h"
#include "frameless.h"
#include "heap_usage.h"
#include "native_alloc.h"
#include "stack_reader.h"

#include "base/process.h"
#include "trace/sample_tally.h"
#include "trace/clock.h"

#include <string.h>

static bool ready; /* written in MINIT */

/* Marks that the heap has no handlers while it allocates: zend_mm_gc(), which makes room at memory_limit, does nothing
 * if there are any. If the heap leaves by a bailout, on_error() has restored the mark. Frees never look at it, from 8.2
 * to 8.6 (zend_mm_free_heap() in Zend/zend_alloc.c). */
static zend_always_inline void heap_enter(xhprof_known_heap *heap)
{
	heap->custom = ZEND_MM_CUSTOM_HEAP_NONE;
}

static zend_always_inline void heap_leave(xhprof_known_heap *heap)
{
	heap->custom = XHPROF_HEAP_HANDLED;
}

/* The owner of the blocks of a request that is open alone (alloc/carry.h). */
#define ALONE ((const void *)&XHPROF_G(alloc))

/* Returns the node that allocates a sampled block; main() without memory. */
static xhprof_node *sampled_node(void)
{
	xhprof_stack_reader *stack = XHPROF_G(alloc).stack;
	xhprof_stack_match match;
	if (!stack) {
		return XHPROF_G(tracer).current;
	}
	size_t frames = xhprof_stack_collect(stack, EG(current_execute_data), NULL, &match);
	if (frames == SIZE_MAX) {
		return XHPROF_G(tracer).tree.root;
	}
	xhprof_node *node = xhprof_stack_node(stack, frames);
	const zend_function *frameless = xhprof_frameless_running(EG(current_execute_data));
	return frameless ? xhprof_stack_child(node, xhprof_stack_live_symbol(stack, frameless), stack->line) : node;
}

/* Follows a sampled block beyond its request. `grown`: bytes that are new in it, if a sample is among these; else 0. */
static void carry_sampled(uintptr_t block, size_t size, size_t grown, uint32_t node, const void *owner, bool lent)
{
	if (XHPROF_G(alloc).carries && owner && grown) {
		(grown == size ? xhprof_carry_add : xhprof_carry_grow)(
			&XHPROF_G(alloc).carry, owner, block, xhprof_alloc_sampling_weight(&XHPROF_G(alloc).ledger.sampling, grown),
			node, lent);
	}
}

static zend_never_inline void record_sampled(void *block, size_t size, size_t grown)
{
	xhprof_node *node = sampled_node();
	xhprof_sample_tally *tally = XHPROF_G(tracer).samples.tally;
	if (tally) { /* of a job among others, which has no ledger */
		xhprof_alloc_weight weight = xhprof_alloc_sampling_weight(&XHPROF_G(alloc).ledger.sampling, size);
		xhprof_sample_tally_allocate(tally, node->id, weight.bytes, weight.blocks);
		carry_sampled((uintptr_t)block, size, grown, node->id, XHPROF_G(alloc).carry.owner, false);
		return;
	}
	if (xhprof_alloc_ledger_add_sampled(&XHPROF_G(alloc).ledger, (uintptr_t)block, size, node->id)) {
		node->calls += XHPROF_G(tracer).sample_bytes != 0;
		carry_sampled((uintptr_t)block, size, grown, node->id, ALONE, true);
	}
}

/* With a known layout of the heap: every block, or some. Recording lasts as long as `known` is set. Handlers that could
 * not be taken off go on without: the ledger is closed then, so that they take their slow paths, which find it NULL. */

static zend_always_inline xhprof_known_heap *heap_now(void)
{
	return (xhprof_known_heap *)XHPROF_G(alloc).heap;
}

/* Allocates a block. The heap's address is read again afterwards: the handlers are short because nothing but `before`,
 * its size, has to be kept over the call. Where zend_mm_gc() asks handlers to collect, it asks ours. */
static zend_always_inline void *heap_alloc(size_t size, size_t *before XHPROF_HEAP_DC)
{
	xhprof_known_heap *heap = heap_now();
	*before = heap->usage.size;
	if (XHPROF_HEAP_COLLECTS) {
		return xhprof_heap_alloc((zend_mm_heap *)heap, size);
	}
	heap_enter(heap);
	void *block = xhprof_heap_alloc((zend_mm_heap *)heap, size);
	heap_leave(heap_now());
	return block;
}

static zend_always_inline bool is_peak(const xhprof_known_heap *heap)
{
	return heap->usage.size >= XHPROF_G(alloc).ledger.peak.next;
}

static zend_never_inline void *take_peak(void *block)
{
	xhprof_alloc_ledger *ledger = &XHPROF_G(alloc).ledger;
	const xhprof_known_heap *known = XHPROF_G(alloc).known;
	if (known && is_peak(known)) {
		xhprof_alloc_peak_take(&ledger->peak, known->usage.size, ledger->nodes, XHPROF_G(tracer).tree.nodes);
	}
	return block;
}

static zend_never_inline void *exact_slow(void *block, size_t taken)
{
	if (EXPECTED(block) && XHPROF_G(alloc).known) {
		xhprof_alloc_ledger_add(&XHPROF_G(alloc).ledger, (uintptr_t)block, taken, XHPROF_G(tracer).current->id);
	}
	return take_peak(block);
}

static zend_always_inline void *exact_record(void *block, size_t taken)
{
	if (UNEXPECTED(!xhprof_alloc_ledger_add_fast(&XHPROF_G(alloc).ledger, (uintptr_t)block, taken,
												 &XHPROF_G(tracer).current))) {
		return exact_slow(block, taken);
	}
	return EXPECTED(!is_peak(heap_now())) ? block : take_peak(block);
}

static void *exact_alloc(size_t size XHPROF_HEAP_DC)
{
	size_t before;
	void *block = heap_alloc(size, &before XHPROF_HEAP_CC);
	return exact_record(block, heap_now()->usage.size - before);
}

/* Records a block after which no quiet bytes are left. Its first `grown` bytes are new, as of an enlarged one: the next
 * sample is among them with the chance of an allocation of that size. */
static zend_never_inline void *sampled_slow(void *block, size_t taken, int64_t grown)
{
	xhprof_alloc_ledger *ledger = &XHPROF_G(alloc).ledger;
	const xhprof_known_heap *known = XHPROF_G(alloc).known;
	if (!known) {
		return block;
	}
	xhprof_alloc_ledger_settle(ledger);
	if (ledger->sampling.until <= 0) {
		bool is_new = ledger->sampling.until + (int64_t)taken <= grown;
		xhprof_alloc_sampling_next(&ledger->sampling);
		if (EXPECTED(block)) {
			record_sampled(block, taken, is_new ? (size_t)grown : 0);
		}
	}
	take_peak(block);
	xhprof_alloc_ledger_grant(ledger, known->usage.size);
	return block;
}

static zend_always_inline void *sampled_count(void *block, int64_t taken, int64_t grown)
{
	XHPROF_G(alloc).ledger.quiet -= taken;
	return EXPECTED(XHPROF_G(alloc).ledger.quiet >= 0) ? block : sampled_slow(block, (size_t)taken, grown);
}

static void *sampled_alloc(size_t size XHPROF_HEAP_DC)
{
	size_t before;
	void *block = heap_alloc(size, &before XHPROF_HEAP_CC);
	int64_t taken = (int64_t)(heap_now()->usage.size - before);
	return sampled_count(block, taken, taken);
}

#if XHPROF_HEAP_PLAIN_LISTS
/* The same, but the heap is only called where it has no free block at hand. */

static void *exact_take(size_t size)
{
	size_t taken;
	void *block = xhprof_heap_take(heap_now(), size, &taken);
	return EXPECTED(block) ? exact_record(block, taken) : exact_alloc(size);
}

static void *sampled_take(size_t size)
{
	size_t taken;
	void *block = xhprof_heap_take(heap_now(), size, &taken);
	return EXPECTED(block) ? sampled_count(block, (int64_t)taken, (int64_t)taken) : sampled_alloc(size);
}
#else
#define exact_take exact_alloc
#define sampled_take sampled_alloc
#endif

static zend_never_inline void free_slow(void *block)
{
	if (XHPROF_G(alloc).known) {
		xhprof_alloc_ledger_free(&XHPROF_G(alloc).ledger, (uintptr_t)block);
	}
	zend_mm_free(XHPROF_G(alloc).heap, block);
}

/* Ends a block that was sampled in this request, or in an earlier one. */
static zend_never_inline void end_sampled(const void *block)
{
	if (XHPROF_G(alloc).known) {
		xhprof_alloc_ledger_free_sampled(&XHPROF_G(alloc).ledger, (uintptr_t)block);
	}
	if (XHPROF_G(alloc).carries || XHPROF_G(alloc).resting) {
		xhprof_carry_free(&XHPROF_G(alloc).carry, (uintptr_t)block);
	}
}

/* Follows a block that may be sampled to where it was reallocated. The profile ends it, and counts the new one apart. */
static zend_never_inline void move_sampled(const void *block, const void *moved, size_t size_before, size_t size)
{
	if (XHPROF_G(alloc).known) {
		xhprof_alloc_ledger_free_sampled(&XHPROF_G(alloc).ledger, (uintptr_t)block);
	}
	if (XHPROF_G(alloc).carries || XHPROF_G(alloc).resting) {
		xhprof_carry_move(&XHPROF_G(alloc).carry, (uintptr_t)block, (uintptr_t)moved, size_before, size);
	}
}

static void exact_free(void *block XHPROF_HEAP_DC)
{
	if (EXPECTED(xhprof_alloc_ledger_free_fast(&XHPROF_G(alloc).ledger, (uintptr_t)block))) {
		xhprof_heap_free(XHPROF_G(alloc).heap, block);
		return;
	}
	free_slow(block);
}

static void sampled_free(void *block XHPROF_HEAP_DC)
{
	if (EXPECTED(xhprof_alloc_ledger_lacks(&XHPROF_G(alloc).ledger, (uintptr_t)block))) {
		xhprof_heap_free(XHPROF_G(alloc).heap, block);
		return;
	}
	end_sampled(block);
	zend_mm_free(XHPROF_G(alloc).heap, block);
}

/* Reallocates a block, which counts as a free and an allocation, even if the block stays in place. With handlers the
 * heap does not report a block's size either. */
static zend_always_inline void *heap_realloc(void *block, size_t size, size_t *taken XHPROF_HEAP_DC)
{
	xhprof_known_heap *heap = heap_now();
	heap_enter(heap);
	void *moved = xhprof_heap_realloc((zend_mm_heap *)heap, block, size);
	*taken = EXPECTED(moved) ? zend_mm_block_size((zend_mm_heap *)heap, moved) : 0;
	heap_leave(heap);
	return moved;
}

static void *exact_realloc(void *block, size_t size XHPROF_HEAP_DC)
{
	size_t taken;
	void *moved = heap_realloc(block, size, &taken XHPROF_HEAP_CC);
	if (UNEXPECTED(!moved) || UNEXPECTED(!XHPROF_G(alloc).known)) {
		return moved;
	}
	xhprof_alloc_ledger_free(&XHPROF_G(alloc).ledger, (uintptr_t)block);
	return exact_record(moved, taken);
}

/* Reallocates a block while allocations are sampled. The heap has not grown by more than the block takes, so that it is
 * quiet or not as after an allocation. */
static void *sampled_realloc(void *block, size_t size XHPROF_HEAP_DC)
{
	size_t taken, before = heap_now()->usage.size;
	void *moved = heap_realloc(block, size, &taken XHPROF_HEAP_CC);
	if (UNEXPECTED(!moved)) {
		return NULL;
	}
	int64_t grown = (int64_t)(heap_now()->usage.size - before);
	if (UNEXPECTED(!xhprof_alloc_ledger_lacks(&XHPROF_G(alloc).ledger, (uintptr_t)block))) {
		move_sampled(block, moved, (size_t)((int64_t)taken - grown), taken);
	}
	return sampled_count(moved, (int64_t)taken, grown);
}

/* Between two requests: only the frees of carried blocks count. */

static void *rest_alloc(size_t size XHPROF_HEAP_DC)
{
	size_t before;
	return heap_alloc(size, &before XHPROF_HEAP_CC);
}

#if XHPROF_HEAP_PLAIN_LISTS
static void *rest_take(size_t size)
{
	size_t taken;
	void *block = xhprof_heap_take(heap_now(), size, &taken);
	return EXPECTED(block) ? block : rest_alloc(size);
}
#else
#define rest_take rest_alloc
#endif

static void rest_free(void *block XHPROF_HEAP_DC)
{
	if (UNEXPECTED(!xhprof_carry_lacks(&XHPROF_G(alloc).carry, (uintptr_t)block))) {
		end_sampled(block);
	}
	xhprof_heap_free(XHPROF_G(alloc).heap, block);
}

static void *rest_realloc(void *block, size_t size XHPROF_HEAP_DC)
{
	size_t taken, before = heap_now()->usage.size;
	void *moved = heap_realloc(block, size, &taken XHPROF_HEAP_CC);
	if (EXPECTED(moved) && UNEXPECTED(!xhprof_carry_lacks(&XHPROF_G(alloc).carry, (uintptr_t)block))) {
		move_sampled(block, moved, taken - (heap_now()->usage.size - before), taken);
	}
	return moved;
}

/* Any heap: one with somebody else's handlers, or with an unknown layout. It reports no block sizes, only the requested
 * ones are known. */

static void record_any(void *block, size_t size)
{
	xhprof_alloc_ledger *ledger = &XHPROF_G(alloc).ledger;
	if (!block || !size || !XHPROF_G(alloc).recording) {
		return;
	}
	if (!ledger->sampling.mean) {
		xhprof_alloc_ledger_add(ledger, (uintptr_t)block, size, XHPROF_G(tracer).current->id);
	} else if (xhprof_alloc_sampling_takes(&ledger->sampling, size)) {
		record_sampled(block, size, size);
	}
}

static void *any_alloc(size_t size XHPROF_HEAP_DC)
{
	void *block = XHPROF_G(alloc).chained ? XHPROF_G(alloc).previous.alloc(size XHPROF_HEAP_CC)
										  : xhprof_heap_alloc(XHPROF_G(alloc).heap, size);
	record_any(block, size);
	return block;
}

static void any_free(void *block XHPROF_HEAP_DC)
{
	if (XHPROF_G(alloc).recording) {
		xhprof_alloc_ledger_free(&XHPROF_G(alloc).ledger, (uintptr_t)block);
	}
	if (XHPROF_G(alloc).chained) {
		XHPROF_G(alloc).previous.free(block XHPROF_HEAP_CC);
	} else {
		xhprof_heap_free(XHPROF_G(alloc).heap, block);
	}
}

static void *any_realloc(void *block, size_t size XHPROF_HEAP_DC)
{
	void *moved = XHPROF_G(alloc).chained ? XHPROF_G(alloc).previous.realloc(block, size XHPROF_HEAP_CC)
										  : xhprof_heap_realloc(XHPROF_G(alloc).heap, block, size);
	if (moved && XHPROF_G(alloc).recording) {
		xhprof_alloc_ledger_free(&XHPROF_G(alloc).ledger, (uintptr_t)block);
	}
	record_any(moved, size);
	return moved;
}

/* Where the requests of nodes are counted: a ledger knows whose block is freed, not by whom, and what a block takes. */

static void count_request(uint64_t allocations, size_t bytes, uint64_t frees)
{
	if (XHPROF_G(alloc).recording) {
		xhprof_tracer_count_request(&XHPROF_G(tracer), allocations, bytes, frees);
	}
}

static void *counting_alloc(size_t size XHPROF_HEAP_DC)
{
	count_request(1, size, 0);
	return XHPROF_G(alloc).uncounted.alloc(size XHPROF_HEAP_CC);
}

static void counting_free(void *block XHPROF_HEAP_DC)
{
	count_request(0, 0, 1);
	XHPROF_G(alloc).uncounted.free(block XHPROF_HEAP_CC);
}

static void *counting_realloc(void *block, size_t size XHPROF_HEAP_DC)
{
	count_request(1, size, 1);
	return XHPROF_G(alloc).uncounted.realloc(block, size XHPROF_HEAP_CC);
}

static void count_requests(xhprof_heap_handlers *handlers)
{
	XHPROF_G(alloc).uncounted = *handlers;
	handlers->alloc = counting_alloc;
	handlers->free = counting_free;
	handlers->realloc = counting_realloc;
}

static bool has_our_handlers(const xhprof_heap_handlers *handlers)
{
	return handlers->alloc == counting_alloc || handlers->alloc == exact_alloc || handlers->alloc == sampled_alloc ||
		   handlers->alloc == any_alloc || handlers->alloc == exact_take || handlers->alloc == sampled_take ||
		   handlers->alloc == rest_alloc || handlers->alloc == rest_take;
}

/* Restores the heap's mark. Fatal errors may be raised within the heap, which is then left by a bailout. */
static void on_error(int type, zend_string *file, uint32_t line, zend_string *message)
{
	if (!XHPROF_G(alloc).heap || !(type & (E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR))) {
		return;
	}
	if (XHPROF_G(alloc).known || XHPROF_G(alloc).resting) {
		heap_leave(heap_now());
	}
	void (*at_limit)(void) = XHPROF_G(alloc).at_limit;
	if (at_limit && xhprof_compat_heap_at_limit(message)) {
		XHPROF_G(alloc).at_limit = NULL;
		at_limit();
	}
}

bool xhprof_hook_alloc_ready(void)
{
	return ready;
}

bool xhprof_hook_alloc_start(uint32_t max_records, uint64_t sample_bytes, bool by_stack, bool carries,
							 void (*at_limit)(void))
{
	if (XHPROF_G(alloc).resting) {
		xhprof_hook_alloc_stop();
	}
	xhprof_hook_alloc_release();
	zend_mm_heap *heap = zend_mm_get_heap();
	xhprof_heap_handlers previous = xhprof_compat_heap_handlers(heap);
	if (XHPROF_G(alloc).heap) {
		return false; /* ours remain, below those of another extension */
	}
	XHPROF_G(alloc).previous = previous;
	XHPROF_G(alloc).chained = previous.alloc != NULL;
	if (by_stack) {
		XHPROF_G(alloc).stack = xhprof_pages_map(sizeof(*XHPROF_G(alloc).stack));
	}
	xhprof_heap_handlers handlers = {.alloc = any_alloc, .free = any_free, .realloc = any_realloc};
	xhprof_compat_heap_gc_handler(&handlers, xhprof_bare_heap_collect);
	xhprof_compat_set_heap_handlers(heap, &handlers);
	XHPROF_G(alloc).heap = heap;
	xhprof_known_heap *known = XHPROF_G(alloc).chained ? NULL : xhprof_known_heap_of(XHPROF_G(session).heap);
	if ((zend_mm_heap *)known != heap) { /* it was another one when the request began */
		known = NULL;
	}
	if (!xhprof_alloc_ledger_begin(&XHPROF_G(alloc).ledger, known != NULL, max_records, sample_bytes,
								   XHPROF_G(tracer).tree.blocks) ||
		(by_stack && !XHPROF_G(alloc).stack)) {
		xhprof_hook_alloc_stop();
		xhprof_hook_alloc_release();
		return false;
	}
	if (known) {
		xhprof_alloc_peak_begin(&XHPROF_G(alloc).ledger.peak, known->usage.size);
		if (XHPROF_G(session).heap_lists) {
			handlers.alloc = sample_bytes ? sampled_take : exact_take;
		} else {
			handlers.alloc = sample_bytes ? sampled_alloc : exact_alloc;
		}
		handlers.free = sample_bytes ? sampled_free : exact_free;
		handlers.realloc = sample_bytes ? sampled_realloc : exact_realloc;
	}
	if (XHPROF_G(tracer).tree.requests) {
		count_requests(&handlers);
	}
	xhprof_compat_set_heap_handlers(heap, &handlers);
	if (by_stack) {
		xhprof_frameless_begin();
	}
	XHPROF_G(alloc).carries = carries && known && xhprof_carry_begin(&XHPROF_G(alloc).carry);
	if (XHPROF_G(alloc).carries) {
		xhprof_carry_close(&XHPROF_G(alloc).carry, NULL, NULL, NULL); /* those whose profile was dropped */
		XHPROF_G(alloc).carry.owner = NULL;
		xhprof_alloc_ledger_share(&XHPROF_G(alloc).ledger, XHPROF_G(alloc).carry.places);
	} else {
		xhprof_carry_forget(&XHPROF_G(alloc).carry, true);
	}
	XHPROF_G(alloc).known = known;
	XHPROF_G(alloc).recording = true;
	XHPROF_G(alloc).at_limit = at_limit;
	return true;
}

void xhprof_hook_alloc_stop(void)
{
	zend_mm_heap *heap = XHPROF_G(alloc).heap;
	if (XHPROF_G(alloc).recording && XHPROF_G(alloc).stack) {
		xhprof_frameless_end();
	}
	XHPROF_G(alloc).recording = XHPROF_G(alloc).resting = false;
	XHPROF_G(alloc).known = NULL;
	XHPROF_G(alloc).at_limit = NULL;
	xhprof_alloc_ledger_close(&XHPROF_G(alloc).ledger);
	if (!heap) {
		return;
	}
	xhprof_heap_handlers now = xhprof_compat_heap_handlers(heap);
	if (has_our_handlers(&now) || !now.alloc) {
		xhprof_compat_set_heap_handlers(heap, &XHPROF_G(alloc).previous);
		XHPROF_G(alloc).heap = NULL;
	}
}

bool xhprof_hook_alloc_close(uint32_t (*path_of)(void *context, uint32_t node), void *context)
{
	if (!XHPROF_G(alloc).carries || XHPROF_G(alloc).recording || !XHPROF_G(alloc).ledger.nodes) {
		return false;
	}
	xhprof_carry_close(&XHPROF_G(alloc).carry, ALONE, path_of, context);
	XHPROF_G(alloc).carries = false;
	return true;
}

void xhprof_hook_alloc_open(const void *owner)
{
	xhprof_carry *carry = &XHPROF_G(alloc).carry;
	if (!XHPROF_G(alloc).carries) {
		return;
	}
	carry->owner = owner;
	for (uint32_t at = carry->open.first; at; at = carry->entries[at].next) {
		if (carry->entries[at].owner == ALONE && carry->entries[at].lent) {
			xhprof_record record;
			xhprof_block_map_remove(&XHPROF_G(alloc).ledger.map, carry->entries[at].address, &record);
		}
	}
	xhprof_carry_hand_over(carry, ALONE, owner);
}

void xhprof_hook_alloc_rest(void)
{
	zend_mm_heap *heap = zend_mm_get_heap();
	xhprof_heap_handlers previous = xhprof_compat_heap_handlers(heap);
	if (XHPROF_G(session).over || !XHPROF_G(alloc).carry.count) {
		return;
	}
	if (XHPROF_G(alloc).heap || previous.alloc) { /* another extension's handlers, above ours or alone */
		xhprof_carry_forget(&XHPROF_G(alloc).carry, true);
		return;
	}
	xhprof_heap_handlers handlers = {.free = rest_free, .realloc = rest_realloc};
	handlers.alloc = XHPROF_G(session).heap_lists ? rest_take : rest_alloc;
	xhprof_compat_heap_gc_handler(&handlers, xhprof_bare_heap_collect);
	xhprof_compat_set_heap_handlers(heap, &handlers);
	if ((zend_mm_heap *)xhprof_known_heap_of(XHPROF_G(session).heap) != heap) { /* it is known by its handlers */
		xhprof_compat_set_heap_handlers(heap, &previous);
		xhprof_carry_forget(&XHPROF_G(alloc).carry, true);
		return;
	}
	XHPROF_G(alloc).previous = previous;
	XHPROF_G(alloc).chained = false;
	XHPROF_G(alloc).heap = heap;
	XHPROF_G(alloc).resting = true;
}

void xhprof_hook_alloc_carry_none(void)
{
	xhprof_carry_forget(&XHPROF_G(alloc).carry, false);
}

void xhprof_hook_alloc_moved(const xhprof_shedding *shedding)
{
	xhprof_alloc_ledger_moved(&XHPROF_G(alloc).ledger, shedding);
	xhprof_carry_moved(&XHPROF_G(alloc).carry, shedding);
	xhprof_native_moved(shedding);
}

xhprof_peak_bytes xhprof_hook_alloc_peak_bytes(void)
{
	return xhprof_alloc_peak_bytes(&XHPROF_G(alloc).ledger.peak);
}

void xhprof_hook_alloc_forget(void)
{
	xhprof_alloc_ledger *ledger = &XHPROF_G(alloc).ledger;
	if (XHPROF_G(alloc).known) {
		xhprof_alloc_peak_begin(&ledger->peak, 0); /* what the child has of its parent counts, from its next block on */
	}
	ledger->dropped_blocks = ledger->dropped_bytes = 0;
	xhprof_alloc_ledger_settle(ledger);
	if (ledger->sampling.mean) { /* children that do the same sample different blocks */
		xhprof_alloc_sampling_begin(&ledger->sampling, ledger->sampling.mean,
									xhprof_clock_monotonic_ns() ^ (uint64_t)xhprof_process_id() << 32);
	}
}

/* Empties the ledger, and keeps at most a quarter of the budget: the tracer's pages are needed more often. */
void xhprof_hook_alloc_recycle(size_t *budget)
{
	size_t records = *budget / 4, kept = records;
	xhprof_alloc_ledger_recycle(&XHPROF_G(alloc).ledger, &records);
	*budget -= kept - records;
}

void xhprof_hook_alloc_release(void)
{
	size_t keep = (size_t)XHPROF_G(ini).keep_memory;
	xhprof_hook_alloc_recycle(&keep);
	if (XHPROF_G(alloc).stack) {
		xhprof_stack_reader_release(XHPROF_G(alloc).stack);
		xhprof_pages_unmap(XHPROF_G(alloc).stack, sizeof(*XHPROF_G(alloc).stack));
		XHPROF_G(alloc).stack = NULL;
	}
}

void xhprof_hook_alloc_minit(void)
{
	zend_observer_error_register(on_error);
	xhprof_heap_usage_minit();
	ready = true;
}

void xhprof_hook_alloc_mshutdown(void)
{
	xhprof_bare_heap_mshutdown();
	ready = false;
}

void xhprof_hook_alloc_rinit(void)
{
	if (ready) {
		xhprof_bare_heap_rinit();
	}
	xhprof_hook_alloc_stop();
}
