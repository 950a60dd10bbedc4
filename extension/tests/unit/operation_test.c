#include "unit.h"

#include "base/operation_kind.h"
#include "operation/operation_sql.h"
#include "operation/operation_text.h"
#include "base/trace_context.h"
#include "trace/tracer.h"

#include <stdbool.h>
#include <stdlib.h>

#define ANY XHPROF_SQL_UNKNOWN
#define MYSQL XHPROF_SQL_MYSQL
#define SQLITE XHPROF_SQL_SQLITE
#define STANDARD XHPROF_SQL_STANDARD

static const struct {
	xhprof_sql_dialect dialect;
	const char *sql, *text; /* "=": the same */
} statements[] = {
	{ANY, "SELECT 1", "SELECT ?"},
	{ANY, "", ""},
	{ANY, "SELECT  *\n\tFROM t ;  ", "SELECT * FROM t"},
	{ANY, "SELECT a1, b FROM t2 WHERE id=5", "SELECT a1, b FROM t2 WHERE id=?"},
	{ANY, "SELECT * FROM t WHERE a = 'x' AND b = 'it''s'", "SELECT * FROM t WHERE a = ? AND b = ?"},
	{ANY, "SELECT * FROM t WHERE a = -5 AND b > +1.5e-3 AND c = 0xFF",
	 "SELECT * FROM t WHERE a = ? AND b > ? AND c = ?"},
	{ANY, "SELECT a - 1, (-2), a-3", "SELECT a - ?, (?), a-?"},
	{ANY, "LIMIT -1", "LIMIT ?"},
	{ANY, "SELECT * FROM t WHERE a = ? AND b = :name AND c = $1 AND d = ?2",
	 "SELECT * FROM t WHERE a = ? AND b = ? AND c = ? AND d = ?"},
	{ANY, "SELECT a::text, '5'::int", "SELECT a::text, ?::int"},
	{ANY, "SET @a := 5", "SET @a := ?"},
	/* lists */
	{ANY, "WHERE id IN (1)", "WHERE id IN (…)"},
	{ANY, "WHERE id in ( 1 , 2,3 )", "WHERE id in (…)"},
	{ANY, "WHERE id IN (:a0, :a1)", "WHERE id IN (…)"},
	{ANY, "WHERE id IN (SELECT id FROM u WHERE x = 3)", "WHERE id IN (SELECT id FROM u WHERE x = ?)"},
	{ANY, "SELECT f(1, 2), g()", "SELECT f(?, ?), g()"},
	{ANY, "INSERT INTO t (a, b) VALUES (1, NULL)", "INSERT INTO t (a, b) VALUES (…)"},
	{ANY, "INSERT INTO t (a, b) VALUES (1, 'a'), (2, 'b'),(3,DEFAULT)", "INSERT INTO t (a, b) VALUES (…)"},
	{ANY, "INSERT INTO t VALUES (1, NOW()), (2, NOW()), (3, 4)", "INSERT INTO t VALUES (?, NOW()), (…)"},
	{ANY, "INSERT INTO t VALUES (1), (2) ON DUPLICATE KEY UPDATE a = 3",
	 "INSERT INTO t VALUES (…) ON DUPLICATE KEY UPDATE a = ?"},
	{STANDARD, "SELECT ARRAY[1, 2]", "SELECT ARRAY[…]"},
	/* comments */
	{ANY, "SELECT 1 -- a secret\nFROM t", "SELECT ? FROM t"},
	{ANY, "SELECT 1 /* it's */ FROM t", "SELECT ? FROM t"},
	{MYSQL, "SELECT 1 # it's\nFROM t", "SELECT ? FROM t"},
	{STANDARD, "SELECT a #> b FROM t", "="},
	{STANDARD, "SELECT 1 /* a /* b */ it's */ FROM t", "SELECT ? FROM t"},
	{MYSQL, "SELECT 5--'it is \n secret'", "SELECT ?--?"},
	{STANDARD, "SELECT 5--'it is \n , a", "SELECT ?, a"},
	/* What depends on a dialect that is not known ends the text. */
	{ANY, "SELECT 'a\\' , 'secret'", "SELECT…"},
	{ANY, "SELECT 'it\\'s secret'", "SELECT…"},
	{ANY, "SELECT 5--'it is \n secret'", "SELECT ?…"},
	{ANY, "SELECT 1 /* a /* b */ secret */", "SELECT ?…"},
	{MYSQL, "SELECT /*!50000 'secret' */ 1", "SELECT…"},
	{MYSQL, "SELECT 'it\\'s secret', a", "SELECT ?, a"},
	{SQLITE, "SELECT 'a\\', a", "SELECT ?, a"},
	{STANDARD, "SELECT 'a\\', a, E'it\\'s', b", "SELECT ?, a, ?, b"},
	{ANY, "SELECT 'a\\\\', b", "SELECT ?, b"},
	/* quotes */
	{MYSQL, "SELECT `a b` FROM `t` WHERE n = \"secret\"", "SELECT `a b` FROM `t` WHERE n = ?"},
	{STANDARD, "SELECT \"a\", \"b\" FROM \"t\" WHERE \"t\".\"n\" = 'x'",
	 "SELECT \"a\", \"b\" FROM \"t\" WHERE \"t\".\"n\" = ?"},
	/* Double quotes are values of SQLite where no column has that name. */
	{SQLITE, "SELECT \"secret\" FROM \"t\" WHERE \"n\" = \"secret\"", "SELECT ? FROM \"t\" WHERE ? = ?"},
	{SQLITE, "select * from \"users\" where \"name\" = ? and \"id\" in (1, 2) order by \"name\", \"id\" desc limit 1",
	 "select * from \"users\" where \"name\" = ? and \"id\" in (…) order by \"name\", \"id\" desc limit ?"},
	{SQLITE, "insert into \"users\" (\"name\", \"id\") values (\"secret\", 5)",
	 "insert into \"users\" (\"name\", \"id\") values (…)"},
	{SQLITE, "update \"users\" set \"name\" = \"secret\", \"n\" = ? where (\"id\" = 5 or \"n\" is not null)",
	 "update \"users\" set \"name\" = ?, \"n\" = ? where (\"id\" = ? or \"n\" is not null)"},
	{SQLITE, "create unique index \"i\" on \"users\" (\"a\", \"b\")", "="},
	{SQLITE, "create table \"t\" (\"id\" integer default \"secret\", \"n\" text)",
	 "create table \"t\" (\"id\" integer default ?, \"n\" text)"},
	{SQLITE, "SELECT a FROM t WHERE a BETWEEN \"a\" AND \"secret\"", "SELECT a FROM t WHERE a BETWEEN ? AND ?"},
	{SQLITE, "SELECT a FROM t WHERE (a, b) = (\"secret\", \"x\")", "SELECT a FROM t WHERE (a, b) = (?, ?)"},
	{SQLITE, "SELECT CASE a WHEN \"secret\" THEN \"b\" ELSE \"c\" END", "SELECT CASE a WHEN ? THEN ? ELSE ? END"},
	{SQLITE, "SELECT a IS DISTINCT FROM \"secret\"", "SELECT a IS DISTINCT FROM ?"},
	{SQLITE, "ATTACH \"secret\" AS \"other\" KEY \"secret\"", "ATTACH ? AS \"other\" KEY ?"},
	{ANY, "SELECT trim(BOTH \"x\" FROM \"secret\")", "SELECT trim(BOTH ? FROM ?)"},
	{ANY, "REVOKE ALL ON *.* FROM \"secret\"@\"%\"", "REVOKE ALL ON *.* FROM ?@?"},
	/* square brackets */
	{SQLITE, "SELECT [it's], [a b] FROM [t] WHERE a = 'secret'", "SELECT ?, [a b] FROM [t] WHERE a = ?"},
	{ANY, "SELECT [a b], [t].[c] FROM [t] WHERE a = 'x'", "SELECT [a b], [t].[c] FROM [t] WHERE a = ?"},
	{ANY, "SELECT [it's] FROM t WHERE a = 'secret'", "SELECT…"},
	{ANY, "SELECT [a]]'b] FROM t WHERE a = 'secret'", "SELECT…"},
	{ANY, "SELECT ARRAY[1, 2], a[1]", "SELECT ARRAY[…], a[…]"},
	{ANY, "SELECT ARRAY['secret']", "SELECT ARRAY…"},
	/* one dialect's quote is another one's comment */
	{ANY, "SELECT q'[it's secret]', nq'!it's!'", "SELECT…"},
	{ANY, "SELECT a FROM t WHERE a = Nq'[it's secret]'", "SELECT a FROM t WHERE a =…"},
	{ANY, "SELECT * FROM #tmp WHERE a = 'x\n secret'", "SELECT * FROM…"},
	{ANY, "SELECT a FROM t -- 1\r WHERE a = 'x\n secret'", "SELECT a FROM t…"},
	{STANDARD, "SELECT a FROM t -- 1\r WHERE a = 'x\n secret'", "SELECT a FROM t WHERE a = ?"},
	{MYSQL, "SELECT /*M!100100 'secret' */ 1", "SELECT…"},
	{ANY, "SELECT E'a\\' secret '", "SELECT…"},
	{ANY, "SELECT $a$ it's secret $a$", "SELECT…"},
	{SQLITE, "SELECT $a$'it''s secret' FROM t", "SELECT ? FROM t"},
	/* "\\" hides a quote in MySQL unless its connection says not */
	{MYSQL, "WHERE p = 'C:\\' AND pw = 'secret'", "WHERE p =…"},
	{MYSQL, "WHERE a = 'it\\'s' AND b = \"Bob\\\"s\" AND c = 5", "WHERE a = ? AND b = ? AND c = ?"},
	{MYSQL, "WHERE a = 'it\\'s' /* it's */ AND b = 5 -- it's", "WHERE a =…"},
	/* passwords and settings, with quotes or without */
	{STANDARD, "ALTER USER u PASSWORD \"secret\"", "ALTER USER u PASSWORD ?"},
	{ANY, "ALTER USER u IDENTIFIED BY \"secret\" REPLACE secret", "ALTER USER u IDENTIFIED BY…"},
	{MYSQL, "CREATE USER u IDENTIFIED WITH p AS 'secret'", "CREATE USER u IDENTIFIED WITH…"},
	{STANDARD, "SET app.token = secret", "SET app.token = ?"},
	{STANDARD, "SET LOCAL app.token TO sec.secret, secret", "SET LOCAL app.token TO ?.?, ?"},
	{STANDARD, "ALTER ROLE u SET app.token TO secret; SELECT a FROM t",
	 "ALTER ROLE u SET app.token TO ?; SELECT a FROM t"},
	{MYSQL, "SET @a = secret, @b = 5", "SET @a = ?, @? = ?"},
	{MYSQL, "SET STATEMENT a = 5, b = secret FOR SELECT c FROM t", "SET STATEMENT a = ?, ? = ? FOR SELECT c FROM t"},
	{SQLITE, "PRAGMA key = secret", "PRAGMA key = ?"},
	{ANY, "UPDATE t SET a = b, c = d + 1", "UPDATE t SET a = b, c = d + ?"},
	{ANY, "ALTER TABLE t RENAME TO u", "="},
	{SQLITE, "SELECT * FROM t JOIN u ON \"t\".\"a\" = \"u\".\"b\"", "="},
	{ANY, "SELECT * FROM t WHERE n LIKE \"secret\" OR n IN (\"a\", \"b\")",
	 "SELECT * FROM t WHERE n LIKE ? OR n IN (…)"},
	{ANY, "SELECT concat(\"secret\", n)", "SELECT concat(?, n)"},
	{ANY, "SELECT \"two words\"", "SELECT ?"},
	{ANY, "SELECT N'a', _utf8'b', x'0F'", "SELECT ?, ?, ?"},
	{STANDARD, "SELECT $$it's$$, $tag$ $$ secret $tag$, a", "SELECT ?, ?, a"},
	{ANY, "SELECT 'no end", "SELECT ?"},
	{STANDARD, "SELECT $$no end", "SELECT ?"},
	{ANY, "SELECT /* no end", "SELECT"},
	{ANY, "SELECT \"no end", "SELECT ?"},
	{ANY, "))((", "="},
	{ANY, "SELECT größe FROM straße", "="},
};

