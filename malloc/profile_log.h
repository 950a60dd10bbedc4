/* Memory over time: rows for gnuplot in the file of XHPROF_MALLOC_PROFILE; see xhprof_malloc.h. */
#ifndef XHPROF_PROFILE_LOG_H
#define XHPROF_PROFILE_LOG_H

#include <stdbool.h>

/* `resolution`: NULL for the default. Warns on stderr about failures. False: there is no profile. */
bool xhprof_profile_log_start(const char *name, const char *resolution);
/* Something was allocated or freed. */
void xhprof_profile_log_change(void);
/* The last row. */
void xhprof_profile_log_end(void);
/* The child continues in a file of its own. */
void xhprof_profile_log_forked(void);

#endif
