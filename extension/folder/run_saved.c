#include "run_saved.h"

#include "log_once.h"
#include "php_xhprof.h"
#include "run_folder.h"

#include <errno.h>
#include <string.h>

void xhprof_run_saved(const xhprof_run_written *written, const char *named, const char *source)
{
	xhprof_log_success();
	int error = xhprof_run_folder_admit(written->folder, source, (uint64_t)XHPROF_G(ini).max_runs,
										(uint64_t)XHPROF_G(ini).max_bytes, written->bytes);
	if (error && error != EAGAIN) { /* another process is counting */
		xhprof_log_condition("cannot count the runs of %s, so xhprof.max_runs may be exceeded: %s", named,
							 strerror(error));
	}
}
