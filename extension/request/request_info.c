#include "request_info.h"

#include "given_request.h"
#include "open_request.h"
#include "request_trigger.h"
#include "url_route.h"

#include "base/process.h"
#include "base/text.h"
#include "export/run_directory.h"
#include "export/run_info.h"
#include "hook/code_context.h"
#include "hook/fork_watch.h"
#include "hook/termination.h"

#include "SAPI.h"

/* The time for which a revision is not read again: a deployment is seen this much later. */
#define REVISION_NS UINT64_C(1000000000)

static void copy_variable(const char *name, char *to, size_t size)
{
	const zend_string *value = xhprof_request_variable(TRACK_VARS_SERVER, name);
	xhprof_text_copy(to, size, value ? ZSTR_VAL(value) : "");
}

/* Copies a variable of the server. If the server can be queried for one variable, $_SERVER is not made before the
 * program uses it. */
static void take_server_variable(const char *name, char *to, size_t size)
{
	if (sapi_module.getenv) {
		xhprof_request_server_variable(name, to, size);
	} else {
		zend_is_auto_global_str(ZEND_STRL("_SERVER"));
		copy_variable(name, to, size);
	}
}

/* Copies the host of the route, only where a setting wants it. */
static void take_route_host(xhprof_request_info *info)
{
	*info->route_host = '\0';
	switch (XHPROF_G(ini).route_host) {
		case XHPROF_ROUTE_HOST_ASKED:
			memcpy(info->route_host, info->host, sizeof(info->route_host));
			break;
		case XHPROF_ROUTE_HOST_OF_SERVER:
			take_server_variable("SERVER_NAME", info->route_host, sizeof(info->route_host));
			break;
	}
}

static void forget_whole_url(xhprof_request_info *info)
{
	memset(info->whole_url, 0, strlen(info->whole_url)); /* it may have secrets */
}

/* Takes the path of the URL. The query has most of what may be secret, and most requests are over without being saved.
 * So it is examined when somebody wants it; until then `url` is the path. Not where patterns see it, and where the path
 * may have a password, which the query may be the end of. Returns the text with the parameters. */
static const char *take_path(xhprof_request_info *info)
{
	char *url = info->whole_url, *query = url + strcspn(url, "?#"), first = *query;
	bool apart = first && !strstr(url, "//") && !xhprof_url_route_has_patterns();
	*query = apart ? '\0' : first;
	xhprof_run_url(info->url, sizeof(info->url), url);
	*query = first;
	if (!apart) {
		forget_whole_url(info);
	}
	return apart ? query : info->url;
}

const char *xhprof_request_info_url(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	if (*info->whole_url) {
		xhprof_run_url(info->url, sizeof(info->url), info->whole_url);
		forget_whole_url(info);
	}
	return info->url;
}

static void take_given(xhprof_request_info *info, const xhprof_given_request *given)
{
	xhprof_text_copy(info->host, sizeof(info->host), given->host);
	xhprof_text_copy(info->whole_url, sizeof(info->whole_url), given->url);
	xhprof_trace_context(given->traceparent, info->trace_id, info->span_id);
	xhprof_text_copy(info->method, sizeof(info->method), given->method);
}

static void take_servers(xhprof_request_info *info)
{
	char traceparent[256], *whole = info->whole_url;
	const size_t size = sizeof(info->whole_url);
	take_server_variable("HTTP_HOST", info->host, sizeof(info->host));
	take_server_variable("REQUEST_URI", whole, size);
	take_server_variable("HTTP_TRACEPARENT", traceparent, sizeof(traceparent));
	xhprof_trace_context(traceparent, info->trace_id, info->span_id);
	xhprof_text_copy(info->method, sizeof(info->method), SG(request_info).request_method);
	if (!*whole) {
		xhprof_text_copy(whole, size, SG(request_info).request_uri);
	}
}

static void take_web_request(xhprof_request_info *info, const xhprof_given_request *given)
{
	if (given) {
		take_given(info, given);
	} else {
		take_servers(info);
	}
	const char *query = take_path(info);
	take_route_host(info);
	info->by_pattern = xhprof_url_route(info->request_route, info->method, info->route_host, info->url, query);
}

