#include "folded_calls.h"

#include <string.h>

#define FIRST_FUNCTIONS 4096

static bool has_room(xhprof_folded_calls *folded, uint32_t id)
{
	while (folded->capacity <= id) {
		if (!xhprof_pages_double((void **)&folded->functions, sizeof(*folded->functions), &folded->capacity,
								 FIRST_FUNCTIONS)) {
			return false;
		}
	}
	return true;
}

void xhprof_folded_calls_add(xhprof_folded_calls *folded, xhprof_symbol_ref symbol, uint64_t calls)
{
	uint32_t id = XHPROF_SYMBOL_ID(symbol);
	if (!calls) {
		return;
	}
	if (!id || id == XHPROF_SYMBOL_TRUNCATED || !has_room(folded, id)) {
		folded->other += calls;
		return;
	}
	folded->count += !folded->functions[id].calls;
	folded->functions[id].symbol = symbol;
	folded->functions[id].calls += calls;
}

void xhprof_folded_calls_release(xhprof_folded_calls *folded)
{
	xhprof_pages_unmap(folded->functions, folded->capacity * sizeof(*folded->functions));
	memset(folded, 0, sizeof(*folded));
}
