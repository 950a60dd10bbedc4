#include "recording.h"

#include "open_request.h"
#include "request_info.h"
#include "request_route.h"
#include "url_route.h"

#include "aggregate/aggregate_jobs.h"
#include "base/pool.h"
#include "base/process.h"
#include "base/text.h"
#include "hook/heap_peak.h"
#include "hook/outcome.h"
#include "hook/session.h"
#include "hook/session_part.h"
#include "hook/termination.h"

#include "zend_fibers.h"

struct xhprof_recording {
	xhprof_recording *next, *before; /* in the list of all */
	bool apart;                      /* it is one of those below; otherwise it is the automatic profile */
	bool ended;                      /* before its span; its run is `saved` */
	xhprof_session_part *part;       /* of a run; or NULL */
	xhprof_job *job;                 /* of a window; or NULL */
	zend_long mode;                  /* XHPROF_RUN_* */
	size_t peak;                     /* of the heap in its turns that are over; or 0 */
	xhprof_outcome begin;
	xhprof_outcome_left left; /* what had happened when another one's turn came; of one that is apart */
	xhprof_request_facts facts;
	char *route; /* the name that the program has set, of XHPROF_ROUTE_MAX + 1 bytes; or NULL */
	char saved[XHPROF_RUN_ID_LENGTH + 1];
};

static xhprof_recording *add_recording(void)
{
	xhprof_recording *recording = xhprof_pool_take(&XHPROF_G(recording).pool, sizeof(*recording));
	if (recording) {
		recording->next = XHPROF_G(recording).first;
		if (recording->next) {
			recording->next->before = recording;
		}
		XHPROF_G(recording).first = recording;
		XHPROF_G(recording).count++;
	}
	return recording;
}

static void free_facts(xhprof_recording *recording)
{
	xhprof_pool *pool = &XHPROF_G(recording).pool;
	xhprof_pool_give(pool, recording->facts.text, recording->facts.size);
	xhprof_pool_give(pool, recording->route, recording->route ? XHPROF_ROUTE_MAX + 1 : 0);
	recording->facts.text = recording->route = NULL;
}

/* Ends the turn of a recording, and begins that of another one; either may be NULL. */
static void turn_peak(xhprof_recording *before, const xhprof_recording *after)
{
	size_t peak = xhprof_heap_peak_turn(after ? &after->peak : NULL);
	if (before) {
		before->peak = peak;
	}
}

/* Ends a recording's turn, if it has that: nothing has it then. */
static void end_turn(xhprof_recording *recording)
{
	if (XHPROF_G(recording).now == recording) {
		turn_peak(recording, NULL);
		XHPROF_G(recording).now = NULL;
	}
}

static void remove_recording(xhprof_recording *recording)
{
	*(recording->before ? &recording->before->next : &XHPROF_G(recording).first) = recording->next;
	if (recording->next) {
		recording->next->before = recording->before;
	}
	XHPROF_G(recording).count--;
	XHPROF_G(recording).apart -= recording->apart && !recording->ended;
	XHPROF_G(recording).alone = XHPROF_G(recording).alone == recording ? NULL : XHPROF_G(recording).alone;
	end_turn(recording);
	free_facts(recording);
	xhprof_pool_give(&XHPROF_G(recording).pool, recording, sizeof(*recording));
}

/* Puts at `to` what a job is counted under if it ends, or its samples are brought to the window, now. */
static void name_job(const void *owner, char to[XHPROF_ROUTE_MAX + 1])
{
	const xhprof_recording *recording = owner;
	const xhprof_open_request *worker = xhprof_open_request_of(recording->facts.worker);
	if (!worker || !xhprof_open_request_route(worker, to)) {
		const char *name = recording->route ? recording->route : xhprof_request_facts_route(&recording->facts);
		xhprof_text_copy(to, XHPROF_ROUTE_MAX + 1, name);
	}
}

static void own_job(xhprof_recording *recording)
{
	if (recording->job) {
		recording->job->owner = recording;
	}
}

