#include "call_label.h"

#include "zend_exceptions.h"
#include "zend_strtod.h"

#define LABEL_MAX 65536 /* bytes of SQL or URL kept in a name */

typedef enum { LABEL_FIRST_ARGUMENT, LABEL_SECOND_ARGUMENT, LABEL_STATEMENT, LABEL_CURL } label_kind;

static const struct {
	const char *scope; /* lower case, NULL for a function */
	const char *name;
	label_kind kind;
} labelled[] = {
	/* clang-format off */
	{"pdo", "exec", LABEL_FIRST_ARGUMENT},
	{"pdo", "query", LABEL_FIRST_ARGUMENT},
	{"mysqli", "query", LABEL_FIRST_ARGUMENT},
	{NULL, "mysqli_query", LABEL_SECOND_ARGUMENT},
	{"pdostatement", "execute", LABEL_STATEMENT},
	{NULL, "curl_exec", LABEL_CURL},
	/* clang-format on */
};

static bool name_is(const zend_string *name, const char *lower_case)
{
	return zend_binary_strcasecmp(ZSTR_VAL(name), ZSTR_LEN(name), lower_case, strlen(lower_case)) == 0;
}

static int label_index(const zend_function *function, const zend_class_entry *scope)
{
	if (function->type != ZEND_INTERNAL_FUNCTION || !function->common.function_name) {
		return -1;
	}
	for (size_t i = 0; i < sizeof(labelled) / sizeof(labelled[0]); i++) {
		if (!labelled[i].scope == !scope && name_is(function->common.function_name, labelled[i].name) &&
			(!scope || name_is(scope->name, labelled[i].scope))) {
			return (int)i;
		}
	}
	return -1;
}

uint32_t xhprof_call_label_flag(const zend_function *function, const zend_class_entry *scope)
{
	return XHPROF_G(ini).collect_additional_info && label_index(function, scope) >= 0 ? XHPROF_SYMBOL_LABELLED : 0;
}

/* Text being built in our own pages, to keep it out of the program's memory figures. */
typedef struct label_text {
	char *bytes;
	size_t length;
} label_text;

static void text_add(label_text *text, const char *bytes, size_t length)
{
	size_t room = LABEL_MAX - text->length;
	size_t take = length < room ? length : room;
	memcpy(text->bytes + text->length, bytes, take);
	text->length += take;
}

/* The shortest decimal that reads back as the same number, without the engine's allocating routines. */
static size_t double_text(double value, char *text, size_t size)
{
	int precision = 14, length;
	do {
		length = snprintf(text, size, "%.*G", ++precision, value);
	} while (precision < 17 && zend_strtod(text, NULL) != value);
	return (size_t)length;
}

static void text_add_value(label_text *text, const zval *value)
{
	char number[64];
	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			text_add(text, "'", 1);
			text_add(text, Z_STRVAL_P(value), Z_STRLEN_P(value));
			text_add(text, "'", 1);
			break;
		case IS_LONG:
			text_add(text, number, (size_t)snprintf(number, sizeof(number), ZEND_LONG_FMT, Z_LVAL_P(value)));
			break;
		case IS_DOUBLE:
			text_add(text, number, double_text(Z_DVAL_P(value), number, sizeof(number)));
			break;
		case IS_TRUE:
			text_add(text, "1", 1);
			break;
		case IS_FALSE:
			text_add(text, "0", 1);
			break;
		case IS_NULL:
			text_add(text, "NULL", 4);
			break;
		default:
			text_add(text, "?", 1);
	}
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const zval *named_parameter(const HashTable *parameters, const char *name, size_t length)
{
	/* execute() takes the names with or without the colon. */
	const zval *value = zend_hash_str_find(parameters, name, length);
	return value ? value : zend_hash_str_find(parameters, name + 1, length - 1);
}

/* The statement's SQL with `?` and `:name` outside of quotes replaced by the parameters given to execute(). */
static void text_add_statement(label_text *text, const zend_string *sql, const HashTable *parameters)
{
	const char *at = ZSTR_VAL(sql), *end = at + ZSTR_LEN(sql);
	zend_ulong position = 0;
	char quote = 0;
	while (at < end) {
		const char *start = at;
		const zval *value = NULL;
		if (quote) {
			quote = *at == quote ? 0 : quote;
		} else if (*at == '\'' || *at == '"' || *at == '`') {
			quote = *at;
		} else if (*at == '?' && parameters) {
			value = zend_hash_index_find(parameters, position++);
		} else if (*at == ':' && parameters && at + 1 < end && is_name_byte(at[1])) {
			while (at + 1 < end && is_name_byte(at[1])) {
				at++;
			}
			value = named_parameter(parameters, start, (size_t)(at + 1 - start));
		}
		at++;
		if (value) {
			text_add_value(text, value);
		} else {
			text_add(text, start, (size_t)(at - start));
		}
	}
}

static const zval *call_argument(zend_execute_data *call, uint32_t number)
{
	if (ZEND_CALL_NUM_ARGS(call) < number) {
		return NULL;
	}
	const zval *argument = ZEND_CALL_ARG(call, number);
	ZVAL_DEREF(argument);
	return argument;
}

