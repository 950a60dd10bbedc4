/* A buffered writer to a file descriptor, or to a function, with the few formats that a run file needs. It never
 * allocates. It keeps the first error, and drops everything after it. */
#ifndef XHPROF_EXPORT_WRITER_H
#define XHPROF_EXPORT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Takes the bytes from the buffer. False on failure: it is not called again. It may leave by a longjmp(). */
typedef bool (*xhprof_writer_put)(void *to, const char *bytes, size_t length);

typedef struct xhprof_writer {
	xhprof_writer_put put; /* NULL: bytes go to `fd` */
	void *to;
	int fd;
	int error;        /* errno of the first failure, or 0 */
	uint64_t written; /* bytes that have left the buffer */
	size_t used;
	char buffer[32768];
} xhprof_writer;

void xhprof_writer_init(xhprof_writer *writer, int fd);

/* Initializes a writer to a function, whose failures become EIO. */
void xhprof_writer_init_put(xhprof_writer *writer, xhprof_writer_put put, void *to);

/* Empties the buffer. True if every byte so far has reached the descriptor or the function. */
bool xhprof_writer_flush(xhprof_writer *writer);

/* Reserves room for `length` bytes, at most XHPROF_WRITER_RESERVE. The caller writes to it, and passes the end of its
 * bytes to commit. */
#define XHPROF_WRITER_RESERVE 4096
static inline char *xhprof_writer_reserve(xhprof_writer *writer, size_t length)
{
	if (__builtin_expect(length > sizeof(writer->buffer) - writer->used, 0)) {
		xhprof_writer_flush(writer);
	}
	return writer->buffer + writer->used;
}

static inline void xhprof_writer_commit(xhprof_writer *writer, const char *end)
{
	writer->used = (size_t)(end - writer->buffer);
}

/* Writes any number of bytes. */
void xhprof_write_long(xhprof_writer *writer, const char *bytes, size_t length);

static inline void xhprof_write_bytes(xhprof_writer *writer, const char *bytes, size_t length)
{
	if (__builtin_expect(length > sizeof(writer->buffer) - writer->used, 0)) {
		xhprof_write_long(writer, bytes, length);
		return;
	}
	memcpy(writer->buffer + writer->used, bytes, length);
	writer->used += length;
}

static inline void xhprof_write_string(xhprof_writer *writer, const char *string)
{
	xhprof_write_bytes(writer, string, strlen(string));
}

/* Put a number as decimal digits at `to`, at most XHPROF_NUMBER_ROOM bytes with the sign, and return its end. */
#define XHPROF_NUMBER_ROOM 20
char *xhprof_format_uint(char *to, uint64_t number);
char *xhprof_format_int(char *to, int64_t number);

void xhprof_write_uint(xhprof_writer *writer, uint64_t number);
void xhprof_write_int(xhprof_writer *writer, int64_t number);

/* Writes a number rounded to 1 to 9 decimals, of which trailing zeros except the first are left out. NaN, and numbers
 * too large for 64 bits with their decimals, become 0.0. */
void xhprof_write_decimal(xhprof_writer *writer, double number, unsigned decimals);

/* Writes a JSON string. Bytes that are not UTF-8 become the text \xNN, so that all names stay distinct. */
void xhprof_write_json_string(xhprof_writer *writer, const char *bytes, size_t length);

/* Writes text as UTF-8, in which bytes that are not UTF-8 become the text \xNN. */
void xhprof_write_text(xhprof_writer *writer, const char *bytes, size_t length);

/* Returns the number of bytes that xhprof_write_text() writes. */
size_t xhprof_text_length(const char *bytes, size_t length);

/* Writes a name for a format of lines: unprintable characters, and `separator` (or '\0' for none), become the text
 * \xNN, so that it is UTF-8. */
void xhprof_write_name(xhprof_writer *writer, const char *bytes, size_t length, char separator);

void xhprof_write_hex(xhprof_writer *writer, uint64_t number, unsigned digits);

/* Returns whether a terminal would obey the character at `at`, before `end`, instead of showing it: controls, those of
 * U+0080 to U+009F too, separators of lines, marks of direction, and a byte that is not UTF-8. `length` gets its bytes,
 * at least 1. XHProf\Format\Text::printable() does the same in PHP; tests/unprintable.tsv lists the characters for
 * both. */
bool xhprof_unprintable(const unsigned char *at, const unsigned char *end, size_t *length);

#endif