static void take_command(xhprof_request_info *info)
{
	const char *script = SG(request_info).path_translated;
	xhprof_trace_context(getenv("TRACEPARENT"), info->trace_id, info->span_id); /* as OpenTelemetry names it */
	xhprof_run_command(info->command, sizeof(info->command));
	if (script) {
		xhprof_route_of_script(info->request_route, script);
	}
}

static void take_request(xhprof_request_info *info)
{
	*info->method = *info->host = *info->request_route = *info->url = *info->trace_id = *info->span_id = '\0';
	info->by_pattern = false;
	const xhprof_given_request *given = xhprof_given_request_now();
	info->given = given;
	*info->command = given ? *info->command : '\0'; /* of the program, which may be aside */
	if (given || SG(request_info).request_method) {
		take_web_request(info, given);
	} else if (SG(request_info).argc > 0) {
		take_command(info);
	}
	if (!*info->host && gethostname(info->host, sizeof(info->host)) == 0) {
		info->host[sizeof(info->host) - 1] = '\0';
	}
	xhprof_code_context_of_request(info->trace_id, info->span_id);
	info->known = true;
}

static void take_revision(xhprof_request_info *info)
{
	const char *script = SG(request_info).path_translated;
	uint64_t now = xhprof_clock_monotonic_ns();
	if (script && info->revision_ns && now - info->revision_ns < REVISION_NS && strcmp(script, info->script) == 0) {
		return;
	}
	xhprof_run_git(script, info->git);
	xhprof_text_copy(info->script, sizeof(info->script), script);
	info->revision_ns = script && strlen(script) < sizeof(info->script) ? now : 0;
}

/* Takes the folder of runs. An absolute name is that of the same folder in each request, but where open_basedir has a
 * say. */
static void take_folder(xhprof_request_info *info)
{
	int error;
	char *own = info->own; /* not on the stack, which is small in fibers */
	const char *named = xhprof_run_directory(own);
	bool restricted = PG(open_basedir) && *PG(open_basedir);
	info->own_folder = named == own;
	if (info->folder_stays && !restricted && strcmp(named, info->named) == 0) {
		return;
	}
	xhprof_text_copy(info->named, sizeof(info->named), named);
	info->refusal = xhprof_run_directory_expand(info->named, info->directory, &error);
	if (info->refusal) {
		*info->directory = '\0';
	}
	info->folder_stays = !info->refusal && *named == '/';
}

/* Reuses the id of the last run if it was neither saved nor shown, which saves a system call. */
static void take_id(xhprof_request_info *info)
{
	if (*info->unseen_id && info->pid == xhprof_process_id()) {
		memcpy(info->run_of.id, info->unseen_id, sizeof(info->run_of.id));
	} else {
		xhprof_run_make_id(info->run_of.id);
		memcpy(info->unseen_id, info->run_of.id, sizeof(info->run_of.id));
	}
	*info->run_of.parent = '\0';
	info->run_of.pid = xhprof_process_id();
}

void xhprof_run_identity_own(xhprof_run_identity *run_of)
{
	if (run_of->pid != xhprof_process_id()) {
		memcpy(run_of->parent, run_of->id, sizeof(run_of->parent));
		xhprof_run_make_id(run_of->id);
		run_of->pid = xhprof_process_id();
	}
}

const char *xhprof_request_info_show_id(void)
{
	*XHPROF_G(request_info)->unseen_id = '\0';
	return XHPROF_G(request_info)->run_of.id;
}

