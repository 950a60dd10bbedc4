#ifndef STAND_IN_H
#define STAND_IN_H
#define xhprof_redact_url(to, size, url, fragments) snprintf(to, size, "%s", url)
#define xhprof_redact_command(to, size, url, fragments) snprintf(to, size, "%s", url)
#define xhprof_report_failure(...)                     \
	do {                                               \
		char m[8192];                                  \
		snprintf(m, sizeof m, "xhprof: " __VA_ARGS__); \
		php_log_err(m);                                \
	} while (0)
#define xhprof_report_success() (void)0
#define xhprof_run_folder_admit(a, b, c, d, e) (void)(e)
#define xhprof_aggregate_begin(a, b) ((void)(a), false)
#define xhprof_aggregate_end(a) (void)(a)
#define xhprof_aggregate_mshutdown() (void)0
#endif
