/* Routes of a merged tree that are too many become fewer, also when a scanner asks for random URLs. Names that differ
 * in one part, more than XHPROF_FOLD_SIBLINGS of them, become one pattern, "GET /blog/{…}", except those that are a good
 * part of the whole. Where XHPROF_FOLD_ROUTES are still exceeded, the lightest by time and requests go to such a pattern, or to
 * "(other routes)". Nothing is lost: figures and call paths are added up. No PHP. */
#ifndef XHPROF_AGGREGATE_MERGED_FOLD_H
#define XHPROF_AGGREGATE_MERGED_FOLD_H

#include "merged.h"

#define XHPROF_FOLD_ROUTES 500u /* of a run, and of a process's data */
#define XHPROF_FOLD_SIBLINGS 100u
#define XHPROF_FOLD_ANY "{\xe2\x80\xa6}" /* U+2026 */

/* Looks at the routes, and folds them if they are too many. Pointers to routes, nodes and symbols of `merged` are then
 * gone. Without memory all stays as it was; its routes are bounded all the same. */
void xhprof_merged_fold(xhprof_merged *merged);

/* The same when enough routes have come since the last look for it to be worth it. */
void xhprof_merged_fold_if_many(xhprof_merged *merged);

#endif
