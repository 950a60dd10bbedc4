/* Texts in places of a fixed size. */
#ifndef XHPROF_BASE_TEXT_H
#define XHPROF_BASE_TEXT_H

#include <stddef.h>
#include <string.h>

/* Copies as much of `text` (or NULL: nothing) as fits, and a '\0'. snprintf() takes longer, and each request copies
 * some. */
static inline void xhprof_text_copy(char *to, size_t size, const char *text)
{
	size_t length = text ? strnlen(text, size - 1) : 0;
	memcpy(to, text ? text : "", length);
	to[length] = '\0';
}

#endif
