#include "operation_values.h"

#include "compat/pdo_layout.h"

#include "zend_strtod.h"

#define DEEPEST 4 /* lists in lists */

static uint64_t hash_value(const zval *value, uint64_t hash, int depth)
{
	ZVAL_DEREF(value);
	/* An integer as its digits: a driver may have made a string of it, in the place where it was bound. */
	uint32_t type = Z_TYPE_P(value) == IS_LONG ? IS_STRING : Z_TYPE_P(value);
	if (type > IS_ARRAY || depth > DEEPEST || !hash) {
		return 0;
	}
	hash = xhprof_hash_bytes(&type, sizeof(type), hash);
	switch (type) {
		case IS_STRING: {
			if (Z_TYPE_P(value) == IS_STRING) {
				return xhprof_hash_bytes(Z_STRVAL_P(value), Z_STRLEN_P(value), hash);
			}
			char digits[MAX_LENGTH_OF_LONG + 1], *end = digits + sizeof(digits) - 1;
			const char *first = zend_print_long_to_buf(end, Z_LVAL_P(value));
			return xhprof_hash_bytes(first, (size_t)(end - first), hash);
		}
		case IS_DOUBLE:
			return xhprof_hash_bytes(&value->value, sizeof(value->value), hash);
		case IS_ARRAY: {
			zend_ulong index;
			zend_string *key;
			const zval *element;
			ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(value), index, key, element) {
				hash = key ? xhprof_hash_bytes(ZSTR_VAL(key), ZSTR_LEN(key), hash)
						   : xhprof_hash_bytes(&index, sizeof(index), hash);
				hash = hash_value(element, hash, depth + 1);
				if (!hash) {
					return 0;
				}
			}
			ZEND_HASH_FOREACH_END();
			return hash;
		}
		default:
			return hash;
	}
}

uint64_t xhprof_operation_hash(const zval *value, uint64_t before)
{
	return hash_value(value, before, 0);
}

static void hash_bound(const zval *value, void *context)
{
	*(uint64_t *)context = xhprof_operation_hash(value, *(uint64_t *)context);
}

uint64_t xhprof_operation_hash_statement(zval *statement, const zval *given, uint64_t before)
{
	uint64_t hash = before;
	if (given && Z_TYPE_P(given) == IS_ARRAY) {
		return xhprof_operation_hash(given, hash);
	}
	return xhprof_compat_pdo_each_bound(statement, hash_bound, &hash) ? hash : 0;
}

typedef struct shown_text {
	char *bytes;
	size_t length, size;
} shown_text;

static void text_add(shown_text *text, const char *bytes, size_t length)
{
	size_t room = text->size - text->length;
	size_t take = length < room ? length : room;
	memcpy(text->bytes + text->length, bytes, take);
	text->length += take;
}

/* Writes the shortest decimal that reads back as the same number, without the engine's allocating routines. */
static size_t double_text(double value, char *text, size_t size)
{
	int precision = 14, length;
	do {
		length = snprintf(text, size, "%.*G", ++precision, value);
	} while (precision < 17 && zend_strtod(text, NULL) != value);
	return (size_t)length;
}

static void text_add_value(shown_text *text, const zval *value)
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

size_t xhprof_operation_show(char *to, size_t size, const zend_string *sql, const HashTable *parameters)
{
	shown_text text = {to, 0, size};
	const char *at = ZSTR_VAL(sql), *end = at + ZSTR_LEN(sql);
	zend_ulong position = 0;
	char quote = 0;
	while (at < end && text.length < size) {
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
			text_add_value(&text, value);
		} else {
			text_add(&text, start, (size_t)(at - start));
		}
	}
	return text.length;
}
