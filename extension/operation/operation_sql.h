/* SQL without its values, so that statements that differ in them only are one text: literals and placeholders become
 * "?", lists of them "(…)", comments go, and any space is one blank. Where a quote, a comment or a bracket ends depends on
 * the dialect; if it is not known, or the connection's settings decide, all that follows is left out, and so is a password
 * after IDENTIFIED BY. What double quotes hold is a value in MySQL and a name in PostgreSQL; else it stays where it has to
 * be a name: of a table, before or after ".", of a column that is compared with a value. What a SET assigns is a value,
 * without quotes too. Does not use PHP, allocates nothing, and takes time in proportion to the text. */
#ifndef XHPROF_OPERATION_SQL_H
#define XHPROF_OPERATION_SQL_H

#include "base/operation_kind.h"

#define XHPROF_OPERATION_SQL_READ (64 * 1024) /* bytes of a statement that are read */

/* Puts at most `size` - 1 bytes and a '\0' at `to` (`size` at least 8), and returns the number of bytes. Longer text
 * is cut off and ends in "…", and so does one of which only the beginning is read. */
size_t xhprof_operation_sql(char *to, size_t size, const char *sql, size_t length, xhprof_sql_dialect dialect);

#endif