/* Takes the facts of the automatic profile. False without memory. */
static bool take_facts(xhprof_recording *recording)
{
	const char *set = XHPROF_G(route).set;
	if (*set && !(recording->route = xhprof_pool_take(&XHPROF_G(recording).pool, XHPROF_ROUTE_MAX + 1))) {
		return false;
	}
	if (*set) {
		memcpy(recording->route, set, XHPROF_ROUTE_MAX + 1);
	}
	if (!xhprof_request_info_take_out(&recording->facts, &XHPROF_G(recording).pool)) {
		free_facts(recording);
		return false;
	}
	recording->mode = XHPROF_G(automatic).mode;
	recording->begin = XHPROF_G(automatic).begin;
	return true;
}

/* Sets the automatic profile to a recording that is apart, for its end. */
static void put_facts(const xhprof_recording *recording)
{
	xhprof_request_info_put_back(&recording->facts);
	xhprof_request_route_forget();
	if (recording->route) {
		memcpy(XHPROF_G(route).set, recording->route, XHPROF_ROUTE_MAX + 1);
	}
	XHPROF_G(automatic).mode = recording->mode;
	XHPROF_G(automatic).begin = recording->begin;
	XHPROF_G(automatic).other_fibers = 0;
	XHPROF_G(automatic).ordered = false;
	*XHPROF_G(automatic).saved = '\0';
}

/* Ends the recording that is the automatic profile, or was: another one takes its place. */
static void end_alone(xhprof_recording *recording, const char *ended_by)
{
	xhprof_auto_end(ended_by);
	recording->ended = true;
	memcpy(recording->saved, XHPROF_G(automatic).saved, sizeof(recording->saved));
	XHPROF_G(recording).alone = NULL;
}

/* Makes the recording that is the automatic profile one of many. False if that is not possible. */
static bool set_apart(xhprof_recording *recording)
{
	if (!xhprof_auto_running() || XHPROF_G(session).locked) {
		return false;
	}
	xhprof_termination_hold();
	bool is_run = XHPROF_G(automatic).mode != XHPROF_RUN_AGGREGATE;
	bool may = (!is_run || xhprof_session_part_possible()) && take_facts(recording);
	if (may && is_run) {
		may = (recording->part = xhprof_session_part_begin()) != NULL;
	} else if (may) {
		may = (recording->job = xhprof_aggregate_make_job()) != NULL;
	}
	if (may) {
		recording->apart = true;
		XHPROF_G(recording).apart++;
		own_job(recording);
		XHPROF_G(recording).alone = NULL;
		XHPROF_G(automatic).running = false;
	} else {
		free_facts(recording);
	}
	xhprof_termination_let_go();
	return may;
}

/* Drops what was begun for a recording that cannot go on, without memory. */
static void drop_apart(xhprof_recording *recording)
{
	if (recording->job) {
		recording->job->owner = recording;
		xhprof_aggregate_end_job(recording->job, NULL, xhprof_heap_peak(), NULL);
	}
	if (recording->part && xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_G(session).state)) {
		xhprof_session_forget(false);
	}
}

/* Begins a recording beside others. */
static xhprof_recording *begin_apart(const xhprof_auto_start *start)
{
	const void *fiber = EG(current_fiber_context);
	xhprof_recording *recording = add_recording();
	if (!recording) {
		return NULL;
	}
	xhprof_recording_switch(NULL, XHPROF_RECORDING_BETWEEN, fiber, fiber);
	turn_peak(NULL, recording);
	xhprof_termination_hold();
	xhprof_auto_apart apart = {.job = NULL};
	bool begun = xhprof_auto_begin_apart(start, &apart);
	if (begun) {
		recording->apart = true;
		XHPROF_G(recording).apart++;
		recording->part = apart.part;
		recording->job = apart.job;
		begun = take_facts(recording);
	}
	if (begun) {
		own_job(recording);
		XHPROF_G(recording).now = recording;
	} else {
		turn_peak(NULL, NULL);
		drop_apart(recording);
		remove_recording(recording);
		recording = NULL;
	}
	xhprof_termination_let_go();
	return recording;
}

