/* No value and no comment of a valid statement is in its text, whichever dialect wrote it and whichever it is read as. The
 * statements are made at random: each literal and each comment has a mark, beside what ends quotes in some dialect. */
#include "unit.h"

#include "operation/operation_sql.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MARK "ZQMARK"
#define STATEMENTS 8000
#define ROOM 65536

typedef enum writer { MYSQL, MYSQL_PLAIN, POSTGRES, SQLITE, TSQL, ORACLE } writer;

static char made[ROOM];
static size_t used, marks;
static unsigned state;

static unsigned below(unsigned limit)
{
	state = state * 1103515245 + 12345;
	return (state >> 12) % limit;
}

static void put(const char *text)
{
	size_t length = strlen(text);
	if (length < ROOM - used) {
		memcpy(made + used, text, length);
		used += length;
	}
}

static const char *one_of(const char *const *texts, size_t count)
{
	return texts[below((unsigned)count)];
}

#define ONE_OF(...) \
	one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* What ends or begins something in a dialect. */
static const char *noise(void)
{
	return ONE_OF("it", "'", "\\", "\"", "`", "[", "]", "]]", "--", "-- ", "/*", "*/", "#", "$$", "$a$", "q'", "q'[",
				  "]'", "\n", "\r", ";", ":a", "?", "(", ")", "{", "}", "!", " ", "E'", "M!", "@", "'  AND b = '",
				  "\" AND b = \"", ".", ",");
}

/* One byte within quotes. `escapes`: "\" is special. */
static void put_quoted_byte(char c, char quote, bool escapes)
{
	char text[3] = {c, '\0', '\0'};
	if (c == quote) {
		text[0] = escapes && below(2) ? '\\' : quote;
		text[1] = c;
	} else if (c == '\\' && escapes) {
		text[1] = '\\';
	}
	put(text);
}

static void put_quoted_text(const char *text, char quote, bool escapes)
{
	for (; *text; text++) {
		put_quoted_byte(*text, quote, escapes);
	}
}

static void put_quoted(const char *before, char quote, bool escapes, const char *mark)
{
	char quotes[2] = {quote, '\0'};
	put(before);
	put(quotes);
	for (unsigned i = below(4); i; i--) {
		put_quoted_text(noise(), quote, escapes);
	}
	put(mark);
	for (unsigned i = below(4); i; i--) {
		put_quoted_text(noise(), quote, escapes);
	}
	put(quotes);
}

/* Between two texts of which the last one does not occur within. */
static void put_between(const char *open, const char *close)
{
	put(open);
	for (unsigned i = below(4); i; i--) {
		const char *text = noise();
		bool may_end = strpbrk(text, close) != NULL;
		put(may_end ? "it's" : text);
	}
	put(MARK " x");
	put(close);
}

static void put_value(writer writer)
{
	bool mysql = writer == MYSQL || writer == MYSQL_PLAIN;
	marks++;
	switch (below(4)) {
		case 0:
			put_quoted(mysql                ? ONE_OF("N", "_utf8", "x", "")
					   : writer == POSTGRES ? ONE_OF("U&", "B", "")
					   : writer == SQLITE   ? ONE_OF("x", "")
											: ONE_OF("N", ""),
					   '\'', writer == MYSQL, MARK);
			return;
		case 1:
			if (mysql || writer == SQLITE || writer == TSQL) {
				put_quoted("", '"', writer == MYSQL, MARK);
				return;
			}
			if (writer == POSTGRES) {
				put_quoted("E", '\'', true, MARK);
				return;
			}
			static const char *const q[][2] = {
				{"q'[", "]'"}, {"nq'!", "!'"}, {"Q'(", ")'"}, {"q'{", "}'"}, {"q'#", "#'"}};
			unsigned which = below(5);
			put_between(q[which][0], q[which][1]);
			return;
		case 2:
			if (writer == POSTGRES) {
				bool tag = below(2);
				put_between(tag ? "$a$" : "$$", tag ? "$a$" : "$$");
				return;
			}
			if (mysql || writer == SQLITE || writer == TSQL) {
				put("\"" MARK "\"");
				return;
			}
			/* fall through */
		default:
			put_quoted("", '\'', writer == MYSQL, MARK);
	}
}

/* Names have no mark, but quotes that are another thing elsewhere. */
static void put_name(writer writer)
{
	if (below(2)) {
		put(ONE_OF("a", "users", "t1", "t.a", "name"));
		return;
	}
	if (writer == MYSQL || writer == MYSQL_PLAIN || (writer == SQLITE && below(3) == 0)) {
		put_quoted("", '`', false, "it");
	} else if (writer == TSQL || (writer == SQLITE && below(2))) {
		put(ONE_OF("[it's]", "[a b]", "[order]", "[a\"b]", "[a--b]", "[x /* y]", "#tmp", "[a'b]"));
	} else if (writer == ORACLE && below(2)) {
		put(ONE_OF("v$session", "a#", "t.b$"));
	} else {
		put_quoted("", '"', false, "it");
	}
}

static void put_comment(writer writer)
{
	bool mysql = writer == MYSQL || writer == MYSQL_PLAIN;
	marks++;
	switch (below(mysql ? 4 : 2)) {
		case 0:
			put(mysql ? " -- " : "--");
			for (unsigned i = below(3); i; i--) {
				const char *text = noise();
				put(strpbrk(text, "\r\n") ? "it's" : text);
			}
			put(MARK);
			put(ONE_OF("\n", "\r\n"));
			return;
		case 1:
			put("/*");
			for (unsigned i = below(3); i; i--) {
				const char *text = noise();
				put(strpbrk(text, "/*") ? "it's" : text);
			}
			if ((writer == POSTGRES || writer == TSQL) && below(3) == 0) {
				put("/* it's " MARK " */");
			}
			put(" " MARK "*/");
			return;
		case 2:
			put("#it's " MARK "\n");
			return;
		default:
			put(ONE_OF("/*!50000 + ", "/*M!100100 + ", "/*! + "));
			put_quoted("", '\'', writer == MYSQL, MARK);
			put("*/");
	}
}

