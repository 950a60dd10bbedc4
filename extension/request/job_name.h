/* What is known of a job by its object. Its name is the class of a message of Symfony Messenger, the display name of a job
 * of Laravel, else the class of the object that is given to the worker. No code of the program runs. */
#ifndef XHPROF_REQUEST_JOB_NAME_H
#define XHPROF_REQUEST_JOB_NAME_H

#include "php_xhprof.h"

#include "base/route.h"

#define XHPROF_JOB_NAME_MAX XHPROF_ROUTE_MAX

/* Puts the name at `to`, cut to fit, and returns its length. */
size_t xhprof_job_name(const zend_object *job, char to[XHPROF_JOB_NAME_MAX + 1]);

/* Returns the message in an envelope of Symfony Messenger, or NULL. */
const zend_object *xhprof_job_message(const zend_object *job);

/* Returns whether a worker has received an envelope of Symfony Messenger. One that the sync transport hands on is a part of
 * the code that dispatches it. */
bool xhprof_job_is_of_worker(const zend_object *envelope);

/* Returns whether a job of Laravel has failed by its own fail(). */
bool xhprof_job_says_failed(const zend_object *job);

#endif
