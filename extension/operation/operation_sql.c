#include "operation_sql.h"

#include "sql_lexis.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define MORE "\xE2\x80\xA6" /* … */
#define MORE_LENGTH (sizeof(MORE) - 1)
#define DEEPEST 64 /* brackets */

/* The kinds of what was written last. */
typedef enum sql_token { TOKEN_START, TOKEN_WORD, TOKEN_VALUE, TOKEN_OPERATOR, TOKEN_OPEN, TOKEN_CLOSE } sql_token;

typedef struct sql_bracket {
	size_t start;      /* of "(" in the output */
	bool only_values;  /* nothing but "?" and "," so far */
	bool list;         /* after IN or VALUES: it becomes (…) */
	bool values;       /* of a function or of VALUES: what is quoted in it is a value */
	bool names;        /* of columns: what is quoted after "(" and "," is a name */
	bool square, rows; /* "[", a row of VALUES */
} sql_bracket;

/* The kinds of statements by their first word, which says how the others are read. */
typedef enum sql_statement {
	STATEMENT_STARTS,
	STATEMENT_OTHER,
	STATEMENT_SET,    /* SET, PRAGMA: what is assigned is a value, without quotes too */
	STATEMENT_ALTER,  /* as STATEMENT_SET, after the word SET */
	STATEMENT_CREATE, /* CREATE, DROP: brackets list columns */
} sql_statement;

typedef struct sql_text {
	char *to;
	size_t length, room; /* of the output, without the '\0' */
	bool full;
	const char *at, *end;
	bool whole; /* nothing follows `end` */
	xhprof_sql_dialect dialect;
	sql_token last;
	size_t word, word_length;     /* of the last word, in the output */
	size_t before, before_length; /* of the word right before it; no length: it is not a word */
	bool space;                   /* some was read since the last token */
	sql_statement statement;
	bool assigns;           /* a list of assignments: after SET */
	bool assigned;          /* what follows is assigned to a setting */
	bool target;            /* a table, whose columns a bracket lists */
	bool ordered;           /* after ORDER BY and GROUP BY, */
	unsigned ordered_depth; /* in as many brackets */
	bool escapes_only;      /* of MySQL: "\\" hides a quote here, since the text is no statement where it does not */
	unsigned depth;         /* of brackets; those beyond DEEPEST have no entry */
	sql_bracket brackets[DEEPEST];
	size_t row, row_end; /* the row of VALUES before, in the output; 0: none */
} sql_text;

static void add(sql_text *sql, const char *bytes, size_t length)
{
	if (sql->full || length > sql->room - sql->length) {
		sql->full = true;
		return;
	}
	memcpy(sql->to + sql->length, bytes, length);
	sql->length += length;
}

/* Writes a blank where the statement has space, but not at its start and inside of brackets. */
static void add_space(sql_text *sql)
{
	if (sql->space && sql->last != TOKEN_START && sql->last != TOKEN_OPEN) {
		add(sql, " ", 1);
	}
	sql->space = false;
}

static bool last_word_is(const sql_text *sql, const char *const *words)
{
	return sql->last == TOKEN_WORD && xhprof_sql_is_one_of(sql->to + sql->word, sql->word_length, words);
}