static bool is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* L: a value, N: a name, "_": space and comments, P: a password. */
static void put_statement(writer writer)
{
	static const char *const any[] = {
		"SELECT_N, L, N FROM_N WHERE_N = L_AND_N IN (L,_L) LIMIT 5",
		"SELECT_* FROM_N_WHERE N BETWEEN L AND L OR (N, N) = (L, L) AND 5 = N",
		"INSERT INTO N (N, N) VALUES_(L, L),(L,_L)",
		"UPDATE N SET_N = L, N = L_WHERE N LIKE L AND L = N",
		"SELECT CASE N WHEN L THEN L ELSE_L END FROM N_",
		"DELETE FROM N_WHERE N <> L AND NOT N >= L",
		"SELECT concat(L, N,_L) AS x, coalesce(N, L) FROM N ORDER BY N, N",
		"SELECT N FROM N_JOIN N ON N = N AND N = L WHERE trim(L) = N GROUP BY N HAVING max(N) > L",
		"SELECT N_IS DISTINCT FROM L, trim(BOTH L FROM L) FROM N",
		"SELECT L UNION SELECT L FROM N WHERE L IN (N, L) AND N IN (SELECT N FROM N WHERE N = L)",
		"INSERT INTO N_SELECT L, N FROM N WHERE N = L",
		"SELECT x.y, -5, 1e5, L FROM N WHERE exists (SELECT 1 FROM N WHERE N = L)",
	};
	static const char *const own[][2] = {
		[MYSQL] = {"CREATE USER N IDENTIFIED BY L", "SET PASSWORD FOR N = L"},
		[MYSQL_PLAIN] = {"CREATE USER N IDENTIFIED WITH x AS L", "SET @a = L, @b = L"},
		[POSTGRES] = {"ALTER USER N PASSWORD L", "SET app.token = P"},
		[SQLITE] = {"ATTACH L AS other KEY L", "PRAGMA key = P"},
		[TSQL] = {"CREATE LOGIN N WITH PASSWORD = L", "OPEN SYMMETRIC KEY N DECRYPTION BY PASSWORD = L"},
		[ORACLE] = {"ALTER USER N IDENTIFIED BY P REPLACE P", "CREATE USER N IDENTIFIED BY P"},
	};
	const char *form = below(8) ? ONE_OF("") : NULL;
	form = form ? any[below(sizeof(any) / sizeof(any[0]))] : own[writer][below(2)];
	used = 0;
	for (char byte_before = '\0'; *form; byte_before = *form++) {
		char byte[2] = {*form, '\0'};
		bool alone = !is_capital(form[1]) && (byte_before == '\0' || !is_capital(byte_before));
		if (*form == 'L' && alone) {
			put_value(writer);
		} else if (*form == 'N' && alone) {
			put_name(writer);
		} else if (*form == 'P' && alone) {
			put(below(2) ? MARK : writer == ORACLE ? "\"" MARK "\"" : "'" MARK "'");
			marks++;
		} else if (*form == '_') {
			put(" ");
			below(3) ? put(ONE_OF("", "\n", "\t ")) : put_comment(writer);
			put(" ");
		} else {
			put(byte);
		}
	}
}

static const struct {
	const char *name;
	writer writer;
	xhprof_sql_dialect read_as;
	unsigned least_whole; /* percent of the statements whose text has to reach their end */
} pairs[] = {
	{"MySQL", MYSQL, XHPROF_SQL_MYSQL, 40},
	{"MySQL with NO_BACKSLASH_ESCAPES", MYSQL_PLAIN, XHPROF_SQL_MYSQL, 40},
	{"PostgreSQL", POSTGRES, XHPROF_SQL_STANDARD, 98},
	{"SQLite", SQLITE, XHPROF_SQL_SQLITE, 98},
	{"Transact-SQL, not known", TSQL, XHPROF_SQL_UNKNOWN, 2},
	{"Oracle, not known", ORACLE, XHPROF_SQL_UNKNOWN, 2},
	{"MySQL, not known", MYSQL, XHPROF_SQL_UNKNOWN, 2},
	{"PostgreSQL, not known", POSTGRES, XHPROF_SQL_UNKNOWN, 2},
	{"SQLite, not known", SQLITE, XHPROF_SQL_UNKNOWN, 2},
};

static void no_value_is_shown(void)
{
	static char text[4096];
	for (size_t pair = 0; pair < sizeof(pairs) / sizeof(pairs[0]); pair++) {
		unsigned shown = 0, whole = 0;
		state = 20261128;
		for (unsigned i = 0; i < STATEMENTS; i++) {
			put_statement(pairs[pair].writer);
			size_t length = xhprof_operation_sql(text, sizeof(text), made, used, pairs[pair].read_as);
			whole += length < 3 || memcmp(text + length - 3, "…", 3) != 0;
			if (strstr(text, "MARK") && !shown++) {
				printf("# %s: %.*s\n# became %s\n", pairs[pair].name, (int)used, made, text);
			}
		}
		CHECK(shown == 0);
		CHECK(whole * 100 >= pairs[pair].least_whole * STATEMENTS);
		printf("# %s: %u of %u statements show a value, %u are whole\n", pairs[pair].name, shown, STATEMENTS, whole);
	}
	CHECK(marks > 50000);
	printf("# %zu marks\n", marks);
}

int main(void)
{
	no_value_is_shown();
	return unit_end();
}
