/* SQL without its values, so that statements that differ in them only are one text: literals and placeholders become
 * "?", lists of them "(…)", comments go, and any space is one blank. Where the dialect is not known and a literal's end
 * depends on it, all that follows is left out. What double quotes hold is a value in MySQL; else it stays if it looks
 * like a name and stands where a name does. Does not use PHP, allocates nothing, and takes time in proportion to the text. */
#ifndef XHPROF_BASE_OPERATION_SQL_H
#define XHPROF_BASE_OPERATION_SQL_H

#include "operation_kind.h"

/* Puts at most `size` - 1 bytes and a '\0' at `to` (`size` at least 8), and returns the number of bytes. Longer text
 * is cut off and ends in "…". */
size_t xhprof_operation_sql(char *to, size_t size, const char *sql, size_t length, xhprof_sql_dialect dialect);

#endif
