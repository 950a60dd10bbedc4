/* Folds the routes of a merged tree if they are too many, for example because a scanner asks for random URLs. More
 * than XHPROF_FOLD_SIBLINGS names that differ in one part become one pattern, "GET /blog/{…}", except those that are a
 * good part of the whole. Beyond XHPROF_FOLD_ROUTES the lightest by time and requests go to such a pattern, or to
 * "(other routes)". Figures and call paths are added up, so nothing is lost. No PHP. */
#ifndef XHPROF_AGGREGATE_MERGED_FOLD_H
#define XHPROF_AGGREGATE_MERGED_FOLD_H

#include "merged.h"

#define XHPROF_FOLD_ROUTES 500u /* of a run, and of a process's data */
#define XHPROF_FOLD_SIBLINGS 100u
#define XHPROF_FOLD_ANY "{\xe2\x80\xa6}" /* U+2026 */

/* Folds the routes if they are too many. Pointers to routes, nodes and symbols of `merged` are invalid then. Without
 * memory nothing changes; the routes are bounded all the same. */
void xhprof_merged_fold(xhprof_merged *merged);

/* Folds the routes when enough have come since the last time for it to be worth it. */
void xhprof_merged_fold_if_many(xhprof_merged *merged);

#endif
