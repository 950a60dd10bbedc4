/* The decision whether the settings ask for a run of what has ended. */
#ifndef XHPROF_REQUEST_SAVE_DECISION_H
#define XHPROF_REQUEST_SAVE_DECISION_H

#include "php_xhprof.h"

/* Decides by xhprof.save_slower_than_ms and, if it is set, xhprof.save_if, whose condition that is met is then in
 * XHPROF_G(request_info). `wall_us`: until the answer. `peak`: of the heap, of the span or the process. `operations`:
 * their numbers by kind; NULL: those of the profile. */
bool xhprof_save_asked(const xhprof_tracer *tracer, uint64_t wall_us, size_t peak, bool failed,
					   const uint64_t *operations);

#endif
