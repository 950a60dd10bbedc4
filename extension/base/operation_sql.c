#include "operation_sql.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define MORE "\xE2\x80\xA6" /* … */
#define MORE_LENGTH (sizeof(MORE) - 1)
#define DEEPEST 64 /* brackets */

/* What was written last. */
typedef enum sql_token { TOKEN_START, TOKEN_WORD, TOKEN_VALUE, TOKEN_OPERATOR, TOKEN_OPEN, TOKEN_CLOSE } sql_token;

typedef struct sql_bracket {
	size_t start;      /* of "(" in the output */
	bool only_values;  /* nothing but "?" and "," so far */
	bool list;         /* after IN or VALUES: it becomes (…) */
	bool values;       /* what is quoted in it is a value in a dialect that is not known */
	bool square, rows; /* "[", a row of VALUES */
} sql_bracket;

typedef struct sql_text {
	char *to;
	size_t length, room; /* of the output, without the '\0' */
	bool full;
	const char *at, *end;
	xhprof_sql_dialect dialect;
	sql_token last;
	size_t word, word_length; /* of the last word, in the output */
	bool space;               /* some was read since the last token */
	unsigned depth;           /* of brackets; those beyond DEEPEST have no entry */
	sql_bracket brackets[DEEPEST];
	size_t row, row_end; /* the row of VALUES before, in the output; 0: none */
} sql_text;

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Of a name, beyond ASCII too. */
static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name_byte(char c)
{
	return is_letter(c) || is_digit(c) || c == '$';
}

static void add(sql_text *sql, const char *bytes, size_t length)
{
	if (sql->full || length > sql->room - sql->length) {
		sql->full = true;
		return;
	}
	memcpy(sql->to + sql->length, bytes, length);
	sql->length += length;
}

/* A blank where the statement has space, but at its start and inside of brackets. */
static void add_space(sql_text *sql)
{
	if (sql->space && sql->last != TOKEN_START && sql->last != TOKEN_OPEN) {
		add(sql, " ", 1);
	}
	sql->space = false;
}

static bool last_word_is(const sql_text *sql, const char *const *words)
{
	if (sql->last != TOKEN_WORD) {
		return false;
	}
	for (; *words; words++) {
		if (strlen(*words) == sql->word_length && strncasecmp(sql->to + sql->word, *words, sql->word_length) == 0) {
			return true;
		}
	}
	return false;
}

static sql_bracket *bracket(sql_text *sql)
{
	return sql->depth && sql->depth <= DEEPEST ? &sql->brackets[sql->depth - 1] : NULL;
}

static void not_only_values(sql_text *sql)
{
	sql_bracket *open = bracket(sql);
	if (open) {
		open->only_values = false;
	}
}

static void add_value(sql_text *sql)
{
	if (sql->last == TOKEN_VALUE && !sql->space) {
		return; /* 'a''b', 1e5, 'a'::text: parts of one */
	}
	add_space(sql);
	add(sql, "?", 1);
	sql->last = TOKEN_VALUE;
}

/* All that follows cannot be told from values. */
static void give_up(sql_text *sql)
{
	sql->at = sql->end;
	sql->full = true;
}

/* Past the text in quotes; `escapes`: whether "\" hides the next byte. Where both is possible and it matters, nothing
 * that follows can be read. */
static void skip_quoted(sql_text *sql, char quote, bool escapes, bool may_escape)
{
	const char *at = sql->at + 1;
	for (; at < sql->end; at++) {
		if (*at == '\\' && (escapes || may_escape)) {
			if (!escapes && at + 1 < sql->end && at[1] == quote) {
				give_up(sql);
				return;
			}
			at += at + 1 < sql->end && (escapes || at[1] == '\\');
		} else if (*at == quote) {
			if (at + 1 < sql->end && at[1] == quote) {
				at++;
			} else {
				sql->at = at + 1;
				return;
			}
		}
	}
	sql->at = sql->end; /* it has no end */
}

/* Whether MySQL's own rules may hold: "\\" in quotes, "#" before a comment. */
static bool may_be_mysql(const sql_text *sql)
{
	return sql->dialect == XHPROF_SQL_MYSQL || sql->dialect == XHPROF_SQL_UNKNOWN;
}

