/* The requests and jobs of a worker that are open, each with a span: what becomes known of them until they end. */
#ifndef XHPROF_REQUEST_OPEN_REQUEST_H
#define XHPROF_REQUEST_OPEN_REQUEST_H

#include "php_xhprof.h"

#include "base/route.h"

#include "zend_fibers.h"

typedef enum xhprof_route_source {
	XHPROF_ROUTE_OF_URL,
	XHPROF_ROUTE_BY_ROUTER,
	XHPROF_ROUTE_BY_PROGRAM
} xhprof_route_source;

typedef struct xhprof_open_request {
	uint64_t span; /* its number */
	const zend_fiber_context *fiber;
	bool of_server;             /* the status is that of the server, as without a worker */
	bool by_pattern;            /* of xhprof.route_patterns: the route of the URL */
	bool failed;                /* by an exception, or because the program said so */
	bool lasts;                 /* no call ends it */
	int status;                 /* of its answer, if not the server's; 0: not known */
	uint32_t answering;         /* calls within each other that answer it now */
	const zend_object *message; /* of a job, to know it by; or NULL */
	xhprof_route_source source;
	char method[32], host[256];       /* of a request, for its route; "" for a job */
	char route[XHPROF_ROUTE_MAX + 1]; /* unless it is that of the URL */
} xhprof_open_request;

/* Makes room for one more; false without memory, or where very many are open. */
bool xhprof_open_request_reserve(void);

/* Adds a request of this fiber, for which there is room. Pointers hold until the next one. */
xhprof_open_request *xhprof_open_request_add(uint64_t span);
void xhprof_open_request_remove(uint64_t span);

/* Returns the request of a span; NULL: it has none. */
xhprof_open_request *xhprof_open_request_of(uint64_t span);

/* Returns the one that has begun last in this fiber, or in any; or NULL. */
xhprof_open_request *xhprof_open_request_here(void);
xhprof_open_request *xhprof_open_request_last(void);

/* Returns the one that the running fiber works for, which may have begun in another one; or NULL. */
xhprof_open_request *xhprof_open_request_now(void);

/* Returns the one that has begun last in a fiber, or NULL. */
xhprof_open_request *xhprof_open_request_in(const zend_fiber_context *fiber);

/* Names it, if what names it counts for more than the name it has. `name`: without method, host and secrets. */
void xhprof_open_request_name(xhprof_open_request *request, xhprof_route_source source, const char *name);

/* Puts its route at `to`, if that is another one than that of its URL. */
bool xhprof_open_request_route(const xhprof_open_request *request, char to[XHPROF_ROUTE_MAX + 1]);

void xhprof_open_request_gshutdown(zend_xhprof_globals *globals);

#endif
