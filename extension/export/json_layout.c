#include "json_layout.h"

void xhprof_json_item(xhprof_json *json)
{
	if (!json->first) {
		xhprof_write_bytes(json->writer, ",", 1);
	}
	json->first = false;
	if (json->line) {
		xhprof_write_bytes(json->writer, "\n", 1);
	}
	json->line = false;
}

void xhprof_json_key(xhprof_json *json, const char *key, size_t length)
{
	xhprof_json_item(json);
	xhprof_write_json_string(json->writer, key, length);
	xhprof_write_bytes(json->writer, ":", 1);
}

void xhprof_json_name(xhprof_json *json, const char *key)
{
	size_t length = strlen(key);
	xhprof_json_item(json);
	xhprof_write_bytes(json->writer, "\"", 1);
	xhprof_write_bytes(json->writer, key, length);
	xhprof_write_bytes(json->writer, "\":", 2);
}

void xhprof_json_open(xhprof_json *json, char bracket)
{
	xhprof_write_bytes(json->writer, &bracket, 1);
	json->first = true;
}

void xhprof_json_close(xhprof_json *json, char bracket)
{
	xhprof_write_bytes(json->writer, &bracket, 1);
	json->first = false;
}

void xhprof_json_open_member(xhprof_json *json, const char *key, char bracket)
{
	xhprof_json_name(json, key);
	xhprof_json_open(json, bracket);
}

void xhprof_json_int(xhprof_json *json, const char *key, int64_t number)
{
	xhprof_json_name(json, key);
	xhprof_write_int(json->writer, number);
}

void xhprof_json_decimal(xhprof_json *json, const char *key, double number, unsigned decimals)
{
	xhprof_json_name(json, key);
	xhprof_write_decimal(json->writer, number, decimals);
}

void xhprof_json_uint(xhprof_json *json, const char *key, uint64_t number)
{
	xhprof_json_name(json, key);
	xhprof_write_uint(json->writer, number);
}

void xhprof_json_string(xhprof_json *json, const char *key, const char *bytes, size_t length)
{
	xhprof_json_name(json, key);
	xhprof_write_json_string(json->writer, bytes, length);
}

void xhprof_json_flag(xhprof_json *json, const char *key, bool flag)
{
	xhprof_json_name(json, key);
	xhprof_write_string(json->writer, flag ? "true" : "false");
}

void xhprof_json_text(xhprof_json *json, const char *key, const char *text)
{
	if (text) {
		xhprof_json_string(json, key, text, strlen(text));
	}
}
