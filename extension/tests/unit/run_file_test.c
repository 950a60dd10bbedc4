/* The file of a run: each column in the smallest type that holds it, read back as it was. */
#include "unit.h"

#include "run_reader.h"

#include "export/run_file.h"

#include <stdlib.h>
#include <unistd.h>

#define MOST 3000

static char path[] = "/tmp/xhprof-unit-XXXXXX";
static run_bytes bytes;
static xhprof_run_file file;
static xhprof_writer writer;
static int64_t numbers[MOST];

static void copy_numbers(void *from, unsigned field, size_t first, size_t count, int64_t *values)
{
	(void)field;
	memcpy(values, (const int64_t *)from + first, count * sizeof(*values));
}

static bool written(void)
{
	FILE *out = fopen(path, "w");
	xhprof_writer_init(&writer, fileno(out));
	xhprof_run_file_write(&file, &writer);
	bool whole = xhprof_writer_flush(&writer);
	fclose(out);
	return whole && run_read(&bytes, path) && bytes.length % 8 == 0;
}

/* The same column, in memory and asked for. */
static bool column_is(size_t count, const char *type)
{
	static const char *const names[] = {"whole", "asked"};
	size_t wrong = 0;
	xhprof_run_file_init(&file);
	xhprof_run_file_document(&file, "it", NULL, NULL);
	xhprof_run_file_column(&file, names[0], count, numbers);
	xhprof_run_file_values(&file, names[1], count, copy_numbers, numbers, 0);
	if (!written()) {
		return false;
	}
	for (size_t name = 0; name < 2; name++) {
		char section[20];
		snprintf(section, sizeof(section), "it.%s", names[name]);
		wrong += strcmp(run_type(&bytes, section), type) != 0 || run_number(&bytes, section, "n") != (int64_t)count;
		for (size_t i = 0; i < count; i++) {
			wrong += run_value(&bytes, section, i) != numbers[i];
		}
	}
	return wrong == 0;
}

static void columns_have_the_smallest_type(void)
{
	static const struct {
		int64_t one;
		const char *type; /* of a column with 0 and this */
	} cases[] = {
		{1, "u8"},
		{255, "u8"},
		{256, "u16"},
		{65535, "u16"},
		{65536, "u32"},
		{UINT32_MAX, "u32"},
		{INT64_C(1) << 32, "f64"},
		{INT64_C(1) << 53, "f64"},
		{-1, "i32"},
		{INT32_MIN, "i32"},
		{(int64_t)INT32_MIN - 1, "f64"},
		{-(INT64_C(1) << 53), "f64"},
	};
	static const size_t counts[] = {2, 3, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000, MOST};
	size_t wrong = 0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t j = 0; j < sizeof(counts) / sizeof(counts[0]); j++) {
			for (size_t at = 0; at<counts[j]; at += counts[j]> 3 ? counts[j] / 3 : 1) {
				memset(numbers, 0, sizeof(numbers));
				numbers[at] = cases[i].one;
				wrong += !column_is(counts[j], cases[i].type);
			}
		}
	}
	CHECK(wrong == 0);
	/* Both signs, at the bounds of the type. */
	numbers[0] = INT32_MIN;
	numbers[1] = INT32_MAX;
	CHECK(column_is(2, "i32"));
	numbers[1]++;
	CHECK(column_is(2, "f64"));
}

static void columns_of_one_value_have_no_bytes(void)
{
	static const int64_t values[] = {0, 1, -1, 70000, -(INT64_C(1) << 53), INT64_C(1) << 53};
	size_t wrong = 0;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		for (size_t j = 0; j < MOST; j++) {
			numbers[j] = values[i];
		}
		wrong += !column_is(1, "same") || !column_is(129, "same") || !column_is(MOST, "same");
		wrong += bytes.length != bytes.sections;
	}
	CHECK(wrong == 0);
	memset(numbers, 0, sizeof(numbers));
	CHECK(column_is(0, "same") && run_number(&bytes, "it.whole", "value") == 0);
	/* What no double holds is the nearest end. */
	numbers[0] = INT64_MAX;
	numbers[1] = INT64_MIN;
	CHECK(!column_is(2, "f64") && run_value(&bytes, "it.whole", 0) == INT64_C(1) << 53 &&
		  run_value(&bytes, "it.asked", 1) == -(INT64_C(1) << 53));
}

