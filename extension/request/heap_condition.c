#include "heap_condition.h"

#include "request_info.h"
#include "request_route.h"

#include "aggregate/window_clock.h"
#include "base/arena.h"
#include "base/process.h"
#include "base/route.h"
#include "export/heap_snapshot.h"
#include "export/run_directory.h"
#include "folder/log_once.h"
#include "folder/snapshot_folder.h"
#include "hook/heap_peak.h"

#include "php_main.h"

#include <stdlib.h>

#define SETTLED 10      /* requests or spans after which growth counts */
#define SPANS_MAX 10000 /* open ones whose names are known */
#define NAMELESS "span"

/* The moment at which a condition is seen to hold. */
typedef enum moment {
	IN_PROGRAM, /* it runs on afterwards */
	AT_LIMIT,   /* within the heap, which leaves by a bailout */
	AT_END      /* other extensions may have ended the request already */
} moment;

static uint64_t taken; /* the last snapshot of this process, for xhprof_heap_rule_take() */

static void (*previous_interrupt)(zend_execute_data *call);

#define STATE XHPROF_G(heap_condition)

bool xhprof_heap_condition_wanted(void)
{
	return STATE.rule.kept || STATE.rule.peak;
}

static bool may_take(void)
{
	return !STATE.taking && !XHPROF_G(session).locked &&
		   xhprof_heap_rule_may_take(&taken, xhprof_process_id(), xhprof_window_clock_ms());
}

/* Describes a request, or a span by its name. */
static void describe(xhprof_heap_request *request, const char *span, char route[XHPROF_ROUTE_MAX + 1])
{
	*route = '\0';
	if (span) {
		xhprof_route_of_name(route, span, strlen(span));
	}
	const xhprof_request_info *info = XHPROF_G(request_info);
	if (info && info->known) {
		request->host = info->host;
		request->method = info->method;
		request->url = xhprof_request_info_url();
		if (!span) {
			xhprof_request_route_now(route);
		}
	}
	request->route = route;
}

/* The paths of a snapshot, in pages, as nothing of it may be in the heap. */
typedef struct snapshot_paths {
	char own[MAXPATHLEN], folder[MAXPATHLEN], file[MAXPATHLEN], name[XHPROF_HEAP_RULE_NAME + 1];
	char route[XHPROF_ROUTE_MAX + 1], condition[XHPROF_HEAP_RULE_TEXT];
} snapshot_paths;

/* Makes the file's path. Returns NULL, or why nothing can be written there. */
static const char *make_path(snapshot_paths *paths, uint64_t ms)
{
	int error;
	const char *named = xhprof_run_directory(paths->own);
	const char *refusal = xhprof_run_directory_open(named, named == paths->own, paths->folder, &error);
	if (refusal) {
		return refusal;
	}
	xhprof_heap_rule_name(paths->name, paths->route, xhprof_process_id(), ms);
	int length = snprintf(paths->file, sizeof(paths->file), "%s/%s", paths->folder, paths->name);
	return length > 0 && (size_t)length < sizeof(paths->file) ? NULL : strerror(ENAMETOOLONG);
}

static void bound_folder(const char *path)
{
	int error = xhprof_snapshot_folder_bound(path, XHPROF_HEAP_RULE_PATTERN, (uint64_t)XHPROF_G(ini).max_runs,
											 (uint64_t)XHPROF_G(ini).max_bytes);
	if (error) {
		xhprof_log_condition("old heap snapshots beside %s cannot be deleted: %s", path, strerror(error));
	}
}

/* Writes the snapshot. Returns whether an extension's handler has left the heap meanwhile. */
static bool write_snapshot(snapshot_paths *paths, const char *span, moment moment, uint64_t reached, uint64_t ms)
{
	xhprof_heap_request request;
	struct xhprof_heap_snapshot *snapshot = NULL;
	xhprof_heap_request_init(&request);
	request.handlers = moment == IN_PROGRAM;
	request.in_heap = moment == AT_LIMIT;
	request.taken_if = paths->condition;
	request.reached = reached;
	describe(&request, span, paths->route);
	const char *failure = make_path(paths, ms);
	if (!failure) {
		snapshot = xhprof_heap_snapshot_write(&request, paths->file, &failure);
	}
	if (failure) {
		xhprof_log_failure("no heap snapshot for xhprof.heap_if: %s: %s", *paths->file ? paths->file : paths->folder,
						   failure);
	} else {
		xhprof_log_notice("the heap snapshot for xhprof.heap_if, %s, is %s", paths->condition, paths->file);
		bound_folder(paths->file);
	}
	bool left = xhprof_heap_snapshot_left(snapshot);
	xhprof_heap_snapshot_release(snapshot);
	return left;
}

