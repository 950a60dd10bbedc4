/* Where texts may be cut. */
#ifndef XHPROF_HEAP_UTF8_CUT_H
#define XHPROF_HEAP_UTF8_CUT_H

#include <stddef.h>

/* How many of a text's first `told` bytes are kept, of `whole`: `max` at most, and where it is cut, no part of a character. */
size_t xhprof_utf8_cut(const char *bytes, size_t told, size_t whole, size_t max);

#endif
