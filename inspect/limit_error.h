/* After a fatal error at memory_limit the engine drops its position, and calls the shutdown functions. The frames of
 * the calls are still in the VM stack's pages: the error's file and line identify them. */
#ifndef XHPROF_INSPECT_LIMIT_ERROR_H
#define XHPROF_INSPECT_LIMIT_ERROR_H

#include "php_process.h"

/* Finds the innermost call that was at `line` of `file`, or in an internal function called there, and lets the reader
 * show it as the caller of all that runs now. False if there is none within `depth` calls of the outermost. */
bool xhprof_limit_error_patch(const xhprof_php *php, xhprof_remote *remote, const char *file, uint32_t line,
							  uint32_t depth);

#endif