typedef struct some_text {
	const char *bytes;
	size_t length;
} some_text;

static const char *text_at(void *from, size_t place, size_t *length)
{
	const some_text *texts = from;
	*length = texts[place].length;
	return texts[place].bytes;
}

#define TEXT(text)             \
	{                          \
		text, sizeof(text) - 1 \
	}

static void texts_are_utf8(void)
{
	static some_text texts[] = {
		TEXT("main()"), TEXT(""),      TEXT("a\0b"),         TEXT("\"\\\n"),           TEXT("\xc3\xa4\xf0\x9f\x98\x80"),
		TEXT("\xff"),   TEXT("x\xc3"), TEXT("\xed\xa0\x80"), TEXT("123456789\xfe\x41")};
	static const char all[] = "main()a\0b\"\\\n\xc3\xa4\xf0\x9f\x98\x80\\xFFx\\xC3\\xED\\xA0\\x80"
							  "123456789\\xFEA";
	static const size_t lengths[] = {6, 0, 3, 3, 6, 4, 5, 12, 14};
	enum { COUNT = sizeof(texts) / sizeof(texts[0]) };
	size_t wrong = 0, end = 0;
	xhprof_run_file_init(&file);
	xhprof_run_file_document(&file, "it", NULL, NULL);
	xhprof_run_file_texts(&file, "names", COUNT, text_at, texts);
	xhprof_run_file_texts(&file, "none", 0, text_at, texts);
	CHECK(written());
	CHECK(run_number(&bytes, "it.names", "n") == COUNT && run_number(&bytes, "it.names", "bytes") == sizeof(all) - 1);
	CHECK(!memcmp(bytes.bytes + bytes.sections + run_number(&bytes, "it.names", "at"), all, sizeof(all) - 1));
	for (size_t i = 0; i < COUNT; i++) {
		end += lengths[i];
		wrong += run_value(&bytes, "it.names.end", i) != (int64_t)end;
	}
	CHECK(wrong == 0);
	CHECK(!strcmp(run_type(&bytes, "it.none"), "text") && run_number(&bytes, "it.none.end", "n") == 0);
}

static void json_padding(xhprof_json *json, const void *from)
{
	for (size_t i = 0; i < *(const size_t *)from; i++) {
		xhprof_write_string(json->writer, " ");
	}
}

/* Heads of any length, also where one more digit makes the first line longer, and longer than the writer's buffer. */
static void sections_begin_where_the_head_ends(void)
{
	static const size_t ranges[][2] = {{0, 1100}, {9700, 10100}, {32500, 32900}};
	size_t wrong = 0;
	for (size_t i = 0; i < 10; i++) {
		numbers[i] = (int64_t)i * 1000;
	}
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		for (size_t padding = ranges[i][0]; padding < ranges[i][1]; padding++) {
			xhprof_run_file_init(&file);
			xhprof_run_file_document(&file, "it", json_padding, &padding);
			xhprof_run_file_column(&file, "numbers", 10, numbers);
			wrong += !written() ||
					 strcmp(run_column(&bytes, "it.numbers"), "0,1000,2000,3000,4000,5000,6000,7000,8000,9000") != 0;
		}
	}
	CHECK(wrong == 0);
}

static void failed_output_ends_the_file(void)
{
	xhprof_run_file_init(&file);
	xhprof_run_file_document(&file, "it", NULL, NULL);
	xhprof_run_file_column(&file, "numbers", MOST, numbers);
	FILE *full = fopen("/dev/full", "w");
	xhprof_writer_init(&writer, fileno(full));
	xhprof_run_file_write(&file, &writer);
	CHECK(!xhprof_writer_flush(&writer) && writer.error == ENOSPC);
	fclose(full);
}

int main(void)
{
	close(mkstemp(path));
	columns_have_the_smallest_type();
	columns_of_one_value_have_no_bytes();
	texts_are_utf8();
	sections_begin_where_the_head_ends();
	failed_output_ends_the_file();
	unlink(path);
	return unit_end();
}
