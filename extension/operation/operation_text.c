#include "operation_text.h"

#include "base/route.h"

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

/* Returns the length of "http" in "http://", or 0. */
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

/* Puts the host with its port, in lower case and without "user:password@". */
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

/* Puts the last two parts of a path that is no URL. */
static size_t put_file(char *to, size_t used, const char *path, size_t length, const xhprof_secret_rules *rules)
{
	char copy[URL_MOST + 1], shown[URL_MOST + 1], route[XHPROF_ROUTE_MAX + 1];
	size_t rest = length < URL_MOST ? length : URL_MOST;
	for (size_t i = 0; i < rest; i++) {
		char c = path[length - rest + i];
		copy[i] = c ? c : ' ';
	}
	copy[rest] = '\0';
	size_t hidden = xhprof_redact_url(shown, sizeof(shown), copy, rules);
	return put(to, used, route, xhprof_route_of_file(route, shown, hidden));
}

static bool has_data(const char *path, size_t length)
{
	return length >= 5 && strncasecmp(path, "data:", 5) == 0;
}

size_t xhprof_operation_path(char *to, const char *path, size_t length, const xhprof_secret_rules *rules)
{
	while (length && (unsigned char)*path <= ' ') {
		path++;
		length--;
	}
	size_t scheme = scheme_length(path, length), used = 0;
	if (has_data(path, length)) {
		return put(to, 0, "data:", 5);
	}
	if (!scheme) {
		return put_file(to, 0, path, length, rules);
	}
	const char *inner = path + scheme + 3;
	size_t rest = length - scheme - 3, word = 0;
	if (scheme_is(path, scheme, "file")) {
		return put_file(to, 0, inner, rest, rules);
	}
	used = put(to, 0, path, scheme + 3);
	if (scheme_is(path, scheme, "php")) { /* php://memory; php://filter has other paths in it */
		while (word < rest && inner[word] >= 'a' && inner[word] <= 'z') {
			word++;
		}
		return put(to, used, inner, word);
	}
	/* compress.zlib://path, phar:///srv/a.phar/b.php */
	if (has_data(inner, rest)) {
		return put(to, used, "data:", 5);
	}
	if (scheme_length(inner, rest)) {
		return used;
	}
	if (rest && *inner == '/') {
		return put_file(to, used, inner, rest, rules);
	}
	char rest_of[XHPROF_OPERATION_TEXT_MAX + 1]; /* s3://bucket/key, ssh2.sftp://user:password@host */
	return put(to, used, rest_of, xhprof_operation_url(rest_of, inner, rest, rules));
}

size_t xhprof_operation_key(char *to, const char *key, size_t length, const xhprof_secret_rules *rules)
{
	char route[XHPROF_ROUTE_MAX + 1];
	size_t seen = length < URL_MOST ? length : URL_MOST;
	if (xhprof_secret_value(key, key + seen, rules)) {
		return put(to, 0, "{id}", 4);
	}
	return put(to, 0, route, xhprof_route_of_key(route, key, seen, rules));
}

/* Returns the end of a word by the shell's rules, NULL where it depends on what only the shell knows. `assigns`: "="
 * stands in it outside of quotes. */
static const char *shell_word_end(const char *at, const char *end, bool *assigns)
{
	char quote = '\0';
	*assigns = false;
	for (; at < end; at++) {
		if (*at == '\\' && quote != '\'') {
			at++;
		} else if ((*at == '$' || *at == '`') && quote != '\'') {
			return NULL;
		} else if (quote) {
			quote = *at == quote ? '\0' : quote;
		} else if (*at == '\'' || *at == '"') {
			quote = *at;
		} else if (memchr(" \t\r\n;|&<>()", *at, 11)) {
			break;
		} else {
			*assigns = *assigns || *at == '=';
		}
	}
	return quote || at > end ? NULL : at;
}

size_t xhprof_operation_program(char *to, const char *command, size_t length)
{
	const char *at = command, *end = command + length, *stop = NULL;
	bool assigns = true;
	*to = '\0';
	while (assigns) { /* PASSWORD='x' program */
		while (at < end && memchr(" \t\r\n", *at, 4)) {
			at++;
		}
		stop = shell_word_end(at, end, &assigns);
		if (!stop || stop == at) {
			return 0;
		}
		at = assigns ? stop : at;
	}
	const char *name = at;
	if (*at == '\'' || *at == '"') {
		name = ++at;
		stop = memchr(at, at[-1], (size_t)(stop - at));
	}
	for (const char *c = at; c < stop; c++) {
		if (memchr("'\"\\", *c, 3)) { /* what follows may be an argument */
			stop = c;
			break;
		}
		name = *c == '/' ? c + 1 : name;
	}
	size_t used = (size_t)(stop - name);
	return used <= 64 ? put(to, 0, name, used) : 0;
}
