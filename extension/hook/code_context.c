#include "code_context.h"

#include "otel_context.h"

/* Fibers beyond these have no context of their own, and none that is inherited. */
#define MOST_FIBERS 65536u

typedef struct xhprof_fiber_context {
	xhprof_trace_ids ids;
	bool set;      /* by the fiber itself; otherwise it is inherited */
	uint64_t span; /* number of the span that had begun last, in any fiber, when it was set */
	struct xhprof_fiber_context *next_free;
} xhprof_fiber_context;

static xhprof_fiber_context *find(const zend_fiber_context *fiber)
{
	return XHPROF_G(context).fibers.used ? xhprof_table_find(&XHPROF_G(context).fibers, (uintptr_t)fiber) : NULL;
}

void xhprof_code_context_forget(const zend_fiber_context *fiber)
{
	xhprof_fiber_context *known =
		XHPROF_G(context).fibers.used ? xhprof_table_remove(&XHPROF_G(context).fibers, (uintptr_t)fiber) : NULL;
	if (known) {
		known->next_free = XHPROF_G(context).free;
		XHPROF_G(context).free = known;
	}
}

static bool keep(const zend_fiber_context *fiber, const xhprof_trace_ids *ids, bool set)
{
	xhprof_fiber_context *known = find(fiber), *room = XHPROF_G(context).free;
	if (!known) {
		if (XHPROF_G(context).fibers.used >= MOST_FIBERS) {
			return false;
		}
		known = room ? room : xhprof_arena_alloc(&XHPROF_G(context).arena, sizeof(*known), 8);
		if (!known || !xhprof_table_put(&XHPROF_G(context).fibers, (uintptr_t)fiber, known)) {
			return false; /* what the arena gave is lost until the request ends */
		}
		XHPROF_G(context).free = room ? room->next_free : NULL;
	}
	*known = (xhprof_fiber_context){.ids = *ids, .set = set, .span = XHPROF_G(span).last};
	return true;
}

/* Gives the context; `outermost`: of OpenTelemetry's spans the outermost. */
static bool context_now(xhprof_trace_ids *ids, bool outermost)
{
	const xhprof_fiber_context *known = find(EG(current_fiber_context));
	if (known && known->set) {
		*ids = known->ids;
		return true;
	}
	if (xhprof_otel_context(ids, outermost)) {
		return true;
	}
	if (known) {
		*ids = known->ids;
	}
	return known != NULL;
}

bool xhprof_code_context(xhprof_trace_ids *ids)
{
	return context_now(ids, false);
}

bool xhprof_code_context_outermost(xhprof_trace_ids *ids)
{
	return context_now(ids, true);
}

bool xhprof_code_context_set(const xhprof_trace_ids *ids)
{
	if (!ids) {
		xhprof_code_context_forget(EG(current_fiber_context));
		return true;
	}
	return keep(EG(current_fiber_context), ids, true);
}

void xhprof_code_context_of_request(const char *trace_id, const char *span_id)
{
	xhprof_trace_ids *ids = &XHPROF_G(context).of_request;
	if (!xhprof_trace_id_read(ids->trace, sizeof(ids->trace), trace_id, strlen(trace_id)) ||
		!xhprof_trace_id_read(ids->span, sizeof(ids->span), span_id, strlen(span_id))) {
		*ids = (xhprof_trace_ids){{0}, {0}};
	}
}

void xhprof_code_context_span_ends(const zend_fiber_context *fiber, uint64_t number)
{
	const xhprof_fiber_context *known = find(fiber);
	if (known && known->set && known->span >= number) {
		xhprof_code_context_forget(fiber);
	}
}

uint32_t xhprof_code_context_number(xhprof_tracer *tracer)
{
	xhprof_trace_ids ids;
	if (!context_now(&ids, false)) {
		return 0;
	}
	uint32_t number = tracer->samples.only_counts ? 0 : xhprof_contexts_number(&tracer->contexts, &ids);
	if (!xhprof_trace_ids_any(&tracer->contexts.outer) && context_now(&ids, true)) {
		xhprof_contexts_note_outer(&tracer->contexts, &ids);
	}
	return number;
}

xhprof_trace_ids xhprof_code_context_outer(const xhprof_tracer *tracer, bool of_request)
{
	static const xhprof_trace_ids none;
	return xhprof_trace_ids_any(&tracer->contexts.outer) ? tracer->contexts.outer
		   : of_request                                  ? XHPROF_G(context).of_request
														 : none;
}

void xhprof_code_context_inherit(const zend_fiber_context *fiber)
{
	xhprof_trace_ids ids;
	if (context_now(&ids, false)) {
		keep(fiber, &ids, false);
	} else {
		xhprof_code_context_forget(fiber); /* of one whose address it has, and which was never started */
	}
}

void xhprof_code_context_rshutdown(void)
{
	if (XHPROF_G(context).fibers.used) {
		xhprof_table_clear(&XHPROF_G(context).fibers);
	}
	xhprof_arena_release(&XHPROF_G(context).arena);
	XHPROF_G(context).free = NULL;
	XHPROF_G(context).otel = false;
	XHPROF_G(context).classes = 0;
	XHPROF_G(context).of_request = (xhprof_trace_ids){{0}, {0}};
}

void xhprof_code_context_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_table_release(&globals->context.fibers);
	xhprof_arena_release(&globals->context.arena);
}
