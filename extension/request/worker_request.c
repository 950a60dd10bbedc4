#include "worker_request.h"

#include "auto_profile.h"
#include "framework_route.h"
#include "given_request.h"
#include "open_request.h"
#include "open_span.h"
#include "recording.h"
#include "request_info.h"
#include "span.h"

#include "base/arena.h"
#include "base/text.h"
#include "export/run_info.h"
#include "hook/outcome.h"
#include "hook/session.h"

/* Returns whether a request that begins now gets a span: not within another one, as a fiber of that is, and not while the
 * program profiles itself. */
static bool may_begin(void)
{
	return XHPROF_G(worker).on && !XHPROF_G(session).over && !EG(exception) && !xhprof_span_is_open() &&
		   !xhprof_open_request_now() && !xhprof_session_is_owned_by(XHPROF_BY_PROGRAM) && !XHPROF_G(session).locked &&
		   xhprof_open_request_reserve();
}

/* Begins the span of a request or job. */
static xhprof_open_request *begin_span(const char *name, size_t length)
{
	bool profiled;
	zend_string *text = zend_string_init(name, length, false);
	uint64_t span = xhprof_span_begin(NULL, text, NULL, true, &profiled);
	zend_string_release(text);
	xhprof_open_request *request = span ? xhprof_open_request_add(span) : NULL;
	if (request && profiled) {
		xhprof_recording_set_worker(span);
	}
	return request;
}

/* Puts the name of a request for a timeline, and until its route is known. */
static size_t name_request(char *to, const char *method, const char *url)
{
	char path[2048], shown[2048];
	size_t length = strcspn(url, "?#");
	length = length < sizeof(path) ? length : sizeof(path) - 1;
	memcpy(path, url, length);
	path[length] = '\0';
	xhprof_run_url(shown, sizeof(shown), path);
	return xhprof_route_of_page(to, method, "", shown);
}

static xhprof_open_request *begin_request(const xhprof_given_request *given)
{
	char name[XHPROF_ROUTE_MAX + 1];
	const char *method = given ? given->method : SG(request_info).request_method;
	const char *url = given ? given->url : SG(request_info).request_uri;
	size_t length = name_request(name, method ? method : "", url ? url : "/");
	XHPROF_G(worker).beginning = given;
	XHPROF_G(worker).begins = true;
	xhprof_open_request *request = begin_span(name, length);
	XHPROF_G(worker).beginning = NULL;
	XHPROF_G(worker).begins = false;
	if (!request) {
		return NULL;
	}
	const xhprof_request_info *info = XHPROF_G(request_info);
	xhprof_text_copy(request->method, sizeof(request->method), method);
	if (info && info->worker == request->span) {
		xhprof_text_copy(request->host, sizeof(request->host), info->route_host);
		request->by_pattern = info->by_pattern;
	}
	request->of_server = !given;
	if (!given) {
		xhprof_auto_show_run_id();
	}
	return request;
}

static xhprof_given_request *read_given(const zend_object *object)
{
	if (!XHPROF_G(worker).given) {
		XHPROF_G(worker).given = xhprof_pages_map(sizeof(*XHPROF_G(worker).given));
	}
	xhprof_given_request *given = XHPROF_G(worker).given;
	bool read = given && (object ? xhprof_given_request_read(object, given) : xhprof_given_request_read_globals(given));
	return read ? given : NULL;
}

uint64_t xhprof_worker_request_begin(const zend_object *object)
{
	if (!may_begin()) {
		return 0;
	}
	xhprof_given_request *given = NULL;
	if (object || !SG(request_info).request_method) {
		given = read_given(object);
		if (!given) {
			return 0;
		}
	}
	const xhprof_open_request *request = begin_request(given);
	return request ? request->span : 0;
}

uint64_t xhprof_worker_request_begin_job(const char *name, size_t length, const zend_object *message)
{
	xhprof_open_request *request = may_begin() ? begin_span(name, length) : NULL;
	if (!request) {
		return 0;
	}
	request->message = message;
	return request->span;
}

void xhprof_worker_request_take(const zend_object *object)
{
	uint64_t span = xhprof_worker_request_begin(object);
	xhprof_open_request *request = xhprof_open_request_of(span);
	if (request) {
		request->lasts = true;
	}
}

