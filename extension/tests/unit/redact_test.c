/* URLs and command lines without their secrets. */
#include "unit.h"

#include "base/redact.h"

#include <stdint.h>
#include <stdlib.h>

#define FRAGMENTS "pass,pwd,secret,token,key,auth,sess,sid,sig,cred,code,jwt,=pin,=otp"

static const xhprof_secret_rules rules = {FRAGMENTS, "open-sesame"};
static char text[70000];

static const char *url(const char *from)
{
	size_t length = xhprof_redact_url(text, sizeof(text), from, &rules);
	return length == strlen(text) ? text : "wrong length";
}

#define COMMAND(...) command((char *const[]){__VA_ARGS__}, (int)(sizeof((char *const[]){__VA_ARGS__}) / sizeof(char *)))

static const char *command(char *const *argv, int argc)
{
	size_t length = xhprof_redact_command(text, sizeof(text), argc, argv, &rules);
	return length == strlen(text) ? text : "wrong length";
}

#define SAME(got, wanted) unit_same(got, wanted, __func__, __LINE__)

static void unit_same(const char *got, const char *wanted, const char *test, int line)
{
	if (strcmp(got, wanted)) {
		printf("# line %d: %s\n", line, got);
	}
	unit_check(!strcmp(got, wanted), test, wanted, __FILE__, line);
}

/* The cases are in ../redaction.tsv, which also tests PHP's rule. */
static void secrets_in_urls_are_redacted(void)
{
	SAME(url("/x?token=abc&page=2"), "/x?token=REDACTED&page=2");
	SAME(url("https://ann:abc@example.org/x?y=1"), "https://ann:REDACTED@example.org/x?y=1");
}

/* Most paths are examined no further: their parts are too short. */
static void short_paths_stay(void)
{
	xhprof_secret_rules known = {NULL, "products"};
	char small[8];
	SAME(url("/products/7"), "/products/7");
	SAME(url("//a.b-c_d//012345678"), "//a.b-c_d//012345678");
	SAME(url("/p/AKIA01234567890123456"), "/p/REDACTED");
	SAME(url("/p/a:b@c"), "/p/REDACTED");
	SAME(url("/p/;sid=1"), "/p/;sid=REDACTED");
	xhprof_redact_url(text, sizeof(text), "/products/7", &known);
	SAME(text, "/REDACTED/7");
	CHECK(xhprof_redact_url(small, sizeof(small), "/abc/de", &known) == 7 && !strcmp(small, "/abc/de"));
	CHECK(xhprof_redact_url(small, sizeof(small), "/abc/def", &(xhprof_secret_rules){0}) == 7);
	SAME(small, "/abc/de");
	CHECK(xhprof_redact_url(small, sizeof(small), "/abc/de", &(xhprof_secret_rules){0}) == 7);
	SAME(small, "/abc/de");
}

static void redaction_follows_its_rules(void)
{
	xhprof_secret_rules none = {NULL, NULL}, empty = {" , ,,", ""}, own = {"Foo,\n bar\r\n=pin", "x"};
	xhprof_redact_url(text, sizeof(text), "/x?token=abc", &none);
	SAME(text, "/x?token=abc");
	xhprof_redact_url(text, sizeof(text), "/x?token=abc&=&x=", &empty);
	SAME(text, "/x?token=abc&=&x=");
	xhprof_redact_url(text, sizeof(text), "/p?afoo=1&BAR=2&token=3&q=x&r=xx&a_pin=4&aPIN5=5&spin=6", &own);
	SAME(
		text,
		"/p?afoo=REDACTED&BAR=REDACTED&token=3&q=REDACTED&r=xx&a_pin=REDACTED&aPIN5=REDACTED&spin=6"); /* short: only as a whole value */
}

static void secrets_in_commands_are_redacted(void)
{
	SAME(COMMAND("a.php", "two words", "--password=ab'c d"), "php a.php 'two words' '--password=REDACTED'");
}

static const char *process(const char *line, size_t length)
{
	size_t written = xhprof_redact_process(text, sizeof(text), line, length, &rules);
	return written == strlen(text) ? text : "wrong length";
}

#define PROCESS(line) process(line, sizeof(line) - 1)

static void secrets_in_process_titles_are_redacted(void)
{
	SAME(PROCESS(""), "");
	SAME(PROCESS("php-fpm: pool www"), "php-fpm: pool www");
	SAME(PROCESS("/usr/bin/php\0two words\0--password\0ab'c d\0cache:clear"),
		 "/usr/bin/php 'two words' --password 'REDACTED' cache:clear");
	SAME(PROCESS("php\0\0-h\0-u\0ann:abc"), "php '' -h -u ann:REDACTED");
	SAME(PROCESS("worker for https://ann:abc@example.org/?token=abc"),
		 "worker for https://ann:REDACTED@example.org/?token=REDACTED");
}

