/* A buffered writer to a file descriptor with the few formats a run file needs. Never allocates; the first error sticks
 * and everything after it is dropped. */
#ifndef XHPROF_EXPORT_WRITER_H
#define XHPROF_EXPORT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_writer {
	int fd;
	int error; /* errno of the first failure, or 0 */
	size_t used;
	char buffer[32768];
} xhprof_writer;

void xhprof_writer_init(xhprof_writer *writer, int fd);

/* True when every byte so far has reached the descriptor. */
bool xhprof_writer_flush(xhprof_writer *writer);

void xhprof_write_bytes(xhprof_writer *writer, const char *bytes, size_t length);
void xhprof_write_string(xhprof_writer *writer, const char *string);
void xhprof_write_uint(xhprof_writer *writer, uint64_t number);
void xhprof_write_int(xhprof_writer *writer, int64_t number);

/* A JSON string. Bytes that are not UTF-8 become the text \xNN, so that any name can be told from any other. */
void xhprof_write_json_string(xhprof_writer *writer, const char *bytes, size_t length);

#endif