static void read_string(sql_text *sql, bool escapes)
{
	escapes = escapes || sql->dialect == XHPROF_SQL_MYSQL;
	skip_quoted(sql, '\'', escapes, may_be_mysql(sql));
	add_value(sql);
}

/* Whether a text in double quotes is a name: it looks like one, and stands where SQL has one. */
static bool is_quoted_name(sql_text *sql, const char *text, size_t length)
{
	static const char *const before_values[] = {"like", "ilike", "in", "values", "between", "regexp", "rlike",
												"then", "else",  "is", "limit",  "match",   "glob",   NULL};
	const char *after = text + length + 1;
	sql_bracket *open = bracket(sql);
	if (sql->dialect == XHPROF_SQL_MYSQL) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!is_name_byte(text[i]) && !(text[i] == ' ' && sql->dialect == XHPROF_SQL_STANDARD)) {
			return false;
		}
	}
	if (sql->dialect == XHPROF_SQL_STANDARD || (after < sql->end && *after == '.') ||
		(sql->length && sql->to[sql->length - 1] == '.')) {
		return length > 0;
	}
	bool value = last_word_is(sql, before_values) || (sql->depth && (!open || open->values));
	bool after_comma = sql->length && sql->to[sql->length - 1] == ',';
	return length > 0 && !value && (sql->last != TOKEN_OPERATOR || after_comma) && sql->last != TOKEN_VALUE;
}

static void add_name(sql_text *sql, const char *name, size_t length)
{
	not_only_values(sql);
	add_space(sql);
	sql->word = sql->length;
	sql->word_length = length;
	add(sql, name, length);
	sql->last = TOKEN_WORD;
}

static void read_double_quotes(sql_text *sql)
{
	const char *start = sql->at;
	skip_quoted(sql, '"', sql->dialect == XHPROF_SQL_MYSQL, may_be_mysql(sql));
	size_t length = (size_t)(sql->at - start);
	if (!sql->full && length > 2 && sql->at[-1] == '"' && is_quoted_name(sql, start + 1, length - 2)) {
		add_name(sql, start, length);
	} else {
		add_value(sql);
	}
}

static void read_backticks(sql_text *sql)
{
	const char *start = sql->at;
	skip_quoted(sql, '`', false, false);
	if (sql->at[-1] == '`' && sql->at - start > 1) {
		add_name(sql, start, (size_t)(sql->at - start));
	} else {
		add_value(sql);
	}
}

/* $$text$$ or $tag$text$tag$, of PostgreSQL; else $1, or a "$" alone. */
static void read_dollar(sql_text *sql)
{
	const char *tag = sql->at + 1;
	while (tag < sql->end && is_name_byte(*tag) && *tag != '$') {
		tag++;
	}
	if (tag < sql->end && *tag == '$' && !is_digit(sql->at[1])) {
		size_t mark = (size_t)(tag + 1 - sql->at);
		const char *close = memmem(tag + 1, (size_t)(sql->end - tag - 1), sql->at, mark);
		sql->at = close ? close + mark : sql->end;
	} else {
		sql->at = tag;
	}
	add_value(sql);
}

/* A sign before a number belongs to it, unless something stands before the sign. */
static void drop_sign(sql_text *sql)
{
	size_t length = sql->length;
	if (sql->last != TOKEN_OPERATOR || !length || (sql->to[length - 1] != '-' && sql->to[length - 1] != '+')) {
		return;
	}
	length--;
	bool blank = length && sql->to[length - 1] == ' ';
	size_t before = length - blank;
	char c = before ? sql->to[before - 1] : '(';
	if (strchr("=<>(,[*/%|", c) || (is_letter(c) && blank && !sql->space)) {
		sql->length = before;
		sql->space = blank;
		sql->last = c == '(' || c == '[' ? TOKEN_OPEN : is_letter(c) ? TOKEN_WORD : TOKEN_OPERATOR;
	}
}

