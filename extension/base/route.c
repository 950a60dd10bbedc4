#include "route.h"

#include "redact.h"

#include <string.h>

#define PART_MAX 64 /* longer parts of a path are no words */

static const char placeholder[] = "{id}";

typedef struct route {
	char *to;
	size_t length;
	bool full;
} route;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
	return is_lower(c) || is_upper(c);
}

static int hex_digit(char c)
{
	if (is_digit(c)) {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void route_add(route *route, const char *bytes, size_t length)
{
	if (route->full || length > XHPROF_ROUTE_MAX - route->length) {
		route->full = true;
		return;
	}
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)bytes[i];
		route->to[route->length++] = c < 0x20 || c == 0x7f ? '?' : (char)c;
	}
}

/* Returns whether a part is a number, or another value of digits and signs: a date, a version, a coordinate. */
static bool is_number(const char *text, size_t length)
{
	bool digits = false;
	for (size_t i = 0; i < length; i++) {
		if (is_digit(text[i])) {
			digits = true;
		} else if (!strchr("-+.,:_", text[i])) {
			return false;
		}
	}
	return digits;
}

/* Returns whether a part is a UUID, with its dashes or without, in braces or not. */
static bool is_uuid(const char *text, size_t length)
{
	if (length == 38 && text[0] == '{' && text[37] == '}') {
		text++;
		length -= 2;
	}
	if (length != 36) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (dash ? text[i] != '-' : hex_digit(text[i]) < 0) {
			return false;
		}
	}
	return true;
}

/* Returns whether a part is a hexadecimal hash. Words such as "facade" or "defaced" have the same letters: without a
 * digit a hash must be longer. */
static bool is_hash(const char *text, size_t length)
{
	size_t digits = 0;
	if (length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		return is_hash(text + 2, length - 2);
	}
	for (size_t i = 0; i < length; i++) {
		if (hex_digit(text[i]) < 0) {
			return false;
		}
		digits += is_digit(text[i]);
	}
	return length >= 16 || (length >= 7 && digits >= 2);
}

/* Returns whether a part is a random token: digits and capitals are scattered in it, whereas people put digits last and
 * capitals first. */
static bool is_random(const char *text, size_t length)
{
	size_t after_digit = 0, humps = 0;
	if (length < 16) {
		return false;
	}
	for (size_t i = 1; i < length; i++) {
		after_digit += is_digit(text[i - 1]) && is_letter(text[i]);
		humps += is_lower(text[i - 1]) && is_upper(text[i]);
	}
	return after_digit >= 2 || (after_digit >= 1 && humps >= 3);
}

/* Returns whether a part is an e-mail address. Its "@" may still be encoded, once or more often. */
static bool is_address(const char *text, size_t length)
{
	for (size_t i = 1; i < length; i++) {
		size_t end = i + 1;
		while (text[i] == '%' && length - end > 4 && !memcmp(text + end, "25", 2)) {
			end += 2;
		}
		if (text[i] == '@' || (text[i] == '%' && length - end >= 2 && !memcmp(text + end, "40", 2))) {
			return true;
		}
	}
	return false;
}

/* Returns whether a part is redacted, as "token=REDACTED". */
static bool is_redacted(const char *text, size_t length)
{
	const size_t mark = sizeof(XHPROF_REDACTED) - 1;
	for (size_t i = 0; i + mark <= length; i++) {
		if (!memcmp(text + i, XHPROF_REDACTED, mark)) {
			return true;
		}
	}
	return false;
}

static bool is_variable_part(const char *text, size_t length)
{
	return length > PART_MAX || is_redacted(text, length) || is_number(text, length) || is_uuid(text, length) ||
		   is_hash(text, length) || is_random(text, length) || is_address(text, length);
}

/* Decodes "%41%20", at most PART_MAX + 1 bytes of it; more is too long for a word anyway. */
static size_t decode_part(char decoded[PART_MAX + 1], const char *part, size_t length)
{
	size_t used = 0;
	for (size_t i = 0; i < length && used <= PART_MAX; i++) {
		int high = part[i] == '%' && length - i > 2 ? hex_digit(part[i + 1]) : -1;
		int low = high >= 0 ? hex_digit(part[i + 2]) : -1;
		decoded[used++] = low >= 0 ? (char)(high * 16 + low) : part[i];
		i += low >= 0 ? 2 : 0;
	}
	return used;
}

/* Adds a part with {id} for pieces between "-" or "_" that are numbers: "order-123-lines". */
static void add_pieces(route *route, const char *part, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t end = i;
		bool digits = true;
		for (; end < length && part[end] != '-' && part[end] != '_'; end++) {
			digits = digits && is_digit(part[end]);
		}
		bool number = digits && end > i;
		route_add(route, number ? placeholder : part + i, number ? sizeof(placeholder) - 1 : end - i);
		if (end < length) {
			route_add(route, part + end, 1);
		}
		i = end + 1;
	}
}

