/* The time at which the client has its answer: a program may finish it by fastcgi_finish_request() and go on
 * working. */
#ifndef XHPROF_HOOK_ANSWER_H
#define XHPROF_HOOK_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#define XHPROF_ANSWER_FUNCTIONS 2
extern const char *const xhprof_answer_functions[XHPROF_ANSWER_FUNCTIONS];

/* The time of a request, or of a span, as its client sees it. */
typedef struct xhprof_answer_time {
	uint64_t wall_us;  /* until it had the answer; without such a call: until the end */
	uint64_t after_us; /* from there to the end */
	bool early;        /* there was such a call, and it succeeded */
} xhprof_answer_time;

/* Returns the time of a request or span that ends now. `finished_ns`: when such a call finished the answer; 0: no
 * call did. All are of CLOCK_MONOTONIC. */
xhprof_answer_time xhprof_answer_time_of(uint64_t started_ns, uint64_t finished_ns, uint64_t now_ns);

#endif