/* Returns whether the word right before the last one is one of these. */
static bool word_before_is(const sql_text *sql, const char *const *words)
{
	return sql->last == TOKEN_WORD && xhprof_sql_is_one_of(sql->to + sql->before, sql->before_length, words);
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

/* Ends the text here, as what follows may be values. */
static void give_up(sql_text *sql)
{
	sql->at = sql->end;
	sql->full = true;
}

/* Returns whether MySQL's own rules may hold: "\\" in quotes, "#" before a comment. */
static bool may_be_mysql(const sql_text *sql)
{
	return sql->dialect == XHPROF_SQL_MYSQL || sql->dialect == XHPROF_SQL_UNKNOWN;
}

/* The meanings of "\\" before a quote. */
typedef enum sql_escape { ESCAPE_NONE, ESCAPE_HIDES, ESCAPE_UNKNOWN } sql_escape;

/* Decides what a backslash before a quote means. In MySQL this depends on a setting of the connection: there the rest
 * of the text decides. */
static sql_escape escape_of(sql_text *sql, bool escapes)
{
	if (sql->dialect == XHPROF_SQL_MYSQL && sql->whole) {
		sql->escapes_only = sql->escapes_only || !xhprof_sql_fits_without_escapes(sql->at, sql->end);
		return sql->escapes_only ? ESCAPE_HIDES : ESCAPE_UNKNOWN;
	}
	return may_be_mysql(sql) ? ESCAPE_UNKNOWN : escapes ? ESCAPE_HIDES : ESCAPE_NONE;
}

/* Moves past the text in quotes. `escapes`: "\\" hides the next byte in it, as in E'...' of PostgreSQL. Where it
 * depends on more than the text, nothing that follows can be read. */
static void skip_quoted(sql_text *sql, char quote, bool escapes)
{
	const char *at = sql->at + 1;
	bool slashes = escapes || may_be_mysql(sql);
	for (; at < sql->end; at++) {
		char next = at + 1 < sql->end ? at[1] : '\0';
		if (*at == '\\' && slashes) {
			if (next == quote && escape_of(sql, escapes) == ESCAPE_UNKNOWN) {
				give_up(sql);
				return;
			}
			at += at + 1 < sql->end && (next == quote || next == '\\');
		} else if (*at == quote) {
			if (next == quote) {
				at++;
			} else {
				sql->at = at + 1;
				return;
			}
		}
	}
	sql->at = sql->end; /* it has no end */
}

static void read_string(sql_text *sql, bool escapes)
{
	skip_quoted(sql, '\'', escapes);
	add_value(sql);
}

/* Returns whether a text in double quotes right here cannot be a value in any dialect. `after`: what follows it. */
static bool has_to_be_a_name(sql_text *sql, const char *after)
{
	static const char *const tables[] = {"from", "join",       "into",   "update",     "table",  "as",
										 "view", "references", "exists", "constraint", "column", NULL};
	static const char *const conditions[] = {"where", "and", "or", "on", "having", "not", NULL};
	static const char *const sets[] = {"set", "update", NULL}, *const on[] = {"on", "index", "trigger", NULL};
	static const char *const by[] = {"by", NULL}, *const distinct[] = {"distinct", NULL},
							 *const from[] = {"from", NULL};
	const char *next = xhprof_sql_past_space(after, sql->end);
	sql_bracket *open = bracket(sql);
	bool comma = sql->length && sql->to[sql->length - 1] == ',';
	if ((after < sql->end && *after == '.') || (sql->length && sql->to[sql->length - 1] == '.')) {
		return true;
	}
	if (next < sql->end && *next == '@') { /* an account of MySQL */
		return false;
	}
	if (open && open->names && (sql->last == TOKEN_OPEN || comma)) {
		return true;
	}
	if ((sql->depth && (!open || open->values)) || sql->last == TOKEN_VALUE) {
		return false;
	}
	if (last_word_is(sql, tables)) {
		return !last_word_is(sql, from) || !word_before_is(sql, distinct);
	}
	if (sql->ordered && sql->ordered_depth == sql->depth && (comma || last_word_is(sql, by))) {
		return true;
	}
	if (sql->assigns && (comma || last_word_is(sql, sets)) && next < sql->end && *next == '=') {
		return true;
	}
	if (sql->statement == STATEMENT_CREATE && last_word_is(sql, on)) {
		return true;
	}
	return (last_word_is(sql, conditions) || sql->last == TOKEN_OPEN) && xhprof_sql_is_compared(after, sql->end);
}

/* Returns whether a text in double quotes is a name: it looks like one, and stands where SQL has one. */
static bool is_quoted_name(sql_text *sql, const char *text, size_t length)
{
	static const char *const passwords[] = {"password", "key", NULL};
	if (sql->dialect == XHPROF_SQL_MYSQL || length == 0 || last_word_is(sql, passwords)) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!xhprof_sql_is_name_byte(text[i]) && !(text[i] == ' ' && sql->dialect == XHPROF_SQL_STANDARD)) {
			return false;
		}
	}
	return sql->dialect == XHPROF_SQL_STANDARD || has_to_be_a_name(sql, text + length + 1);
}