static void read_number(sql_text *sql)
{
	char before = 0;
	for (; sql->at < sql->end; sql->at++) {
		bool sign = (*sql->at == '-' || *sql->at == '+') && (before | 0x20) == 'e';
		if (!is_name_byte(*sql->at) && *sql->at != '.' && !sign) {
			break;
		}
		before = *sql->at;
	}
	drop_sign(sql);
	add_value(sql);
}

static void read_comment(sql_text *sql)
{
	const char *at = sql->at + 2;
	unsigned deep = 1;
	if (at < sql->end && *at == '!' && may_be_mysql(sql)) {
		give_up(sql); /* MySQL runs it */
		return;
	}
	while (deep && at + 1 < sql->end) {
		bool opens = at[0] == '/' && at[1] == '*';
		bool closes = at[0] == '*' && at[1] == '/';
		if (opens && sql->dialect == XHPROF_SQL_UNKNOWN) {
			give_up(sql); /* some nest, some do not */
			return;
		}
		deep += opens && sql->dialect == XHPROF_SQL_STANDARD;
		deep -= closes;
		at += closes || (opens && sql->dialect == XHPROF_SQL_STANDARD) ? 2 : 1;
	}
	sql->at = deep ? sql->end : at;
	sql->space = true;
}

static void skip_line(sql_text *sql)
{
	while (sql->at < sql->end && *sql->at != '\n') {
		sql->at++;
	}
	sql->space = true;
}

/* In a list they are values as any other. */
static bool is_constant(const char *word, size_t length)
{
	static const char *const constants[] = {"null", "true", "false", "default"};
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
		if (strlen(constants[i]) == length && strncasecmp(word, constants[i], length) == 0) {
			return true;
		}
	}
	return false;
}

static void read_word(sql_text *sql)
{
	const char *start = sql->at;
	while (sql->at < sql->end && is_name_byte(*sql->at)) {
		sql->at++;
	}
	size_t length = (size_t)(sql->at - start);
	if (sql->at < sql->end && *sql->at == '\'' && (length == 1 || *start == '_')) { /* E'', N'', _utf8'' */
		read_string(sql, (*start | 0x20) == 'e');
		return;
	}
	sql_bracket *open = bracket(sql);
	if (open && open->list && is_constant(start, length)) {
		add_value(sql);
		return;
	}
	add_name(sql, start, length);
	if (open && length == 6 && strncasecmp(start, "select", 6) == 0) {
		open->values = open->list = false;
	}
}

static void open_bracket(sql_text *sql, char c)
{
	static const char *const lists[] = {"in", "values", "value", NULL};
	static const char *const rows[] = {"values", "value", NULL};
	/* Brackets after other words are arguments of a function, or names of columns: what is quoted may be a value. */
	static const char *const groups[] = {"and",    "or",     "not",    "where",     "on",  "by",    "as",       "from",
										 "join",   "select", "when",   "union",     "all", "any",   "exists",   "over",
										 "having", "with",   "except", "intersect", "set", "using", "distinct", NULL};
	bool after_row = sql->row_end && sql->length == sql->row_end + 1 && sql->to[sql->row_end] == ',';
	sql_bracket now = {
		.only_values = true,
		.square = c == '[',
		.rows = last_word_is(sql, rows) || after_row,
		.list = last_word_is(sql, lists) || after_row || c == '[',
		.values = sql->last == TOKEN_WORD && !last_word_is(sql, groups),
	};
	sql_bracket *around = bracket(sql);
	now.values = now.values || (around && around->values) || after_row;
	not_only_values(sql);
	add_space(sql);
	now.start = sql->length;
	if (now.rows && !after_row) {
		sql->row_end = 0;
	}
	add(sql, &c, 1);
	if (sql->depth < DEEPEST) {
		sql->brackets[sql->depth] = now;
	}
	sql->depth++;
	sql->last = TOKEN_OPEN;
}

/* A row of VALUES as the one before is left out. */
static void end_row(sql_text *sql, const sql_bracket *row)
{
	size_t length = sql->length - row->start;
	bool again = sql->row_end && sql->row_end - sql->row == length && sql->row_end <= row->start &&
				 memcmp(sql->to + sql->row, sql->to + row->start, length) == 0;
	if (again && !sql->full) {
		sql->length = sql->row_end;
	} else {
		sql->row = row->start;
		sql->row_end = sql->length;
	}
}

