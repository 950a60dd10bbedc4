#include "redact.h"

#include <string.h>

/* A user name without a password is treated as a token from this length on. */
#define LONG_USER 16

typedef struct span {
	const char *at, *end;
} span;

typedef struct sink {
	char *at, *end; /* the '\0' has a place of its own */
	bool command;   /* not a URL alone; text is between single quotes */
	const xhprof_secret_rules *rules;
} sink;

/* Returns the part of a text to examine if this many bytes of it are written: a little more, as what follows may show
 * that they are secret. */
static span span_for(const char *text, size_t room)
{
	return (span){text, text + strnlen(text, XHPROF_REDACT_LOOKS_AT(room))};
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

/* Returns whether a byte is among a few others. strchr() would take longer for so few. */
static bool is_one_of(char c, const char *bytes)
{
	for (; *bytes && *bytes != c; bytes++) {
	}
	return *bytes == c;
}

/* Returns the first byte that is one of `stops` or '\0', or the end. */
static const char *span_until(span text, const char *stops)
{
	while (text.at < text.end && !is_one_of(*text.at, stops)) {
		text.at++;
	}
	return text.at;
}

/* Returns the first byte that is not one of `bytes`, or the end. */
static const char *span_past(span text, const char *bytes)
{
	while (text.at < text.end && strchr(bytes, *text.at)) {
		text.at++;
	}
	return text.at;
}

static bool span_begins(span text, const char *word)
{
	return span_length(text) >= strlen(word) && !memcmp(text.at, word, strlen(word));
}

static bool span_is(span text, const char *word)
{
	return span_length(text) == strlen(word) && span_begins(text, word);
}

static void sink_add(sink *to, const char *bytes, size_t length)
{
	size_t room = (size_t)(to->end - to->at);
	length = length < room ? length : room;
	memcpy(to->at, bytes, length);
	to->at += length;
}

static void put_span(sink *to, span text)
{
	for (const char *quote; to->command && (quote = memchr(text.at, '\'', span_length(text))); text.at = quote + 1) {
		sink_add(to, text.at, (size_t)(quote - text.at));
		sink_add(to, "'\\''", 4);
	}
	sink_add(to, text.at, span_length(text));
}

static void put_hidden(sink *to)
{
	sink_add(to, XHPROF_REDACTED, sizeof(XHPROF_REDACTED) - 1);
}

static bool name_is_hidden(const sink *to, span name)
{
	return xhprof_secret_name(name.at, name.end, to->rules);
}

static bool value_is_hidden(const sink *to, span value)
{
	return xhprof_secret_value(value.at, value.end, to->rules);
}

/* Writes a part, "name=value" or a value. True if the name hides the value. */
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

/* Writes the parts between separators. True if the last one is hidden by its name. In a command a password may contain
 * separators. */
static bool redact_parts(sink *to, span text, const char *separators)
{
	bool hidden = false;
	while (text.at < text.end && to->at < to->end) {
		span part = {text.at, span_until(text, separators)};
		text.at = part.end + (part.end < text.end);
		if (to->command && hidden && !memchr(part.at, '=', span_length(part))) {
			continue;
		}
		hidden = redact_part(to, part);
		put_span(to, (span){part.end, text.at});
	}
	return hidden;
}

/* Finds the password (or token) before the "@" of an authority. False without one. A password may contain
 * unencoded bytes: it ends at the last "@" of all. */
static bool find_password(span authority, span whole, span *password)
{
	const char *at = span_find_last(authority, '@');
	span user = {authority.at, at ? at : authority.end};
	const char *colon = span_until(user, ":");
	colon = colon < user.end ? colon : NULL;
	if (at && !colon) {
		*password = (span){authority.at, at};
		return at - authority.at >= LONG_USER;
	}
	if (!colon || (!at && span_past((span){colon + 1, authority.end}, "0123456789") == authority.end)) {
		return false; /* or a port */
	}
	*password = (span){colon + 1, span_find_last((span){colon, whole.end}, '@')};
	return password->end != NULL;
}

/* Writes the text before a URL's password, hides that, and moves the beginning of `text` past it. False if there is
 * none. */
static bool redact_password(sink *to, span *text, const char *separators)
{
	const char *slashes = text->at, *query = span_until(*text, "?#");
	while (slashes + 1 < query && (slashes[0] != '/' || slashes[1] != '/')) {
		slashes++;
	}
	span authority = {slashes + 2, NULL}, password;
	if (slashes + 1 >= query) {
		return false;
	}
	authority.end = span_until((span){authority.at, text->end}, "/?# ");
	if (!find_password(authority, *text, &password)) {
		return false;
	}
	redact_parts(to, (span){text->at, slashes}, separators);
	put_span(to, (span){slashes, password.at});
	if (password.at < password.end) {
		put_hidden(to);
	}
	text->at = password.end;
	return true;
}

static void redact_address(sink *to, span text, const char *path_separators)
{
	bool is_url = redact_password(to, &text, path_separators);
	span query = {span_until(text, "?#"), text.end};
	bool hidden = redact_parts(to, (span){text.at, query.at}, path_separators);
	if (hidden && !is_url && to->command) {
		return; /* a password that contains such a byte */
	}
	put_span(to, (span){query.at, query.at + (query.at < query.end)});
	query.at += query.at < query.end;
	redact_parts(to, query, "&#");
}

static size_t sink_end(sink *to, const char *start)
{
	*to->at = '\0';
	return (size_t)(to->at - start);
}

/* Returns the length of a path whose parts are all too short to be secret, as of most; 0 for any other, or if it is too
 * long. */
static size_t short_path(const char *url, size_t size, const xhprof_secret_rules *rules)
{
	const char *at = url, *part = url;
	if (rules->secret && *rules->secret) {
		return 0;
	}
	for (; *at && (size_t)(at - url) < size - 1; at++) {
		if (*at == '/') {
			part = at + 1;
		} else if (!xhprof_secret_is_harmless(*at, (size_t)(at - part))) {
			return 0;
		}
	}
	return *at ? 0 : (size_t)(at - url);
}

size_t xhprof_redact_url(char *to, size_t size, const char *url, const xhprof_secret_rules *rules)
{
	size_t plain = short_path(url, size, rules);
	if (plain) {
		memcpy(to, url, plain + 1);
		return plain;
	}
	sink sink = {.at = to, .end = to + size - 1, .rules = rules};
	redact_address(&sink, span_for(url, size), "/");
	return sink_end(&sink, to);
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Returns whether an argument is an option, such as "-v" and "--verbose=x"; "-Xf3" may be a password. */
static bool is_option(span argument)
{
	if (!span_begins(argument, "--")) {
		return span_begins(argument, "-") && span_length(argument) <= 2;
	}
	span name = {argument.at + 2, span_past((span){argument.at + 2, argument.end}, LOWER DIGITS "-")};
	return name.end == argument.end || (name.end > name.at && *name.end == '=');
}

/* Returns whether the next argument is secret, as after "--password", "Authorization:", "Bearer". */
static bool hides_next(const sink *to, span before)
{
	if (before.at == before.end) {
		return false;
	}
	span colon = {before.end - 1, before.end};
	bool option = *before.at == '-' && span_until(before, "=:") == before.end;
	bool header = *colon.at == ':' && span_until(before, "=:") == colon.at;
	return span_is(before, "Bearer") || ((option || header) && name_is_hidden(to, before));
}

/* Returns whether the option's value is a user with a password, as of "-u". */
static bool is_login_option(span option)
{
	static const char *const options[] = {"-u", "-U", "--user", "--proxy-user", "--userpwd"};
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (span_is(option, options[i])) {
			return true;
		}
	}
	return false;
}

/* Returns the password in "root:x" after "-u", in "--user=root:x" and in "-uroot:x"; or the end. */
static const char *login_password(span argument, span before)
{
	const char *colon = memchr(argument.at, ':', span_length(argument));
	bool login = is_login_option(before) || is_login_option((span){argument.at, span_until(argument, "=")}) ||
				 (span_begins(argument, "-u") && span_until(argument, "=/:") == colon);
	return login && colon ? colon + 1 : argument.end;
}

/* Returns whether an argument is a command of a program with many, such as "cache:clear". */
static bool is_task(span argument)
{
	return span_past(argument, LOWER ":_-") == argument.end;
}

/* Returns whether the ":" follows the name of a header: "Name: x", "Name:x". */
static bool is_header(span name, span value, bool task)
{
	return !task && (value.at == value.end || *value.at != ':') &&
		   ((value.at < value.end && *value.at == ' ') || span_past(name, LETTERS DIGITS "_-") == name.end);
}

/* Returns the value of an argument if its name hides the value as a whole, or its end. "--header=Name: x" has two
 * names. */
static const char *hidden_value(const sink *to, span argument, bool task)
{
	for (const char *start = argument.at;;) {
		const char *end = span_until((span){start, argument.end}, "=?:{[");
		if (end == argument.end || (*end != '=' && *end != ':')) {
			return argument.end;
		}
		span name = {start, end}, value = {end + 1, argument.end};
		if ((*end == '=' || is_header(name, value, task)) && name_is_hidden(to, name)) {
			return value.at + (*end == ':' && value.at < value.end && *value.at == ' ');
		}
		if (*end == ':') {
			return argument.end;
		}
		start = end + 1;
	}
}

static bool hides_argument(const sink *to, span argument, span before)
{
	if (argument.at == argument.end) {
		return false;
	}
	return (hides_next(to, before) && !is_option(argument)) ||
		   xhprof_secret_known(argument.at, argument.end, to->rules) ||
		   (strchr("{[", *argument.at) && value_is_hidden(to, argument));
}

static void redact_argument(sink *to, span argument, span before, bool task)
{
	if (hides_argument(to, argument, before)) {
		put_hidden(to);
		return;
	}
	const char *value = hidden_value(to, argument, task), *password = login_password(argument, before);
	value = value < password ? value : password;
	if (value < argument.end) {
		put_span(to, (span){argument.at, value});
		put_hidden(to);
	} else if (span_until(argument, " \n") < argument.end && xhprof_secret_shows(argument.at, argument.end)) {
		put_hidden(to); /* its parts would be examined one by one */
	} else {
		redact_address(to, argument, "; ");
	}
}

static bool is_plain(const char *argument)
{
	return *argument && !argument[strspn(argument, LETTERS DIGITS "_-+=./:,@%^~")];
}

/* The state of reading a command's words: whether the first argument that is no option was seen after the program. */
typedef struct words {
	const char *before;
	bool first, task;
} words;

static void put_word(sink *to, const char *text, size_t size, words *words)
{
	bool plain = is_plain(text), may_be_task = !words->first && !words->task && *text != '-';
	span argument = span_for(text, size);
	words->task |= may_be_task;
	sink_add(to, " '", plain ? 1 : 2);
	redact_argument(to, argument, span_for(words->before, size), may_be_task && is_task(argument));
	sink_add(to, "'", !plain);
	words->first = false;
	words->before = text;
}

size_t xhprof_redact_command(char *to, size_t size, int argc, char *const *argv, const xhprof_secret_rules *rules)
{
	sink sink = {.at = to, .end = to + size - 1, .command = true, .rules = rules};
	words words = {.before = "", .first = true};
	sink_add(&sink, "php", 3);
	for (int i = 0; i < argc && sink.at < sink.end; i++) {
		put_word(&sink, argv[i], size, &words);
	}
	return sink_end(&sink, to);
}

size_t xhprof_redact_process(char *to, size_t size, const char *line, size_t length, const xhprof_secret_rules *rules)
{
	sink sink = {.at = to, .end = to + size - 1, .command = true, .rules = rules};
	words words = {.before = line};
	const char *end = line + length;
	if (length) {
		redact_address(&sink, span_for(line, size), "; ");
		line += strlen(line) + 1;
	}
	for (; line < end && sink.at < sink.end; line += strlen(line) + 1) {
		put_word(&sink, line, size, &words);
	}
	return sink_end(&sink, to);
}
