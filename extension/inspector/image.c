#include "commands.h"
xhprof_exit xhprof_command_image(const xhprof_inspect_options *options, xhprof_failure *failure)
{
	return xhprof_fail(failure, XHPROF_EXIT_ERROR, "not yet");
}
xhprof_exit xhprof_command_memory(const xhprof_inspect_options *options, int *status, xhprof_failure *failure)
{
	return xhprof_fail(failure, XHPROF_EXIT_ERROR, "not yet");
}
