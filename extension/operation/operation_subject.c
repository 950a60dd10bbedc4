#include "operation_subject.h"

#include "operation_curl.h"
#include "operation_sql.h"
#include "operation_text.h"
#include "operation_values.h"

#include "compat/pdo_layout.h"

#include "ext/standard/file.h"
#include "php_streams.h"

#define SQL_MOST 4096            /* bytes of a statement in a run */
#define COMMAND_READ (64 * 1024) /* bytes of a command line that are read */
#define BUFFER_SIZE (64 * 1024)

/* Returns the buffer in which texts are made: pages of our own, to keep them out of the program's memory figures, and
 * off a fiber's stack. */
static char *text_buffer(void)
{
	if (!XHPROF_G(operation).buffer) {
		XHPROF_G(operation).buffer = xhprof_pages_map(BUFFER_SIZE);
	}
	return XHPROF_G(operation).buffer;
}

static zval *call_argument(zend_execute_data *call, uint32_t number)
{
	if (!number || ZEND_CALL_NUM_ARGS(call) < number) {
		return NULL;
	}
	zval *argument = ZEND_CALL_ARG(call, number);
	ZVAL_DEREF(argument);
	return Z_TYPE_P(argument) == IS_UNDEF ? NULL : argument;
}

/* Returns the argument if it is a string; number 0: the first one that is, after `skip` others. */
static const zend_string *string_argument(zend_execute_data *call, uint32_t number, uint32_t skip)
{
	for (uint32_t i = number ? number : 1; i <= ZEND_CALL_NUM_ARGS(call); i++) {
		const zval *argument = call_argument(call, i);
		bool is_string = argument && Z_TYPE_P(argument) == IS_STRING;
		if (number || (is_string && !skip--)) {
			return is_string ? Z_STR_P(argument) : NULL;
		}
	}
	return NULL;
}

static uint64_t hash_arrays(zend_execute_data *call, uint64_t hash)
{
	for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(call) && hash; i++) {
		const zval *argument = call_argument(call, i);
		if (argument && Z_TYPE_P(argument) == IS_ARRAY) {
			hash = xhprof_operation_hash(argument, hash);
		}
	}
	return hash;
}

static const HashTable *first_array(zend_execute_data *call)
{
	for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(call); i++) {
		const zval *argument = call_argument(call, i);
		if (argument && Z_TYPE_P(argument) == IS_ARRAY) {
			return Z_ARRVAL_P(argument);
		}
	}
	return NULL;
}

static xhprof_operation_text *make(xhprof_operation_subject *subject, const char *bytes, size_t length)
{
	return xhprof_operations_text(subject->operations, subject->function->kind, bytes, length);
}

/* Returns the text of an operation of which only the name is known: "PDO::commit", "sleep". */
static xhprof_operation_text *name_text(xhprof_operation_subject *subject)
{
	return make(subject, subject->symbol->name, subject->symbol->length);
}

/* Writes the function's name and a blank into the buffer, and gives their length. NULL without memory. */
static char *begin_named(const xhprof_operation_subject *subject, size_t *size)
{
	char *buffer = text_buffer();
	size_t length = subject->symbol->length < 256 ? subject->symbol->length : 256;
	if (!buffer) {
		return NULL;
	}
	memcpy(buffer, subject->symbol->name, length);
	buffer[length] = ' ';
	*size = length + 1;
	return buffer;
}

static xhprof_sql_dialect dialect_of(const char *driver)
{
	if (!driver) {
		return XHPROF_SQL_UNKNOWN;
	}
	return !strcmp(driver, "mysql")    ? XHPROF_SQL_MYSQL
		   : !strcmp(driver, "sqlite") ? XHPROF_SQL_SQLITE
		   : !strcmp(driver, "pgsql")  ? XHPROF_SQL_STANDARD
									   : XHPROF_SQL_UNKNOWN;
}

static xhprof_sql_dialect call_dialect(const xhprof_operation_subject *subject, zend_execute_data *call)
{
	xhprof_sql_dialect dialect = subject->function->dialect;
	bool is_pdo = subject->function->scope && !strcmp(subject->function->scope, "pdo");
	return is_pdo && Z_TYPE(call->This) == IS_OBJECT ? dialect_of(xhprof_compat_pdo_driver(&call->This)) : dialect;
}

