/* The report at the end of a process. */
#ifndef XHPROF_REPORT_H
#define XHPROF_REPORT_H

#include <stdbool.h>

/* `setting`: of XHPROF_MALLOC_REPORT, NULL if unset. */
void xhprof_report_start(const char *setting);
void xhprof_report_end(void);
void xhprof_report_forked(int parent);

#endif
