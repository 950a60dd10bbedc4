/* Reads a run's file, docs/formats.md, for the tests of what writes it. Trusts it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_bytes {
	char bytes[8 << 20];
	size_t length;
	const char *head; /* a text: the byte behind it is 0 */
	size_t sections;  /* where they begin */
} run_bytes;

/* False if it is not there, or no run. */
static bool run_read(run_bytes *run, const char *path)
{
	unsigned version;
	int line = 0;
	FILE *file = fopen(path, "r");
	run->length = file ? fread(run->bytes, 1, sizeof(run->bytes) - 1, file) : 0;
	if (file) {
		fclose(file);
	}
	run->bytes[run->length] = '\0';
	run->sections = 0;
	run->head = "no file";
	if (sscanf(run->bytes, "xhprof-run %u %zu\n%n", &version, &run->sections, &line) != 2 || version != 1 ||
		run->sections % 8 || run->sections > run->length || run->bytes[run->sections - 1] != '\n') {
		return false;
	}
	run->head = run->bytes + line;
	run->bytes[run->sections - 1] = '\0';
	return true;
}

/* A number of the section's entry in the head, or -1. */
static int64_t run_number(const run_bytes *run, const char *section, const char *key)
{
	char text[100];
	snprintf(text, sizeof(text), "\"%s\":{\"type\":\"", section);
	const char *at = strstr(run->head, text), *end = at ? strchr(at + strlen(text), '}') : NULL;
	snprintf(text, sizeof(text), "\"%s\":", key);
	const char *found = at ? strstr(at, text) : NULL;
	return found && found < end ? strtoll(found + strlen(text), NULL, 10) : -1;
}

/* The type of a column; "" if the file has no such column. */
static const char *run_type(const run_bytes *run, const char *section)
{
	static char type[8];
	char text[100];
	snprintf(text, sizeof(text), "\"%s\":{\"type\":\"", section);
	const char *at = strstr(run->head, text);
	snprintf(type, sizeof(type), "%.*s", at ? (int)strcspn(at + strlen(text), "\"") : 0, at ? at + strlen(text) : "");
	return type;
}

static int64_t run_value(const run_bytes *run, const char *section, size_t place)
{
	const char *type = run_type(run, section), *at = run->bytes + run->sections + run_number(run, section, "at");
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	double f64;
	if (!strcmp(type, "same")) {
		return run_number(run, section, "value");
	}
	if (!strcmp(type, "u8")) {
		memcpy(&u8, at + place, sizeof(u8));
		return u8;
	}
	if (!strcmp(type, "u16")) {
		memcpy(&u16, at + place * sizeof(u16), sizeof(u16));
		return u16;
	}
	if (!strcmp(type, "f64")) {
		memcpy(&f64, at + place * sizeof(f64), sizeof(f64));
		return (int64_t)f64;
	}
	memcpy(&u32, at + place * sizeof(u32), sizeof(u32));
	return strcmp(type, "i32") ? (int64_t)u32 : (int32_t)u32;
}

/* The values of a column, "1,2,3"; "none" if there is no such column. */
static const char *run_column(const run_bytes *run, const char *section)
{
	static char text[4096];
	int64_t count = run_number(run, section, "n");
	size_t used = 0;
	snprintf(text, sizeof(text), "%s", count < 0 ? "none" : "");
	for (int64_t i = 0; i < count && used < sizeof(text) - 30; i++) {
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld", i ? "," : "",
								 (long long)run_value(run, section, (size_t)i));
	}
	return text;
}
