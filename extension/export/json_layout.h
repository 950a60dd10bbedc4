/* A writer of nested JSON that places the commas. */
#ifndef XHPROF_EXPORT_JSON_LAYOUT_H
#define XHPROF_EXPORT_JSON_LAYOUT_H

#include "writer.h"

typedef struct xhprof_json {
	xhprof_writer *writer;
	bool first; /* nothing is in the innermost bracket yet */
	bool line;  /* the next item begins a line */
} xhprof_json;

/* Begins a value that is an element of an array, or the whole document. */
void xhprof_json_item(xhprof_json *json);

/* Lets the next item or member begin a line of its own, so that long documents are readable. */
static inline void xhprof_json_line(xhprof_json *json)
{
	json->line = true;
}

void xhprof_json_key(xhprof_json *json, const char *key, size_t length);
void xhprof_json_open(xhprof_json *json, char bracket);
void xhprof_json_close(xhprof_json *json, char bracket);

/* Write members of the innermost open object. Keys are text that needs no escaping. */
void xhprof_json_name(xhprof_json *json, const char *key);
void xhprof_json_open_member(xhprof_json *json, const char *key, char bracket);
void xhprof_json_uint(xhprof_json *json, const char *key, uint64_t number);
void xhprof_json_int(xhprof_json *json, const char *key, int64_t number);
void xhprof_json_decimal(xhprof_json *json, const char *key, double number, unsigned decimals);
void xhprof_json_flag(xhprof_json *json, const char *key, bool flag);
void xhprof_json_string(xhprof_json *json, const char *key, const char *bytes, size_t length);

/* Writes a member that is a C string; NULL is left out. */
void xhprof_json_text(xhprof_json *json, const char *key, const char *text);

#endif
