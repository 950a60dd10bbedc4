#include "heap_info.h"

static const char *skip_digits(const char *at)
{
	while (*at >= '0' && *at <= '9') {
		at++;
	}
	return at;
}

/* Returns whether the text is a number as JSON defines it (RFC 8259). */
static bool is_number(const char *at)
{
	const char *from = at + (*at == '-');
	at = skip_digits(from);
	if (at == from || (*from == '0' && at > from + 1)) {
		return false;
	}
	if (*at == '.') {
		from = at + 1;
		at = skip_digits(from);
		if (at == from) {
			return false;
		}
	}
	if (*at == 'e' || *at == 'E') {
		at++;
		from = at + (*at == '-' || *at == '+');
		at = skip_digits(from);
		if (at == from) {
			return false;
		}
	}
	return !*at;
}

void xhprof_heap_write_scalar(xhprof_writer *writer, const char *scalar)
{
	if (is_number(scalar) || !strcmp(scalar, "null") || !strcmp(scalar, "false") || !strcmp(scalar, "true")) {
		xhprof_write_string(writer, scalar);
	} else {
		xhprof_write_json_string(writer, scalar, strlen(scalar));
	}
}

void xhprof_heap_write_percent(xhprof_writer *writer, uint64_t part, uint64_t total)
{
	xhprof_write_decimal(writer, total ? 100.0 * (double)part / (double)total : 0.0, 4);
}
