#include "unit.h"

#include "base/hash.h"
#include "export/git_revision.h"
#include "export/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/xhprof-unit-XXXXXX";

static char *in_folder(const char *name)
{
	static char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(in_folder(name), "w");
	fputs(text, file);
	fclose(file);
}

/* `bytes` as a JSON string. */
static const char *json(const char *bytes, size_t length)
{
	static char text[200000];
	static xhprof_writer writer;
	int fd = open(in_folder("json"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	xhprof_writer_init(&writer, fd);
	xhprof_write_json_string(&writer, bytes, length);
	int whole = xhprof_writer_flush(&writer);
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);
	text[whole && got > 0 ? got : 0] = '\0';
	close(fd);
	return text;
}

#define JSON(bytes) json(bytes, sizeof(bytes) - 1)

static void json_strings_are_valid(void)
{
	CHECK(!strcmp(JSON("plain"), "\"plain\""));
	CHECK(!strcmp(JSON("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\u000a\\u0001\""));
	CHECK(!strcmp(JSON("\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x98"), "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x98\""));
	CHECK(!strcmp(JSON("\xff\xc3(\xe2\x82"), "\"\\\\xFF\\\\xC3(\\\\xE2\\\\x82\""));
	CHECK(!strcmp(JSON("\xc0\x80\xed\xa0\x80"), "\"\\\\xC0\\\\x80\\\\xED\\\\xA0\\\\x80\"")); /* overlong, surrogate */
	CHECK(!strcmp(json("a\0b", 3), "\"a\\u0000b\""));
	char *large = malloc(150000);
	memset(large, 'x', 150000);
	CHECK(strlen(json(large, 150000)) == 150002);
	free(large);
}

typedef struct short_text {
	char text[64];
	size_t length;
} short_text;

static bool append(void *to, const char *bytes, size_t length)
{
	short_text *text = to;
	memcpy(text->text + text->length, bytes, length);
	text->text[text->length += length] = '\0';
	return true;
}

/* Eight bytes are looked at together. */
static void each_byte_is_escaped_at_each_place(void)
{
	int wrong = 0;
	for (size_t length = 1; length < 20; length++) {
		for (size_t at = 0; at < length; at++) {
			for (unsigned byte = 0; byte < 256; byte++) {
				char bytes[20], wanted[64], escaped[8];
				memset(bytes, 'a' + (int)(at % 3), length);
				bytes[at] = (char)byte;
				bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
				const char *format = byte < 0x20                   ? "\\u%04x"
									 : byte == '"' || byte == '\\' ? "\\%c"
									 : byte >= 0x80                ? "\\\\x%02X"
																   : "%c";
				snprintf(escaped, sizeof(escaped), format, byte);
				snprintf(wanted, sizeof(wanted), "\"%.*s%s%.*s\"", (int)at, bytes, escaped, (int)(length - at - 1),
						 bytes + at + 1);
				static xhprof_writer writer;
				short_text text = {.length = 0};
				xhprof_writer_init_put(&writer, append, &text);
				xhprof_write_json_string(&writer, bytes, length);
				wrong += !xhprof_writer_flush(&writer) || strcmp(text.text, wanted) != 0 ||
						 plain != (text.length == length + 2);
			}
		}
	}
	CHECK(wrong == 0);
}

static void writer_reports_its_first_error(void)
{
	static xhprof_writer writer;
	char text[200] = "";
	int fd = open(in_folder("numbers"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	xhprof_writer_init(&writer, fd);
	xhprof_write_uint(&writer, 0);
	xhprof_write_string(&writer, " ");
	xhprof_write_uint(&writer, UINT64_MAX);
	xhprof_write_string(&writer, " ");
	xhprof_write_int(&writer, INT64_MIN);
	CHECK(xhprof_writer_flush(&writer));
	CHECK(pread(fd, text, sizeof(text) - 1, 0) > 0 && !strcmp(text, "0 18446744073709551615 -9223372036854775808"));
	close(fd);

	int full = open("/dev/full", O_WRONLY);
	xhprof_writer_init(&writer, full);
	for (int i = 0; i < 100000; i++) {
		xhprof_write_string(&writer, "0123456789");
	}
	CHECK(!xhprof_writer_flush(&writer) && writer.error == ENOSPC);
	close(full);
}

static int number_is_wrong(uint64_t number)
{
	char text[XHPROF_NUMBER_ROOM + 1] = "", signed_text[XHPROF_NUMBER_ROOM + 1] = "", wanted[XHPROF_NUMBER_ROOM + 1];
	*xhprof_format_uint(text, number) = '\0';
	*xhprof_format_int(signed_text, (int64_t)number) = '\0';
	snprintf(wanted, sizeof(wanted), "%lu", (unsigned long)number);
	int wrong = strcmp(text, wanted) != 0;
	snprintf(wanted, sizeof(wanted), "%ld", (long)number);
	return wrong + (strcmp(signed_text, wanted) != 0);
}

static void numbers_at_all_boundaries_are_right(void)
{
	int wrong = 0;
	for (uint64_t number = 0; number < 100100; number++) {
		wrong += number_is_wrong(number) + number_is_wrong(0 - number);
	}
	for (uint64_t power = 1;; power *= 10) { /* one digit more, and each digit the first of its pair or the second */
		for (uint64_t first = 1; first <= 9 && power <= UINT64_MAX / first; first++) {
			wrong += number_is_wrong(power * first - 1) + number_is_wrong(power * first) +
					 number_is_wrong(power * first + 1) + number_is_wrong(0 - power * first);
		}
		if (power > UINT64_MAX / 10) {
			break;
		}
	}
	for (int bit = 0; bit < 64; bit++) {
		uint64_t power = UINT64_C(1) << bit;
		wrong += number_is_wrong(power - 1) + number_is_wrong(power) + number_is_wrong(power + 1);
	}
	wrong += number_is_wrong(UINT64_MAX);
	CHECK(wrong == 0);
}

#define REVISION "0123456789abcdef0123456789abcdef01234567"
#define PACKED "fedcba9876543210fedcba9876543210fedcba98"

static bool allows(const char *path)
{
	return path != NULL;
}

static void git_revisions_are_found(void)
{
	char revision[65];
	mkdir(in_folder("repo"), 0700);
	mkdir(in_folder("repo/src"), 0700);
	put("repo/src/a.php", "");
	CHECK(!xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision));
	mkdir(in_folder("repo/.git"), 0700);
	put("repo/.git/HEAD", REVISION "\n");
	CHECK(xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision) && !strcmp(revision, REVISION));
	put("repo/.git/HEAD", "ref: refs/heads/main\n");
	CHECK(!xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision)); /* no commit yet */
	put("repo/.git/packed-refs", "# pack-refs\n" REVISION " refs/heads/maintenance\n" PACKED " refs/heads/main\n");
	CHECK(xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision) && !strcmp(revision, PACKED));
	mkdir(in_folder("repo/.git/refs"), 0700);
	mkdir(in_folder("repo/.git/refs/heads"), 0700);
	put("repo/.git/refs/heads/main", REVISION "\n");
	CHECK(xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision) && !strcmp(revision, REVISION));

	mkdir(in_folder("repo/.git/worktrees"), 0700);
	mkdir(in_folder("repo/.git/worktrees/linked"), 0700);
	put("repo/.git/worktrees/linked/HEAD", "ref: refs/heads/main\n");
	put("repo/.git/worktrees/linked/commondir", "../..\n");
	mkdir(in_folder("repo/.git/objects"), 0700);
	mkdir(in_folder("linked"), 0700);
	put("linked/a.php", "");
	put("linked/.git", "gitdir: ../repo/.git/worktrees/linked\n");
	CHECK(xhprof_git_revision(in_folder("linked/a.php"), allows, revision) && !strcmp(revision, REVISION));

	put("repo/.git/HEAD", "ref: ../../../../etc/passwd\n");
	CHECK(!xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision));
	put("repo/.git/HEAD", "not a revision\n");
	CHECK(!xhprof_git_revision(in_folder("repo/src/a.php"), allows, revision));
	CHECK(!xhprof_git_revision("/no/such/file.php", allows, revision));
}

