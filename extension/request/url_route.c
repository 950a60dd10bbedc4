#include "url_route.h"

#include "request_trigger.h"
#include "route_patterns.h"

#include "base/redact.h"
#include "base/secret.h"
#include "base/words.h"
#include "export/run_info.h"

#define NAME_MOST 64u /* bytes of a parameter's name */

static bool is_secret(const char *name, size_t name_length, const char *value, size_t length)
{
	const xhprof_secret_rules rules = xhprof_secret_rules_now();
	return xhprof_secret_name(name, name + name_length, &rules) || xhprof_secret_value(value, value + length, &rules);
}

/* Adds a parameter of the URL. A value that names no page is not shown, secret or not. */
static size_t add_url_parameter(char *route, size_t length, const char *name, size_t name_length, const char *value,
								size_t value_length, bool any)
{
	if (xhprof_route_names_page(value, value_length) && is_secret(name, name_length, value, value_length)) {
		value = XHPROF_REDACTED;
		value_length = sizeof(XHPROF_REDACTED) - 1;
	}
	return xhprof_route_add_parameter(route, length, name, name_length, value, value_length, any);
}

static size_t add_post_parameter(char *route, size_t length, const char *name, size_t name_length, bool any)
{
	char key[NAME_MOST + 1];
	memcpy(key, name, name_length);
	key[name_length] = '\0';
	const zend_string *value = xhprof_request_variable(TRACK_VARS_POST, key);
	if (!value || ZSTR_LEN(value) > XHPROF_ROUTE_MAX || is_secret(key, name_length, ZSTR_VAL(value), ZSTR_LEN(value))) {
		return length;
	}
	return xhprof_route_add_parameter(route, length, name, name_length, ZSTR_VAL(value), ZSTR_LEN(value), any);
}

void xhprof_url_route_given(char to[XHPROF_ROUTE_MAX + 1], const char *name, size_t length)
{
	char clean[XHPROF_ROUTE_MAX + 1], shown[XHPROF_ROUTE_MAX + 1];
	xhprof_route_of_label(clean, NULL, "", name, length);
	length = xhprof_run_url(shown, sizeof(shown), clean);
	xhprof_route_of_label(to, NULL, "", shown, length);
}

bool xhprof_url_route_has_patterns(void)
{
	const char *patterns = XHPROF_G(ini).route_patterns;
	return patterns && *patterns;
}

static bool name_by_pattern(char *to, const char *method, const char *host, const char *url)
{
	char found[XHPROF_ROUTE_PATTERN_NAME], name[XHPROF_ROUTE_MAX + 1];
	if (!xhprof_url_route_has_patterns()) {
		return false;
	}
	size_t length = xhprof_route_patterns_name(found, XHPROF_G(ini).route_patterns, xhprof_route_path(url));
	if (length) {
		xhprof_url_route_given(name, found, length);
		xhprof_route_of_label(to, method, host, name, strlen(name));
	}
	return length > 0;
}

static void name_by_parameters(char *to, const char *method, const char *host, const char *url, const char *query)
{
	size_t length = xhprof_route_of_page(to, method, host, url);
	bool posted = xhprof_request_has_variables(TRACK_VARS_POST);
	if (!posted && !strchr(query, '?')) {
		return;
	}
	xhprof_word word = xhprof_words_first(XHPROF_G(ini).route_parameters);
	for (; word.length; word = xhprof_words_next(word)) {
		const char *name = word.text;
		bool any = name[word.length - 1] == '*';
		size_t name_length = word.length - any, value_length;
		if (!name_length || name_length > NAME_MOST) {
			continue;
		}
		const char *value = xhprof_route_query_value(query, name, name_length, &value_length);
		if (value) {
			length = add_url_parameter(to, length, name, name_length, value, value_length, any);
		} else if (posted) {
			length = add_post_parameter(to, length, name, name_length, any);
		}
	}
}

bool xhprof_url_route(char to[XHPROF_ROUTE_MAX + 1], const char *method, const char *host, const char *url,
					  const char *query)
{
	if (name_by_pattern(to, method, host, url)) {
		return true;
	}
	name_by_parameters(to, method, host, url, query);
	return false;
}
