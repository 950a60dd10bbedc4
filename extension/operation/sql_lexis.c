#include "sql_lexis.h"

#include <string.h>
#include <strings.h>

bool xhprof_sql_is_one_of(const char *word, size_t length, const char *const *words)
{
	for (; *words; words++) {
		if (strlen(*words) == length && strncasecmp(word, *words, length) == 0) {
			return true;
		}
	}
	return false;
}

const char *xhprof_sql_past_space(const char *at, const char *end)
{
	while (at < end && xhprof_sql_is_space(*at)) {
		at++;
	}
	return at;
}

/* Returns the place past a word in any case, and the space after it; `at` itself if another word stands there. */
static const char *past_word(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);
	bool here = (size_t)(end - at) >= length && strncasecmp(at, word, length) == 0 &&
				(at + length == end || !xhprof_sql_is_name_byte(at[length]));
	return here ? xhprof_sql_past_space(at + length, end) : at;
}

bool xhprof_sql_is_compared(const char *at, const char *end)
{
	static const char *const operators[] = {"in", "like", "is", "between", "glob", "regexp", "ilike"};
	const char *start = past_word(xhprof_sql_past_space(at, end), end, "not"), *then = start;
	while (then < end && memchr("=<>!", *then, 4)) {
		then++;
	}
	for (size_t i = 0; then == start && i < sizeof(operators) / sizeof(operators[0]); i++) {
		then = past_word(start, end, operators[i]);
	}
	if (then == start) {
		return false;
	}
	then = past_word(xhprof_sql_past_space(then, end), end, "not");
	then += then < end && *then == '(';
	then = xhprof_sql_past_space(then, end);
	return then < end &&
		   (memchr("?:$@'", *then, 5) || xhprof_sql_is_digit(*then) || past_word(then, end, "null") != then);
}

/* Returns the end of a comment that begins at `at`, NULL if no comment does; `end`: it has no end. */
static const char *mysql_comment_end(const char *at, const char *end)
{
	const char *close;
	bool dashes = end - at >= 2 && at[0] == '-' && at[1] == '-' && (end - at == 2 || (unsigned char)at[2] <= ' ');
	if (*at == '#' || dashes) {
		close = memchr(at, '\n', (size_t)(end - at));
		return close ? close : end - 1;
	}
	if (end - at < 4 || at[0] != '/' || at[1] != '*') {
		return NULL;
	}
	close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
	return close ? close + 1 : end;
}

bool xhprof_sql_fits_without_escapes(const char *at, const char *end)
{
	for (; at < end; at++) {
		const char *comment = mysql_comment_end(at, end);
		if (comment && *at == '/' && (at[2] == '!' || at[2] == 'M')) {
			return true; /* it may be run: its "*" "/" can stand in quotes */
		}
		if (comment) {
			at = comment;
		} else if (*at == '\'' || *at == '"' || *at == '`') {
			at = memchr(at + 1, *at, (size_t)(end - at - 1));
		} else if (*at == '\\' && !(end - at > 1 && at[1] == 'N')) {
			return false;
		}
		if (!at || at == end) {
			return false;
		}
	}
	return true;
}