static size_t utf8(unsigned code, char to[4])
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = length - 1; i; i--, code >>= 6) {
		to[i] = (char)(0x80 | (code & 0x3F));
	}
	to[0] = (char)((0xF00 >> length & 0xFF) | code);
	return length;
}

/* `bytes` as a name. */
static const char *name(const char *bytes, size_t length, char separator)
{
	static char text[1000];
	static xhprof_writer writer;
	int fd = open(in_folder("name"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	xhprof_writer_init(&writer, fd);
	xhprof_write_name(&writer, bytes, length, separator);
	int whole = xhprof_writer_flush(&writer);
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);
	text[whole && got > 0 ? got : 0] = '\0';
	close(fd);
	return text;
}

/* The characters are in ../unprintable.tsv, which also tests PHP's rule. */
static void unprintable_characters_are_escaped(void)
{
	static bool unprintable[0x110000];
	unsigned first, last, ranges = 0, wrong = 0;
	FILE *table = fopen("tests/unprintable.tsv", "r");
	CHECK(table != NULL);
	while (fscanf(table, "%x\t%x\t%*[^\n]", &first, &last) == 2) {
		memset(unprintable + first, true, last - first + 1);
		ranges++;
	}
	CHECK(feof(table) && ranges >= 7);
	fclose(table);
	for (unsigned code = 0; code < 0x110000; code++) {
		char bytes[4];
		size_t length = utf8(code, bytes), got;
		bool is_surrogate = code >= 0xD800 && code < 0xE000, expected = unprintable[code] || is_surrogate;
		char *exact = malloc(length); /* reads past its end are detected */
		memcpy(exact, bytes, length);
		const unsigned char *at = (const unsigned char *)exact;
		if (xhprof_unprintable(at, at + length, &got) != expected || got != (is_surrogate ? 1 : length)) {
			printf("# U+%04X\n", code);
			wrong++;
		}
		/* A part of it is not a character. */
		if (length > 1 && !(xhprof_unprintable(at, at + length - 1, &got) && got == 1)) {
			printf("# part of U+%04X\n", code);
			wrong++;
		}
		free(exact);
	}
	CHECK(wrong == 0);
#define NAME(bytes, separator) name(bytes, sizeof(bytes) - 1, separator)
	CHECK(!strcmp(NAME("a\0b\033[31m\x7f;", '\0'), "a\\x00b\\x1B[31m\\x7F;"));
	CHECK(!strcmp(NAME("a;b\xc2\x9b"
					   "31m",
					   ';'),
				  "a\\x3Bb\\xC2\\x9B31m"));
	CHECK(!strcmp(NAME("\xe2\x80\xae\xc3\xa9\xd8\x9c", ';'), "\\xE2\\x80\\xAE\xc3\xa9\\xD8\\x9C"));
	CHECK(!strcmp(NAME("\x9b"
					   "31m\xff\xe2\x80\xf0\x9f\x98\x80\xc0\xaf\xc3",
					   ';'),
				  "\\x9B31m\\xFF\\xE2\\x80\xf0\x9f\x98\x80\\xC0\\xAF\\xC3"));
#undef NAME
}

int main(void)
{
	char command[200];
	CHECK(mkdtemp(folder) != NULL);
	json_strings_are_valid();
	each_byte_is_escaped_at_each_place();
	writer_reports_its_first_error();
	numbers_at_all_boundaries_are_right();
	git_revisions_are_found();
	unprintable_characters_are_escaped();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	CHECK(system(command) == 0);
	return unit_end();
}