/* Marks the id as shown, so that it stays this request's: the child's run names its parent's. */
static void parent_has_forked(void)
{
	if (XHPROF_G(request_info)) {
		xhprof_request_info_show_id();
	}
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

bool xhprof_request_info_begin(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	if (!info) {
		static xhprof_fork_watcher forks = {.in_parent = parent_has_forked};
		xhprof_fork_watch(&forks);
		info = XHPROF_G(request_info) = xhprof_pages_map(sizeof(*info));
	}
	if (info && !info->known) {
		take_request(info);
	}
	return info != NULL;
}

/* Forgets what is known of the request. Worker modes of servers (FrankenPHP) handle many requests between RINIT and
 * RSHUTDOWN, with a span for each. */
static void forget_request(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	if (info && (SG(request_info).request_method || info->given || xhprof_given_request_now())) {
		info->known = false;
	}
}

/* Describes the request, or the job, of which the profile is. */
static void describe(xhprof_request_info *info, bool is_job)
{
	memset(&info->run, 0, sizeof(info->run));
	info->run.name = or_null(info->name);
	info->run.route = is_job ? info->run.name : or_null(info->request_route);
	info->run.method = or_null(info->method);
	info->run.url = or_null(info->url);
	info->run.host = or_null(info->host);
	info->run.command = info->given ? NULL : or_null(info->command);
	info->run.trace_id = or_null(info->trace_id);
	info->run.span_id = or_null(info->span_id);
}

bool xhprof_request_info_begin_run(const char *name, size_t name_length, bool whole)
{
	if (name) {
		forget_request();
	}
	if (!xhprof_request_info_begin()) {
		return false;
	}
	xhprof_request_info *info = XHPROF_G(request_info);
	take_folder(info);
	xhprof_text_copy(info->source, sizeof(info->source), XHPROF_G(ini).source);
	*info->run_of.id = *info->run_of.parent = *info->name = '\0';
	info->run_of.pid = xhprof_process_id();
	info->worker = 0;
	if (whole) {
		take_revision(info);
		take_id(info);
	}
	if (name) {
		size_t kept = xhprof_route_of_name(info->name, name, name_length);
		for (size_t i = 0; i < kept; i++) {
			info->name[i] = info->name[i] ? info->name[i] : ' ';
		}
	}
	info->is_request = name && XHPROF_G(worker).begins;
	describe(info, name && !info->is_request);
	info->run.git = whole ? or_null(info->git) : NULL;
	info->pid = xhprof_process_id();
	info->started_ns = xhprof_clock_monotonic_ns();
	return true;
}

void xhprof_request_info_redirect(const char *directory, const char *source)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	xhprof_text_copy(info->named, sizeof(info->named), directory);
	xhprof_text_copy(info->directory, sizeof(info->directory), directory);
	xhprof_text_copy(info->source, sizeof(info->source), source);
	info->refusal = NULL;
	info->own_folder = info->folder_stays = false;
}

void xhprof_request_info_set_aside(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	if (!info->aside) {
		info->aside = true;
		info->run_aside = info->run;
		memcpy(info->route_aside, info->request_route, sizeof(info->route_aside));
		memcpy(info->host_aside, info->host, sizeof(info->host_aside));
		info->started_aside_ns = info->started_ns;
		info->pid_aside = info->pid;
	}
}

void xhprof_request_info_take_back(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	if (info->aside) {
		info->aside = false;
		info->run = info->run_aside;
		info->worker = 0;
		if (info->given) { /* what its texts were is no longer there */
			memcpy(info->request_route, info->route_aside, sizeof(info->request_route));
			memcpy(info->host, info->host_aside, sizeof(info->host));
			*info->method = *info->url = '\0';
			info->given = info->known = false;
		}
		info->started_ns = info->started_aside_ns;
		info->pid = info->pid_aside;
		*info->name = '\0';
		take_id(info);
	}
}

const char *xhprof_request_info_refusal(void)
{
	int error;
	xhprof_request_info *info = XHPROF_G(request_info);
	if (!info->refusal && info->own_folder) {
		xhprof_run_directory_now(info->named, true);
		xhprof_run_directory_now(info->directory, true);
		info->refusal = xhprof_run_directory_make(info->directory, &error);
		info->folder_stays = info->folder_stays && !info->refusal;
	}
	return info->refusal;
}

static void release_meta(xhprof_request_info *info)
{
	xhprof_pages_unmap(info->user_meta, info->user_meta_size);
	info->user_meta = NULL;
	info->user_meta_size = 0;
}

bool xhprof_request_info_keep_meta(const char *json, size_t length)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	release_meta(info);
	info->user_meta = xhprof_pages_map(length);
	if (!info->user_meta) {
		return false;
	}
	memcpy(info->user_meta, json, length);
	info->user_meta_size = length;
	info->run.user_meta = info->user_meta;
	info->run.user_meta_length = length;
	return true;
}

/* The texts of the facts of a worker's request, in this order, behind the name. */
static size_t request_texts(xhprof_request_info *info, char *texts[], size_t sizes[])
{
	char *all[] = {info->method,   info->host,    info->route_host, info->request_route,
				   info->trace_id, info->span_id, info->url};
	const size_t all_sizes[] = {
		sizeof(info->method),   sizeof(info->host),    sizeof(info->route_host), sizeof(info->request_route),
		sizeof(info->trace_id), sizeof(info->span_id), sizeof(info->url)};
	memcpy(texts, all, sizeof(all));
	memcpy(sizes, all_sizes, sizeof(all_sizes));
	return info->is_request ? XHPROF_REQUEST_TEXTS : 0;
}

