#include "request_route.h"

#include "aggregate.h"
#include "framework_route.h"
#include "request_info.h"
#include "request_trigger.h"

#include "base/redact.h"
#include "export/run_info.h"

#include "SAPI.h"

#define NAME_MOST 64u /* bytes of a parameter's name */

static int (*send_headers_before)(sapi_headers_struct *headers);

/* Of the whole, without a blank. */
static const char separators[] = ", \t";

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

/* Asked only where a setting wants it. */
static void take_host(xhprof_request_info *info)
{
	*info->route_host = '\0';
	switch (XHPROF_G(ini).route_host) {
		case XHPROF_ROUTE_HOST_ASKED:
			memcpy(info->route_host, info->host, sizeof(info->route_host));
			break;
		case XHPROF_ROUTE_HOST_OF_SERVER:
			xhprof_request_server_variable("SERVER_NAME", info->route_host, sizeof(info->route_host));
			break;
	}
}

static size_t add_post_parameter(char *route, size_t length, const char *name, size_t name_length, bool any)
{
	char key[NAME_MOST + 1];
	const xhprof_secret_rules rules = xhprof_secret_rules_now();
	memcpy(key, name, name_length);
	key[name_length] = '\0';
	const zend_string *value = xhprof_request_variable(TRACK_VARS_POST, key);
	if (!value || ZSTR_LEN(value) > XHPROF_ROUTE_MAX || xhprof_secret_name(key, key + name_length, &rules) ||
		xhprof_secret_value(ZSTR_VAL(value), ZSTR_VAL(value) + ZSTR_LEN(value), &rules)) {
		return length;
	}
	return xhprof_route_add_parameter(route, length, name, name_length, ZSTR_VAL(value), ZSTR_LEN(value), any);
}

static void add_parameters(xhprof_request_info *info, size_t length)
{
	const char *name = XHPROF_G(ini).route_parameters ? XHPROF_G(ini).route_parameters : "";
	for (size_t end = 0; *(name += strspn(name, separators)); name += end) {
		end = strcspn(name, separators);
		bool any = name[end - 1] == '*';
		size_t name_length = end - any, value_length;
		if (!name_length || name_length > NAME_MOST) {
			continue;
		}
		const char *value = xhprof_route_query_value(info->url, name, name_length, &value_length);
		length =
			value ? xhprof_route_add_parameter(info->request_route, length, name, name_length, value, value_length, any)
				  : add_post_parameter(info->request_route, length, name, name_length, any);
	}
}

void xhprof_request_route_take(void)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	take_host(info);
	add_parameters(info, xhprof_route_of_page(info->request_route, info->method, info->route_host, info->url));
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
