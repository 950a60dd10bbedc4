#include "route_patterns.h"

#include "compat/pcre.h"
#include "folder/log_once.h"

#include "ext/standard/url.h"

#include <ctype.h>

/* The most steps of a match, which a pattern that runs wild reaches within a few milliseconds. */
#define MOST_STEPS 100000
#define MOST_DEPTH 20000

#define GROUPS 10 /* \0 to \9 */
#define VALUES 4  /* that are kept: hosts of one server may differ */
#define URL_MAX 8192

typedef struct route_pattern {
	struct route_pattern *next;
	pcre2_code *code;
	const char *text, *name; /* within the setting's value */
	size_t text_length, name_length;
} route_pattern;

typedef struct compiled_value {
	char *value; /* or NULL */
	route_pattern *first;
} compiled_value;

typedef struct xhprof_route_patterns {
	compiled_value values[VALUES]; /* the last used is the first */
	pcre2_match_data *match;
	pcre2_match_context *limits;
	char url[URL_MAX];
} xhprof_route_patterns;

static void report(const char *text, size_t length, const char *mistake)
{
	xhprof_log_condition("xhprof.route_patterns: \"%.*s\" is ignored: %s", (int)length, text, mistake);
}

static bool option_of(char letter, uint32_t *options)
{
	switch (letter) {
		case 'i':
			*options |= PCRE2_CASELESS;
			return true;
		case 'm':
			*options |= PCRE2_MULTILINE;
			return true;
		case 's':
			*options |= PCRE2_DOTALL;
			return true;
		case 'u':
			*options |= PCRE2_UTF | PCRE2_UCP;
			return true;
		case 'x':
			*options |= PCRE2_EXTENDED;
			return true;
	}
	return false;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \t\r\n");
}

/* Returns the end of "#...#", where another "#" has a backslash before it; NULL where nothing ends it. */
static const char *closing_delimiter(const char *text)
{
	for (const char *at = text + 1; *at; at++) {
		if (*at == *text) {
			return at;
		}
		at += *at == '\\' && at[1];
	}
	return NULL;
}

/* Returns the group that "\1" or "$1" stands for; -1: it is other text. */
static int group_at(const char *text, size_t length)
{
	return length > 1 && (*text == '\\' || *text == '$') && text[1] >= '0' && text[1] <= '9' ? text[1] - '0' : -1;
}

static bool has_groups(const route_pattern *pattern)
{
	uint32_t count = 0;
	xhprof_pcre(pattern_info)(pattern->code, PCRE2_INFO_CAPTURECOUNT, &count);
	for (size_t i = 0; i < pattern->name_length; i++) {
		if (group_at(pattern->name + i, pattern->name_length - i) > (int)count) {
			return false;
		}
	}
	return true;
}

static bool is_delimiter(char c)
{
	return ispunct((unsigned char)c) && c != '\\' && c != '=';
}

/* Reads "#expression#options=name" at `text`. Returns its end. A pattern that is left without code is not one, and was
 * reported. */
static const char *read_pattern(const char *text, route_pattern *pattern)
{
	uint32_t options = 0;
	int error;
	PCRE2_SIZE offset;
	PCRE2_UCHAR message[256];
	const char *close = is_delimiter(*text) ? closing_delimiter(text) : NULL, *at = close ? close + 1 : text;
	while (close && option_of(*at, &options)) {
		at++;
	}
	*pattern = (route_pattern){.text = text, .text_length = (size_t)(at - text) + word_length(at)};
	if (!close || *at != '=' || !word_length(at + 1)) {
		report(text, pattern->text_length, "a pattern is written as #expression#=name");
		return text + pattern->text_length;
	}
	pattern->name = at + 1;
	pattern->name_length = word_length(at + 1);
	pattern->code =
		xhprof_pcre(compile)((PCRE2_SPTR)text + 1, (size_t)(close - text) - 1, options, &error, &offset, NULL);
	if (!pattern->code) {
		xhprof_pcre(get_error_message)(error, message, sizeof(message));
		report(text, pattern->text_length, (const char *)message);
	} else if (!has_groups(pattern)) {
		report(text, pattern->text_length, "its name has a group that the expression lacks");
		xhprof_pcre(code_free)(pattern->code);
		pattern->code = NULL;
	}
	return text + pattern->text_length;
}

static void release_value(compiled_value *compiled)
{
	for (route_pattern *pattern = compiled->first, *next; pattern; pattern = next) {
		next = pattern->next;
		xhprof_pcre(code_free)(pattern->code);
		free(pattern);
	}
	free(compiled->value);
	*compiled = (compiled_value){NULL, NULL};
}

