/* The commands of xhprof-inspect; each prints its results and returns a failure as its value. */
#ifndef XHPROF_INSPECT_COMMANDS_H
#define XHPROF_INSPECT_COMMANDS_H

#include "options.h"

xhprof_exit xhprof_command_trace(const xhprof_inspect_options *options, xhprof_failure *failure);
xhprof_exit xhprof_command_top(const xhprof_inspect_options *options, xhprof_failure *failure);
xhprof_exit xhprof_command_image(const xhprof_inspect_options *options, xhprof_failure *failure);
xhprof_exit xhprof_command_threads(const xhprof_inspect_options *options, xhprof_failure *failure);

/* `status`: of the program that was run, or 0. */
xhprof_exit xhprof_command_memory(const xhprof_inspect_options *options, int *status, xhprof_failure *failure);

/* trace --core. */
xhprof_exit xhprof_command_core_stack(const xhprof_inspect_options *options, xhprof_failure *failure);

#endif
