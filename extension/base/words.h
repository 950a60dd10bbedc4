/* The words of a setting that is a list, separated by commas and white space. */
#ifndef XHPROF_BASE_WORDS_H
#define XHPROF_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A part of the list, not ended by a '\0'. */
typedef struct xhprof_word {
	const char *text;
	size_t length; /* 0: the list has ended */
} xhprof_word;

static inline bool xhprof_words_separates(char c)
{
	return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the first word of `list`, which may be NULL. Words are short, and each request reads lists: strcspn() and the
 * like would take longer. */
static inline xhprof_word xhprof_words_first(const char *list)
{
	const char *text = list ? list : "", *end;
	while (xhprof_words_separates(*text)) {
		text++;
	}
	for (end = text; *end && !xhprof_words_separates(*end); end++) {
	}
	return (xhprof_word){text, (size_t)(end - text)};
}

static inline xhprof_word xhprof_words_next(xhprof_word word)
{
	return xhprof_words_first(word.text + word.length);
}

#endif