/* Takes the snapshot of a condition that holds. `span`: its name; NULL: of the request. */
static void take_snapshot(const char *condition, uint64_t limit, uint64_t reached, const char *span, moment moment)
{
	uint64_t ms = xhprof_window_clock_ms();
	if (!xhprof_heap_rule_take(&taken, xhprof_process_id(), ms)) {
		return; /* another thread has, just now */
	}
	snapshot_paths *paths = xhprof_pages_map(sizeof(*paths));
	if (!paths) {
		xhprof_log_failure("no heap snapshot for xhprof.heap_if: %s", strerror(ENOMEM));
		return;
	}
	xhprof_heap_rule_text(paths->condition, condition, limit);
	STATE.taking = true;
	bool left = write_snapshot(paths, span, moment, reached, ms);
	STATE.taking = false;
	xhprof_pages_unmap(paths, sizeof(*paths));
	if (left && moment == IN_PROGRAM) {
		zend_bailout();
	}
}

/* Returns the name of the open span that began last. NULL: there is no span. */
static const char *open_span(void)
{
	const char *name = NAMELESS;
	uint64_t last = 0;
	for (uint32_t i = 0; i < STATE.names.capacity; i++) {
		const xhprof_table_slot *slot = &STATE.names.slots[i];
		if (slot->key > last) {
			last = slot->key;
			name = slot->value;
		}
	}
	return STATE.open ? name : NULL;
}

/* Takes a snapshot as soon as the heap is seen to be large enough, while what has made it large is there. */
static void look_at_heap(moment moment)
{
	size_t size = STATE.rule.peak ? zend_memory_usage(false) : 0;
	if (size && size >= STATE.rule.peak && may_take()) {
		take_snapshot("peak", STATE.rule.peak, size, open_span(), moment);
	}
}

static void on_interrupt(zend_execute_data *call)
{
	look_at_heap(IN_PROGRAM);
	if (previous_interrupt) {
		previous_interrupt(call);
	}
}

static void on_error(int type, zend_string *file, uint32_t line, zend_string *message)
{
	if (STATE.rule.peak && type == E_ERROR && xhprof_compat_heap_at_limit(message)) {
		look_at_heap(AT_LIMIT);
	}
}

void xhprof_heap_condition_minit(void)
{
	zend_observer_error_register(on_error);
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = on_interrupt;
}

void xhprof_heap_condition_mshutdown(void)
{
	if (zend_interrupt_function == on_interrupt) { /* still unwrapped */
		zend_interrupt_function = previous_interrupt;
	}
}

/* Notes what the process has after a request, when the next one begins. */
static void look_at_process(void)
{
#ifndef ZTS                                 /* with threads it is the memory of all of them */
	if (STATE.pid != xhprof_process_id()) { /* forked */
		STATE.pid = xhprof_process_id();
		STATE.requests = 0;
		xhprof_resident_memory_close(&STATE.memory);
	}
	uint64_t resident = STATE.requests >= SETTLED ? xhprof_resident_memory_now(&STATE.memory) : 0;
	if (STATE.requests == SETTLED) {
		STATE.settled_resident = resident;
	}
	STATE.kept = resident > STATE.settled_resident ? resident - STATE.settled_resident : 0;
	STATE.requests++;
#endif
}

static void forget_spans(void)
{
	xhprof_table *names = &STATE.names;
	for (uint32_t i = 0; i < names->capacity && names->used; i++) {
		free(names->slots[i].value);
	}
	xhprof_table_clear(names);
	STATE.open = 0;
}

void xhprof_heap_condition_rinit(void)
{
	const char *setting = XHPROF_G(ini).heap_if, *at;
	size_t length;
	STATE.rule = (xhprof_heap_rule){0};
	STATE.kept = STATE.spans = 0;
	STATE.sizes = STATE.recents = 0;
	STATE.taking = false;
	forget_spans();
	if (!setting || !*setting || php_during_module_startup() ||
		xhprof_heap_rule_read(setting, &STATE.rule, &at, &length)) {
		return;
	}
	volatile bool known = false;
	zend_try
	{
		known = xhprof_request_info_begin();
	}
	zend_end_try();
	if (!known) {
		xhprof_log_failure("xhprof.heap_if: not enough memory to keep the request's URL");
	}
	if (STATE.rule.kept) {
		look_at_process();
	}
}

