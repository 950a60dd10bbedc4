#include "redact.h"

#include <stdbool.h>
#include <string.h>

/* Texts are percent-decoded while they are read, up to so many times. */
#define LEVELS 3

/* From so many bytes on the known secret is looked for within values, not only as a whole value. */
#define LONG_SECRET 8

/* A user name without a password that is at least so long is taken for a token. */
#define LONG_USER 16

typedef struct span {
	const char *at, *end;
} span;

typedef struct sink {
	char *at, *end; /* the '\0' has a place of its own */
	bool command;   /* not a URL alone; text is between single quotes */
	const xhprof_redact_rules *rules;
} sink;

static span span_of(const char *text)
{
	return (span){text, text + strlen(text)};
}

/* What of a text may matter where there is room for so many bytes: what comes after that is not told, but may say that
 * what comes before is secret. */
static span span_for(const char *text, size_t room)
{
	return (span){text, text + strnlen(text, room + 4096)};
}

static size_t span_length(span text)
{
	return (size_t)(text.end - text.at);
}

static const char *span_find_last(span text, char wanted)
{
	for (const char *at = text.end; at > text.at; at--) {
		if (at[-1] == wanted) {
			return at - 1;
		}
	}
	return NULL;
}

/* The first byte that is one of `stops`, or the end. */
static const char *span_until(span text, const char *stops)
{
	while (text.at < text.end && !strchr(stops, *text.at)) {
		text.at++;
	}
	return text.at;
}

static const char *span_find(span text, const char *word)
{
	size_t length = strlen(word);
	for (; span_length(text) >= length; text.at++) {
		if (!memcmp(text.at, word, length)) {
			return text.at;
		}
	}
	return NULL;
}

static void put(sink *to, const char *bytes, size_t length)
{
	size_t room = (size_t)(to->end - to->at);
	length = length < room ? length : room;
	memcpy(to->at, bytes, length);
	to->at += length;
}

static void put_span(sink *to, span text)
{
	for (const char *quote; to->command && (quote = memchr(text.at, '\'', span_length(text))); text.at = quote + 1) {
		put(to, text.at, (size_t)(quote - text.at));
		put(to, "'\\''", 4);
	}
	put(to, text.at, span_length(text));
}

static void put_hidden(sink *to)
{
	put(to, XHPROF_REDACTED, sizeof(XHPROF_REDACTED) - 1);
}

