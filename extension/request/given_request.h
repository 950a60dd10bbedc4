/* An HTTP request as the runtime of a worker gives it to the program: an object of PSR-7, of Symfony, of Swoole, of RoadRunner.
 * What is needed of it is read in place, and no code of the program runs. */
#ifndef XHPROF_REQUEST_GIVEN_REQUEST_H
#define XHPROF_REQUEST_GIVEN_REQUEST_H

#include "php_xhprof.h"

#define XHPROF_GIVEN_TRIGGER 128 /* bytes of a trigger's value that is looked at */

typedef struct xhprof_given_request {
	char method[32], host[256], url[8192], traceparent[256]; /* or "" */
	char triggers[2][XHPROF_GIVEN_TRIGGER]; /* XHPROF_TRIGGER of the URL, and of the header with the cookies; or "" */
	const HashTable *variables[3];          /* TRACK_VARS_POST, TRACK_VARS_GET and TRACK_VARS_COOKIE; or NULL */
} xhprof_given_request;

/* Returns the given request of the span that begins now; NULL: it has none. */
static inline const xhprof_given_request *xhprof_given_request_now(void)
{
	return XHPROF_G(worker).beginning;
}

/* Reads a request. False if the object does not show a method and a URL. */
bool xhprof_given_request_read(const zend_object *object, xhprof_given_request *request);

/* Reads the request of $_SERVER, $_GET, $_POST and $_COOKIE, where the server itself has noted none. The same. */
bool xhprof_given_request_read_globals(xhprof_given_request *request);

/* Returns the status of an answer, such as an object of PSR-7 or of Symfony; 0: it is not known. */
int xhprof_given_request_status(const zend_object *answer);

#endif
