/* Recognition of secrets: of a value by its name, by its form, or as the known secret. Names and values are
 * percent-decoded while they are read. Does not use PHP, allocates nothing, and takes time in proportion to the text.
 * XHProf\Secret\Secret has the same rules in PHP; tests/redaction.tsv has the cases that both pass. */
#ifndef XHPROF_BASE_SECRET_H
#define XHPROF_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xhprof_secret_rules {
	/* "pass,token,=pin": the value of a name that contains one, in any case, is secret; after "=" only if it is a whole
	 * word of the name ("user_pin", "userPin", not "shipping"). NULL: none. */
	const char *fragments;
	const char *secret; /* secret wherever it is a value, and from 8 bytes on within values too; NULL or "": none */
} xhprof_secret_rules;

/* Returns whether the name marks its value as secret. A name over 256 bytes does. */
bool xhprof_secret_name(const char *name, const char *end, const xhprof_secret_rules *rules);

/* Returns whether a value is the known secret. */
bool xhprof_secret_known(const char *value, const char *end, const xhprof_secret_rules *rules);

/* Returns whether a value contains a recognizable secret: JWTs, keys of well-known services, heads of PEM files, text
 * after "Bearer", numbers of payment cards. */
bool xhprof_secret_shows(const char *value, const char *end);

/* Returns whether the byte `c` cannot make a value contain a secret, other than the known one. `place`: its index in
 * the value; this function was true for all bytes before it. */
bool xhprof_secret_is_harmless(char c, size_t place);

/* Returns whether a value contains any secret: a recognizable one; the known one; "user:password@"; names with secret
 * values, as in a return address and in JSON. */
bool xhprof_secret_value(const char *value, const char *end, const xhprof_secret_rules *rules);

#endif
