#include "route_waits.h"

#include "hook/answer.h"

#include <string.h>

#define OWN_TIME 1
#define FIRST_KIND 2

/* The function that writes an answer. It returns when the client, or its server, has taken what was written; as those
 * that finish an answer do. */
#define FLUSH "flush"

bool xhprof_route_waits_begin(xhprof_route_waits *waits, const xhprof_merged *merged)
{
	waits->merged = merged;
	waits->size = (size_t)merged->tracer.symbols.count + 1;
	waits->kind_of = xhprof_pages_map(waits->size);
	return waits->kind_of != NULL;
}

void xhprof_route_waits_release(xhprof_route_waits *waits)
{
	xhprof_pages_unmap(waits->kind_of, waits->size);
	waits->kind_of = NULL;
}

static bool is_named(const xhprof_symbol *symbol, const char *name)
{
	return symbol->length == strlen(name) && memcmp(symbol->name, name, symbol->length) == 0;
}

static unsigned kind_of_symbol(const xhprof_symbol *symbol)
{
	if (symbol->flags & XHPROF_SYMBOL_COMPILED) {
		return FIRST_KIND + XHPROF_OPERATION_COMPILE;
	}
	if (!(symbol->flags & XHPROF_SYMBOL_INTERNAL)) {
		return OWN_TIME;
	}
	if (is_named(symbol, XHPROF_SYMBOL_GC_NAME)) {
		return FIRST_KIND + XHPROF_OPERATION_GC;
	}
	bool output = is_named(symbol, FLUSH);
	for (size_t i = 0; i < XHPROF_ANSWER_FUNCTIONS; i++) {
		output = output || is_named(symbol, xhprof_answer_functions[i]);
	}
	if (output) {
		return FIRST_KIND + XHPROF_WAIT_OUTPUT;
	}
	const xhprof_operation_function *function = xhprof_operation_function_named(symbol->name, symbol->length);
	return function ? FIRST_KIND + function->kind : OWN_TIME;
}

void xhprof_route_waits_of(xhprof_route_waits *waits, const xhprof_merged_route *route,
						   uint64_t samples[XHPROF_WAIT_KINDS])
{
	uint32_t depth = 0;
	memset(samples, 0, XHPROF_WAIT_KINDS * sizeof(*samples));
	for (const xhprof_node *node = route->node; (node = xhprof_merged_next_of_route(node, &depth));) {
		uint32_t id = XHPROF_SYMBOL_ID(node->symbol);
		if (!node->calls || id >= waits->size) {
			continue;
		}
		if (!waits->kind_of[id]) {
			waits->kind_of[id] = (uint8_t)kind_of_symbol(xhprof_symbols_get(&waits->merged->tracer.symbols, id));
		}
		if (waits->kind_of[id] >= FIRST_KIND) {
			uint64_t *sum = &samples[waits->kind_of[id] - FIRST_KIND];
			*sum = xhprof_distribution_sum(*sum, node->calls);
		}
	}
}

const char *xhprof_wait_name(unsigned kind)
{
	return kind == XHPROF_WAIT_OUTPUT ? "output" : xhprof_operation_kind_name((xhprof_operation_kind)kind);
}
