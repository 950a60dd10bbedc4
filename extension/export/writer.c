#include "writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void xhprof_writer_init(xhprof_writer *writer, int fd)
{
	writer->fd = fd;
	writer->error = 0;
	writer->used = 0;
}

static void writer_out(xhprof_writer *writer, const char *bytes, size_t length)
{
	while (length && !writer->error) {
		ssize_t written = write(writer->fd, bytes, length);
		if (written < 0 && errno != EINTR) {
			writer->error = errno;
		} else if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
}

bool xhprof_writer_flush(xhprof_writer *writer)
{
	writer_out(writer, writer->buffer, writer->used);
	writer->used = 0;
	return writer->error == 0;
}

void xhprof_write_bytes(xhprof_writer *writer, const char *bytes, size_t length)
{
	if (length > sizeof(writer->buffer) - writer->used) {
		xhprof_writer_flush(writer);
		if (length > sizeof(writer->buffer)) {
			writer_out(writer, bytes, length);
			return;
		}
	}
	memcpy(writer->buffer + writer->used, bytes, length);
	writer->used += length;
}

void xhprof_write_string(xhprof_writer *writer, const char *string)
{
	xhprof_write_bytes(writer, string, strlen(string));
}

void xhprof_write_uint(xhprof_writer *writer, uint64_t number)
{
	char digits[20], *at = digits + sizeof(digits);
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	xhprof_write_bytes(writer, at, (size_t)(digits + sizeof(digits) - at));
}

void xhprof_write_int(xhprof_writer *writer, int64_t number)
{
	if (number < 0) {
		xhprof_write_bytes(writer, "-", 1);
	}
	xhprof_write_uint(writer, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* Length of the well-formed UTF-8 sequence at `at` (RFC 3629: shortest form, no surrogates), or 0. */
static size_t utf8_sequence(const unsigned char *at, size_t room)
{
	unsigned char lead = at[0], low = 0x80, high = 0xBF;
	size_t length;
	if (lead < 0x80) {
		return 1;
	}
	if (lead >= 0xC2 && lead <= 0xDF) {
		length = 2;
	} else if (lead >= 0xE0 && lead <= 0xEF) {
		length = 3;
		low = lead == 0xE0 ? 0xA0 : 0x80;
		high = lead == 0xED ? 0x9F : 0xBF;
	} else if (lead >= 0xF0 && lead <= 0xF4) {
		length = 4;
		low = lead == 0xF0 ? 0x90 : 0x80;
		high = lead == 0xF4 ? 0x8F : 0xBF;
	} else {
		return 0;
	}
	if (room < length || at[1] < low || at[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < length; i++) {
		if ((at[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	return length;
}

void xhprof_write_json_string(xhprof_writer *writer, const char *bytes, size_t length)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *at = (const unsigned char *)bytes;
	xhprof_write_bytes(writer, "\"", 1);
	while (length) {
		size_t sequence = utf8_sequence(at, length);
		if (!sequence) {
			char escaped[5] = {'\\', '\\', 'x', hex[at[0] >> 4], hex[at[0] & 15]};
			xhprof_write_bytes(writer, escaped, sizeof(escaped));
			sequence = 1;
		} else if (at[0] == '"' || at[0] == '\\') {
			char escaped[2] = {'\\', (char)at[0]};
			xhprof_write_bytes(writer, escaped, sizeof(escaped));
		} else if (at[0] < 0x20) {
			char escaped[6] = {'\\', 'u', '0', '0', hex[at[0] >> 4], hex[at[0] & 15]};
			xhprof_write_bytes(writer, escaped, sizeof(escaped));
		} else {
			xhprof_write_bytes(writer, (const char *)at, sequence);
		}
		at += sequence;
		length -= sequence;
	}
	xhprof_write_bytes(writer, "\"", 1);
}
