#include "request_facts.h"

#include "request_trigger.h"
#include "termination.h"

#include "export/run_directory.h"
#include "export/run_facts.h"

#include "SAPI.h"

static void put(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text ? text : "");
}

static void copy_variable(const char *name, char *to, size_t size)
{
	const zend_string *value = xhprof_request_variable(TRACK_VARS_SERVER, name);
	put(to, size, value ? ZSTR_VAL(value) : "");
}

/* If the server can be queried for one variable, $_SERVER is not made before the program uses it. */
static void take_server_variables(char *host, size_t host_size, char *url, size_t url_size)
{
	if (sapi_module.getenv) {
		xhprof_request_environment("HTTP_HOST", host, host_size);
		xhprof_request_environment("REQUEST_URI", url, url_size);
	} else {
		zend_is_auto_global_str(ZEND_STRL("_SERVER"));
		copy_variable("HTTP_HOST", host, host_size);
		copy_variable("REQUEST_URI", url, url_size);
	}
}

static void take_web_request(xhprof_request_facts *facts, char *scratch, size_t size)
{
	take_server_variables(facts->host, sizeof(facts->host), scratch, size);
	put(facts->method, sizeof(facts->method), SG(request_info).request_method);
	if (!*scratch) {
		put(scratch, size, SG(request_info).request_uri);
	}
	xhprof_run_url(facts->url, sizeof(facts->url), scratch);
	xhprof_route_of_url(facts->of_request, facts->method, facts->url);
}

static void take_command(xhprof_request_facts *facts)
{
	const char *script = SG(request_info).path_translated;
	xhprof_run_command(facts->command, sizeof(facts->command));
	if (script) {
		xhprof_route_of_script(facts->of_request, script);
	}
}

static bool take_request(xhprof_request_facts *facts)
{
	const size_t size = sizeof(facts->url);
	char *scratch = xhprof_pages_map(size);
	if (!scratch) {
		return false;
	}
	if (SG(request_info).request_method) {
		take_web_request(facts, scratch, size);
	} else if (SG(request_info).argc > 0) {
		take_command(facts);
	}
	if (!*facts->host && gethostname(facts->host, sizeof(facts->host)) == 0) {
		facts->host[sizeof(facts->host) - 1] = '\0';
	}
	xhprof_pages_unmap(scratch, size);
	facts->known = true;
	return true;
}

static void take_folder(xhprof_request_facts *facts)
{
	int error;
	const char *named = xhprof_run_directory(facts->directory);
	bool is_own = named == facts->directory;
	put(facts->named, sizeof(facts->named), named);
	facts->refusal = xhprof_run_directory_open(facts->named, is_own, facts->directory, &error);
	if (facts->refusal) {
		*facts->directory = '\0';
	}
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

bool xhprof_request_facts_know(void)
{
	xhprof_request_facts *facts = XHPROF_G(facts);
	if (!facts) {
		facts = XHPROF_G(facts) = xhprof_pages_map(sizeof(*facts));
	}
	return facts && (facts->known || take_request(facts));
}

bool xhprof_request_facts_take(const char *name, size_t name_length)
{
	if (!xhprof_request_facts_know()) {
		return false;
	}
	xhprof_request_facts *facts = XHPROF_G(facts);
	if (!facts->revision_known) {
		xhprof_run_git(SG(request_info).path_translated, facts->git);
		facts->revision_known = true;
	}
	take_folder(facts);
	put(facts->source, sizeof(facts->source), XHPROF_G(ini).source);
	xhprof_run_make_id(facts->id);
	*facts->parent = *facts->name = '\0';
	memset(&facts->run, 0, sizeof(facts->run));
	if (name) {
		size_t kept = xhprof_route_of_name(facts->name, name, name_length);
		for (size_t i = 0; i < kept; i++) {
			facts->name[i] = facts->name[i] ? facts->name[i] : ' ';
		}
	}
	facts->run.name = or_null(facts->name);
	facts->run.route = name ? facts->run.name : or_null(facts->of_request);
	facts->run.method = or_null(facts->method);
	facts->run.url = or_null(facts->url);
	facts->run.host = or_null(facts->host);
	facts->run.command = or_null(facts->command);
	facts->run.git = or_null(facts->git);
	facts->pid = getpid();
	facts->started_ns = xhprof_clock_monotonic_ns();
	return true;
}

void xhprof_request_facts_redirect(const char *directory, const char *source)
{
	xhprof_request_facts *facts = XHPROF_G(facts);
	put(facts->named, sizeof(facts->named), directory);
	put(facts->directory, sizeof(facts->directory), directory);
	put(facts->source, sizeof(facts->source), source);
	facts->refusal = NULL;
}

static void release_meta(xhprof_request_facts *facts)
{
	xhprof_pages_unmap(facts->user_meta, facts->user_meta_size);
	facts->user_meta = NULL;
	facts->user_meta_size = 0;
}

bool xhprof_request_facts_keep_meta(const char *json, size_t length)
{
	xhprof_request_facts *facts = XHPROF_G(facts);
	release_meta(facts);
	facts->user_meta = xhprof_pages_map(length);
	if (!facts->user_meta) {
		return false;
	}
	memcpy(facts->user_meta, json, length);
	facts->user_meta_size = length;
	facts->run.user_meta = facts->user_meta;
	facts->run.user_meta_length = length;
	return true;
}

void xhprof_request_facts_end(void)
{
	xhprof_request_facts *facts = XHPROF_G(facts);
	/* A request that a signal ended has not answered, whatever status was set. */
	if (*facts->method && (SG(headers_sent) || !xhprof_termination_came())) {
		facts->run.status = SG(sapi_headers).http_response_code ? SG(sapi_headers).http_response_code : 200;
	}
	if (facts->pid != getpid()) {
		memcpy(facts->parent, facts->id, sizeof(facts->parent));
		facts->run.parent = facts->parent;
		unsigned char id[XHPROF_RUN_ID_LENGTH / 2];
		xhprof_run_make_id_bytes(id);
		xhprof_run_id_text(id, facts->id);
	}
}

void xhprof_request_facts_release(void)
{
	xhprof_request_facts *facts = XHPROF_G(facts);
	if (facts) {
		release_meta(facts);
		xhprof_pages_unmap(facts, sizeof(*facts));
		XHPROF_G(facts) = NULL;
	}
}
