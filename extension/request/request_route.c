#include "request_route.h"

#include "aggregate.h"
#include "framework_route.h"
#include "request_info.h"

#include "export/run_info.h"

#include "SAPI.h"

static int (*send_headers_before)(sapi_headers_struct *headers);

void xhprof_request_route_forget(void)
{
	*XHPROF_G(route).set = *XHPROF_G(route).found = '\0';
}

void xhprof_request_route_set(const char *name, size_t length)
{
	char clean[XHPROF_ROUTE_MAX + 1], shown[XHPROF_ROUTE_MAX + 1];
	xhprof_route_of_label(clean, NULL, "", name, length);
	length = xhprof_run_url(shown, sizeof(shown), clean);
	xhprof_route_of_label(XHPROF_G(route).set, NULL, "", shown, length);
	xhprof_aggregate_rename(XHPROF_G(route).set);
}

static void look_at_framework(void)
{
	if (XHPROF_G(ini).framework_routes && !*XHPROF_G(route).found && !*XHPROF_G(route).set) {
		xhprof_framework_route(XHPROF_G(route).found);
	}
}

/* Of a request, not of a job or a program. */
static bool is_of_request(const xhprof_request_info *info)
{
	return info && !info->run.name && *info->method;
}

void xhprof_request_route_end(bool at_rest)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	const char *found = XHPROF_G(route).found, *set = XHPROF_G(route).set;
	char *route = info->route;
	if (*set) {
		xhprof_route_of_label(route, NULL, info->route_host, set, strlen(set));
		info->run.route = route;
	} else if (is_of_request(info)) {
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

/* Most often an application's objects are there while it answers, and gone when the request ends. */
static int send_headers(sapi_headers_struct *headers)
{
	if (XHPROF_G(automatic).running && is_of_request(XHPROF_G(request_info))) {
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