static void add_name(sql_text *sql, const char *name, size_t length)
{
	not_only_values(sql);
	add_space(sql);
	sql->before = sql->word;
	sql->before_length = sql->last == TOKEN_WORD ? sql->word_length : 0;
	sql->word = sql->length;
	sql->word_length = length;
	add(sql, name, length);
	sql->last = TOKEN_WORD;
}

static void read_double_quotes(sql_text *sql)
{
	const char *start = sql->at;
	skip_quoted(sql, '"', false);
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
	const char *close = start + 1; /* "\\" hides nothing in it */
	while ((close = memchr(close, '`', (size_t)(sql->end - close))) && sql->end - close > 1 && close[1] == '`') {
		close += 2;
	}
	sql->at = close ? close + 1 : sql->end;
	if (sql->at[-1] == '`' && sql->at - start > 1) {
		add_name(sql, start, (size_t)(sql->at - start));
	} else {
		add_value(sql);
	}
}

/* Reads $$text$$ or $tag$text$tag$, of PostgreSQL; else $1, $name, or a "$" alone. */
static void read_dollar(sql_text *sql)
{
	const char *tag = sql->at + 1;
	while (tag < sql->end && xhprof_sql_is_name_byte(*tag) && *tag != '$') {
		tag++;
	}
	bool quotes = tag < sql->end && *tag == '$' && !xhprof_sql_is_digit(sql->at[1]);
	if (quotes && sql->dialect == XHPROF_SQL_UNKNOWN) {
		give_up(sql);
		return;
	}
	if (quotes && sql->dialect == XHPROF_SQL_STANDARD) {
		size_t mark = (size_t)(tag + 1 - sql->at);
		const char *close = memmem(tag + 1, (size_t)(sql->end - tag - 1), sql->at, mark);
		sql->at = close ? close + mark : sql->end;
	} else {
		for (sql->at = tag; quotes && sql->at < sql->end && xhprof_sql_is_name_byte(*sql->at);) {
			sql->at++;
		}
	}
	add_value(sql);
}

/* Returns whether "[" begins a name: [name] of SQLite and Transact-SQL, not [1, 2] and a[1] of PostgreSQL. Where it can
 * be either, its end must be the same. */
static bool is_square_name(const sql_text *sql, const char *end)
{
	for (const char *at = sql->at + 1; at < end; at++) {
		if (!xhprof_sql_is_name_byte(*at) && *at != ' ') {
			return false;
		}
	}
	return end - sql->at > 1 && xhprof_sql_is_letter(sql->at[1]);
}

static void open_bracket(sql_text *sql, char c);

static void read_square(sql_text *sql)
{
	const char *start = sql->at, *close = memchr(start, ']', (size_t)(sql->end - start));
	bool unknown = sql->dialect == XHPROF_SQL_UNKNOWN;
	bool name = close && is_square_name(sql, close);
	if (!unknown && sql->dialect != XHPROF_SQL_SQLITE) {
		sql->at++;
		open_bracket(sql, '[');
		return;
	}
	bool same_end = close && !(sql->end - close > 1 && close[1] == ']');
	for (const char *at = start + 1; same_end && at < close; at++) {
		same_end = xhprof_sql_is_name_byte(*at) || *at == ' ' || *at == ',' || *at == '.';
	}
	if (unknown && !same_end) {
		give_up(sql);
	} else if (unknown && !name) {
		sql->at++;
		open_bracket(sql, '[');
	} else if (name) {
		sql->at = close + 1;
		add_name(sql, start, (size_t)(close + 1 - start));
	} else {
		sql->at = close ? close + 1 : sql->end;
		add_value(sql);
	}
}

/* Drops the sign before a number, which belongs to it, unless something stands before the sign. */
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
	if (strchr("=<>(,[*/%|", c) || (xhprof_sql_is_letter(c) && blank && !sql->space)) {
		sql->length = before;
		sql->space = blank;
		sql->last = c == '(' || c == '[' ? TOKEN_OPEN : xhprof_sql_is_letter(c) ? TOKEN_WORD : TOKEN_OPERATOR;
	}
}

