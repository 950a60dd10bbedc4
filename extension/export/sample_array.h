/* The samples of a profile as PHP arrays. */
#ifndef XHPROF_EXPORT_SAMPLE_ARRAY_H
#define XHPROF_EXPORT_SAMPLE_ARRAY_H

#include "php_xhprof.h"
#include "trace/tracer.h"

/* Makes the classic shape: "sec.usec" => "main()==>a==>b", with lines "main()==>a==>b:17". At most `depth` functions
 * of a path, counted from the innermost. */
void xhprof_sample_array(const xhprof_tracer *tracer, zend_long depth, zval *result);

/* Adds a sampling's own data to the array of a call tree (see tree_array.h): "samples" => interval_us, clock, start
 * (of interval 0, seconds since the epoch), t (us since then, when the interval ended), node (place in preorder), line,
 * and how they were taken. False: see fallible.h. */
bool xhprof_sample_columns(const xhprof_tracer *tracer, zval *tree);

#endif
