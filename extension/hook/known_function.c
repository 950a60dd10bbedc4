#include "known_function.h"

#include <string.h>

#define FIRST_FUNCTIONS 512
#define MOST_FUNCTIONS 16384u

/* Returns whether it is worth remembering: in memory that outlives the request, and with a name that is no
 * closure's. */
static bool function_stays(const zend_function *function)
{
	const uint32_t flags = function->common.fn_flags,
				   changing = ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE | ZEND_ACC_CALL_VIA_TRAMPOLINE;
	const zend_class_entry *scope = function->common.scope;
	if (!function->common.function_name || flags & changing || (scope && scope->ce_flags & ZEND_ACC_ANON_CLASS)) {
		return false;
	}
	return function->type == ZEND_INTERNAL_FUNCTION ? !(flags & ZEND_ACC_ARENA_ALLOCATED) : flags & ZEND_ACC_IMMUTABLE;
}

/* Returns whether the symbol's name is that of the function: the proof that it is the function's symbol. */
static bool has_name_of(const xhprof_symbol *symbol, const zend_function *function)
{
	const zend_string *name = function->common.function_name;
	const zend_class_entry *scope = function->common.scope;
	const char *at = symbol->name;
	size_t length = symbol->length;
	if (scope) {
		size_t scope_length = ZSTR_LEN(scope->name);
		if (length != scope_length + 2 + ZSTR_LEN(name) || memcmp(at, ZSTR_VAL(scope->name), scope_length) != 0 ||
			memcmp(at + scope_length, "::", 2) != 0) {
			return false;
		}
		at += scope_length + 2;
		length -= scope_length + 2;
	}
	return length == ZSTR_LEN(name) && memcmp(at, ZSTR_VAL(name), length) == 0;
}

/* Forgets functions whose names are gone. */
static void forget_dropped(struct xhprof_known_functions *all)
{
	if (all->drops != XHPROF_G(tracer).symbols.drops) {
		all->drops = XHPROF_G(tracer).symbols.drops;
		all->count = all->last = 0;
		xhprof_table_clear(&all->places);
	}
}

static uint32_t find_place(const struct xhprof_known_functions *all, const zend_function *function)
{
	return (uint32_t)(uintptr_t)xhprof_table_find(&all->places, (uintptr_t)function);
}

/* Notes which one is asked for after another: the next profile asks in the same order, mostly. */
static void follow(struct xhprof_known_functions *all, uint32_t place)
{
	if (all->last) {
		all->functions[all->last - 1].next = place;
	}
	all->last = place;
}

const xhprof_known_function *xhprof_known_function_find(const zend_function *function)
{
	struct xhprof_known_functions *all = &XHPROF_G(known_functions);
	forget_dropped(all);
	if (!all->count || !function_stays(function)) {
		return NULL;
	}
	uint32_t place = all->last ? all->functions[all->last - 1].next : 1;
	if (place && all->functions[place - 1].function == function) {
		all->last = place;
	} else if ((place = find_place(all, function))) {
		follow(all, place);
	}
	return place && has_name_of(all->functions[place - 1].symbol, function) ? &all->functions[place - 1] : NULL;
}

/* Returns the place of a function, or of another one that had its address; 0 without room. */
static uint32_t place_for(struct xhprof_known_functions *all, const zend_function *function)
{
	uint32_t place = find_place(all, function);
	if (place) {
		return place;
	}
	bool room = all->count < all->capacity ||
				(all->count < MOST_FUNCTIONS && xhprof_pages_double((void **)&all->functions, sizeof(*all->functions),
																	&all->capacity, FIRST_FUNCTIONS));
	if (!room || !xhprof_table_put(&all->places, (uintptr_t)function, (void *)(uintptr_t)(all->count + 1))) {
		return 0;
	}
	return ++all->count;
}

void xhprof_known_function_add(const zend_function *function, xhprof_symbol_ref ref,
							   const xhprof_operation_function *operation)
{
	const xhprof_symbols *symbols = &XHPROF_G(tracer).symbols;
	struct xhprof_known_functions *all = &XHPROF_G(known_functions);
	uint32_t id = XHPROF_SYMBOL_ID(ref);
	xhprof_symbol *symbol = id > XHPROF_SYMBOL_TRUNCATED && symbols->keeps ? symbols->by_id[id] : NULL;
	uint32_t place = symbol && function_stays(function) && has_name_of(symbol, function) ? place_for(all, function) : 0;
	if (place) {
		all->functions[place - 1] = (xhprof_known_function){function, symbol, symbol->place.file, operation, 0};
		follow(all, place);
	}
}

static void release(struct xhprof_known_functions *all)
{
	xhprof_pages_unmap(all->functions, all->capacity * sizeof(*all->functions));
	xhprof_table_release(&all->places);
	*all = (struct xhprof_known_functions){.drops = all->drops};
}

void xhprof_known_functions_recycle(size_t *budget)
{
	struct xhprof_known_functions *all = &XHPROF_G(known_functions);
	size_t bytes = all->capacity * sizeof(*all->functions) + xhprof_table_size(&all->places);
	if (bytes > *budget || all->count == MOST_FUNCTIONS) { /* many of a full one may be gone */
		release(all);
		return;
	}
	*budget -= bytes;
	all->last = 0;
}

void xhprof_known_functions_gshutdown(zend_xhprof_globals *globals)
{
	release(&globals->known_functions);
}