xhprof_recording *xhprof_recording_begin(const xhprof_auto_start *start)
{
	xhprof_recording *alone = XHPROF_G(recording).alone;
	if (alone && !set_apart(alone)) {
		end_alone(alone, "span of another fiber");
	}
	if (XHPROF_G(recording).apart) {
		return begin_apart(start);
	}
	xhprof_recording *recording = add_recording();
	if (recording) {
		turn_peak(NULL, recording);
	}
	if (recording && !xhprof_auto_begin(start)) {
		turn_peak(NULL, NULL);
		remove_recording(recording);
		return NULL;
	}
	XHPROF_G(recording).alone = XHPROF_G(recording).now = recording;
	return recording;
}

/* Notes what has happened until a recording is left, and what happens before it goes on: that is not its own. */
static void move_outcome(xhprof_recording *before, xhprof_recording *after)
{
	const xhprof_outcome_left now = xhprof_outcome_leave();
	if (before) {
		before->left = now;
	}
	if (after && after->apart && !xhprof_outcome_same(&after->left, &now)) {
		xhprof_outcome_go_on(&after->begin, &after->left, &now);
		if (after->job) {
			xhprof_outcome_go_on(&after->job->begin, &after->left, &now);
		}
	}
}

bool xhprof_recording_switch(xhprof_recording *recording, xhprof_recording_none none, const void *from, const void *to)
{
	xhprof_recording *now = XHPROF_G(recording).now, *alone = XHPROF_G(recording).alone;
	recording = recording && recording->ended ? NULL : recording;
	if (recording == now && (now || XHPROF_G(recording).none == (int)none)) {
		return false;
	}
	if (alone && recording != alone && !set_apart(alone)) {
		XHPROF_G(automatic).other_fibers += xhprof_auto_running();
		return false; /* what comes is in its profile, which says so */
	}
	xhprof_termination_hold();
	move_outcome(now, recording);
	turn_peak(now, recording);
	XHPROF_G(recording).now = recording;
	XHPROF_G(recording).none = (int)none;
	xhprof_aggregate_switch_job(recording ? recording->job : NULL, !recording && none == XHPROF_RECORDING_BETWEEN);
	bool moved = xhprof_session_part_switch(recording ? recording->part : NULL, from, to);
	xhprof_termination_let_go();
	return moved;
}

/* Notes that a recording that is apart has ended, before its span. */
static void close_apart(xhprof_recording *recording)
{
	recording->part = NULL;
	recording->job = NULL;
	recording->ended = true;
	free_facts(recording);
	end_turn(recording);
	XHPROF_G(recording).none = XHPROF_RECORDING_IGNORED;
	XHPROF_G(recording).apart--;
	if (!XHPROF_G(recording).apart) {
		xhprof_auto_take_request_back();
	}
}

/* Ends a recording that is apart. */
static void end_apart(xhprof_recording *recording, const char *ended_by, bool at_rest)
{
	const void *fiber = EG(current_fiber_context);
	size_t peak = recording == XHPROF_G(recording).now ? xhprof_heap_peak_of_turn() : recording->peak;
	if (recording->job) {
		put_facts(recording);
		xhprof_auto_end_job(recording->job, ended_by, peak, at_rest);
	} else {
		const xhprof_outcome begin = recording->begin; /* what others have done ends it, too */
		xhprof_recording_switch(recording, XHPROF_RECORDING_BETWEEN, fiber, fiber);
		recording->begin = begin;
		put_facts(recording);
		XHPROF_G(request_info)->run.suspended_us = xhprof_session_part_suspended(recording->part) / 1000;
		xhprof_auto_end_part(ended_by, peak, at_rest);
		memcpy(recording->saved, XHPROF_G(automatic).saved, sizeof(recording->saved));
	}
	close_apart(recording);
}

const char *xhprof_recording_run_id(void)
{
	xhprof_recording *now = XHPROF_G(recording).now;
	if (now && now->apart) {
		if (now->ended || !now->part) {
			return NULL;
		}
		xhprof_run_identity_own(&now->facts.run_of);
		return now->facts.run_of.id;
	}
	if (!xhprof_auto_running() || XHPROF_G(automatic).mode == XHPROF_RUN_AGGREGATE) {
		return NULL;
	}
	if (XHPROF_G(automatic).ordered && XHPROF_G(request_info)->pid != xhprof_process_id()) {
		return NULL; /* the run that was ordered is not that of a forked child */
	}
	xhprof_run_identity_own(&XHPROF_G(request_info)->run_of);
	return xhprof_request_info_show_id();
}

