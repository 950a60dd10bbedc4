#include "run_saved.h"

#include "log_once.h"
#include "php_xhprof.h"
#include "run_folder.h"

#include <errno.h>
#include <string.h>

void xhprof_run_saved(const char *directory, const char *named, const char *source, uint64_t bytes)
{
	xhprof_log_success();
	int error = xhprof_run_folder_admit(directory, source, (uint64_t)XHPROF_G(ini).max_runs,
										(uint64_t)XHPROF_G(ini).max_bytes, bytes);
	if (error && error != EAGAIN) { /* another process is counting */
		xhprof_log_condition("cannot count the runs of %s, so xhprof.max_runs may be exceeded: %s", named,
							 strerror(error));
	}
}
