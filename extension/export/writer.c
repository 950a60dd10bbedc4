#include "writer.h"

#include <errno.h>
#include <unistd.h>

void xhprof_writer_init(xhprof_writer *writer, int fd)
{
	writer->put = NULL;
	writer->to = NULL;
	writer->fd = fd;
	writer->error = 0;
	writer->written = 0;
	writer->used = 0;
}

void xhprof_writer_init_put(xhprof_writer *writer, xhprof_writer_put put, void *to)
{
	xhprof_writer_init(writer, -1);
	writer->put = put;
	writer->to = to;
}

static void writer_out(xhprof_writer *writer, const char *bytes, size_t length)
{
	writer->written += length;
	if (writer->put && length && !writer->error) {
		writer->error = EIO; /* should it leave by a longjmp() */
		if (writer->put(writer->to, bytes, length)) {
			writer->error = 0;
		}
		return;
	}
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

void xhprof_write_long(xhprof_writer *writer, const char *bytes, size_t length)
{
	xhprof_writer_flush(writer);
	if (length > sizeof(writer->buffer)) {
		writer_out(writer, bytes, length);
		return;
	}
	memcpy(writer->buffer, bytes, length);
	writer->used = length;
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
								  "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
								  "8081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t number)
{
	static const uint64_t powers[] = {0,
									  10u,
									  100u,
									  1000u,
									  10000u,
									  100000u,
									  1000000u,
									  10000000u,
									  100000000u,
									  1000000000u,
									  UINT64_C(10000000000),
									  UINT64_C(100000000000),
									  UINT64_C(1000000000000),
									  UINT64_C(10000000000000),
									  UINT64_C(100000000000000),
									  UINT64_C(1000000000000000),
									  UINT64_C(10000000000000000),
									  UINT64_C(100000000000000000),
									  UINT64_C(1000000000000000000),
									  UINT64_C(10000000000000000000)};
	unsigned bits = 64u - (unsigned)__builtin_clzll(number | 1);
	unsigned guess = bits * 1233 >> 12; /* bits * log10(2) */
	return guess + (number >= powers[guess]);
}

/* Formats a number of at least 100. */
static inline char *format_large(char *to, uint64_t number)
{
	char *end = to + count_digits(number), *at = end;
	while (number >= 100) {
		at -= 2;
		memcpy(at, &digit_pairs[number % 100 * 2], 2);
		number /= 100;
	}
	if (number >= 10) {
		memcpy(to, &digit_pairs[number * 2], 2);
	} else {
		*to = (char)('0' + number);
	}
	return end;
}

static inline char *format_pair(char *to, uint64_t pair)
{
	memcpy(to, &digit_pairs[pair * 2], 2);
	return to + 2;
}

/* Formats a number. Nearly all numbers of a run are short: counts, depths, lines, indexes of names. */
static inline char *format_uint(char *to, uint64_t number)
{
	if (number >= 10000) {
		return format_large(to, number);
	}
	uint32_t hundreds = (uint32_t)number / 100, rest = (uint32_t)number % 100;
	if (number >= 1000) {
		return format_pair(format_pair(to, hundreds), rest);
	}
	if (number >= 100) {
		*to++ = (char)('0' + hundreds);
		return format_pair(to, rest);
	}
	if (number >= 10) {
		return format_pair(to, rest);
	}
	*to = (char)('0' + number);
	return to + 1;
}

static inline char *format_int(char *to, int64_t number)
{
	if (number >= 0) {
		return format_uint(to, (uint64_t)number);
	}
	*to = '-';
	return format_uint(to + 1, 0 - (uint64_t)number);
}

char *xhprof_format_uint(char *to, uint64_t number)
{
	return format_uint(to, number);
}

char *xhprof_format_int(char *to, int64_t number)
{
	return format_int(to, number);
}

void xhprof_write_uint(xhprof_writer *writer, uint64_t number)
{
	char *to = xhprof_writer_reserve(writer, XHPROF_NUMBER_ROOM);
	xhprof_writer_commit(writer, format_uint(to, number));
}

void xhprof_write_int(xhprof_writer *writer, int64_t number)
{
	char *to = xhprof_writer_reserve(writer, XHPROF_NUMBER_ROOM);
	xhprof_writer_commit(writer, format_int(to, number));
}

void xhprof_write_decimal(xhprof_writer *writer, double number, unsigned decimals)
{
	char *to = xhprof_writer_reserve(writer, 2 * XHPROF_NUMBER_ROOM);
	uint64_t scale = 1;
	for (unsigned i = 0; i < decimals; i++) {
		scale *= 10;
	}
	double size = (number < 0 ? -number : number) * (double)scale + 0.5;
	uint64_t rounded = size < 18e18 ? (uint64_t)size : 0; /* not a NaN either */
	if (number < 0 && rounded) {
		*to++ = '-';
	}
	to = format_uint(to, rounded / scale);
	*to++ = '.';
	for (rounded %= scale; scale > 1; rounded %= scale) {
		scale /= 10;
		*to++ = (char)('0' + rounded / scale);
		if (!(rounded % scale)) {
			break;
		}
	}
	xhprof_writer_commit(writer, to);
}

/* Returns the length of the well-formed UTF-8 sequence at `at` (RFC 3629: shortest form, no surrogates), or 0. */
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

static const char hex[] = "0123456789abcdef";

/* The digits of bytes in names, "\xFF", as in Format\Text and in names that trace/symbol.c escapes. */
static const char byte_hex[] = "0123456789ABCDEF";

static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Returns whether a JSON string can take these eight bytes as they are, without a look at each. */
static bool are_plain(uint64_t bytes)
{
	const uint64_t each = UINT64_C(0x0101010101010101), tops = each << 7;
	uint64_t quote = bytes ^ each * '"', backslash = bytes ^ each * '\\';
	return !((bytes | (bytes - each * 0x20) | (quote - each) | (backslash - each)) & tops);
}

/* Returns the first byte that a JSON string cannot take as it is, or the end. Names and paths are nearly all plain. */
static const unsigned char *skip_plain(const unsigned char *at, const unsigned char *end)
{
	uint64_t bytes;
	for (; (size_t)(end - at) >= sizeof(bytes); at += sizeof(bytes)) {
		memcpy(&bytes, at, sizeof(bytes));
		if (!are_plain(bytes)) {
			break;
		}
	}
	while (at < end && is_plain(*at)) {
		at++;
	}
	return at;
}

void xhprof_write_json_string(xhprof_writer *writer, const char *bytes, size_t length)
{
	const unsigned char *at = (const unsigned char *)bytes, *end = at + length, *plain = at;
	xhprof_write_bytes(writer, "\"", 1);
	while ((at = skip_plain(at, end)) < end) {
		char escaped[6] = {'\\', '\\', 'x', byte_hex[at[0] >> 4], byte_hex[at[0] & 15]};
		size_t escaped_length = 0, sequence = utf8_sequence(at, (size_t)(end - at));
		if (!sequence) {
			escaped_length = 5;
			sequence = 1;
		} else if (at[0] == '"' || at[0] == '\\') {
			escaped[1] = (char)at[0];
			escaped_length = 2;
		} else if (at[0] < 0x20) {
			memcpy(escaped, (char[]){'\\', 'u', '0', '0', hex[at[0] >> 4], hex[at[0] & 15]}, 6);
			escaped_length = 6;
		}
		if (escaped_length) {
			xhprof_write_bytes(writer, (const char *)plain, (size_t)(at - plain));
			xhprof_write_bytes(writer, escaped, escaped_length);
			plain = at + sequence;
		}
		at += sequence;
	}
	xhprof_write_bytes(writer, (const char *)plain, (size_t)(at - plain));
	xhprof_write_bytes(writer, "\"", 1);
}

#define HEX_TEXT 4 /* "\\xFF" */

/* Returns the first byte that is not of a UTF-8 text, or the end. */
static const unsigned char *skip_utf8(const unsigned char *at, const unsigned char *end)
{
	while (at < end) {
		at = skip_plain(at, end);
		size_t length = at < end ? utf8_sequence(at, (size_t)(end - at)) : 0;
		if (!length) {
			break;
		}
		at += length;
	}
	return at;
}

size_t xhprof_text_length(const char *bytes, size_t length)
{
	const unsigned char *at = (const unsigned char *)bytes, *end = at + length;
	while ((at = skip_utf8(at, end)) < end) {
		length += HEX_TEXT - 1;
		at++;
	}
	return length;
}

void xhprof_write_text(xhprof_writer *writer, const char *bytes, size_t length)
{
	const unsigned char *at = (const unsigned char *)bytes, *end = at + length, *plain = at;
	while ((at = skip_utf8(at, end)) < end) {
		xhprof_write_bytes(writer, (const char *)plain, (size_t)(at - plain));
		xhprof_write_bytes(writer, (const char[]){'\\', 'x', byte_hex[*at >> 4], byte_hex[*at & 15]}, HEX_TEXT);
		plain = ++at;
	}
	xhprof_write_bytes(writer, (const char *)plain, (size_t)(at - plain));
}

bool xhprof_unprintable(const unsigned char *at, const unsigned char *end, size_t *length)
{
	*length = utf8_sequence(at, (size_t)(end - at));
	switch (*length) {
		case 0:
			*length = 1;
			return true;
		case 1:
			return at[0] < 0x20 || at[0] == 0x7F;
		case 2:
			return (at[0] == 0xC2 && at[1] <= 0x9F) || (at[0] == 0xD8 && at[1] == 0x9C);
		case 3:
			return at[0] == 0xE2 &&
				   ((at[1] == 0x80 && (at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE))) ||
					(at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
		default:
			return false;
	}
}

void xhprof_write_name(xhprof_writer *writer, const char *bytes, size_t length, char separator)
{
	const unsigned char *at = (const unsigned char *)bytes, *end = at + length, *plain = at;
	while (at < end) {
		size_t character;
		if (!xhprof_unprintable(at, end, &character) && (!separator || *at != (unsigned char)separator)) {
			at += character;
			continue;
		}
		xhprof_write_bytes(writer, (const char *)plain, (size_t)(at - plain));
		for (; character; character--, at++) {
			xhprof_write_bytes(writer, (const char[]){'\\', 'x', byte_hex[*at >> 4], byte_hex[*at & 15]}, 4);
		}
		plain = at;
	}
	xhprof_write_bytes(writer, (const char *)plain, (size_t)(at - plain));
}

void xhprof_write_hex(xhprof_writer *writer, uint64_t number, unsigned digits)
{
	char text[16], *end = text + sizeof(text), *at = end;
	while (number || (at > text && at > end - digits)) {
		*--at = hex[number & 15];
		number >>= 4;
	}
	xhprof_write_bytes(writer, at, (size_t)(end - at));
}
