/* Removal of secrets from URLs and command lines, before runs show them. REDACTED takes the place of a secret. Does not
 * use PHP, allocates nothing, and takes time in proportion to the room for the output. XHProf\Secret\Redact does the
 * same in PHP; tests/redaction.tsv has the cases that both pass. */
#ifndef XHPROF_BASE_REDACT_H
#define XHPROF_BASE_REDACT_H

#include "secret.h"

#include <stddef.h>

#define XHPROF_REDACTED "REDACTED"

/* The default names whose values are secret. In PHP they are XHProf\Secret\Secret::FRAGMENTS. */
#define XHPROF_REDACT_NAMES                                                                                       \
	"pass,pwd,secret,token,key,auth,sess,sid,sig,cred,code,jwt,csrf,xsrf,saml,bearer,hmac,nonce,cvv,email,phone," \
	"=pw,=pin,=otp,=totp,=ticket,=hash,=state,=pat,=cvc,=card,=ssn,=iban"

/* The functions below put at most `size` - 1 bytes and a '\0' at `to`, and return the number of bytes. Longer text is
 * cut off.
 *
 * Removes the secrets of a URL: parameters of the query, after "#" and in the path (";jsessionid="); parts of the path;
 * passwords before "@". */
size_t xhprof_redact_url(char *to, size_t size, const char *url, const xhprof_secret_rules *rules);

/* Removes the secrets of a command line and writes it as it could be typed again: "php" first, arguments with unusual
 * characters in quotes. Hidden are --password=x, --password x, PASSWORD=x, "Password: x", -H password:x, -u name:x, the
 * same between ";" or spaces, the secrets of URLs, and of JSON with such names. */
size_t xhprof_redact_command(char *to, size_t size, int argc, char *const *argv, const xhprof_secret_rules *rules);

/* Removes the secrets of another process's command line, as /proc/PID/cmdline has it: arguments that each end with a
 * '\0', the first of which is the program, or the title that it has set. `length`: bytes of all of them; line[length]
 * has to be '\0'. */
size_t xhprof_redact_process(char *to, size_t size, const char *line, size_t length, const xhprof_secret_rules *rules);

/* The number of bytes of a text that are examined if `size` bytes may be shown. */
#define XHPROF_REDACT_LOOKS_AT(size) ((size) + 4096)

#endif
