/* The cutting of texts between characters. */
#ifndef XHPROF_HEAP_UTF8_CUT_H
#define XHPROF_HEAP_UTF8_CUT_H

#include <stddef.h>

/* Returns how many of the first `available` bytes of a text of `total` bytes to keep: at most `max`, and no part of a
 * character where the text is cut. */
size_t xhprof_utf8_cut(const char *bytes, size_t available, size_t total, size_t max);

#endif
