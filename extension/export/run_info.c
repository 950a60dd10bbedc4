#include "run_info.h"

#include "base/redact.h"
#include "git_revision.h"

#include "SAPI.h"

void xhprof_run_engine_now(xhprof_run_engine *engine)
{
	*engine = (xhprof_run_engine){
		.sapi = sapi_module.name,
		.php = PHP_VERSION,
		.version = PHP_XHPROF_VERSION,
		.zts = USING_ZTS,
		.peak_memory = xhprof_heap_peak(),
		.flags = XHPROF_G(session).user_flags,
		.overhead = XHPROF_G(session).overhead,
	};
}

size_t xhprof_run_url(char *to, size_t size, const char *url)
{
	xhprof_secret_rules rules = xhprof_secret_rules_now();
	return xhprof_redact_url(to, size, url, &rules);
}

size_t xhprof_run_command(char *to, size_t size)
{
	xhprof_secret_rules rules = xhprof_secret_rules_now();
	*to = '\0';
	if (SG(request_info).request_method || SG(request_info).argc <= 0) {
		return 0;
	}
	return xhprof_redact_command(to, size, SG(request_info).argc, SG(request_info).argv, &rules);
}

static bool is_allowed(const char *path)
{
	return php_check_open_basedir_ex(path, 0) == 0;
}

bool xhprof_run_git(const char *script, char revision[65])
{
	bool found = script && xhprof_git_revision(script, is_allowed, revision);
	if (!found) {
		*revision = '\0';
	}
	return found;
}