void xhprof_heap_condition_begin_span(uint64_t number, const zend_string *name)
{
	if (!xhprof_heap_condition_wanted()) {
		return;
	}
	if (!STATE.open && STATE.rule.peak) {
		xhprof_heap_peak_begin_spans();
	}
	STATE.open++;
	char *copy = STATE.names.used < SPANS_MAX ? strndup(ZSTR_VAL(name), 4 * XHPROF_ROUTE_MAX) : NULL;
	if (copy && !xhprof_table_put(&STATE.names, number, copy)) {
		free(copy);
	}
}

/* Judges what has just ended, or ends: a span, or a request. */
static void judge(const char *span, uint64_t kept, uint64_t peak, moment moment)
{
	if (STATE.rule.peak && peak >= STATE.rule.peak && may_take()) {
		take_snapshot("peak", STATE.rule.peak, peak, span, moment);
	}
	if (STATE.rule.kept && kept >= STATE.rule.kept && may_take()) {
		take_snapshot("kept", STATE.rule.kept, kept, span, moment);
	}
}

/* Returns how much of the heap, which is `size` at the end of a span, no other span holds that is still open: of the last
 * ends the least size; 0 if that is not known yet. */
static size_t held_by_none(size_t size)
{
	STATE.recent[STATE.recents++ % XHPROF_HEAP_CONDITION_RECENT] = size;
	for (uint32_t i = 0; i < XHPROF_HEAP_CONDITION_RECENT; i++) {
		size = STATE.recent[i] < size ? STATE.recent[i] : size;
	}
	return STATE.recents < XHPROF_HEAP_CONDITION_RECENT ? 0 : size;
}

/* Returns the growth of the heap since the first spans of this program have settled it, at the end of one. */
static uint64_t kept_by_spans(bool alone)
{
	size_t size = zend_memory_usage(false);
	STATE.spans++;
	if (alone) {
		STATE.recents = 0;
	} else {
		size = held_by_none(size);
	}
	if (size && STATE.sizes < SETTLED) {
		STATE.sizes++;
		STATE.settled = size;
	}
	return size > STATE.settled ? size - STATE.settled : 0;
}

void xhprof_heap_condition_end_span(uint64_t number)
{
	if (!STATE.open) {
		return;
	}
	char *name = xhprof_table_remove(&STATE.names, number);
	uint64_t kept = kept_by_spans(!XHPROF_G(span).count), peak = STATE.rule.peak ? xhprof_heap_peak_of_spans() : 0;
	STATE.open = XHPROF_G(span).count;
	if (STATE.rule.peak && !STATE.open) {
		xhprof_heap_peak_end_spans();
	} else if (STATE.rule.peak && peak >= STATE.rule.peak) {
		xhprof_heap_peak_begin_spans(); /* the others begin anew */
	}
	if (!XHPROF_G(session).over) { /* or the heap is about to be freed */
		char span[XHPROF_ROUTE_MAX + 1];
		xhprof_route_of_name(span, name ? name : NAMELESS, strlen(name ? name : NAMELESS));
		free(name); /* before a bailout */
		name = NULL;
		judge(span, kept, peak, IN_PROGRAM);
	}
	free(name);
	if (!STATE.open) {
		forget_spans(); /* those that others have ended */
	}
}

void xhprof_heap_condition_end_request(void)
{
	if (!xhprof_heap_condition_wanted()) {
		return;
	}
	if (STATE.open) {
		judge(open_span(), kept_by_spans(STATE.open == 1), STATE.rule.peak ? xhprof_heap_peak_of_spans() : 0, AT_END);
	} else if (!STATE.spans) {
		judge(NULL, STATE.kept, xhprof_heap_peak(), AT_END);
	}
	if (STATE.open && STATE.rule.peak) {
		xhprof_heap_peak_end_spans();
	}
	forget_spans();
	STATE.rule = (xhprof_heap_rule){0};
}

void xhprof_heap_condition_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_resident_memory_close(&globals->heap_condition.memory);
	xhprof_table_release(&globals->heap_condition.names);
}
