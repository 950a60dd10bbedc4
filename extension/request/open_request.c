#include "open_request.h"

#include "open_span.h"

#include "base/arena.h"

#include "SAPI.h"

#define MOST_REQUESTS 10000u

bool xhprof_open_request_reserve(void)
{
	return XHPROF_G(worker).count < XHPROF_G(worker).room ||
		   (XHPROF_G(worker).count < MOST_REQUESTS &&
			xhprof_pages_double((void **)&XHPROF_G(worker).open, sizeof(*XHPROF_G(worker).open), &XHPROF_G(worker).room,
								16));
}

xhprof_open_request *xhprof_open_request_add(uint64_t span)
{
	xhprof_open_request *request = &XHPROF_G(worker).open[XHPROF_G(worker).count++];
	memset(request, 0, sizeof(*request));
	request->span = span;
	request->fiber = EG(current_fiber_context);
	XHPROF_G(worker).any = true;
	return request;
}

xhprof_open_request *xhprof_open_request_of(uint64_t span)
{
	for (uint32_t i = XHPROF_G(worker).count; span && i-- > 0;) {
		if (XHPROF_G(worker).open[i].span == span) {
			return &XHPROF_G(worker).open[i];
		}
	}
	return NULL;
}

void xhprof_open_request_remove(uint64_t span)
{
	xhprof_open_request *open = XHPROF_G(worker).open, *request = xhprof_open_request_of(span);
	if (request) {
		size_t after = (size_t)(open + XHPROF_G(worker).count - request) - 1;
		memmove(request, request + 1, after * sizeof(*request));
		XHPROF_G(worker).count--;
	}
}

xhprof_open_request *xhprof_open_request_in(const zend_fiber_context *fiber)
{
	for (uint32_t i = XHPROF_G(worker).count; i-- > 0;) {
		if (XHPROF_G(worker).open[i].fiber == fiber) {
			return &XHPROF_G(worker).open[i];
		}
	}
	return NULL;
}

xhprof_open_request *xhprof_open_request_here(void)
{
	return xhprof_open_request_in(EG(current_fiber_context));
}

xhprof_open_request *xhprof_open_request_now(void)
{
	return xhprof_open_request_of(xhprof_open_span_here());
}

xhprof_open_request *xhprof_open_request_last(void)
{
	uint32_t count = XHPROF_G(worker).count;
	return count ? &XHPROF_G(worker).open[count - 1] : NULL;
}

void xhprof_open_request_name(xhprof_open_request *request, xhprof_route_source source, const char *name)
{
	bool is_program = source == XHPROF_ROUTE_BY_PROGRAM;
	if (!is_program && (request->by_pattern || request->source != XHPROF_ROUTE_OF_URL)) {
		return;
	}
	xhprof_route_of_label(request->route, is_program ? NULL : request->method, request->host, name, strlen(name));
	request->source = source;
}

bool xhprof_open_request_route(const xhprof_open_request *request, char to[XHPROF_ROUTE_MAX + 1])
{
	int status = request->of_server ? SG(sapi_headers).http_response_code : request->status;
	if (request->source != XHPROF_ROUTE_OF_URL) {
		memcpy(to, request->route, sizeof(request->route));
		return true;
	}
	if (status == 404 && *request->method && !request->by_pattern) {
		xhprof_route_of_label(to, request->method, request->host, "(404)", 5);
		return true;
	}
	return false;
}

void xhprof_open_request_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_pages_unmap(globals->worker.open, globals->worker.room * sizeof(*globals->worker.open));
	globals->worker.open = NULL;
	globals->worker.room = 0;
}