static void sql_loses_its_values(void)
{
	char made[4096];
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		const char *sql = statements[i].sql;
		const char *text = strcmp(statements[i].text, "=") == 0 ? sql : statements[i].text;
		size_t length = xhprof_operation_sql(made, sizeof(made), sql, strlen(sql), statements[i].dialect);
		bool same = length == strlen(text) && strcmp(made, text) == 0;
		CHECK(same);
		if (!same) {
			printf("# %s\n# became %s\n# not    %s\n", sql, made, text);
		}
		CHECK(!strstr(made, "secret"));
	}
}

static void long_sql_is_cut_between_characters(void)
{
	char sql[600], made[64];
	for (size_t i = 0; i < 300; i++) {
		memcpy(sql + 2 * i, "\xC3\xA4", 2);
	}
	for (size_t size = 8; size <= sizeof(made); size++) {
		size_t length = xhprof_operation_sql(made, size, sql, sizeof(sql), ANY);
		CHECK(length < size && made[length] == '\0' && strcmp(made + length - 3, "…") == 0 && (length - 3) % 2 == 0);
	}
}

/* Any bytes end, and stay within the room; run with sanitizers. */
static void any_bytes_can_be_sql(void)
{
	static const char alphabet[] = "'\"`\\$?:;,.()[]-+/*#!%=<> \n\t0159aeINvalues\xC3\xA4";
	unsigned state = 12345;
	bool fits = true;
	for (int round = 0; round < 20000; round++) {
		char *sql = malloc(64), *made = malloc(40);
		size_t length = (size_t)(state >> 8) % 64;
		for (size_t i = 0; i < length; i++) {
			state = state * 1103515245 + 12345;
			sql[i] = alphabet[(state >> 16) % (sizeof(alphabet) - 1)];
		}
		size_t used = xhprof_operation_sql(made, 40, sql, length, (xhprof_sql_dialect)(round % 4));
		fits = fits && used < 40 && made[used] == '\0';
		free(sql);
		free(made);
	}
	CHECK(fits);
}

