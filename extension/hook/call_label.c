#include "call_label.h"

#include "operation.h"

#include "base/route.h"
#include "base/words.h"
#include "compat/jit.h"
#include "compat/property_reads.h"
#include "operation/operation_text.h"

#include <ctype.h>

#define MOST_LABELS 1000u /* of a profile */
#define MOST_KNOWN 8000u  /* texts and labels that are remembered */
#define LAST_ARGUMENT 99u

/* The label of texts that are too long for a name, and of those after MOST_LABELS others. */
#define OTHERS "..."

/* Reads "function:argument"; false: it is not one. */
static bool read_word(xhprof_word word, size_t *name_length, uint32_t *argument)
{
	const char *text = word.text;
	size_t digits = 0;
	*argument = 0;
	while (digits < word.length && digits <= 2 && isdigit((unsigned char)text[word.length - digits - 1])) {
		digits++;
	}
	for (size_t i = word.length - digits; i < word.length; i++) {
		*argument = *argument * 10 + (uint32_t)(text[i] - '0');
	}
	*name_length = word.length - digits - (digits < word.length);
	return *name_length && text[*name_length] == ':' && text[*name_length - 1] != ':' && *argument &&
		   *argument <= LAST_ARGUMENT;
}

const char *xhprof_call_label_mistake(const char *value, size_t *length)
{
	size_t name_length;
	uint32_t argument;
	xhprof_word word = xhprof_words_first(value);
	while (word.length && read_word(word, &name_length, &argument)) {
		word = xhprof_words_next(word);
	}
	*length = word.length;
	return word.length ? word.text : NULL;
}

/* Returns whether a text begins with these bytes in any case; then it moves past them. */
static bool skip(const char **text, size_t *length, const char *bytes, size_t count)
{
	if (*length < count || zend_binary_strcasecmp(*text, count, bytes, count) != 0) {
		return false;
	}
	*text += count;
	*length -= count;
	return true;
}

static bool is_named(const zend_function *function, const char *name, size_t length)
{
	const zend_class_entry *scope = function->common.scope;
	const zend_string *own = function->common.function_name;
	return (!scope ||
			(skip(&name, &length, ZSTR_VAL(scope->name), ZSTR_LEN(scope->name)) && skip(&name, &length, "::", 2))) &&
		   length == ZSTR_LEN(own) && skip(&name, &length, ZSTR_VAL(own), length);
}

uint32_t xhprof_call_label_flags(const zend_function *function)
{
	xhprof_word word = xhprof_words_first(XHPROF_G(ini).label_calls);
	const uint32_t kinds = function->common.fn_flags;
	if (!word.length || !function->common.function_name ||
		(kinds & (ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE)) == ZEND_ACC_CLOSURE || /* these are named by their place */
		kinds & ZEND_ACC_GENERATOR || /* its argument may change before it goes on */
		xhprof_compat_is_property_hook(function)) {
		return 0;
	}
	for (; word.length; word = xhprof_words_next(word)) {
		size_t name_length;
		uint32_t argument;
		if (read_word(word, &name_length, &argument) && is_named(function, word.text, name_length)) {
			/* SQL and URLs have texts by other rules, whether operations are recorded or not. */
			return xhprof_operation_of(function, function->common.scope)
					   ? 0
					   : XHPROF_SYMBOL_EXAMINED | argument << XHPROF_SYMBOL_NUMBER_SHIFT;
		}
	}
	return 0;
}

/* What an argument says: a text, or the class of an object. */
typedef struct said {
	const char *text; /* NULL: nothing */
	size_t length;
	bool is_class;
} said;

static const said nothing = {NULL, 0, false};

static said said_by(const zend_execute_data *call, uint32_t number)
{
	const zend_function *function = call->func;
	if (!number || number > ZEND_CALL_NUM_ARGS(call) ||
		(function->type == ZEND_USER_FUNCTION && number > function->op_array.num_args)) {
		return nothing; /* or elsewhere, as the ones of "...$more" */
	}
	const zval *argument = ZEND_CALL_ARG(call, number);
	ZVAL_DEREF(argument);
	if (Z_TYPE_P(argument) == IS_STRING && Z_STRLEN_P(argument)) {
		return Z_STRLEN_P(argument) > XHPROF_ROUTE_MAX ? (said){OTHERS, sizeof(OTHERS) - 1, false}
													   : (said){Z_STRVAL_P(argument), Z_STRLEN_P(argument), false};
	}
	if (Z_TYPE_P(argument) == IS_OBJECT) {
		const char *class = ZSTR_VAL(Z_OBJCE_P(argument)->name); /* up to the path of an anonymous one */
		return (said){class, strnlen(class, XHPROF_ROUTE_MAX), true};
	}
	return nothing;
}

/* Replaces "==>", ";" and ")", which have a meaning in files with names. */
static size_t make_plain(char *label, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool plain = (unsigned char)label[i] >= 0x80 || isalnum((unsigned char)label[i]) ||
					 (label[i] && strchr(" _-./:\\|{}$@#+*,!~%&'", label[i]));
		label[i] = plain ? label[i] : '?';
	}
	return length;
}

