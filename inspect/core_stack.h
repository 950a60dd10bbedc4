/* The calls that a process was in when its core file was written. */
#ifndef XHPROF_INSPECT_CORE_STACK_H
#define XHPROF_INSPECT_CORE_STACK_H

#include "core.h"

#include "export/writer.h"

/* Writes them, a line for each, from the innermost; nothing if no PHP code ran. Returns a message if they cannot be read. */
xhprof_exit xhprof_core_stack_write(xhprof_target *target, const xhprof_core *core, uint32_t depth,
									xhprof_writer *writer, xhprof_failure *failure);

#endif
