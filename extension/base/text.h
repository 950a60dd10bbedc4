/* Copies of texts in buffers of a fixed size. */
#ifndef XHPROF_BASE_TEXT_H
#define XHPROF_BASE_TEXT_H

#include <stddef.h>
#include <string.h>

/* Copies as much of `text` (NULL: nothing) as fits, and ends it with a '\0'. It is faster than snprintf(), as each
 * request copies several texts. */
static inline void xhprof_text_copy(char *to, size_t size, const char *text)
{
	size_t length = text ? strnlen(text, size - 1) : 0;
	memcpy(to, text ? text : "", length);
	to[length] = '\0';
}

#endif
