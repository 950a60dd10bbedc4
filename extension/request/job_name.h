/* The name of a job: the class of a message of Symfony Messenger, the display name of a job of Laravel, else the class of the
 * object that is given to the worker. No code of the program runs. */
#ifndef XHPROF_REQUEST_JOB_NAME_H
#define XHPROF_REQUEST_JOB_NAME_H

#include "php_xhprof.h"

#include "base/route.h"

#define XHPROF_JOB_NAME_MAX XHPROF_ROUTE_MAX

/* Puts the name at `to`, cut to fit, and returns its length. */
size_t xhprof_job_name(const zend_object *job, char to[XHPROF_JOB_NAME_MAX + 1]);

/* Returns the message in an envelope of Symfony Messenger, or NULL. */
const zend_object *xhprof_job_message(const zend_object *job);

/* Returns whether an envelope of Symfony Messenger has come from a transport, so that a worker handles it. */
bool xhprof_job_is_received(const zend_object *envelope);

#endif