void xhprof_worker_request_end(uint64_t span, const char *ended_by)
{
	xhprof_open_request *request = xhprof_open_request_of(span);
	if (!request) {
		return;
	}
	request->failed |= ended_by && strcmp(ended_by, "exception") == 0;
	int status = request->status ? request->status : XHPROF_STATUS_NONE;
	xhprof_outcome_own(request->of_server ? XHPROF_STATUS_OF_SERVER : status, request->failed);
	xhprof_span_end_by(span, ended_by);
	xhprof_outcome_own(XHPROF_STATUS_OF_SERVER, false);
	xhprof_open_request_remove(span);
}

bool xhprof_worker_request_is_between(void)
{
	return XHPROF_G(worker).any && !xhprof_open_span_here();
}

bool xhprof_worker_request_runs(void)
{
	const xhprof_open_request *request = xhprof_open_request_now();
	return request && xhprof_recording_worker() == request->span;
}

/* Returns a request, unless a call ends it. */
static xhprof_open_request *if_taken(xhprof_open_request *request)
{
	return request && request->lasts ? request : NULL;
}

void xhprof_worker_request_answers(void)
{
	xhprof_open_request *request = if_taken(xhprof_open_request_now());
	if (request) {
		request->answering++;
	}
}

void xhprof_worker_request_answered(bool ends)
{
	xhprof_open_request *request = if_taken(xhprof_open_request_now());
	if (request && request->answering && --request->answering == 0 && ends) {
		xhprof_worker_request_end(request->span, NULL);
	}
}

void xhprof_worker_request_next(void)
{
	const xhprof_open_request *request = if_taken(xhprof_open_request_here());
	if (request) {
		xhprof_worker_request_end(request->span, "next request");
	}
}

void xhprof_worker_request_status(int status)
{
	xhprof_open_request *request = xhprof_open_request_now();
	if (request && *request->method && status >= 200) { /* those before are not the answer */
		request->status = status;
	}
}

void xhprof_worker_request_failed(void)
{
	xhprof_open_request *request = xhprof_open_request_now();
	if (request) {
		request->failed = true;
	}
}

void xhprof_worker_request_job_failed(const zend_object *message)
{
	xhprof_open_request *request = xhprof_open_request_here();
	if (request && message && request->message == message) {
		request->failed = true;
	}
}

void xhprof_worker_request_routed(const zend_object *chosen)
{
	char name[XHPROF_ROUTE_MAX + 1];
	xhprof_open_request *request = xhprof_open_request_now();
	if (request && *request->method && XHPROF_G(ini).framework_routes && xhprof_framework_route_chosen(chosen, name)) {
		xhprof_open_request_name(request, XHPROF_ROUTE_BY_ROUTER, name);
	}
}

/* Ends the requests of a fiber that is destroyed, before their spans end with it. */
static void fiber_destroyed(zend_fiber_context *fiber)
{
	const xhprof_open_request *request;
	while (XHPROF_G(worker).count && (request = xhprof_open_request_in(fiber))) {
		xhprof_worker_request_end(request->span, "fiber");
	}
}

void xhprof_worker_request_minit(void)
{
	zend_observer_fiber_destroy_register(fiber_destroyed);
}

/* Returns whether more requests may come within this one. A server that has begun one itself is none, but FrankenPHP. */
static bool may_be_worker(void)
{
	return !SG(request_info).request_method ||
		   zend_hash_str_exists(CG(function_table), ZEND_STRL("frankenphp_handle_request"));
}

void xhprof_worker_request_rinit(void)
{
	XHPROF_G(worker).on = XHPROF_G(ini).workers && xhprof_span_may_begin() && may_be_worker();
	XHPROF_G(worker).count = 0; /* a bailout may have skipped their end */
	XHPROF_G(worker).beginning = NULL;
	XHPROF_G(worker).begins = XHPROF_G(worker).any = false;
	xhprof_outcome_own(XHPROF_STATUS_OF_SERVER, false);
}

void xhprof_worker_request_rshutdown(void)
{
	const xhprof_open_request *request;
	while ((request = xhprof_open_request_last())) {
		xhprof_worker_request_end(request->span, "shutdown");
	}
	XHPROF_G(worker).on = false;
}

void xhprof_worker_request_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_open_request_gshutdown(globals);
	xhprof_pages_unmap(globals->worker.given, sizeof(*globals->worker.given));
	globals->worker.given = NULL;
}