static void deep_brackets_are_counted(void)
{
	char sql[1000], made[2100];
	memset(sql, '(', 500);
	memset(sql + 500, ')', 500);
	CHECK(xhprof_operation_sql(made, sizeof(made), sql, sizeof(sql), ANY) == 1000);
}

static const struct {
	char what; /* u: URL, p: path, k: key, c: command */
	const char *from, *text;
} texts[] = {
	{'u', "https://API.example.com/users/5/orders?id=7", "api.example.com/users/{id}/orders"},
	{'u', "http://user:password@example.com:8080/", "example.com:8080/"},
	{'u', "example.com", "example.com/"},
	{'u', "http://example.com?token=x", "example.com/"},
	{'u', "http://example.com/reset/token=abcdef", "example.com/reset/{id}"},
	{'u', "", "/"},
	{'p', "/var/www/app/cache/12345.json", "cache/{id}.json"},
	{'p', "a.txt", "a.txt"},
	{'p', "/tmp/", "tmp/"},
	{'p', "php://memory", "php://memory"},
	{'p', "php://filter/read=x/resource=/etc/passwd", "php://filter"},
	{'p', "data:text/plain,secret", "data:"},
	{'p', " data:text/plain,secret", "data:"},
	{'p', "compress.zlib://data:text/plain,secret", "compress.zlib://data:"},
	{'p', "compress.zlib:///srv/a/5.gz", "compress.zlib://a/{id}.gz"},
	{'p', "compress.zlib://http://secret@example.com/", "compress.zlib://"},
	{'p', "/tmp/password=secret", "tmp/{id}"},
	{'p', "/tmp/token=secret/x", "{id}/x"},
	{'p', "C:\\Users\\me\\docs\\5.txt", "docs\\{id}.txt"},
	{'p', "/a/b\\c", "a/b\\c"},
	{'p', "DATA:text/plain,secret", "data:"},
	{'p', "file:///srv/a/b/5.txt", "b/{id}.txt"},
	{'p', "ssh2.sftp://root:pw@host/srv/5", "ssh2.sftp://host/srv/{id}"},
	{'p', "s3://bucket/users/55", "s3://bucket/users/{id}"},
	{'k', "user:55:profile", "user:{id}:profile"},
	{'k', "session_550e8400-e29b-41d4-a716-446655440000", "{id}"},
	{'k', "550e8400-e29b-41d4-a716-446655440000", "{id}"},
	{'k', "user/55.a|b@c.de", "user/{id}.a|{id}"},
	{'k', "user/jane.doe@example.com", "user/{id}"},
	{'k', "user/secret%40example.com:name", "user/{id}:name"},
	{'k', "mail secret%2540example.com", "mail {id}"},
	{'k', "token:secret", "token:{id}"},
	{'k', "password:secret.word:name", "password:{id}:name"},
	{'k', "auth|secret", "auth|{id}"},
	{'k', "csrf//secret", "csrf//{id}"},
	{'k', "app:user_token:secret:list", "app:user_token:{id}:list"},
	{'k', "monkey:see", "monkey:{id}"}, /* "key" is in it */
	{'k', "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "{id}"},
	{'k', "", ""},
	{'c', "/usr/bin/convert -resize 10 secret.png", "convert"},
	{'c', "  FOO=secret BAR='a b' php x.php", "php"},
	{'c', "'/opt/my tool/run' secret", "run"},
	{'c', "ls|cat", "ls"},
	{'c', "", ""},
	{'c', "   ", ""},
	{'c', "A=secret", ""},
	{'c', "PW='a'secret prog", "prog"},
	{'c', "PW=\"a\\\" secret\" /bin/prog secret", "prog"},
	{'c', "PW=a\\ secret B='it'\\''s secret' prog", "prog"},
	{'c', "PW=$(cat secret) prog", ""},
	{'c', "PW=\"`cat secret`\" prog", ""},
	{'c', "PW='secret", ""},
	{'c', "prog'secret'", "prog"},
	{'c', "\"my prog\"secret x", "my prog"},
	{'c', "A=b;secret", ""},
};

static void texts_lose_their_ids(void)
{
	char made[XHPROF_OPERATION_TEXT_MAX + 1];
	xhprof_secret_rules rules = {XHPROF_REDACT_NAMES, NULL};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		size_t length = strlen(texts[i].from);
		switch (texts[i].what) {
			case 'u':
				xhprof_operation_url(made, texts[i].from, length, &rules);
				break;
			case 'p':
				xhprof_operation_path(made, texts[i].from, length, &rules);
				break;
			case 'k':
				xhprof_operation_key(made, texts[i].from, length, &rules);
				break;
			default:
				xhprof_operation_program(made, texts[i].from, length);
		}
		bool same = strcmp(made, texts[i].text) == 0;
		CHECK(same);
		if (!same) {
			printf("# %s\n# became %s\n# not    %s\n", texts[i].from, made, texts[i].text);
		}
	}
	CHECK(xhprof_operation_is_http("HTTPS://x", 9) && !xhprof_operation_is_http("httpx://x", 9));
	CHECK(!xhprof_operation_is_http("http:/", 6) && !xhprof_operation_is_http("", 0));
}