/* Returns the length of a part's extension (".json", ".html"), which is kept, whatever precedes it. */
static size_t extension_of(const char *part, size_t length)
{
	size_t i = length;
	while (i > 0 && (is_letter(part[i - 1]) || is_digit(part[i - 1]))) {
		i--;
	}
	return i > 1 && part[i - 1] == '.' && length - i >= 1 && length - i <= 5 && is_letter(part[i]) ? length - i + 1 : 0;
}

static void add_part(route *route, const char *part, size_t length)
{
	char decoded[PART_MAX + 1];
	const char *parameters = memchr(part, ';', length); /* ";jsessionid=..." */
	length = parameters ? (size_t)(parameters - part) : length;
	size_t extension = extension_of(part, length);
	size_t used = decode_part(decoded, part, length);
	if (extension && is_address(decoded, used)) {
		extension = 0; /* ".com" is not an extension */
	}
	used = extension ? decode_part(decoded, part, length - extension) : used;
	if (is_variable_part(decoded, used)) {
		route_add(route, placeholder, sizeof(placeholder) - 1);
		route_add(route, part + length - extension, extension);
	} else {
		add_pieces(route, part, length);
	}
}

/* Returns the length of a path, which ends at "?", "#" or the end of the text. */
static size_t path_length(const char *url)
{
	return strcspn(url, "?#");
}

/* Skips "http://host:80" if present. */
const char *xhprof_route_path(const char *url)
{
	size_t scheme = 0;
	while (is_letter(url[scheme])) {
		scheme++;
	}
	if (scheme && strncmp(url + scheme, "://", 3) == 0) {
		url += scheme + 3;
		url += strcspn(url, "/?#");
	}
	return url;
}

static void add_method(route *route, const char *method)
{
	size_t length = 0;
	while (method && (is_upper(method[length]) || (length && method[length] == '-'))) {
		length++;
	}
	bool known = length && !method[length] && length <= 16;
	route_add(route, known ? method : "OTHER", known ? length : 5);
	route_add(route, " ", 1);
}

static const char *shorten_route(route *route)
{
	static const char more[] = "...";
	if (route->full) {
		size_t room = XHPROF_ROUTE_MAX - (sizeof(more) - 1);
		route->length = route->length < room ? route->length : room;
		while (route->length && ((unsigned char)route->to[route->length] & 0xc0) == 0x80) {
			route->length--; /* the middle of a character */
		}
		memcpy(route->to + route->length, more, sizeof(more) - 1);
		route->length += sizeof(more) - 1;
	}
	route->to[route->length] = '\0';
	return route->to;
}

/* Adds a host in lower case and without its port. */
static void add_host(route *route, const char *host)
{
	static const char unknown[] = "{host}";
	char text[PART_MAX + 1];
	size_t length = 0, end = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	while (length < end && length <= PART_MAX && host[length]) {
		char c = host[length];
		if (!is_letter(c) && !is_digit(c) && !strchr("-._:[]", c)) {
			break;
		}
		text[length++] = is_upper(c) ? (char)(c | 0x20) : c;
	}
	bool known = length == end && length <= PART_MAX;
	route_add(route, known ? text : unknown, known ? length : sizeof(unknown) - 1);
}

size_t xhprof_route_of_url(char *to, const char *method, const char *url)
{
	return xhprof_route_of_page(to, method, "", url);
}

size_t xhprof_route_of_page(char *to, const char *method, const char *host, const char *url)
{
	route made = {.to = to};
	const char *path = xhprof_route_path(url ? url : ""), *end = path + path_length(path);
	if (method) {
		add_method(&made, method);
	}
	if (*host) {
		add_host(&made, host);
	}
	bool any = false;
	while (path < end && !made.full) {
		const char *part = path + strspn(path, "/");
		part = part < end ? part : end;
		if (part > path || !any) {
			route_add(&made, "/", 1);
		}
		any = true;
		size_t length = strcspn(part, "/?#");
		add_part(&made, part, length);
		path = part + length;
	}
	if (!any) {
		route_add(&made, "/", 1);
	}
	shorten_route(&made);
	return made.length;
}

size_t xhprof_route_of_label(char *to, const char *method, const char *host, const char *label, size_t length)
{
	route made = {.to = to};
	if (method) {
		add_method(&made, method);
	}
	if (*host) {
		add_host(&made, host);
		route_add(&made, " ", length && *label != '/');
	}
	size_t room = XHPROF_ROUTE_MAX - made.length;
	route_add(&made, label, length < room ? length : room);
	made.full = made.full || length > room;
	shorten_route(&made);
	return made.length;
}

const char *xhprof_route_query_value(const char *url, const char *name, size_t name_length, size_t *length)
{
	const char *at = *url == '?' ? url : url + path_length(url);
	while (*at == '?' || *at == '&') {
		size_t end = strcspn(++at, "&#");
		if (end > name_length && at[name_length] == '=' && memcmp(at, name, name_length) == 0) {
			*length = end - name_length - 1;
			return at + name_length + 1;
		}
		at += end;
	}
	return NULL;
}