/* Returns the text of a statement. `before`: what stands before it, at most 16 bytes. */
static xhprof_operation_text *sql_text(xhprof_operation_subject *subject, const zend_string *sql,
									   const HashTable *parameters, xhprof_sql_dialect dialect, const char *before)
{
	size_t used = strlen(before);
	char *buffer = text_buffer();
	if (!buffer) {
		return NULL;
	}
	memcpy(buffer, before, used);
	if (XHPROF_G(ini).operation_values) {
		return make(subject, buffer, used + xhprof_operation_show(buffer + used, SQL_MOST, sql, parameters));
	}
	uint64_t raw = xhprof_hash_bytes(ZSTR_VAL(sql), ZSTR_LEN(sql), dialect + 1 + (used ? 16 : 0));
	xhprof_operation_text *text = xhprof_operations_known(subject->operations, raw);
	if (!text) {
		used += xhprof_operation_sql(buffer + used, SQL_MOST, ZSTR_VAL(sql), ZSTR_LEN(sql), dialect);
		text = make(subject, buffer, used);
		xhprof_operations_know(subject->operations, raw, text);
	}
	return text;
}

static void read_sql(xhprof_operation_subject *subject, zend_execute_data *call, const zend_string *sql,
					 const char *before)
{
	if (sql) {
		subject->text = sql_text(subject, sql, first_array(call), call_dialect(subject, call), before);
		subject->values = *before ? 0 : hash_arrays(call, xhprof_hash_bytes(ZSTR_VAL(sql), ZSTR_LEN(sql), 0));
	}
}

static void read_query(xhprof_operation_subject *subject, zend_execute_data *call)
{
	read_sql(subject, call, string_argument(call, subject->function->argument, 0), "");
}

static void read_prepare(xhprof_operation_subject *subject, zend_execute_data *call)
{
	read_sql(subject, call, string_argument(call, subject->function->argument, 0), "PREPARE ");
}

static void read_statement(xhprof_operation_subject *subject, zend_execute_data *call)
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
	const zval *sql = OBJ_PROP(statement, info->offset), *given = call_argument(call, 1);
	ZVAL_DEREF(sql);
	if (Z_TYPE_P(sql) == IS_STRING) {
		xhprof_sql_dialect dialect = dialect_of(xhprof_compat_pdo_statement_driver(&call->This));
		uint64_t hash = xhprof_hash_bytes(Z_STRVAL_P(sql), Z_STRLEN_P(sql), 0);
		subject->text = sql_text(subject, Z_STR_P(sql), given && Z_TYPE_P(given) == IS_ARRAY ? Z_ARRVAL_P(given) : NULL,
								 dialect, "");
		subject->values = xhprof_operation_hash_statement(&call->This, given, hash);
	}
}

/* Returns a number for a prepared statement that is known by its object; others are known by their name. */
static uint64_t object_number(const zend_object *object)
{
	return xhprof_hash_mix(object->handle);
}

/* Returns a number for the name of a statement. The first argument is the connection: each has names of its own. */
static uint64_t name_number(zend_execute_data *call, const zend_string *name)
{
	const zval *connection = call_argument(call, 1);
	bool given = connection && Z_TYPE_P(connection) == IS_OBJECT;
	return xhprof_hash_bytes(ZSTR_VAL(name), ZSTR_LEN(name), given ? object_number(Z_OBJ_P(connection)) : 1);
}

static void read_prepared(xhprof_operation_subject *subject, zend_execute_data *call)
{
	uint32_t number = subject->function->argument;
	const zval *object = number ? call_argument(call, number) : &call->This;
	if (object && Z_TYPE_P(object) == IS_OBJECT) {
		subject->text = xhprof_operations_noted(subject->operations, object_number(Z_OBJ_P(object)));
		/* Bound values are the driver's own: only those that are given can be compared. */
		subject->values = subject->text && first_array(call) ? hash_arrays(call, subject->text->id + 1) : 0;
	}
}

