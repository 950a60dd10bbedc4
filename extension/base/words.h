/* The words of a setting that is a list: what stands between commas and white space. */
#ifndef XHPROF_BASE_WORDS_H
#define XHPROF_BASE_WORDS_H

#include <stddef.h>
#include <string.h>

#define XHPROF_WORDS_SEPARATORS ", \t\r\n"

/* A part of the list, not ended by a '\0'. */
typedef struct xhprof_word {
	const char *text;
	size_t length; /* 0: the list has ended */
} xhprof_word;

/* `list` may be NULL. */
static inline xhprof_word xhprof_words_first(const char *list)
{
	const char *text = list ? list + strspn(list, XHPROF_WORDS_SEPARATORS) : "";
	return (xhprof_word){text, strcspn(text, XHPROF_WORDS_SEPARATORS)};
}

static inline xhprof_word xhprof_words_next(xhprof_word word)
{
	return xhprof_words_first(word.text + word.length);
}

#endif
