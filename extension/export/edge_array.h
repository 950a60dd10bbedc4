/* The classic shape of a profile: "caller==>callee" => [ct, wt, cpu, mu, pmu], as a PHP array. */
#ifndef XHPROF_EXPORT_EDGE_ARRAY_H
#define XHPROF_EXPORT_EDGE_ARRAY_H

#include "php_xhprof.h"
#include "trace/tracer.h"

/* Makes the interned keys, once per process. */
void xhprof_edge_array_minit(void);

/* Makes the array of a stopped profile: times in us, memory in bytes, all inclusive. False (and NULL in `result`)
 * without memory to fold with. */
bool xhprof_edge_array(const xhprof_tracer *tracer, bool keep_run_init, zval *result);

#endif