static void read_number(sql_text *sql)
{
	char before = 0;
	for (; sql->at < sql->end; sql->at++) {
		bool sign = (*sql->at == '-' || *sql->at == '+') && (before | 0x20) == 'e';
		if (!xhprof_sql_is_name_byte(*sql->at) && *sql->at != '.' && !sign) {
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
	const char *mark = at + (at < sql->end && *at == 'M');
	if (mark < sql->end && *mark == '!' && may_be_mysql(sql)) {
		give_up(sql); /* MySQL or MariaDB run it */
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

/* Moves to the end of a line, which in PostgreSQL "\r" is too. */
static void skip_line(sql_text *sql)
{
	while (sql->at < sql->end && *sql->at != '\n') {
		if (*sql->at == '\r' && sql->dialect == XHPROF_SQL_STANDARD) {
			break;
		}
		if (*sql->at == '\r' && sql->dialect == XHPROF_SQL_UNKNOWN && sql->end - sql->at > 1 && sql->at[1] != '\n') {
			give_up(sql);
			return;
		}
		sql->at++;
	}
	sql->space = true;
}

/* Returns whether a word is a constant. In a list constants are values as any other. */
static bool is_constant(const char *word, size_t length)
{
	static const char *const constants[] = {"null", "true", "false", "default", NULL};
	return xhprof_sql_is_one_of(word, length, constants);
}

/* Returns the kind of a statement by its first word. */
static sql_statement statement_of(const char *word, size_t length)
{
	static const char *const sets[] = {"set", "pragma", NULL}, *const alter[] = {"alter", NULL};
	static const char *const creates[] = {"create", "drop", NULL};
	return xhprof_sql_is_one_of(word, length, sets)      ? STATEMENT_SET
		   : xhprof_sql_is_one_of(word, length, alter)   ? STATEMENT_ALTER
		   : xhprof_sql_is_one_of(word, length, creates) ? STATEMENT_CREATE
														 : STATEMENT_OTHER;
}

/* Notes what a word without quotes that was written says of those that follow. */
static void know_word(sql_text *sql)
{
	static const char *const set[] = {"set", NULL}, *const to[] = {"to", NULL}, *const by[] = {"by", NULL};
	static const char *const update[] = {"update", NULL};
	static const char *const orders[] = {"order", "group", "partition", NULL};
	static const char *const ends_order[] = {"limit", "having", "union", "rows",   "range",  "offset", "fetch",
											 "for",   "from",   "where", "select", "values", NULL};
	static const char *const ends_set[] = {"where", "from", "returning", "select", NULL};
	static const char *const before_columns[] = {"into", "references", NULL};
	static const char *const creates[] = {"table", "on", "key", "unique", NULL};
	static const char *const ends_target[] = {"values", "select", "as", "set", "default", "value", "using", NULL};
	static const char *const identified[] = {"identified", NULL}, *const passwords[] = {"by", "with", "via", "as",
																						NULL};
	bool defines = sql->statement == STATEMENT_CREATE || sql->statement == STATEMENT_ALTER;
	if (sql->statement == STATEMENT_STARTS) {
		sql->statement = statement_of(sql->to + sql->word, sql->word_length);
	}
	if (word_before_is(sql, identified) && last_word_is(sql, passwords)) {
		give_up(sql); /* a password follows, in quotes of any kind or in none */
		return;
	}
	if (last_word_is(sql, by) && word_before_is(sql, orders)) {
		sql->ordered = true;
		sql->ordered_depth = sql->depth;
	} else if (last_word_is(sql, ends_order) && sql->depth == sql->ordered_depth) {
		sql->ordered = false;
	}
	bool settings = sql->statement == STATEMENT_SET || sql->statement == STATEMENT_ALTER;
	if (last_word_is(sql, set) || (!settings && last_word_is(sql, update))) {
		sql->assigns = true;
	} else if (!settings && last_word_is(sql, ends_set)) {
		sql->assigns = false;
	}
	sql->assigned = sql->assigned || (settings && sql->assigns && last_word_is(sql, to));
	if (last_word_is(sql, before_columns) || (defines && last_word_is(sql, creates))) {
		sql->target = true;
	} else if (last_word_is(sql, ends_target)) {
		sql->target = false;
	}
}

static void read_word(sql_text *sql)
{
	const char *start = sql->at;
	while (sql->at < sql->end && xhprof_sql_is_name_byte(*sql->at)) {
		sql->at++;
	}
	size_t length = (size_t)(sql->at - start);
	static const char *const oracle[] = {"q", "nq", NULL}, *const ends_settings[] = {"for", NULL};
	bool quoted = sql->at < sql->end && *sql->at == '\'';
	if (quoted && sql->dialect == XHPROF_SQL_UNKNOWN && xhprof_sql_is_one_of(start, length, oracle)) {
		give_up(sql); /* q'[it's]' */
		return;
	}
	if (quoted && (length == 1 || *start == '_')) { /* E'', N'', _utf8'' */
		read_string(sql, (*start | 0x20) == 'e' && sql->dialect == XHPROF_SQL_STANDARD);
		return;
	}
	sql_bracket *open = bracket(sql);
	if (sql->assigned && xhprof_sql_is_one_of(start, length, ends_settings)) { /* SET STATEMENT a = 1 FOR SELECT */
		sql->assigned = sql->assigns = false;
		sql->statement = STATEMENT_OTHER;
	}
	if (sql->assigned || (open && open->list && is_constant(start, length))) {
		add_value(sql);
		return;
	}
	add_name(sql, start, length);
	know_word(sql);
	if (open && length == 6 && strncasecmp(start, "select", 6) == 0) {
		open->values = open->names = open->list = false;
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
		.names = sql->target,
		.values = sql->last == TOKEN_WORD && !last_word_is(sql, groups),
	};
	sql_bracket *around = bracket(sql);
	now.values = now.values || (around && around->values) || after_row;
	sql->target = false;
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

/* Ends a row of VALUES. One that is as the row before is left out. */
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
	if (c == ';' && !sql->depth) {
		sql->statement = STATEMENT_STARTS;
		sql->assigns = sql->assigned = sql->target = sql->ordered = false;
	}
	bool settings = sql->statement == STATEMENT_SET || (sql->statement == STATEMENT_ALTER && sql->assigns);
	sql->assigned = sql->assigned || (settings && c == '=');
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
	if (xhprof_sql_is_space(c)) {
		sql->space = true;
		sql->at++;
	} else if (c == '#' && sql->dialect == XHPROF_SQL_UNKNOWN) {
		give_up(sql); /* a comment of MySQL, a name of Transact-SQL, an operator of PostgreSQL */
	} else if (c == '#' && sql->dialect == XHPROF_SQL_MYSQL) {
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
		while (sql->at < end && xhprof_sql_is_digit(*sql->at)) { /* ?1 */
			sql->at++;
		}
		add_value(sql);
	} else if (c == ':' && xhprof_sql_is_name_byte(next)) {
		for (sql->at++; sql->at < end && xhprof_sql_is_name_byte(*sql->at);) {
			sql->at++;
		}
		add_value(sql);
	} else if (xhprof_sql_is_digit(c) || (c == '.' && xhprof_sql_is_digit(next) && sql->last != TOKEN_WORD)) {
		read_number(sql);
	} else if (xhprof_sql_is_letter(c)) {
		read_word(sql);
	} else if (c == '[') {
		read_square(sql);
	} else if (c == '(') {
		sql->at++;
		open_bracket(sql, c);
	} else if (c == ')' || c == ']') {
		sql->at++;
		close_bracket(sql, c);
	} else {
		read_operator(sql);
	}
}

/* Cuts the text, which then ends in "…", without half a character before it. */
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
	bool whole = length <= XHPROF_OPERATION_SQL_READ;
	const char *end = text + (whole ? length : XHPROF_OPERATION_SQL_READ);
	sql_text sql = {.to = to, .room = size - 1, .at = text, .end = end, .whole = whole, .dialect = dialect};
	while (sql.at < sql.end && !sql.full) {
		read_token(&sql);
	}
	sql.full = sql.full || !whole;
	if (sql.full) {
		cut(&sql);
	}
	while (sql.length && (to[sql.length - 1] == ';' || to[sql.length - 1] == ' ')) {
		sql.length--;
	}
	to[sql.length] = '\0';
	return sql.length;
}
