/* A sink for writers in the C tests, and their expected output in golden/ (set XHPROF_UNIT_GOLDEN=1 to write it anew). */
#ifndef XHPROF_UNIT_SINK_H
#define XHPROF_UNIT_SINK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The output, as text that ends with a zero byte. */
typedef struct sink sink;
struct sink {
	char *bytes;
	size_t length, capacity;
	int puts, refuse_after;  /* 0: never */
	void (*each)(sink *out); /* is called before each put */
};

static bool sink_put(void *to, const char *bytes, size_t length)
{
	sink *out = to;
	out->puts++;
	if (out->each) {
		out->each(out);
	}
	if (out->refuse_after && out->puts > out->refuse_after) {
		return false;
	}
	if (out->length + length + 1 > out->capacity) {
		out->capacity = (out->length + length + 1) * 2;
		out->bytes = realloc(out->bytes, out->capacity);
	}
	memcpy(out->bytes + out->length, bytes, length);
	out->length += length;
	out->bytes[out->length] = '\0';
	return true;
}

/* Whether the output equals golden/KIND.NAME. */
static bool sink_is_golden(const sink *text, const char *kind, const char *name)
{
	char path[256];
	sink golden = {0};
	bool anew = getenv("XHPROF_UNIT_GOLDEN") != NULL;
	snprintf(path, sizeof(path), "tests/unit/golden/%s.%s", kind, name);
	FILE *file = fopen(path, anew ? "w+" : "r");
	if (!file) {
		return false;
	}
	if (anew) {
		fwrite(text->bytes, 1, text->length, file);
		rewind(file);
	}
	for (int byte; (byte = getc(file)) != EOF;) {
		sink_put(&golden, &(char){(char)byte}, 1);
	}
	fclose(file);
	bool same = golden.length == text->length && !memcmp(golden.bytes, text->bytes, text->length);
	free(golden.bytes);
	return same;
}

#endif
