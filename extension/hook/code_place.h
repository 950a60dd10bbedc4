/* Where code is: files and lines of functions, and the lines that frames are at. Cold: once per function, and once per
 * call path. */
#ifndef XHPROF_HOOK_CODE_PLACE_H
#define XHPROF_HOOK_CODE_PLACE_H

#include "php_xhprof.h"

/* Gives the symbol the place of its function, unless it has one; the script of PHP itself gives it to main(). */
void xhprof_place_function(xhprof_symbols *symbols, xhprof_symbol_ref ref, const zend_function *function);

/* The same with a file alone. */
void xhprof_place_file(xhprof_symbols *symbols, xhprof_symbol_ref ref, const char *path, size_t length);

/* The same for main(): the outermost code of the running stack. */
void xhprof_place_main(xhprof_symbols *symbols);

/* Whether a frame of this function is at lines of PHP code. */
bool xhprof_has_code(const zend_function *function);

/* The line of an operation; 0 if it is not within the code of this function: until a frame records one, the field holds
 * stale memory. */
uint32_t xhprof_line_within(const zend_function *function, const zend_op *opline);

/* The line that a frame is at; a generator that delegates is at its "yield from". 0: not known. */
uint32_t xhprof_line_of(const zend_execute_data *frame);

/* The line that this frame of the running stack is at; NULL: that of the outermost code. 0: not known. */
uint32_t xhprof_call_line(const void *frame);

#endif