static void functions_are_found_by_name(void)
{
	const xhprof_operation_function *function = xhprof_operation_function_named("PDO::query", 10);
	CHECK(function && function->kind == XHPROF_OPERATION_SQL && function->source == XHPROF_TEXT_SQL);
	CHECK(xhprof_operation_function_at(xhprof_operation_function_number(function)) == function);
	function = xhprof_operation_function_named("Curl_Exec", 9);
	CHECK(function && function->kind == XHPROF_OPERATION_HTTP);
	function = xhprof_operation_function_named("Redis::hGetAll", 14);
	CHECK(function && function->kind == XHPROF_OPERATION_CACHE && function->source == XHPROF_TEXT_KEY);
	/* Their first argument is a password, a value or a program. */
	static const char *const without_keys[] = {"Redis::auth", "Redis::echo", "Redis::sendEcho", "Redis::evaluate"};
	for (size_t i = 0; i < sizeof(without_keys) / sizeof(without_keys[0]); i++) {
		function = xhprof_operation_function_named(without_keys[i], strlen(without_keys[i]));
		CHECK(function && function->source == XHPROF_TEXT_NAME);
	}
	/* Values by key, of which a key may be an integer: what stands first in the array may be a value. */
	static const char *const keyed[] = {"Redis::mset", "RedisCluster::MSETNX", "Memcached::setMultiByKey"};
	for (size_t i = 0; i < sizeof(keyed) / sizeof(keyed[0]); i++) {
		function = xhprof_operation_function_named(keyed[i], strlen(keyed[i]));
		CHECK(function && function->source == XHPROF_TEXT_KEYED && function->argument == (i == 2 ? 2 : 1));
	}
	function = xhprof_operation_function_named("Memcached::casByKey", 19);
	CHECK(function && function->source == XHPROF_TEXT_KEY && function->argument == 3);
	CHECK(!xhprof_operation_function_named("Redis::_serialize", 17));
	CHECK(!xhprof_operation_function_named("Memcached::setEncodingKey", 25));
	CHECK(!xhprof_operation_function_named("Memcached::checkKey", 19));
	CHECK(!xhprof_operation_function_named("Memcached::getResultCode", 24));
	CHECK(xhprof_operation_function_named("Memcached::getResult", 20) != NULL);
	function = xhprof_operation_function_named("PDO::__construct", 16);
	CHECK(function && function->kind == XHPROF_OPERATION_SQL);
	CHECK(!xhprof_operation_function_named("query", 5) && !xhprof_operation_function_named("PDO::quer", 9));
	CHECK(!xhprof_operation_function_named("MyPDO::query", 12) && !xhprof_operation_function_named("", 0));
	CHECK(!xhprof_operation_function_named("PDO::curl_exec", 14) && !xhprof_operation_function_named("filex", 5));
	for (int kind = 0; kind < XHPROF_OPERATION_KINDS; kind++) {
		CHECK(xhprof_operation_kind_name((xhprof_operation_kind)kind) != NULL);
	}
}