static void compile_value(compiled_value *compiled, const char *value)
{
	route_pattern **end = &compiled->first, pattern;
	compiled->value = strdup(value);
	for (const char *at = compiled->value; at && *(at += strspn(at, " \t\r\n"));) {
		at = read_pattern(at, &pattern);
		if (pattern.code && (*end = malloc(sizeof(pattern)))) {
			**end = pattern;
			end = &(*end)->next;
		} else {
			xhprof_pcre(code_free)(pattern.code);
		}
	}
}

static const route_pattern *patterns_of(xhprof_route_patterns *state, const char *value)
{
	size_t i = 0;
	while (i < VALUES - 1 && state->values[i].value && strcmp(state->values[i].value, value) != 0) {
		i++;
	}
	compiled_value wanted = state->values[i];
	if (!wanted.value || strcmp(wanted.value, value) != 0) {
		release_value(&wanted);
		compile_value(&wanted, value);
	}
	memmove(state->values + 1, state->values, i * sizeof(*state->values));
	state->values[0] = wanted;
	return wanted.first;
}

static void release_state(xhprof_route_patterns *state)
{
	for (size_t i = 0; i < VALUES; i++) {
		release_value(&state->values[i]);
	}
	xhprof_pcre(match_data_free)(state->match);
	xhprof_pcre(match_context_free)(state->limits);
	free(state);
}

/* Returns the patterns of this thread; NULL without memory. */
static xhprof_route_patterns *state_of_thread(void)
{
	xhprof_route_patterns *state = XHPROF_G(route_patterns);
	if (state || !(state = calloc(1, sizeof(*state)))) {
		return state;
	}
	state->match = xhprof_pcre(match_data_create)(GROUPS, NULL);
	state->limits = xhprof_pcre(match_context_create)(NULL);
	if (!state->match || !state->limits) {
		release_state(state);
		return NULL;
	}
	xhprof_pcre(set_match_limit)(state->limits, MOST_STEPS);
	xhprof_pcre(set_depth_limit)(state->limits, MOST_DEPTH);
	return XHPROF_G(route_patterns) = state;
}

static bool matches(const xhprof_route_patterns *state, const route_pattern *pattern, size_t length)
{
	int found = xhprof_pcre(match)(pattern->code, (PCRE2_SPTR)state->url, length, 0, 0, state->match, state->limits);
	if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_DEPTHLIMIT || found == PCRE2_ERROR_HEAPLIMIT) {
		xhprof_log_condition("xhprof.route_patterns: \"%.*s\" was given up for a URL: it takes too many steps",
							 (int)pattern->text_length, pattern->text);
	}
	return found >= 0; /* 0: there are more groups than we have room for */
}

static size_t put(char *to, size_t used, const char *text, size_t length)
{
	size_t room = XHPROF_ROUTE_PATTERN_NAME - 1 - used;
	length = length < room ? length : room;
	memcpy(to + used, text, length);
	return used + length;
}

static size_t put_name(char *to, const xhprof_route_patterns *state, const route_pattern *pattern)
{
	const PCRE2_SIZE *places = xhprof_pcre(get_ovector_pointer)(state->match);
	size_t used = 0;
	for (size_t i = 0; i < pattern->name_length; i++) {
		int group = group_at(pattern->name + i, pattern->name_length - i);
		if (group < 0) {
			used = put(to, used, pattern->name + i, 1);
			continue;
		}
		PCRE2_SIZE from = places[2 * group], end = places[2 * group + 1];
		if (from != PCRE2_UNSET && from < end) { /* \K may put the begin behind the end */
			used = put(to, used, state->url + from, end - from);
		}
		i++;
	}
	to[used] = '\0';
	return used;
}

size_t xhprof_route_patterns_name(char to[XHPROF_ROUTE_PATTERN_NAME], const char *patterns, const char *path)
{
	xhprof_route_patterns *state = state_of_thread();
	if (!state) {
		return 0;
	}
	const route_pattern *pattern = patterns_of(state, patterns);
	size_t length = strnlen(path, URL_MAX - 1), used = 0;
	memcpy(state->url, path, length);
	state->url[length] = '\0';
	length = php_raw_url_decode(state->url, length);
	for (; pattern && !used; pattern = pattern->next) {
		used = matches(state, pattern, length) ? put_name(to, state, pattern) : 0;
	}
	return used;
}

void xhprof_route_patterns_gshutdown(zend_xhprof_globals *globals)
{
	if (globals->route_patterns) {
		release_state(globals->route_patterns);
		globals->route_patterns = NULL;
	}
}
