/* A request or job of a worker, which a runtime begins and ends: a span, with what a request of its own would have. One that
 * begins while a span is open in its fiber belongs to that. */
#ifndef XHPROF_REQUEST_WORKER_REQUEST_H
#define XHPROF_REQUEST_WORKER_REQUEST_H

#include "php_xhprof.h"

void xhprof_worker_request_minit(void);
void xhprof_worker_request_rinit(void);
void xhprof_worker_request_rshutdown(void);
void xhprof_worker_request_gshutdown(zend_xhprof_globals *globals);

/* Begin a request or a job. Return the number of its span; 0: none has begun. `object`: the request that the runtime has
 * given to the program; NULL: it is the server's. `message`: that of the job, to know it by; or NULL. */
uint64_t xhprof_worker_request_begin(const zend_object *object);
uint64_t xhprof_worker_request_begin_job(const char *name, size_t length, const zend_object *message);

/* The same for a request that no call ends: its answer does, or the next one of its fiber. */
void xhprof_worker_request_take(const zend_object *object);

/* Ends the request of a span, if it is open. `ended_by`: how, if it did not come to its end; or NULL. */
void xhprof_worker_request_end(uint64_t span, const char *ended_by);

/* Returns whether this is a worker, and the running fiber works for no request, job or span: what it says of a request comes too
 * late, and is not about the program as a whole. */
bool xhprof_worker_request_is_between(void);

/* Returns whether the running profile is of the request that this fiber works for. */
bool xhprof_worker_request_runs(void);

/* Begins and ends a call that answers the request that this fiber works for. It is over with the outermost one, if it `ends`. */
void xhprof_worker_request_answers(void);
void xhprof_worker_request_answered(bool ends);

/* Ends the request taken in this fiber, as the program asks for the next one. */
void xhprof_worker_request_next(void);

/* Note the status of the answer, a failure, and what a router has chosen, of the request that this fiber works for. */
void xhprof_worker_request_status(int status);
void xhprof_worker_request_failed(void);
void xhprof_worker_request_routed(const zend_object *chosen);

/* Notes that a message's handler has thrown, if the job of this fiber is that message. */
void xhprof_worker_request_job_failed(const zend_object *message);

#endif