/* Returns whether a text is a name that programs give their pages: "edit", "/server/status", "App\\Admin::show". */
static bool is_identifier(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!is_letter(text[i]) && !is_digit(text[i]) && !strchr("_-./:\\~", text[i])) {
			return false;
		}
	}
	return length && length <= PART_MAX && !is_variable_part(text, length);
}

bool xhprof_route_names_page(const char *value, size_t length)
{
	char decoded[PART_MAX + 1];
	return is_identifier(decoded, decode_part(decoded, value, length));
}

size_t xhprof_route_add_parameter(char *to, size_t length, const char *name, size_t name_length, const char *value,
								  size_t value_length, bool any)
{
	char decoded[PART_MAX + 1];
	route made = {.to = to, .length = length};
	size_t used = decode_part(decoded, value, value_length);
	bool identifies = is_identifier(decoded, used);
	if (!identifies && (!any || !used)) {
		return length;
	}
	route_add(&made, memchr(to, '?', length) ? "&" : "?", 1);
	route_add(&made, name, name_length);
	route_add(&made, "=", 1);
	for (size_t at = 0; identifies && at < used;) {
		const char *slash = memchr(decoded + at, '/', used - at);
		size_t end = slash ? (size_t)(slash - decoded) : used;
		if (end > at) {
			add_part(&made, decoded + at, end - at);
		}
		if (slash) {
			route_add(&made, "/", 1);
		}
		at = end + (slash != NULL);
	}
	if (!identifies) {
		route_add(&made, placeholder, sizeof(placeholder) - 1);
	}
	if (made.full) { /* a part of it would be another page */
		to[length] = '\0';
		return length;
	}
	to[made.length] = '\0';
	return made.length;
}

size_t xhprof_route_of_script(char *to, const char *path)
{
	size_t length = strlen(path), slashes = 0, start = length;
	while (start && (slashes += path[start - 1] == '/') < 2) {
		start--;
	}
	return xhprof_route_of_name(to, path + start, length - start);
}

static bool separates_folders(char c, bool windows)
{
	return c == '/' || (windows && c == '\\');
}

size_t xhprof_route_of_file(char *to, const char *path, size_t length)
{
	route made = {.to = to};
	size_t slashes = 0, start = length;
	bool windows = !memchr(path, '/', length);
	while (start && (slashes += separates_folders(path[start - 1], windows)) < 2) {
		start--;
	}
	while (start < length && !made.full) {
		size_t end = start;
		while (end < length && !separates_folders(path[end], windows)) {
			end++;
		}
		add_part(&made, path + start, end - start);
		route_add(&made, path + end, end < length);
		start = end + 1;
	}
	shorten_route(&made);
	return made.length;
}

/* Adds the pieces between "." of a part of a key. */
static void add_key_part(route *route, const char *part, size_t length)
{
	char decoded[PART_MAX + 1];
	if (is_address(part, length)) {
		route_add(route, placeholder, sizeof(placeholder) - 1);
		return;
	}
	for (size_t i = 0; i < length;) {
		const char *dot = memchr(part + i, '.', length - i);
		size_t end = dot ? (size_t)(dot - part) : length;
		if (is_variable_part(decoded, decode_part(decoded, part + i, end - i))) {
			route_add(route, placeholder, sizeof(placeholder) - 1);
		} else {
			add_pieces(route, part + i, end - i);
		}
		route_add(route, part + end, end < length);
		i = end + 1;
	}
}

/* Returns the end of the part that begins at `at`. */
static size_t key_part_end(const char *key, size_t at, size_t length, const char *separators)
{
	while (at < length && !strchr(separators, key[at])) {
		at++;
	}
	return at;
}

size_t xhprof_route_of_key(char *to, const char *key, size_t length, const xhprof_secret_rules *rules)
{
	route made = {.to = to};
	bool secret = false; /* the part before is the name of one */
	for (size_t i = 0; i < length && !made.full;) {
		size_t end = key_part_end(key, i, length, ":/|=");
		bool text = end - i > PART_MAX; /* many words are no word */
		end = text ? end : key_part_end(key, i, end, " ");
		if (end > i && (secret || text)) {
			route_add(&made, placeholder, sizeof(placeholder) - 1);
			secret = false;
		} else if (end > i) {
			add_key_part(&made, key + i, end - i);
			secret = !is_address(key + i, end - i) && xhprof_secret_name(key + i, key + end, rules);
		}
		route_add(&made, key + end, end < length);
		i = end + 1;
	}
	shorten_route(&made);
	return made.length;
}

size_t xhprof_route_of_name(char *to, const char *name, size_t length)
{
	size_t kept = length < XHPROF_ROUTE_MAX ? length : XHPROF_ROUTE_MAX;
	while (kept < length && kept && ((unsigned char)name[kept] & 0xc0) == 0x80) {
		kept--;
	}
	memcpy(to, name, kept);
	to[kept] = '\0';
	return kept;
}
