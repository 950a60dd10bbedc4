/* Places of code: files and lines of functions, and current lines of frames. Not on the hot path: used once per
 * function and once per call path. */
#ifndef XHPROF_HOOK_CODE_PLACE_H
#define XHPROF_HOOK_CODE_PLACE_H

#include "php_xhprof.h"

/* Gives the symbol the place of its function, unless it has one; the script of PHP itself gives it to main(). */
void xhprof_place_function(xhprof_symbols *symbols, xhprof_symbol_ref ref, const zend_function *function);

/* Gives the symbol a file as its place, without lines. */
void xhprof_place_file(xhprof_symbols *symbols, xhprof_symbol_ref ref, const char *path, size_t length);

/* Gives main() its place: the outermost code of the running stack. */
void xhprof_place_main(xhprof_symbols *symbols);

/* Returns whether this function has lines of PHP code. */
bool xhprof_has_code(const zend_function *function);

/* Returns the line of an opcode; 0 if it is not within the code of this function: until a frame records an opcode, the
 * field holds stale memory. */
uint32_t xhprof_line_within(const zend_function *function, const zend_op *opline);

/* Returns the current line of a frame; that of a generator that delegates is its "yield from". 0: not known. */
uint32_t xhprof_line_of(const zend_execute_data *frame);

/* Returns the current line of this frame of the running stack; with NULL that of the outermost code. 0: not known. */
uint32_t xhprof_call_line(const void *frame);

#endif
