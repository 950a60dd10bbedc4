/* URLs and command lines without their secrets, as shown in runs. Hidden text reads REDACTED. Does not use PHP,
 * allocates nothing, and takes time in proportion to the room for the output. The same in PHP is XHProf\Secret\Redact;
 * tests/redaction.tsv has the cases that both pass. */
#ifndef XHPROF_BASE_REDACT_H
#define XHPROF_BASE_REDACT_H

#include "secret.h"

#include <stddef.h>

#define XHPROF_REDACTED "REDACTED"

/* The default names whose values are secret. The same in PHP: XHProf\Secret\Secret::FRAGMENTS. */
#define XHPROF_REDACT_NAMES                                                                                       \
	"pass,pwd,secret,token,key,auth,sess,sid,sig,cred,code,jwt,csrf,xsrf,saml,bearer,hmac,nonce,cvv,email,phone," \
	"=pw,=pin,=otp,=totp,=ticket,=hash,=state,=pat,=cvc,=card,=ssn,=iban"

/* Each puts at most `size` - 1 bytes and a '\0' at `to`, and returns the number of bytes; longer text is cut off.
 *
 * In a URL: parameters of the query (and after "#", and of the path, as ";jsessionid=") between "&"; parts of the path;
 * passwords before "@". */
size_t xhprof_redact_url(char *to, size_t size, const char *url, const xhprof_secret_rules *rules);

/* A command line as it could be typed again: arguments with unusual characters in quotes, after "php". Hidden are
 * --password=x, --password x, PASSWORD=x, "Password: x", -H password:x, -u name:x, such parts between ";" or spaces,
 * URLs as above, and JSON with such names. */
size_t xhprof_redact_command(char *to, size_t size, int argc, char *const *argv, const xhprof_secret_rules *rules);

/* Redacts the command line of another program, from /proc/PID/cmdline: arguments that end in '\0' each, the first of
 * which is the program, or the title that it has set. `length` is that of all of them; line[length] has to be '\0'. */
size_t xhprof_redact_process(char *to, size_t size, const char *line, size_t length, const xhprof_secret_rules *rules);

/* Bytes of a text that are examined if `size` of it may be shown. */
#define XHPROF_REDACT_LOOKS_AT(size) ((size) + 4096)

#endif