static int hex_digit(int c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* The next byte, decoded so often; -1 at the end. */
static int next_byte(span *text, int level)
{
	if (!level) {
		return text->at < text->end ? (unsigned char)*text->at++ : -1;
	}
	int c = next_byte(text, level - 1);
	if (c != '%') {
		return c == '+' ? ' ' : c;
	}
	span after = *text;
	int high = hex_digit(next_byte(&after, level - 1)), low = high < 0 ? -1 : hex_digit(next_byte(&after, level - 1));
	if (low < 0) {
		return c;
	}
	*text = after;
	return high << 4 | low;
}

static int lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static bool begins_with(span text, int level, span word, bool any_case)
{
	for (; word.at < word.end; word.at++) {
		int c = next_byte(&text, level), wanted = (unsigned char)*word.at;
		if (any_case ? lower(c) != lower(wanted) : c != wanted) {
			return false;
		}
	}
	return true;
}

static bool contains(span text, int level, span word, bool any_case)
{
	do {
		if (begins_with(text, level, word, any_case)) {
			return true;
		}
	} while (next_byte(&text, level) >= 0);
	return false;
}

static bool equals(span text, int level, span word)
{
	for (; word.at < word.end; word.at++) {
		if (next_byte(&text, level) != (unsigned char)*word.at) {
			return false;
		}
	}
	return next_byte(&text, level) < 0;
}

/* Whether the name goes with a value that is to be hidden. */
static bool name_hides(span name, int level, const xhprof_redact_rules *rules)
{
	span list = span_of(rules->fragments ? rules->fragments : "");
	while (list.at < list.end) {
		span fragment = {list.at, span_until(list, ", \t")};
		if (fragment.at < fragment.end && contains(name, level, fragment, true)) {
			return true;
		}
		list.at = fragment.end + (fragment.end < list.end);
	}
	return false;
}

static bool is_secret(span value, const xhprof_redact_rules *rules)
{
	span secret = span_of(rules->secret ? rules->secret : "");
	bool found = false;
	for (int level = 0; secret.at < secret.end && level <= LEVELS && !found; level++) {
		found = equals(value, level, secret) ||
				(span_length(secret) >= LONG_SECRET && contains(value, level, secret, false));
	}
	return found;
}

/* Whether a value has names with values in it, or a URL with a password, as an address to go back to may. */
static bool value_hides(span value, int level, const xhprof_redact_rules *rules)
{
	span name = value;
	int before = 0, slashes = 0; /* of "://": 3 within what comes next */
	bool colon = false;
	for (;;) {
		const char *start = value.at;
		int c = next_byte(&value, level);
		if (c < 0) {
			return false;
		}
		if (slashes == 3) {
			if (c == '@' && colon) {
				return true;
			}
			colon |= c == ':';
			slashes = strchr("/?# ", c) ? 0 : 3; /* '\0' too */
		} else {
			slashes = c == ':' ? 1 : c == '/' && slashes ? slashes + 1 : 0;
			colon = false;
		}
		if (c == '=' || (c == ':' && (before == '"' || before == '\''))) {
			if (name_hides((span){name.at, start}, level, rules)) {
				return true;
			}
			name.at = value.at;
		} else if (strchr("?&;#/, {[", c)) {
			name.at = value.at;
		}
		before = c;
	}
}

static bool value_is_hidden(const sink *to, span value)
{
	bool hidden = is_secret(value, to->rules);
	for (int level = 1; level <= LEVELS && !hidden; level++) {
		hidden = value_hides(value, level, to->rules);
	}
	return hidden;
}

static bool name_is_hidden(const sink *to, span name)
{
	return name_hides(name, 1, to->rules) || name_hides(name, 2, to->rules);
}

/* name=value. True when the value is hidden for its name. */
static bool redact_part(sink *to, span part)
{
	const char *equal = memchr(part.at, '=', span_length(part));
	span value = {equal ? equal + 1 : part.at, part.end};
	bool by_name = equal && name_is_hidden(to, (span){part.at, equal});
	put_span(to, (span){part.at, value.at});
	if (value.at < value.end && (by_name || value_is_hidden(to, value))) {
		put_hidden(to);
	} else {
		put_span(to, value);
	}
	return by_name;
}

/* Parts between separators. True when the last one is hidden for its name. */
static bool redact_parts(sink *to, span text, const char *separators)
{
	bool hidden = false;
	while (text.at < text.end && to->at < to->end) {
		span part = {text.at, span_until(text, separators)};
		hidden = redact_part(to, part);
		text.at = part.end + (part.end < text.end);
		put_span(to, (span){part.end, text.at});
	}
	return hidden;
}

/* Where the password (or token) before the "@" of an authority begins and ends; false when there is none. A password may
 * have bytes in it that should have been encoded. */
static bool find_password(span authority, span whole, span *password)
{
	const char *at = span_find_last(authority, '@');
	const char *colon = memchr(authority.at, ':', (size_t)((at ? at : authority.end) - authority.at));
	if (!at) {
		bool port = colon && colon + 1 + strspn(colon + 1, "0123456789") >= authority.end;
		at = colon && !port ? span_find_last((span){colon, whole.end}, '@') : NULL;
	} else if (!colon && at - authority.at >= LONG_USER) {
		*password = (span){authority.at, at};
		return true;
	}
	*password = (span){colon ? colon + 1 : at, at};
	return at && colon;
}

/* Takes off `text`, and puts, what comes before and is the first password of a URL. False when there is none. */
static bool redact_password(sink *to, span *text, const char *separators)
{
	const char *scheme = span_find(*text, "://");
	span password;
	if (!scheme) {
		return false;
	}
	span authority = {scheme + 3, span_until((span){scheme + 3, text->end}, "/?# ")};
	if (!find_password(authority, *text, &password)) {
		password = (span){authority.at, authority.at};
	}
	redact_parts(to, (span){text->at, scheme}, separators);
	put_span(to, (span){scheme, password.at});
	if (password.at < password.end) {
		put_hidden(to);
	}
	text->at = password.end;
	return true;
}

static void redact_address(sink *to, span text, const char *path_separators)
{
	bool is_url = false;
	while (to->at < to->end && redact_password(to, &text, path_separators)) {
		is_url = true;
	}
	const char *query = span_until(text, "?#");
	bool hidden = redact_parts(to, (span){text.at, query}, path_separators);
	if (hidden && !is_url && to->command) {
		return; /* a password with such a byte in it */
	}
	redact_parts(to, (span){query, text.end}, "?&;#");
}

static size_t sink_end(sink *to, const char *start)
{
	*to->at = '\0';
	return (size_t)(to->at - start);
}

size_t xhprof_redact_url(char *to, size_t size, const char *url, const xhprof_redact_rules *rules)
{
	sink sink = {.at = to, .end = to + size - 1, .rules = rules};
	redact_address(&sink, span_for(url, size), ";/");
	return sink_end(&sink, to);
}

/* --password, whose value is the next argument. */
static bool is_option_for(const sink *to, span option, span argument)
{
	return option.at < option.end && *option.at == '-' && !memchr(option.at, '=', span_length(option)) &&
		   argument.at < argument.end && *argument.at != '-' && name_is_hidden(to, option);
}

/* The value of an argument that is hidden as a whole for its name, or its end. */
static const char *hidden_value(const sink *to, span argument)
{
	const char *end = span_until(argument, "=?:{[");
	span name = {argument.at, end};
	bool header = end + 1 < argument.end && end[0] == ':' && end[1] == ' ';
	if (end < argument.end && (*end == '=' || header) && name_is_hidden(to, name)) {
		return end + 1 + header;
	}
	return argument.end;
}

static void redact_argument(sink *to, span argument, span before)
{
	bool json = argument.at < argument.end && strchr("{[", *argument.at);
	if (is_option_for(to, before, argument) || is_secret(argument, to->rules) ||
		(json && value_is_hidden(to, argument))) {
		put_hidden(to);
		return;
	}
	span value = {hidden_value(to, argument), argument.end};
	if (value.at < value.end) {
		put_span(to, (span){argument.at, value.at});
		put_hidden(to);
	} else {
		redact_address(to, argument, "; ");
	}
}

static bool is_plain(const char *argument)
{
	return *argument && !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
												   "0123456789_-+=./:,@%^~")];
}

size_t xhprof_redact_command(char *to, size_t size, int argc, char *const *argv, const xhprof_redact_rules *rules)
{
	sink sink = {.at = to, .end = to + size - 1, .command = true, .rules = rules};
	put(&sink, "php", 3);
	for (int i = 0; i < argc && sink.at < sink.end; i++) {
		bool plain = is_plain(argv[i]);
		put(&sink, " '", plain ? 1 : 2);
		redact_argument(&sink, span_for(argv[i], size), span_for(i ? argv[i - 1] : "", size));
		put(&sink, "'", !plain);
	}
	return sink_end(&sink, to);
}