bool xhprof_recording_drop(void)
{
	const void *fiber = EG(current_fiber_context);
	xhprof_recording *now = XHPROF_G(recording).now;
	if (!now || !now->apart || now->ended || XHPROF_G(session).locked) {
		return false;
	}
	xhprof_termination_hold();
	if (now->job) {
		xhprof_aggregate_drop_job(now->job);
	} else if (xhprof_session_stop(XHPROF_BY_SETTINGS, XHPROF_G(session).state)) {
		xhprof_session_forget(false);
	}
	close_apart(now);
	XHPROF_G(recording).none = XHPROF_RECORDING_BETWEEN; /* as after any end, until the next turn */
	xhprof_recording_switch(NULL, XHPROF_RECORDING_IGNORED, fiber, fiber);
	xhprof_termination_let_go();
	return true;
}

const char *xhprof_recording_end(xhprof_recording *recording, const char *ended_by)
{
	if (recording == XHPROF_G(recording).alone) {
		end_alone(recording, ended_by);
	} else if (!recording->ended) {
		xhprof_termination_hold();
		end_apart(recording, ended_by, false);
		xhprof_termination_let_go();
	}
	memcpy(XHPROF_G(recording).saved, recording->saved, sizeof(recording->saved));
	remove_recording(recording);
	return *XHPROF_G(recording).saved ? XHPROF_G(recording).saved : NULL;
}

/* Ends all recordings, of which xhprof_recording_end() gives the id later. */
static void end_all(const char *ended_by, bool at_rest)
{
	for (xhprof_recording *recording = XHPROF_G(recording).first; recording; recording = recording->next) {
		if (recording->apart && !recording->ended) {
			end_apart(recording, ended_by, at_rest);
		}
	}
}

/* Makes room for a profile that the program starts: recordings of runs end, those of windows go on without samples until
 * xhprof_auto_go_on(). */
static void yield(const char *function)
{
	xhprof_recording *alone = XHPROF_G(recording).alone;
	if (alone && XHPROF_G(automatic).mode == XHPROF_RUN_AGGREGATE) {
		set_apart(alone);
	}
	for (xhprof_recording *recording = XHPROF_G(recording).first; recording; recording = recording->next) {
		if (recording->part && !recording->ended) {
			xhprof_termination_hold();
			end_apart(recording, function, false);
			xhprof_termination_let_go();
		}
	}
	xhprof_aggregate_halt_jobs();
}

bool xhprof_recording_set_route(const char *name, size_t length)
{
	xhprof_recording *now = XHPROF_G(recording).now;
	if (!now || !now->apart || now->ended || xhprof_open_request_now()) {
		return false;
	}
	now->route = now->route ? now->route : xhprof_pool_take(&XHPROF_G(recording).pool, XHPROF_ROUTE_MAX + 1);
	if (now->route) {
		xhprof_url_route_given(now->route, name, length);
	}
	return true;
}

void xhprof_recording_set_worker(uint64_t span)
{
	xhprof_recording *now = XHPROF_G(recording).now;
	XHPROF_G(request_info)->worker = span;
	if (now) {
		now->facts.worker = span;
	}
}

uint64_t xhprof_recording_worker(void)
{
	const xhprof_recording *now = XHPROF_G(recording).now;
	return now && !now->ended ? now->facts.worker : 0;
}

void xhprof_recording_minit(void)
{
	xhprof_aggregate_name_jobs_by(name_job);
	xhprof_auto_minit(&(xhprof_auto_beside){yield, end_all});
}

void xhprof_recording_rshutdown(void)
{
	while (XHPROF_G(recording).first) {
		remove_recording(XHPROF_G(recording).first);
	}
	XHPROF_G(recording).alone = XHPROF_G(recording).now = NULL;
	XHPROF_G(recording).count = XHPROF_G(recording).apart = 0;
	XHPROF_G(recording).none = XHPROF_RECORDING_BETWEEN;
}

void xhprof_recording_gshutdown(zend_xhprof_globals *globals)
{
	globals->recording.first = NULL;
	globals->recording.count = 0;
	xhprof_pool_release(&globals->recording.pool);
}