#define TRACE "4bf92f3577b34da6a3ce929d0e0e4736"
#define SPAN "00f067aa0ba902b7"

static void a_trace_is_known_by_its_header(void)
{
	static const struct {
		const char *header;
		bool valid;
	} headers[] = {
		{"00-" TRACE "-" SPAN "-01", true},
		{"01-" TRACE "-" SPAN "-00-more", true},
		{"00-" TRACE "-" SPAN "-01-more", false},
		{"ff-" TRACE "-" SPAN "-01", false},
		{"00-" TRACE "-" SPAN, false},
		{"00-" TRACE "-" SPAN "-1", false},
		{"00-" TRACE "0-" SPAN "-01", false},
		{"00-4BF92F3577B34DA6A3CE929D0E0E4736-" SPAN "-01", false},
		{"00-00000000000000000000000000000000-" SPAN "-01", false},
		{"00-" TRACE "-0000000000000000-01", false},
		{"00-" TRACE, false},
		{"00", false},
		{"", false},
		{NULL, false},
	};
	char trace_id[XHPROF_TRACE_ID_LENGTH + 1], span_id[XHPROF_SPAN_ID_LENGTH + 1];
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		bool valid = xhprof_trace_context(headers[i].header, trace_id, span_id);
		CHECK(valid == headers[i].valid);
		CHECK(strcmp(trace_id, valid ? TRACE : "") == 0 && strcmp(span_id, valid ? SPAN : "") == 0);
	}
}

