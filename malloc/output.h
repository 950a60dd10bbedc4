/* Text, and its destination: without allocating, without stdio, and preserving errno. */
#ifndef XHPROF_MALLOC_OUTPUT_H
#define XHPROF_MALLOC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A buffer of the caller's; overflow is dropped. */
typedef struct xhprof_output_text {
	char *bytes;
	size_t size, used;
} xhprof_output_text;

#define XHPROF_OUTPUT_TEXT(buffer)                \
	{                                             \
		.bytes = (buffer), .size = sizeof(buffer) \
	}
#define XHPROF_OUTPUT_PATH 4096

void xhprof_output_put(xhprof_output_text *text, const char *string);
void xhprof_output_number(xhprof_output_text *text, uint64_t number);
/* "1.234567" */
void xhprof_output_seconds(xhprof_output_text *text, uint64_t nanoseconds);
/* "1234567 bytes (1.2 MB)" */
void xhprof_output_bytes(xhprof_output_text *text, uint64_t bytes);
/* The command line of this process, at most `max` bytes, with "?" for characters that would change the line or the
 * terminal; that of the start if it is no longer readable. */
void xhprof_output_command(xhprof_output_text *text, size_t max);

/* The path of a file from a setting, absolute, with %p for the process id; %% is a "%". False: too long. `forked`: the
 * process id is added unless the name has it. */
bool xhprof_output_path(char path[XHPROF_OUTPUT_PATH], const char *pattern, bool forked);
/* The setting itself, made absolute, as the program may change its folder. */
bool xhprof_output_absolute(char path[XHPROF_OUTPUT_PATH], const char *name);

void xhprof_output_write(int fd, const char *bytes, size_t size);

/* A file that one thread at a time appends to. It stays open, as the program may sandbox itself or drop its rights; but
 * the program may also close all descriptors, or reuse the number: then it is opened by its path again. So are all but
 * regular files: the reader of a pipe waits for its end. Initialized with zeros. */
typedef struct xhprof_append_file {
	bool kept;
	int fd;
	dev_t device;
	ino_t number;
} xhprof_append_file;

/* Opens it in advance; does nothing on failure. A path that ends in a link is refused (ELOOP) except below /dev and
 * /proc; a new file is readable by its owner only. */
void xhprof_append_file_open(xhprof_append_file *file, const char *path);
/* 0 or an errno. */
int xhprof_append_file_add(xhprof_append_file *file, const char *path, bool from_anew, const char *bytes, size_t size);
/* In a forked child that writes another one. */
void xhprof_append_file_forget(xhprof_append_file *file);
/* "libxhprof_malloc: WHAT NAME: TEXT OF THE ERROR" on stderr; 0: no error text. */
void xhprof_output_warn(const char *what, const char *name, int error);

/* Remembers the command line, and the current stderr, for xhprof_output_stderr(), which opens it again if the program
 * has closed it. */
void xhprof_output_start(void);
void xhprof_output_stderr(const char *bytes, size_t size);
/* In a forked child, which may be a daemon: the reader of that pipe should see its end when the child closes stderr. */
void xhprof_output_forked(void);

#endif