static void output_fits_any_buffer(void)
{
	static const char *const from = "https://ann:abcdefgh@h/x?token=ijklmnop&a=qr%20st&next=%3Fkey%3Duvw";
	char *const argv[] = {"a.php", "it's", "--token=ijklmnop", "{\"key\":\"uvw\"}"};
	static const char line[] = "php\0a.php\0it's\0--token=ijklmnop\0{\"key\":\"uvw\"}";
	char whole[200], whole_command[200];
	int wrong = 0;
	xhprof_redact_url(whole, sizeof(whole), from, &rules);
	xhprof_redact_command(whole_command, sizeof(whole_command), 4, argv, &rules);
	for (size_t size = 1; size < 120; size++) {
		char *to = malloc(size); /* exactly: accesses past its end are detected */
		size_t length = xhprof_redact_url(to, size, from, &rules);
		wrong += length != strlen(to) || length >= size || memcmp(to, whole, length) != 0;
		length = xhprof_redact_command(to, size, 4, argv, &rules);
		wrong += length != strlen(to) || length >= size || memcmp(to, whole_command, length) != 0;
		length = xhprof_redact_process(to, size, line, sizeof(line) - 1, &rules);
		wrong += length != strlen(to) || length >= size || memcmp(to, whole_command, length) != 0;
		free(to);
	}
	CHECK(wrong == 0);
}

static uint64_t random_state = 88172645463325252u;

static unsigned random_below(unsigned limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)((random_state >> 11) % limit);
}

/* Random bytes, mostly of those that matter; a secret planted under a name of random spelling is removed. */
static void random_input_is_redacted(void)
{
	static const char often[] = "%%%%25252=&;?#/:@[]{}\"'+ a0tokenTOKENpass\\-,";
	int wrong = 0, leaked = 0;
	for (int i = 0; i < 60000; i++) {
		size_t before = random_below(60), length = before, room = 1 + random_below(200);
		char *from = malloc(400), *to = malloc(room + 300);
		for (size_t j = 0; j < before; j++) {
			from[j] = random_below(4) ? often[random_below(sizeof(often) - 1)] : (char)(1 + random_below(255));
		}
		length += (size_t)sprintf(from + length, "%c", "?&;#"[random_below(4)]);
		for (const char *name = "a_token_"; *name; name++) {
			int way = (int)random_below(4);
			length += (size_t)sprintf(from + length, way == 0 ? "%%%02x" : way == 1 ? "%%25%02X" : "%c", *name);
		}
		length += (size_t)sprintf(from + length, "=HIDE-THIS%s", random_below(2) ? "&x=1" : "");
		for (size_t j = random_below(20); j; j--) {
			from[length++] = often[random_below(sizeof(often) - 1)];
		}
		from[length] = '\0';
		from = realloc(from, length + 1); /* reads past its end are detected */
		to = realloc(to, room);
		size_t got = xhprof_redact_url(to, room, from, &rules);
		wrong += got != strlen(to) || got >= room;
		leaked += strstr(to, "HIDE-T") != NULL;
		if (strstr(to, "HIDE-T") && leaked < 5) {
			printf("# leaked: %s\n", from);
		}
		char *const argv[] = {from, from + before, from};
		got = xhprof_redact_command(to, room, 3, argv, &rules);
		wrong += got != strlen(to) || got >= room;
		free(from);
		free(to);
	}
	CHECK(wrong == 0);
	CHECK(leaked == 0);
}

/* Megabytes of the slowest input. */
static void large_input_is_redacted(void)
{
	static const char *const parts[] = {"a://",         "%25",        "token", "=",       "a://b:c@",
										"a=%2525253D&", "open-sesam", ";a=b",  "@:",      "=\"",
										"//u:",         "4111 ",      "eyJ.",  "Bearer ", "a:b@"};
	enum { LARGE = 4 << 20 };
	char *from = malloc(LARGE + 20);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length = 0;
		for (size_t part = strlen(parts[i]); length + part < LARGE; length += part) {
			memcpy(from + length, parts[i], part);
		}
		from[length] = '\0';
		char *const argv[] = {from, from};
		CHECK(xhprof_redact_url(text, 16384, from, &rules) < 16384);
		CHECK(xhprof_redact_command(text, 32768, 2, argv, &rules) < 32768);
	}
	free(from);
}

int main(void)
{
	secrets_in_urls_are_redacted();
	short_paths_stay();
	redaction_follows_its_rules();
	secrets_in_commands_are_redacted();
	secrets_in_process_titles_are_redacted();
	output_fits_any_buffer();
	random_input_is_redacted();
	large_input_is_redacted();
	return unit_end();
}
