#include "failure.h"

#include "export/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

xhprof_exit xhprof_fail(xhprof_failure *failure, xhprof_exit code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(failure->text, sizeof(failure->text), format, arguments);
	va_end(arguments);
	/* One line, whatever names and paths are in it. */
	const unsigned char *end = (unsigned char *)failure->text + strlen(failure->text);
	size_t length;
	for (unsigned char *at = (unsigned char *)failure->text; at < end; at += length) {
		if (xhprof_unprintable(at, end, &length)) {
			memset(at, '?', length);
		}
	}
	return failure->code = code;
}

size_t xhprof_print_to(char *to, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(to, size, format, arguments);
	va_end(arguments);
	if (length < 0) {
		to[0] = '\0';
		return 0;
	}
	return (size_t)length < size ? (size_t)length : size - 1;
}

void xhprof_say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
}