static void read_named(xhprof_operation_subject *subject, zend_execute_data *call)
{
	const zend_string *name = string_argument(call, 0, 0), *sql = string_argument(call, 0, 1);
	if (name && sql) {
		xhprof_operations_note(subject->operations, name_number(call, name),
							   sql_text(subject, sql, NULL, subject->function->dialect, ""));
		read_sql(subject, call, sql, "PREPARE ");
	}
}

static void read_by_name(xhprof_operation_subject *subject, zend_execute_data *call)
{
	const zend_string *name = string_argument(call, 0, 0);
	if (name) {
		subject->text = xhprof_operations_noted(subject->operations, name_number(call, name));
		subject->values = subject->text ? hash_arrays(call, subject->text->id + 1) : 0;
	}
}

/* Returns the method of a request over a stream: that of its context, else GET. */
static const char *context_method(zend_execute_data *call, uint32_t number, size_t *length)
{
	const zval *argument = call_argument(call, number), *method = NULL;
	if (argument && Z_TYPE_P(argument) == IS_RESOURCE && Z_RES_TYPE_P(argument) == php_le_stream_context()) {
		php_stream_context *context = Z_RES_VAL_P(argument);
		method = context ? php_stream_context_get_option(context, "http", "method") : NULL;
	}
	bool known = method && Z_TYPE_P(method) == IS_STRING && Z_STRLEN_P(method) <= 16;
	*length = known ? Z_STRLEN_P(method) : 3;
	return known ? Z_STRVAL_P(method) : "GET";
}

static xhprof_operation_text *http_text(xhprof_operation_subject *subject, const char *method, size_t method_length,
										const char *url, size_t length)
{
	xhprof_secret_rules rules = xhprof_secret_rules_now();
	char *buffer = text_buffer();
	if (!buffer) {
		return NULL;
	}
	memcpy(buffer, method, method_length);
	buffer[method_length] = ' ';
	size_t used = method_length + 1;
	if (XHPROF_G(ini).operation_values && !memchr(url, '\0', length)) {
		char *copy = buffer + BUFFER_SIZE / 2;
		length = length < BUFFER_SIZE / 4 ? length : BUFFER_SIZE / 4;
		memcpy(copy, url, length);
		copy[length] = '\0';
		used += xhprof_redact_url(buffer + used, SQL_MOST, copy, &rules);
	} else {
		used += xhprof_operation_url(buffer + used, url, length, &rules);
	}
	return xhprof_operations_text(subject->operations, XHPROF_OPERATION_HTTP, buffer, used);
}

/* Makes the function's name and a text: with its values, or what `show` makes of it. NULL without memory. */
static char *named_text(const xhprof_operation_subject *subject, const char *text, size_t length,
						size_t (*show)(char *to, const char *text, size_t length, const xhprof_secret_rules *rules),
						size_t *used)
{
	xhprof_secret_rules rules = xhprof_secret_rules_now();
	char *buffer = begin_named(subject, used);
	if (buffer && XHPROF_G(ini).operation_values) {
		length = length < SQL_MOST ? length : SQL_MOST;
		memcpy(buffer + *used, text, length);
		*used += length;
	} else if (buffer) {
		*used += show(buffer + *used, text, length, &rules);
	}
	return buffer;
}

static xhprof_operation_text *path_text(xhprof_operation_subject *subject, const char *path, size_t length,
										xhprof_operation_kind kind)
{
	size_t used;
	char *buffer = named_text(subject, path, length, xhprof_operation_path, &used);
	return buffer ? xhprof_operations_text(subject->operations, kind, buffer, used) : NULL;
}

static void read_path(xhprof_operation_subject *subject, zend_execute_data *call)
{
	const zend_string *path = string_argument(call, subject->function->argument, 0);
	if (!path) {
		return;
	}
	bool reads = subject->function->source == XHPROF_TEXT_READ;
	subject->values = reads ? xhprof_hash_bytes(ZSTR_VAL(path), ZSTR_LEN(path), 0) : 0;
	if (xhprof_operation_is_http(ZSTR_VAL(path), ZSTR_LEN(path))) {
		size_t length;
		const char *method = context_method(call, subject->function->context, &length);
		bool soap = subject->function->scope != NULL;
		subject->text = http_text(subject, soap ? "POST" : method, soap ? 4 : length, ZSTR_VAL(path), ZSTR_LEN(path));
		subject->values = length == 3 && !memcmp(method, "GET", 3) ? subject->values : 0;
	} else {
		subject->text = path_text(subject, ZSTR_VAL(path), ZSTR_LEN(path), subject->function->kind);
	}
}

