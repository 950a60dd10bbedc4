/* The exit codes of xhprof-inspect, and its one-line message. No PHP here: php.h replaces snprintf() by its own. */
#ifndef XHPROF_INSPECT_FAILURE_H
#define XHPROF_INSPECT_FAILURE_H

#include <stddef.h>

/* Listed by --help, and part of the interface. */
typedef enum xhprof_exit {
	XHPROF_EXIT_OK,
	XHPROF_EXIT_ERROR = 1, /* of our own: a file cannot be written, no memory, the program does not start */
	XHPROF_EXIT_USAGE = 2,
	XHPROF_EXIT_NO_PROCESS = 3,
	XHPROF_EXIT_NO_PERMISSION = 4,
	XHPROF_EXIT_NOT_PHP = 5,
	XHPROF_EXIT_OTHER_ABI = 6,
	XHPROF_EXIT_THREAD_SAFE = 7,
	XHPROF_EXIT_GONE = 8,
	XHPROF_EXIT_NOT_STOPPED = 9,
	XHPROF_EXIT_NO_HEAP = 10,
	XHPROF_EXIT_BAD_IMAGE = 11,
	XHPROF_EXIT_NO_STACK = 12,
} xhprof_exit;

typedef struct xhprof_failure {
	xhprof_exit code;
	char text[1024];
} xhprof_failure;

/* Stores the message, and returns `code`. */
__attribute__((format(printf, 3, 4))) xhprof_exit xhprof_fail(xhprof_failure *failure, xhprof_exit code,
															  const char *format, ...);

/* snprintf() of the C library; always terminated. Returns the stored length, which is less than `size`. */
__attribute__((format(printf, 3, 4))) size_t xhprof_print_to(char *to, size_t size, const char *format, ...);

/* fprintf(stderr) of the C library. */
__attribute__((format(printf, 1, 2))) void xhprof_say(const char *format, ...);

#endif
