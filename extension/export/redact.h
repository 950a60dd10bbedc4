/* URLs and command lines without their secrets, as runs tell them: values that go by their names, passwords of URLs, and one
 * secret that is known. What is hidden reads REDACTED. Knows no PHP, allocates nothing, and takes no longer than there is room
 * for what it writes. */
#ifndef XHPROF_EXPORT_REDACT_H
#define XHPROF_EXPORT_REDACT_H

#include <stddef.h>

#define XHPROF_REDACTED "REDACTED"

typedef struct xhprof_redact_rules {
	const char *fragments; /* "pass,token": the value of a name that contains one, in any case, is hidden; NULL: none */
	const char *secret;    /* hidden wherever it is a value; NULL or "": none */
} xhprof_redact_rules;

/* Each puts at most `size` - 1 bytes and a '\0' at `to`, and returns how many bytes; what is longer is cut off.
 *
 * In a URL: parameters of the query (and after "#", and of the path, as ";jsessionid=") between "&" or ";", names
 * percent-decoded; a value that has such parameters in it, decoded up to three times; passwords before "@". */
size_t xhprof_redact_url(char *to, size_t size, const char *url, const xhprof_redact_rules *rules);

/* A command line as it could be typed again: arguments with anything unusual in quotes, after "php". Hidden are --password=x,
 * --password x, PASSWORD=x, "Password: x", parts between ";" or spaces that are such, URLs as above, and JSON with such names. */
size_t xhprof_redact_command(char *to, size_t size, int argc, char *const *argv, const xhprof_redact_rules *rules);

#endif