static bool is_socket(const php_stream *stream)
{
	return stream->ops->label && (strstr(stream->ops->label, "socket") || strstr(stream->ops->label, "ssl"));
}

static bool is_http_stream(const php_stream *stream)
{
	return stream->orig_path && xhprof_operation_is_http(stream->orig_path, strlen(stream->orig_path));
}

static xhprof_operation_kind stream_kind(const xhprof_operation_function *function, const php_stream *stream)
{
	return is_http_stream(stream) ? XHPROF_OPERATION_HTTP
		   : is_socket(stream)    ? XHPROF_OPERATION_SOCKET
								  : (xhprof_operation_kind)function->kind;
}

static xhprof_operation_text *stream_text(xhprof_operation_subject *subject, const php_stream *stream)
{
	const char *path = stream->orig_path;
	if (is_http_stream(stream)) {
		return http_text(subject, subject->symbol->name, subject->symbol->length < 64 ? subject->symbol->length : 64,
						 path, strlen(path));
	}
	if (!path || is_socket(stream)) {
		const char *label = stream->ops->label ? stream->ops->label : "stream";
		return path_text(subject, label, strlen(label), stream_kind(subject->function, stream));
	}
	return path_text(subject, path, strlen(path), stream_kind(subject->function, stream));
}

static const zval *stream_argument(const xhprof_operation_function *function, zend_execute_data *call)
{
	const zval *argument = call_argument(call, function->argument);
	bool is_stream =
		argument && Z_TYPE_P(argument) == IS_RESOURCE &&
		(Z_RES_TYPE_P(argument) == php_file_le_stream() || Z_RES_TYPE_P(argument) == php_file_le_pstream());
	return is_stream ? argument : NULL;
}

/* Reads the subject of an operation on a stream. Streams are read and written in small pieces: one text per stream and
 * function is made once. */
static void read_stream(xhprof_operation_subject *subject, zend_execute_data *call)
{
	const zval *argument = stream_argument(subject->function, call);
	if (!argument) {
		return;
	}
	uint64_t number = (uint64_t)Z_RES_HANDLE_P(argument) << XHPROF_OPERATION_FUNCTION_BITS |
					  xhprof_operation_function_number(subject->function);
	uint64_t hash = xhprof_hash_mix(number);
	subject->text = xhprof_operations_known(subject->operations, hash);
	if (!subject->text && Z_RES_VAL_P(argument)) {
		subject->text = stream_text(subject, Z_RES_VAL_P(argument));
		xhprof_operations_know(subject->operations, hash, subject->text);
	}
}

/* Reads the table of a query: "pg_select author". */
static void read_table(xhprof_operation_subject *subject, zend_execute_data *call)
{
	const zend_string *table = string_argument(call, subject->function->argument, 0);
	size_t used;
	char *buffer = table ? begin_named(subject, &used) : NULL;
	if (buffer) {
		size_t length = ZSTR_LEN(table) < SQL_MOST ? ZSTR_LEN(table) : SQL_MOST;
		used += xhprof_operation_sql(buffer + used, SQL_MOST, ZSTR_VAL(table), length, subject->function->dialect);
		subject->text = make(subject, buffer, used);
		subject->values = hash_arrays(call, xhprof_hash_bytes(ZSTR_VAL(table), ZSTR_LEN(table), 0));
	}
}

/* Returns the key, the first of a list of keys, or that of the first of values by their keys. An integer's digits are
 * written before `digits_end`: PHP makes an integer of such a key. */