static void label_statement(zend_execute_data *call, label_text *text)
{
	if (Z_TYPE(call->This) != IS_OBJECT) {
		return;
	}
	/* PDOStatement::$queryString is a declared property: read its slot, no handler runs. */
	zend_object *statement = Z_OBJ(call->This);
	const zend_property_info *info =
		zend_hash_str_find_ptr(&statement->ce->properties_info, "queryString", sizeof("queryString") - 1);
	if (!info || info->flags & ZEND_ACC_STATIC) {
		return;
	}
	const zval *sql = OBJ_PROP(statement, info->offset);
	ZVAL_DEREF(sql);
	const zval *parameters = call_argument(call, 1);
	if (Z_TYPE_P(sql) == IS_STRING) {
		text_add_statement(text, Z_STR_P(sql),
						   parameters && Z_TYPE_P(parameters) == IS_ARRAY ? Z_ARRVAL_P(parameters) : NULL);
	}
}

/* Only curl knows the URL of a curl handle: call its own function. */
static void label_curl(zend_execute_data *call, label_text *text)
{
	const zval *handle = call_argument(call, 1);
	zend_function *getinfo = zend_hash_str_find_ptr(CG(function_table), "curl_getinfo", sizeof("curl_getinfo") - 1);
	zval *effective_url = zend_get_constant_str("CURLINFO_EFFECTIVE_URL", sizeof("CURLINFO_EFFECTIVE_URL") - 1);
	if (!handle || Z_TYPE_P(handle) != IS_OBJECT || !getinfo || getinfo->type != ZEND_INTERNAL_FUNCTION ||
		!effective_url || EG(exception)) {
		return;
	}
	/* Calls the handler directly: the engine's own way of calling also runs signal handlers and timeouts. */
	zval url;
	ZVAL_NULL(&url);
	zend_execute_data *frame = zend_vm_stack_push_call_frame(ZEND_CALL_NESTED_FUNCTION, getinfo, 2, NULL);
	ZVAL_COPY(ZEND_CALL_ARG(frame, 1), handle);
	ZVAL_COPY(ZEND_CALL_ARG(frame, 2), effective_url);
	frame->prev_execute_data = call;
	EG(current_execute_data) = frame;
	getinfo->internal_function.handler(frame, &url);
	EG(current_execute_data) = call;
	zend_vm_stack_free_args(frame);
	zend_vm_stack_free_call_frame(frame);
	if (EG(exception)) {
		zend_clear_exception(); /* a TypeError for a handle of another class: curl_exec() will throw its own */
	}
	if (Z_TYPE(url) == IS_STRING) {
		text_add(text, Z_STRVAL(url), Z_STRLEN(url));
	}
	zval_ptr_dtor(&url);
}

xhprof_symbol_ref xhprof_call_label_symbol(xhprof_tracer *tracer, zend_execute_data *call, xhprof_symbol_ref plain)
{
	int index = label_index(call->func, call->func->common.scope);
	bool room = tracer->tree.nodes < tracer->tree.max_nodes; /* the bound on names is that of their nodes */
	if (index >= 0 && room && !XHPROF_G(label).buffer) {
		XHPROF_G(label).buffer = xhprof_pages_map(LABEL_MAX);
	}
	label_text text = {XHPROF_G(label).buffer, 0};
	if (index < 0 || !room || !text.bytes) {
		return plain;
	}
	const zval *argument = NULL;
	switch (labelled[index].kind) {
		case LABEL_FIRST_ARGUMENT:
			argument = call_argument(call, 1);
			break;
		case LABEL_SECOND_ARGUMENT:
			argument = call_argument(call, 2);
			break;
		case LABEL_STATEMENT:
			label_statement(call, &text);
			break;
		case LABEL_CURL:
			label_curl(call, &text);
			break;
	}
	if (argument && Z_TYPE_P(argument) == IS_STRING) {
		text_add(&text, Z_STRVAL_P(argument), Z_STRLEN_P(argument));
	}
	xhprof_symbol_ref symbol = plain;
	if (text.length) {
		const xhprof_symbol *base = xhprof_symbols_get(&tracer->symbols, XHPROF_SYMBOL_ID(plain));
		xhprof_symbol_ref labelled_symbol =
			xhprof_symbols_join(&tracer->symbols, base->name, base->length, "#", text.bytes, text.length, 0, 0);
		if (xhprof_symbols_lack_place(&tracer->symbols, labelled_symbol)) {
			xhprof_symbols_set_place(&tracer->symbols, labelled_symbol, base->place);
		}
		/* Only the plain name can be ignored: the end of a call has no other. */
		symbol = labelled_symbol ? labelled_symbol & ~XHPROF_SYMBOL_TRANSPARENT : plain;
	}
	return symbol;
}

void xhprof_call_label_rshutdown(void)
{
	xhprof_pages_unmap(XHPROF_G(label).buffer, LABEL_MAX);
	XHPROF_G(label).buffer = NULL;
}
