/* The call tree as a PHP array of columns in preorder. Node 0 is main(); figures are exclusive; times in ns. */
#ifndef XHPROF_EXPORT_TREE_ARRAY_H
#define XHPROF_EXPORT_TREE_ARRAY_H

#include "php_xhprof.h"
#include "trace/tracer.h"

/* Makes the array:
 * ["names" => list<string>, "fn" => list<int> (index into names), "depth" => list<int>, "ct" => list<int>,
 *  "self" => ["wt" => list<int> ns, "cpu" => list<int> ns, "mu" => list<int> bytes, "pmu" => list<int> bytes],
 *  "corrected" => ["wt" => list<int> ns, "cpu" => list<int> ns]], the last where the overhead is known */
void xhprof_tree_array(const xhprof_tracer *tracer, zval *result);

#endif
