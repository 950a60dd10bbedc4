/* pprof's profile.proto, gzipped, read as the format says, as text. */
#ifndef XHPROF_UNIT_PPROF_TEXT_H
#define XHPROF_UNIT_PPROF_TEXT_H

#include "sink.h"

#include <stdint.h>
#include <zlib.h>

typedef struct proto {
	const unsigned char *at, *end;
} proto;

static uint64_t varint(proto *from)
{
	uint64_t number = 0;
	for (unsigned shift = 0; from->at < from->end; shift += 7) {
		number |= (uint64_t)(*from->at & 127) << shift;
		if (!(*from->at++ & 128)) {
			break;
		}
	}
	return number;
}

/* The next field: its number, and its value or contents. */
static unsigned field(proto *from, uint64_t *value, proto *contents)
{
	unsigned key = (unsigned)varint(from);
	*value = varint(from);
	if ((key & 7) == 2) {
		*contents = (proto){from->at, from->at + *value};
		from->at += *value;
	}
	return key >> 3;
}

static const char *strings[500000];
static int string_lengths[500000];
static uint64_t function_names[500000], pprof_bytes;
static unsigned deepest;

static void print_text(sink *text, const char *bytes, int length)
{
	sink_put(text, bytes, (size_t)length);
}

static void print_number(sink *text, const char *name, uint64_t number)
{
	char line[100];
	print_text(text, line, snprintf(line, sizeof(line), "%s%lu", name, (unsigned long)number));
}

static void decode_sample(proto sample, sink *text)
{
	proto contents, label = {0};
	uint64_t value;
	unsigned depth = 0;
	print_text(text, "sample ", 7);
	while (sample.at < sample.end) {
		unsigned number = field(&sample, &value, &contents);
		while (number < 3 && contents.at < contents.end) {
			value = varint(&contents);
			if (number == 1) {
				print_text(text, ";", depth++ > 0);
				print_text(text, strings[function_names[value]], string_lengths[function_names[value]]);
			} else {
				print_number(text, " ", value);
			}
		}
		if (number == 2) {
			pprof_bytes += value;
		} else if (number == 3) {
			field(&contents, &value, &label);
			print_text(text, " ", 1);
			print_text(text, strings[value], string_lengths[value]);
			field(&contents, &value, &label);
			print_text(text, "=", 1);
			print_text(text, strings[value], string_lengths[value]);
		}
	}
	deepest = depth > deepest ? depth : deepest;
	print_text(text, "\n", 1);
}

/* The text of a gzipped profile; false where it is no such thing. */
static bool pprof_decode(const sink *packed, sink *text)
{
	z_stream gzip = {.next_in = (Bytef *)packed->bytes, .avail_in = (uInt)packed->length};
	sink raw = {0};
	unsigned char some[65536];
	int status = inflateInit2(&gzip, MAX_WBITS + 16);
	while (status == Z_OK) {
		gzip.next_out = some;
		gzip.avail_out = sizeof(some);
		status = inflate(&gzip, Z_NO_FLUSH);
		sink_put(&raw, (char *)some, sizeof(some) - gzip.avail_out);
	}
	inflateEnd(&gzip);
	if (status != Z_STREAM_END || gzip.avail_in) {
		free(raw.bytes);
		return false;
	}
	proto profile = {(unsigned char *)raw.bytes, (unsigned char *)raw.bytes + raw.length}, contents, of = {0};
	uint64_t value, id;
	size_t count = 0;
	bool whole = true;
	for (proto at = profile; at.at < at.end;) {
		unsigned number = field(&at, &value, &contents);
		if (number == 5) {
			field(&contents, &id, &of);
			field(&contents, &function_names[id], &of);
		} else if (number == 6) {
			strings[count] = (const char *)contents.at;
			string_lengths[count++] = (int)(contents.end - contents.at);
		}
	}
	pprof_bytes = 0;
	deepest = 0;
	for (proto at = profile; at.at < at.end;) {
		unsigned number = field(&at, &value, &contents);
		if (number == 1 || number == 11) {
			for (int i = 0; i < 2; i++) {
				field(&contents, &id, &of);
				print_number(text, i ? " " : number == 1 ? "sample_type " : "period_type ", id);
				print_text(text, " ", 1);
				print_text(text, strings[id], string_lengths[id]);
			}
			print_text(text, "\n", 1);
		} else if (number == 2) {
			decode_sample(contents, text);
		} else if (number == 4) { /* a location is its function */
			field(&contents, &id, &of);
			field(&contents, &value, &of);
			field(&of, &value, &contents);
			whole = whole && id == value;
		} else if (number == 9 || number == 12 || number == 14) {
			print_number(text, number == 9 ? "time_nanos " : number == 12 ? "period " : "default ", value);
			print_text(text, "\n", 1);
		}
	}
	print_number(text, "strings ", count);
	print_text(text, "\n", 1);
	free(raw.bytes);
	return whole;
}

#endif
