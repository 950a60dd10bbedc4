#include "operation_text.h"

#include "route.h"

#include <string.h>
#include <strings.h>

#define URL_MOST 2048 /* bytes of a URL that are examined */

static size_t put(char *to, size_t used, const char *bytes, size_t length)
{
	size_t room = XHPROF_OPERATION_TEXT_MAX - used;
	size_t take = length < room ? length : room;
	memcpy(to + used, bytes, take);
	to[used + take] = '\0';
	return used + take;
}

static bool is_scheme_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
		   c == '.';
}

/* The length of "http" in "http://", or 0. */
static size_t scheme_length(const char *url, size_t length)
{
	size_t scheme = 0;
	while (scheme < length && scheme < 32 && is_scheme_byte(url[scheme])) {
		scheme++;
	}
	return length - scheme >= 3 && memcmp(url + scheme, "://", 3) == 0 ? scheme : 0;
}

static bool scheme_is(const char *url, size_t scheme, const char *name)
{
	return strlen(name) == scheme && strncasecmp(url, name, scheme) == 0;
}

bool xhprof_operation_is_http(const char *url, size_t length)
{
	size_t scheme = scheme_length(url, length);
	return scheme_is(url, scheme, "http") || scheme_is(url, scheme, "https");
}

/* The host with its port, in lower case and without "user:password@". */
static size_t put_host(char *to, const char *host, size_t length)
{
	char lower[256];
	const char *at = memrchr(host, '@', length);
	if (at) {
		length -= (size_t)(at + 1 - host);
		host = at + 1;
	}
	size_t used = 0;
	for (; used < length && used < sizeof(lower); used++) {
		char c = host[used];
		lower[used] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : (unsigned char)c < 0x21 || c == 0x7f ? '?' : c;
	}
	return put(to, 0, lower, used);
}

size_t xhprof_operation_url(char *to, const char *url, size_t length, const xhprof_secret_rules *rules)
{
	char copy[URL_MOST + 1], shown[URL_MOST + 1], route[XHPROF_ROUTE_MAX + 1];
	size_t scheme = scheme_length(url, length), start = scheme ? scheme + 3 : 0;
	length = length < URL_MOST ? length : URL_MOST;
	size_t path = start;
	while (path < length && !memchr("/?#\\", url[path], 4)) {
		path++;
	}
	size_t used = put_host(to, url + start, path - start);
	size_t rest = length - path;
	for (size_t i = 0; i < rest; i++) {
		copy[i] = url[path + i] ? url[path + i] : ' ';
	}
	copy[rest] = '\0';
	xhprof_redact_url(shown, sizeof(shown), copy, rules);
	return put(to, used, route, xhprof_route_of_url(route, NULL, shown));
}

size_t xhprof_operation_path(char *to, const char *path, size_t length, const xhprof_secret_rules *rules)
{
	char route[XHPROF_ROUTE_MAX + 1];
	size_t scheme = scheme_length(path, length), used = 0;
	if (length >= 5 && strncasecmp(path, "data:", 5) == 0) {
		return put(to, 0, "data:", 5);
	}
	if (scheme) {
		const char *inner = path + scheme + 3;
		size_t rest = length - scheme - 3, word = 0;
		used = put(to, 0, path, scheme + 3);
		if (scheme_is(path, scheme, "php")) { /* php://memory; php://filter has other paths in it */
			while (word < rest && inner[word] >= 'a' && inner[word] <= 'z') {
				word++;
			}
			return put(to, used, inner, word);
		}
		if (!scheme_is(path, scheme, "file")) { /* s3://bucket/key, ssh2.sftp://user:password@host */
			char rest_of[XHPROF_OPERATION_TEXT_MAX + 1];
			return put(to, used, rest_of, xhprof_operation_url(rest_of, inner, rest, rules));
		}
		path = inner;
		length = rest;
		used = 0;
	}
	return put(to, used, route, xhprof_route_of_file(route, path, length));
}

size_t xhprof_operation_key(char *to, const char *key, size_t length, const xhprof_secret_rules *rules)
{
	char route[XHPROF_ROUTE_MAX + 1];
	size_t seen = length < URL_MOST ? length : URL_MOST;
	if (xhprof_secret_value(key, key + seen, rules)) {
		return put(to, 0, "{id}", 4);
	}
	return put(to, 0, route, xhprof_route_of_key(route, key, seen));
}

size_t xhprof_operation_program(char *to, const char *command, size_t length)
{
	static const char spaces[] = " \t\r\n";
	size_t i = 0;
	*to = '\0';
	while (i < length) {
		while (i < length && memchr(spaces, command[i], 4)) {
			i++;
		}
		char quote = i < length && (command[i] == '\'' || command[i] == '"') ? command[i++] : '\0';
		size_t start = i, name = i;
		bool assignment = false;
		while (i < length && (quote ? command[i] != quote : !memchr(" \t\r\n;|&<>()'\"`$", command[i], 15))) {
			name = command[i] == '/' ? i + 1 : name;
			assignment = assignment || command[i] == '=';
			i++;
		}
		if (assignment && !quote) { /* PASSWORD='x' program: on to the next word */
			char value = i < length && (command[i] == '\'' || command[i] == '"') ? command[i] : '\0';
			if (value) {
				const char *close = memchr(command + i + 1, value, length - i - 1);
				i = close ? (size_t)(close + 1 - command) : length;
			}
			continue;
		}
		size_t used = i > name && !assignment ? i - name : 0;
		return start < i && used && used <= 64 ? put(to, 0, command + name, used) : 0;
	}
	return 0;
}