static void close_bracket(sql_text *sql, char c)
{
	sql_bracket *open = bracket(sql);
	sql->space = false;
	if (open && open->list && open->only_values && sql->last == TOKEN_VALUE) {
		sql->length = sql->full ? sql->length : open->start;
		add(sql, open->square ? "[" MORE : "(" MORE, 1 + MORE_LENGTH);
	}
	add(sql, &c, 1);
	sql->last = TOKEN_CLOSE;
	if (open && open->rows) {
		end_row(sql, open);
	}
	sql->depth -= sql->depth > 0;
}

static void read_operator(sql_text *sql)
{
	char c = *sql->at++;
	if (c == ',') {
		sql->space = false;
		add(sql, ",", 1);
		sql->last = TOKEN_OPERATOR;
		sql->space = !(sql->row_end && sql->length == sql->row_end + 1);
		return;
	}
	not_only_values(sql);
	if (c == ';' || c == '.') {
		sql->space = false;
	}
	add_space(sql);
	add(sql, &c, 1);
	sql->last = TOKEN_OPERATOR;
	if (c == ':' && sql->at < sql->end && *sql->at == ':') {
		add(sql, sql->at++, 1);
		sql->last = TOKEN_OPEN; /* a type follows */
	}
}

static void read_token(sql_text *sql)
{
	const char *at = sql->at, *end = sql->end;
	char c = *at, next = at + 1 < end ? at[1] : '\0';
	if (is_space(c)) {
		sql->space = true;
		sql->at++;
	} else if (c == '#' && may_be_mysql(sql)) {
		skip_line(sql);
	} else if (c == '-' && next == '-' && (!may_be_mysql(sql) || at + 2 == end || (unsigned char)at[2] <= ' ')) {
		skip_line(sql);
	} else if (c == '-' && next == '-' && sql->dialect == XHPROF_SQL_UNKNOWN) {
		give_up(sql); /* MySQL wants a blank after it, others do not */
	} else if (c == '/' && next == '*') {
		read_comment(sql);
	} else if (c == '\'') {
		read_string(sql, false);
	} else if (c == '"') {
		read_double_quotes(sql);
	} else if (c == '`') {
		read_backticks(sql);
	} else if (c == '$') {
		read_dollar(sql);
	} else if (c == '?') {
		sql->at += 1;
		while (sql->at < end && is_digit(*sql->at)) { /* ?1 */
			sql->at++;
		}
		add_value(sql);
	} else if (c == ':' && is_name_byte(next)) {
		for (sql->at++; sql->at < end && is_name_byte(*sql->at);) {
			sql->at++;
		}
		add_value(sql);
	} else if (is_digit(c) || (c == '.' && is_digit(next) && sql->last != TOKEN_WORD)) {
		read_number(sql);
	} else if (is_letter(c)) {
		read_word(sql);
	} else if (c == '(' || c == '[') {
		sql->at++;
		open_bracket(sql, c);
	} else if (c == ')' || c == ']') {
		sql->at++;
		close_bracket(sql, c);
	} else {
		read_operator(sql);
	}
}

/* Ends in "…" without half a character before it. */
static void cut(sql_text *sql)
{
	size_t most = sql->room - MORE_LENGTH;
	size_t length = sql->length < most ? sql->length : most;
	while (length && ((unsigned char)sql->to[length] & 0xC0) == 0x80 && length < sql->length) {
		length--;
	}
	memcpy(sql->to + length, MORE, MORE_LENGTH);
	sql->length = length + MORE_LENGTH;
}

size_t xhprof_operation_sql(char *to, size_t size, const char *text, size_t length, xhprof_sql_dialect dialect)
{
	sql_text sql = {.to = to, .room = size - 1, .at = text, .end = text + length, .dialect = dialect};
	while (sql.at < sql.end && !sql.full) {
		read_token(&sql);
	}
	if (sql.full) {
		cut(&sql);
	}
	while (sql.length && (to[sql.length - 1] == ';' || to[sql.length - 1] == ' ')) {
		sql.length--;
	}
	to[sql.length] = '\0';
	return sql.length;
}