static const char *key_argument(const xhprof_operation_function *function, zend_execute_data *call, char *digits_end,
								size_t *length)
{
	const zval *argument = call_argument(call, function->argument ? function->argument : 1);
	if (argument && Z_TYPE_P(argument) == IS_ARRAY) {
		zend_ulong index;
		zend_string *name;
		const zval *element = NULL;
		ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(argument), index, name, element) {
			break;
		}
		ZEND_HASH_FOREACH_END();
		if (element && function->source == XHPROF_TEXT_KEYED) {
			const char *first = name ? ZSTR_VAL(name) : zend_print_long_to_buf(digits_end, (zend_long)index);
			*length = name ? ZSTR_LEN(name) : (size_t)(digits_end - first);
			return first;
		}
		argument = element;
	}
	if (argument) {
		ZVAL_DEREF(argument);
	}
	if (!argument || Z_TYPE_P(argument) != IS_STRING) {
		return NULL;
	}
	*length = Z_STRLEN_P(argument);
	return Z_STRVAL_P(argument);
}

static void read_key(xhprof_operation_subject *subject, zend_execute_data *call)
{
	char digits[MAX_LENGTH_OF_LONG + 1];
	size_t used, length;
	const char *key = key_argument(subject->function, call, digits + sizeof(digits) - 1, &length);
	char *buffer = key ? named_text(subject, key, length, xhprof_operation_key, &used) : NULL;
	if (!buffer) {
		return;
	}
	subject->text = make(subject, buffer, used);
	subject->values = subject->symbol->length;
	for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(call) && subject->values; i++) {
		const zval *argument = call_argument(call, i);
		subject->values = argument ? xhprof_operation_hash(argument, subject->values) : 0;
	}
}

static void read_program(xhprof_operation_subject *subject, zend_execute_data *call)
{
	const zval *argument = call_argument(call, 1);
	if (argument && Z_TYPE_P(argument) == IS_ARRAY) { /* proc_open(): the program and its arguments */
		argument = zend_hash_index_find(Z_ARRVAL_P(argument), 0);
	}
	size_t used;
	char *buffer = argument && Z_TYPE_P(argument) == IS_STRING ? begin_named(subject, &used) : NULL;
	if (buffer) {
		size_t length = Z_STRLEN_P(argument) < COMMAND_READ ? Z_STRLEN_P(argument) : COMMAND_READ;
		size_t program = xhprof_operation_program(buffer + used, Z_STRVAL_P(argument), length);
		subject->text = program ? make(subject, buffer, used + program) : NULL;
	}
}

/* Reads the subject of a curl request. Before the call only the URL is known, after it the method too. */
static void read_curl(xhprof_operation_subject *subject, zend_execute_data *call)
{
	zval url;
	if (xhprof_operation_curl_info(call, call_argument(call, subject->function->argument),
								   ZEND_STRL("CURLINFO_EFFECTIVE_URL"), &url)) {
		subject->text = http_text(subject, "HTTP", 4, Z_STRVAL(url), Z_STRLEN(url));
		subject->values = xhprof_hash_bytes(Z_STRVAL(url), Z_STRLEN(url), 0);
		zval_ptr_dtor(&url);
	}
}

static void end_curl(xhprof_operation_subject *subject, zend_execute_data *call)
{
	zval method;
	if (!subject->text || !xhprof_operation_curl_info(call, call_argument(call, subject->function->argument),
													  ZEND_STRL("CURLINFO_EFFECTIVE_METHOD"), &method)) {
		return;
	}
	const xhprof_operation_text *text = subject->text;
	char *buffer = text_buffer();
	if (buffer && Z_STRLEN(method) <= 16 && text->length > 4 && text->length < BUFFER_SIZE / 2) {
		memcpy(buffer, Z_STRVAL(method), Z_STRLEN(method));
		memcpy(buffer + Z_STRLEN(method), text->bytes + 4, text->length - 4); /* after "HTTP" */
		subject->text = make(subject, buffer, Z_STRLEN(method) + text->length - 4);
		subject->values = zend_string_equals_literal(Z_STR(method), "GET") ? subject->values : 0;
	}
	zval_ptr_dtor(&method);
}

