/* Parts of a setting that is a list of conditions, such as "peak=64M, failed". No PHP. */
#ifndef XHPROF_BASE_RULE_TEXT_H
#define XHPROF_BASE_RULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the setting, not ended by a '\0'. */
typedef struct xhprof_rule_text {
	const char *at;
	size_t length;
} xhprof_rule_text;

/* Returns the text without blanks around it. */
xhprof_rule_text xhprof_rule_text_trimmed(const char *at, size_t length);

/* Takes the text before the first `end` off `*rest`, and returns it without blanks around it. */
xhprof_rule_text xhprof_rule_text_next(xhprof_rule_text *rest, char end);

bool xhprof_rule_text_is(xhprof_rule_text name, const char *text);

/* Reads a whole number of up to 2^53, which K, M or G may follow if `units` is true. Returns false for any other
 * text. */
bool xhprof_rule_text_number(xhprof_rule_text text, bool units, uint64_t *number);

#endif
