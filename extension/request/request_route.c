#include "request_route.h"

#include "framework_route.h"
#include "open_request.h"
#include "request_info.h"
#include "url_route.h"

#include "aggregate/aggregate.h"

#include "SAPI.h"

static int (*send_headers_before)(sapi_headers_struct *headers);

void xhprof_request_route_forget(void)
{
	*XHPROF_G(route).set = *XHPROF_G(route).found = '\0';
}

void xhprof_request_route_rinit(void)
{
	xhprof_request_route_forget();
	XHPROF_G(route).aside = false;
}

void xhprof_request_route_set_aside(void)
{
	if (!XHPROF_G(route).aside) {
		XHPROF_G(route).aside = true;
		memcpy(XHPROF_G(route).set_aside, XHPROF_G(route).set, sizeof(XHPROF_G(route).set));
		memcpy(XHPROF_G(route).found_aside, XHPROF_G(route).found, sizeof(XHPROF_G(route).found));
	}
}

void xhprof_request_route_take_back(void)
{
	if (XHPROF_G(route).aside) {
		XHPROF_G(route).aside = false;
		memcpy(XHPROF_G(route).set, XHPROF_G(route).set_aside, sizeof(XHPROF_G(route).set));
		memcpy(XHPROF_G(route).found, XHPROF_G(route).found_aside, sizeof(XHPROF_G(route).found));
	}
}

void xhprof_request_route_set(const char *name, size_t length)
{
	char given[XHPROF_ROUTE_MAX + 1];
	xhprof_open_request *worker = xhprof_open_request_now();
	if (!worker) {
		xhprof_url_route_given(XHPROF_G(route).set, name, length);
		xhprof_aggregate_rename(XHPROF_G(route).set);
		return;
	}
	xhprof_url_route_given(given, name, length);
	xhprof_open_request_name(worker, XHPROF_ROUTE_BY_PROGRAM, given);
	if (XHPROF_G(request_info) && XHPROF_G(request_info)->worker == worker->span) {
		xhprof_aggregate_rename(worker->route);
	}
}

const char *xhprof_request_route_of_program(char to[XHPROF_ROUTE_MAX + 1])
{
	const xhprof_open_request *worker = xhprof_open_request_now();
	if (worker) {
		return xhprof_open_request_route(worker, to) ? to : NULL;
	}
	return *XHPROF_G(route).set ? XHPROF_G(route).set : NULL;
}

static void look_at_framework(void)
{
	if (XHPROF_G(ini).framework_routes && !*XHPROF_G(route).found && !*XHPROF_G(route).set) {
		xhprof_framework_route(XHPROF_G(route).found);
	}
}

/* Returns whether this is a request, not a job or a program, that no pattern has named. */
static bool is_unnamed(const xhprof_request_info *info)
{
	return info && !info->run.name && *info->method && !info->by_pattern;
}

void xhprof_request_route_end(bool at_rest)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	const char *found = XHPROF_G(route).found, *set = XHPROF_G(route).set;
	char *route = info->route;
	const xhprof_open_request *worker = xhprof_open_request_of(info->worker);
	if (worker) {
		info->run.route = xhprof_open_request_route(worker, route) ? route : info->run.route;
	} else if (*set) {
		xhprof_route_of_label(route, NULL, info->route_host, set, strlen(set));
		info->run.route = route;
	} else if (is_unnamed(info)) {
		if (!at_rest) {
			look_at_framework();
		}
		if (*found) {
			xhprof_route_of_label(route, info->method, info->route_host, found, strlen(found));
			info->run.route = route;
		} else if (SG(sapi_headers).http_response_code == 404) {
			xhprof_route_of_label(route, info->method, info->route_host, "(404)", 5);
			info->run.route = route;
		}
	}
}

void xhprof_request_route_now(char to[XHPROF_ROUTE_MAX + 1])
{
	const xhprof_request_info *info = XHPROF_G(request_info);
	const char *found = XHPROF_G(route).found, *set = XHPROF_G(route).set;
	if (*set) {
		xhprof_route_of_label(to, NULL, info->route_host, set, strlen(set));
	} else if (*found && *info->method && !info->by_pattern) {
		xhprof_route_of_label(to, info->method, info->route_host, found, strlen(found));
	} else {
		memcpy(to, info->request_route, sizeof(info->request_route));
	}
}

/* Names the route when the answer begins: most often an application's objects are there while it answers, and gone when
 * the request ends. */
static int send_headers(sapi_headers_struct *headers)
{
	bool wanted = XHPROF_G(automatic).running || XHPROF_G(automatic).request_waits || *XHPROF_G(ini).heap_if;
	if (wanted && is_unnamed(XHPROF_G(request_info))) {
		look_at_framework();
	}
	return send_headers_before ? send_headers_before(headers) : SAPI_HEADER_DO_SEND;
}

void xhprof_request_route_minit(void)
{
	send_headers_before = sapi_module.send_headers;
	sapi_module.send_headers = send_headers;
}

void xhprof_request_route_mshutdown(void)
{
	if (sapi_module.send_headers == send_headers) {
		sapi_module.send_headers = send_headers_before;
	}
}