xhprof_operation_kind xhprof_operation_subject_kind(const xhprof_operation_function *function, zend_execute_data *call)
{
	if (function->source == XHPROF_TEXT_STREAM) {
		const zval *stream = stream_argument(function, call);
		if (stream && Z_RES_VAL_P(stream)) {
			return stream_kind(function, Z_RES_VAL_P(stream));
		}
	} else if (function->source == XHPROF_TEXT_PATH || function->source == XHPROF_TEXT_READ) {
		const zend_string *path = string_argument(call, function->argument, 0);
		if (path && xhprof_operation_is_http(ZSTR_VAL(path), ZSTR_LEN(path))) {
			return XHPROF_OPERATION_HTTP;
		}
	}
	return function->kind;
}

void xhprof_operation_subject_read(xhprof_operation_subject *subject, zend_execute_data *call)
{
	/* The readers of subjects, by the kind of text. NULL: the function's name is all that is known. */
	static void (*const readers[])(xhprof_operation_subject * subject, zend_execute_data * call) = {
		[XHPROF_TEXT_SQL] = read_query,         [XHPROF_TEXT_PREPARE] = read_prepare,
		[XHPROF_TEXT_PREPARED] = read_prepared, [XHPROF_TEXT_NAMED] = read_named,
		[XHPROF_TEXT_BY_NAME] = read_by_name,   [XHPROF_TEXT_STATEMENT] = read_statement,
		[XHPROF_TEXT_CURL] = read_curl,         [XHPROF_TEXT_CURL_ADDED] = read_curl,
		[XHPROF_TEXT_PATH] = read_path,         [XHPROF_TEXT_READ] = read_path,
		[XHPROF_TEXT_STREAM] = read_stream,     [XHPROF_TEXT_TABLE] = read_table,
		[XHPROF_TEXT_KEY] = read_key,           [XHPROF_TEXT_KEYED] = read_key,
		[XHPROF_TEXT_PROGRAM] = read_program,
	};
	unsigned source = subject->function->source;
	subject->text = NULL;
	subject->values = 0;
	if (source == XHPROF_TEXT_MAY_ASK) {
		return;
	}
	if (readers[source]) {
		readers[source](subject, call);
	}
	if (!subject->text) {
		subject->text = name_text(subject);
		subject->values = 0;
	}
}

/* Returns the statement's object: what was returned, or what prepared itself. */
static const zval *prepared_object(zend_execute_data *call, const zval *return_value)
{
	if (return_value && Z_TYPE_P(return_value) == IS_OBJECT) {
		return return_value;
	}
	const zval *object = Z_TYPE(call->This) == IS_OBJECT ? &call->This : call_argument(call, 1);
	return object && Z_TYPE_P(object) == IS_OBJECT ? object : NULL;
}

/* Returns whether a value is a prepared statement: its class is PDOStatement or one that the program has derived from
 * it. */
bool xhprof_operation_subject_asked(const zval *return_value)
{
	zval statement;
	if (!return_value || Z_TYPE_P(return_value) != IS_OBJECT) {
		return false;
	}
	ZVAL_COPY_VALUE(&statement, return_value);
	return xhprof_compat_pdo_is_prepared(&statement);
}

static void end_pdo_prepare(xhprof_operation_subject *subject, zend_execute_data *call, const zval *return_value)
{
	if (xhprof_operation_subject_asked(return_value)) {
		read_prepare(subject, call);
	}
}

bool xhprof_operation_subject_end(xhprof_operation_subject *subject, zend_execute_data *call, const zval *return_value)
{
	if (subject->function->source == XHPROF_TEXT_MAY_ASK) {
		end_pdo_prepare(subject, call, return_value);
		return subject->text != NULL;
	}
	if (subject->function->source == XHPROF_TEXT_CURL) {
		end_curl(subject, call);
	}
	if (subject->function->source == XHPROF_TEXT_PREPARE) {
		const zval *object = prepared_object(call, return_value);
		const zend_string *sql = string_argument(call, subject->function->argument, 0);
		if (object && sql) {
			xhprof_operations_note(subject->operations, object_number(Z_OBJ_P(object)),
								   sql_text(subject, sql, NULL, subject->function->dialect, ""));
		}
	}
	return true;
}

void xhprof_operation_subject_rshutdown(void)
{
	xhprof_pages_unmap(XHPROF_G(operation).buffer, BUFFER_SIZE);
	XHPROF_G(operation).buffer = NULL;
}