static const char frames[XHPROF_OPERATION_OPEN + 2];

static void one(xhprof_operations *operations, const xhprof_node *node, xhprof_operation_text *text, uint64_t values,
				uint64_t ticks)
{
	xhprof_open_operation open = {&frames[0], node, text, values, 1000, 0};
	xhprof_operations_open(operations, &open);
	xhprof_open_operation *opened = xhprof_operations_find(operations, &frames[0]);
	if (opened) { /* otherwise there was no memory */
		xhprof_operations_close(operations, opened, node, 1000 + ticks);
	}
}

static void calls_are_counted_by_text_and_path(void)
{
	static xhprof_operations operations;
	xhprof_node root = {.id = 1}, node = {.id = 2};
	xhprof_operations_begin(&operations, true);
	xhprof_operation_text *text = xhprof_operations_text(&operations, XHPROF_OPERATION_SQL, "SELECT ?", 8);
	CHECK(text == xhprof_operations_text(&operations, XHPROF_OPERATION_SQL, "SELECT ?", 8));
	CHECK(text != xhprof_operations_text(&operations, XHPROF_OPERATION_FILE, "SELECT ?", 8));
	one(&operations, &node, text, 7, 600);
	one(&operations, &node, text, 7, 5000);
	one(&operations, &node, text, 0, 100);
	one(&operations, &node, text, 0, 100);
	one(&operations, &root, text, 7, 100);
	const xhprof_operation *first = operations.first;
	CHECK(operations.count == 2 && first->node == &node && first->calls == 4 && first->total == 5800);
	CHECK(first->most == 5000 && first->distinct == 3); /* values that are not known are never the same */
	CHECK(first->next->node == &root && first->next->distinct == 1 && text->distinct == 3);
	unsigned calls = 0;
	for (unsigned i = 0; i < XHPROF_OPERATION_BUCKETS; i++) {
		calls += first->buckets[i];
	}
	CHECK(calls == 4 && first->buckets[0] == 3 && !first->next->buckets);
	for (unsigned i = 1; i < XHPROF_OPERATION_BUCKETS; i++) {
		CHECK(xhprof_operations_bucket(i) > xhprof_operations_bucket(i - 1));
	}
	xhprof_operations_recycle(&operations, &(size_t){0});
	CHECK(!operations.on && !operations.first);
}

