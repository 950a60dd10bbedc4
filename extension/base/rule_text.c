#include "rule_text.h"

#include <string.h>

#define BLANKS " \t"
#define LARGEST_NUMBER (UINT64_C(1) << 53)

xhprof_rule_text xhprof_rule_text_trimmed(const char *at, size_t length)
{
	while (length && strchr(BLANKS, *at)) {
		at++;
		length--;
	}
	while (length && strchr(BLANKS, at[length - 1])) {
		length--;
	}
	return (xhprof_rule_text){at, length};
}

xhprof_rule_text xhprof_rule_text_next(xhprof_rule_text *rest, char end)
{
	const char *found = memchr(rest->at, end, rest->length);
	size_t length = found ? (size_t)(found - rest->at) : rest->length;
	xhprof_rule_text taken = xhprof_rule_text_trimmed(rest->at, length);
	length += found != NULL;
	rest->at += length;
	rest->length -= length;
	return taken;
}

bool xhprof_rule_text_is(xhprof_rule_text name, const char *text)
{
	return strlen(text) == name.length && memcmp(name.at, text, name.length) == 0;
}

bool xhprof_rule_text_number(xhprof_rule_text text, bool units, uint64_t *number)
{
	size_t i = 0;
	*number = 0;
	for (; i < text.length && text.at[i] >= '0' && text.at[i] <= '9'; i++) {
		*number = *number * 10 + (uint64_t)(text.at[i] - '0');
		if (*number > LARGEST_NUMBER) {
			return false;
		}
	}
	if (units && i && i + 1 == text.length && strchr("KMGkmg", text.at[i])) {
		char unit = text.at[i++] & ~0x20;
		*number <<= unit == 'K' ? 10 : unit == 'M' ? 20 : 30;
		return *number <= LARGEST_NUMBER;
	}
	return i && i == text.length;
}