bool xhprof_request_info_take_out(xhprof_request_facts *facts, xhprof_pool *pool)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	char *texts[XHPROF_REQUEST_TEXTS];
	size_t sizes[XHPROF_REQUEST_TEXTS], size = strlen(info->name) + 1;
	size_t meta = info->run.user_meta ? info->run.user_meta_length : 0, count = request_texts(info, texts, sizes);
	if (!*info->run_of.id) { /* it will be no run: nothing shows its URL */
		*info->url = '\0';
	}
	xhprof_request_info_url();
	for (size_t i = 0; i < count; i++) {
		size += strlen(texts[i]) + 1;
	}
	char *text = xhprof_pool_take(pool, size + meta), *to = text;
	if (!text) {
		return false;
	}
	to = stpcpy(to, info->name) + 1;
	for (size_t i = 0; i < count; i++) {
		to = stpcpy(to, texts[i]) + 1;
	}
	if (meta) {
		memcpy(to, info->run.user_meta, meta);
	}
	*facts = (xhprof_request_facts){
		.text = text,
		.size = size + meta,
		.meta_length = meta,
		.is_request = info->is_request,
		.given = info->given,
		.worker = info->worker,
		.pid = info->pid,
		.started_ns = info->started_ns,
		.start = info->run.start,
		.mode = info->run.mode,
		.sample_rate = info->run.sample_rate,
	};
	facts->run_of = info->run_of;
	if (*info->run_of.id) {
		xhprof_request_info_show_id(); /* no other one gets it */
	}
	return true;
}

const char *xhprof_request_facts_route(const xhprof_request_facts *facts)
{
	const char *text = facts->text;
	for (int i = 0; facts->is_request && i < XHPROF_REQUEST_ROUTE; i++) {
		text += strlen(text) + 1;
	}
	return text;
}

void xhprof_request_info_put_back(const xhprof_request_facts *facts)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	char *texts[XHPROF_REQUEST_TEXTS];
	size_t sizes[XHPROF_REQUEST_TEXTS];
	const char *from = facts->text + strlen(facts->text) + 1;
	info->is_request = facts->is_request;
	size_t count = request_texts(info, texts, sizes);
	forget_whole_url(info);
	for (size_t i = 0; i < count; i++) {
		xhprof_text_copy(texts[i], sizes[i], from);
		from += strlen(from) + 1;
	}
	info->given = facts->given;
	info->worker = facts->worker;
	xhprof_text_copy(info->name, sizeof(info->name), facts->text);
	info->run_of = facts->run_of;
	describe(info, !info->is_request);
	info->run.git = *info->run_of.id ? or_null(info->git) : NULL;
	info->run.start = facts->start;
	info->run.mode = facts->mode;
	info->run.sample_rate = facts->sample_rate;
	if (facts->meta_length) {
		info->run.user_meta = from;
		info->run.user_meta_length = facts->meta_length;
	}
	info->pid = facts->pid;
	info->started_ns = facts->started_ns;
}

void xhprof_request_info_end_run(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	/* A request that a signal ended has not answered, whatever status was set. */
	const xhprof_open_request *request = xhprof_open_request_of(info->worker);
	if (request && !request->of_server) {
		info->run.status = request->status;
	} else if (*info->method && (SG(headers_sent) || !xhprof_termination_is_pending())) {
		info->run.status = SG(sapi_headers).http_response_code ? SG(sapi_headers).http_response_code : 200;
	}
	xhprof_request_info_url();
	xhprof_text_copy(info->release, sizeof(info->release), XHPROF_G(ini).release);
	info->run.release = info->release;
	xhprof_run_identity_own(&info->run_of);
	info->run.parent = or_null(info->run_of.parent);
}

void xhprof_request_info_forget(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	if (info) {
		release_meta(info);
		forget_whole_url(info);
		info->known = info->aside = false;
	}
}

void xhprof_request_info_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_request_info *info = globals->request_info;
	if (info) {
		release_meta(info);
		xhprof_pages_unmap(info, sizeof(*info));
		globals->request_info = NULL;
	}
}
