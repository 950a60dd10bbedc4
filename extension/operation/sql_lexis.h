/* The lexis of SQL, which bytes alone show: kinds of bytes, words, comments, whether a comparison follows. Does not
 * use PHP, allocates nothing. Each text ends at `end`. */
#ifndef XHPROF_OPERATION_SQL_LEXIS_H
#define XHPROF_OPERATION_SQL_LEXIS_H

#include <stdbool.h>
#include <stddef.h>

static inline bool xhprof_sql_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static inline bool xhprof_sql_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns whether a byte is a letter of a name, beyond ASCII too. */
static inline bool xhprof_sql_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool xhprof_sql_is_name_byte(char c)
{
	return xhprof_sql_is_letter(c) || xhprof_sql_is_digit(c) || c == '$';
}

/* Returns whether a word is one of these, in upper or lower case. `words` ends in NULL. */
bool xhprof_sql_is_one_of(const char *word, size_t length, const char *const *words);

/* Returns the first byte that is no space, or `end`. */
const char *xhprof_sql_past_space(const char *at, const char *end);

/* Returns whether a comparison with a placeholder or a value follows: what stands here is no value then. */
bool xhprof_sql_is_compared(const char *at, const char *end);

/* Returns whether text of MySQL can be a statement where "\" hides no quote (NO_BACKSLASH_ESCAPES): its quotes and
 * comments have ends, and outside of them is no "\". */
bool xhprof_sql_fits_without_escapes(const char *at, const char *end);

#endif