static void texts_and_open_operations_are_bounded(void)
{
	static xhprof_operations operations;
	xhprof_node node = {.id = 2};
	char name[32];
	xhprof_operations_begin(&operations, true);
	for (unsigned i = 0; i < XHPROF_OPERATION_TEXTS + 10; i++) {
		int length = snprintf(name, sizeof(name), "text %u", i);
		xhprof_operation_text *text = xhprof_operations_text(&operations, XHPROF_OPERATION_SQL, name, (size_t)length);
		xhprof_operations_know(&operations, i + 1, text);
		xhprof_operations_note(&operations, i + 1, text);
	}
	const xhprof_operation_text *other = xhprof_operations_text(&operations, XHPROF_OPERATION_SQL, "one more", 8);
	CHECK(other && strcmp(other->bytes, "(other)") == 0 && other == operations.other[XHPROF_OPERATION_SQL]);
	CHECK(operations.text_count == XHPROF_OPERATION_TEXTS + 1 && operations.by_id[other->id] == other);
	CHECK(xhprof_operations_noted(&operations, 1) && !xhprof_operations_noted(&operations, XHPROF_OPERATION_TEXTS + 5));
	CHECK(xhprof_operations_known(&operations, 1) && !xhprof_operations_noted(&operations, 0));
	for (unsigned i = 0; i <= XHPROF_OPERATION_OPEN; i++) {
		xhprof_open_operation open = {&frames[i], &node, operations.by_id[0], 0, 0, 0};
		xhprof_operations_open(&operations, &open);
	}
	CHECK(operations.opened == XHPROF_OPERATION_OPEN && operations.lost == 1);
	xhprof_open_operation again = {&frames[3], &node, operations.by_id[0], 0, 0, 0};
	xhprof_operations_open(&operations, &again); /* the end of the one before was not seen */
	CHECK(operations.opened == XHPROF_OPERATION_OPEN && operations.lost == 2);
	xhprof_operations_close(&operations, xhprof_operations_find(&operations, &frames[3]), &node, 10);
	CHECK(operations.opened == XHPROF_OPERATION_OPEN - 1 && !xhprof_operations_find(&operations, &frames[3]));
	CHECK(xhprof_operations_find(&operations, &frames[4]) && operations.first->calls == 1);
	xhprof_operations_recycle(&operations, &(size_t){0});
}

static void without_memory_operations_are_lost(void)
{
	static xhprof_operations operations;
	xhprof_node node = {.id = 2};
	for (int mmaps = 0; mmaps < 6; mmaps++) {
		xhprof_operations_begin(&operations, true);
		unit_mmaps = mmaps;
		xhprof_operation_text *text = xhprof_operations_text(&operations, XHPROF_OPERATION_SQL, "SELECT ?", 8);
		one(&operations, &node, text, 7, 600);
		one(&operations, &node, text, 7, 600);
		unit_mmaps = -1;
		uint64_t calls = operations.first ? operations.first->calls : 0;
		CHECK(calls + operations.lost == 2);
		xhprof_operations_recycle(&operations, &(size_t){0});
	}
}

int main(void)
{
	sql_loses_its_values();
	long_sql_is_cut_between_characters();
	any_bytes_can_be_sql();
	deep_brackets_are_counted();
	texts_lose_their_ids();
	functions_are_found_by_name();
	a_trace_is_known_by_its_header();
	calls_are_counted_by_text_and_path();
	texts_and_open_operations_are_bounded();
	without_memory_operations_are_lost();
	return unit_end();
}
