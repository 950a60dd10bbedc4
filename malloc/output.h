/* Text, and where it goes: without allocating, without stdio, with errno left alone. */
#ifndef XHPROF_PRELOAD_OUTPUT_H
#define XHPROF_PRELOAD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A buffer of the caller's; what does not fit is left out. */
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
/* The command line of this process, as far as `most` bytes, with "?" for what would change the line or the terminal; what it
 * was at the start where it cannot be read any more. */
void xhprof_output_command(xhprof_output_text *text, size_t most);

/* The path of a file named by a setting, absolute, with %p for the process id; %% is a "%". False: too long. `forked`: the
 * process id is added when it is not in the name. */
bool xhprof_output_path(char path[XHPROF_OUTPUT_PATH], const char *pattern, bool forked);
/* The setting itself, made absolute, as the program may change its folder. */
bool xhprof_output_absolute(char path[XHPROF_OUTPUT_PATH], const char *name);

void xhprof_output_write(int fd, const char *bytes, size_t size);

/* A file that is added to now and then, by one thread at a time. It stays open, as the program may lock itself in or give its
 * rights away; but the program may also close all that is open, or use the number itself: then it is opened by its path again.
 * So is what is no regular file: who reads a pipe waits for its end. Initialized with zeros. */
typedef struct xhprof_output_file {
	bool kept;
	int fd;
	dev_t device;
	ino_t number;
} xhprof_output_file;

/* Ahead of what will be added; does nothing where it cannot be. A path that ends in a link is refused (ELOOP) but below /dev and
 * /proc; a new file is its owner's alone. */
void xhprof_output_open(xhprof_output_file *file, const char *path);
/* 0 or an errno. */
int xhprof_output_add(xhprof_output_file *file, const char *path, bool from_anew, const char *bytes, size_t size);
/* In a forked child that writes another one. */
void xhprof_output_forget(xhprof_output_file *file);
/* "libxhprof_malloc: WHAT NAME: TEXT OF THE ERROR" on stderr; 0: no error text. */
void xhprof_output_warn(const char *what, const char *name, int error);

/* Remembers the command line, and what stderr is now, for xhprof_output_stderr(), which opens it again when the program has
 * closed it. */
void xhprof_output_start(void);
void xhprof_output_stderr(const char *bytes, size_t size);
/* In a forked child, which may be a daemon: who reads that pipe shall see its end when the child closes stderr. */
void xhprof_output_forked(void);

#endif