/* Makes the text of a label, without numbers, tokens and secrets, as keys of caches are in operations. */
static size_t make_label(char to[XHPROF_ROUTE_MAX + 1], said what)
{
	if (what.is_class) {
		return make_plain(to, xhprof_route_of_name(to, what.text, what.length));
	}
	char key[XHPROF_OPERATION_TEXT_MAX + 1];
	const xhprof_secret_rules rules = xhprof_secret_rules_now();
	size_t length = xhprof_operation_key(key, what.text, what.length, &rules);
	length = length < XHPROF_ROUTE_MAX ? length : XHPROF_ROUTE_MAX;
	memcpy(to, key, length);
	return make_plain(to, length);
}

/* Returns the symbol of a function's label of `length` bytes, which are followed by ")"; 0 without memory for it. */
static xhprof_symbol_ref join_label(xhprof_symbols *symbols, const xhprof_symbol *function, const char *label,
									size_t length)
{
	xhprof_symbol_ref ref = xhprof_symbols_join(symbols, function->name, function->length, "(", label, length + 1, 0,
												function->flags & XHPROF_SYMBOL_INTERNAL);
	if (XHPROF_SYMBOL_ID(ref) == XHPROF_SYMBOL_TRUNCATED) {
		return 0;
	}
	if (ref) {
		xhprof_symbols_set_place(symbols, ref, function->place);
	}
	return ref;
}

static xhprof_symbol_ref label_of(xhprof_symbols *symbols, const xhprof_symbol *function, said what)
{
	char label[XHPROF_ROUTE_MAX + 2];
	xhprof_table *known = &XHPROF_G(labels).known;
	size_t length = make_label(label, what);
	label[length] = ')';
	uint64_t key = xhprof_hash_bytes(label, length, ~(uint64_t)function->id);
	xhprof_symbol_ref ref = (xhprof_symbol_ref)(uintptr_t)xhprof_table_find(known, key);
	if (ref) {
		return ref;
	}
	if (XHPROF_G(labels).count >= MOST_LABELS) {
		return join_label(symbols, function, OTHERS ")", sizeof(OTHERS) - 1);
	}
	ref = join_label(symbols, function, label, length);
	if (ref && xhprof_table_put(known, key, (void *)(uintptr_t)ref)) {
		XHPROF_G(labels).count++;
	}
	return ref;
}

/* Returns the symbol of a call of the function `plain` with this value. */
static xhprof_symbol_ref known_label(xhprof_tracer *tracer, xhprof_symbol_ref plain, said what)
{
	const xhprof_symbol *function = xhprof_symbols_get(&tracer->symbols, XHPROF_SYMBOL_ID(plain));
	xhprof_table *known = &XHPROF_G(labels).known;
	if (XHPROF_G(labels).epoch != tracer->epoch) {
		XHPROF_G(labels).epoch = tracer->epoch;
		XHPROF_G(labels).count = 0;
		xhprof_table_clear(known);
	}
	uint64_t key = xhprof_hash_bytes(what.text, what.length, (uint64_t)function->id << 1 | what.is_class);
	xhprof_symbol_ref ref = (xhprof_symbol_ref)(uintptr_t)xhprof_table_find(known, key);
	if (!ref) {
		ref = label_of(&tracer->symbols, function, what);
		ref = ref ? ref : plain;
		if (known->used < MOST_KNOWN) {
			xhprof_table_put(known, key, (void *)(uintptr_t)ref);
		}
	}
	return ref;
}

static said said_to(const xhprof_tracer *tracer, const zend_execute_data *call, xhprof_symbol_ref symbol)
{
	const uint32_t flags = xhprof_symbols_get(&tracer->symbols, XHPROF_SYMBOL_ID(symbol))->flags;
	return said_by(call, (flags & XHPROF_SYMBOL_NUMBER_MASK) >> XHPROF_SYMBOL_NUMBER_SHIFT);
}

xhprof_symbol_ref xhprof_call_label_begin(xhprof_tracer *tracer, const zend_execute_data *call,
										  xhprof_symbol_ref symbol)
{
	said what = said_to(tracer, call, symbol);
	if (!what.text) {
		return symbol;
	}
	xhprof_tracer_close_segment(tracer);
	symbol = known_label(tracer, symbol, what);
	xhprof_tracer_skip(tracer);
	return symbol;
}

xhprof_symbol_ref xhprof_call_label_sampled(xhprof_tracer *tracer, const zend_execute_data *call,
											xhprof_symbol_ref symbol)
{
	said what = said_to(tracer, call, symbol);
	return what.text ? known_label(tracer, symbol, what) : symbol;
}

bool xhprof_call_label_can_sample(void)
{
	return xhprof_words_first(XHPROF_G(ini).label_calls).length && xhprof_compat_jit_mode() == XHPROF_JIT_OFF;
}

void xhprof_call_label_recycle(size_t *budget)
{
	xhprof_table_recycle(&XHPROF_G(labels).known, budget);
}

void xhprof_call_label_gshutdown(zend_xhprof_globals *globals)
{
	xhprof_table_release(&globals->labels.known);
}
