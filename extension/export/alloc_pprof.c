#include "alloc_pprof.h"

#include <zlib.h>

/* Fields of the messages of profile.proto. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_LOCATION = 4, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_TIME_NANOS = 9, PROFILE_PERIOD_TYPE = 11, PROFILE_PERIOD, PROFILE_DEFAULT_SAMPLE_TYPE = 14 };
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING };
enum { LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME };

#define VARINT_ROOM 10

/* Strings that are always there, by index. */
enum { EMPTY, INUSE_OBJECTS, COUNT, INUSE_SPACE, BYTES, SPACE, TYPE, FIXED_STRINGS };

static const char *const fixed_strings[FIXED_STRINGS] = {"",      "inuse_objects", "count", "inuse_space",
														 "bytes", "space",         "type"};

typedef struct string_entry {
	const char *bytes;
	size_t length;
	uint32_t same_hash; /* the next one, or 0 */
} string_entry;

typedef struct pprof {
	xhprof_alloc_paths *paths;
	xhprof_writer writer; /* of what is to be compressed */
	xhprof_writer *out;
	string_entry *strings;
	uint32_t count;
	uint32_t *of_symbol; /* index of its name, or 0 where no path has it */
	uint32_t *of_type;
	z_stream gzip;
	unsigned char compressed[16384];
} pprof;

/* Memory of zlib's is the arena's. */
static voidpf gzip_alloc(voidpf arena, uInt items, uInt size)
{
	return xhprof_arena_alloc(arena, (size_t)items * size, 16);
}

static void gzip_free(voidpf arena, voidpf address)
{
	(void)arena;
	(void)address;
}

static bool gzip_write(pprof *to, const char *bytes, size_t length, int flush)
{
	to->gzip.next_in = (Bytef *)bytes;
	to->gzip.avail_in = (uInt)length;
	do {
		to->gzip.next_out = to->compressed;
		to->gzip.avail_out = sizeof(to->compressed);
		deflate(&to->gzip, flush);
		xhprof_write_bytes(to->out, (const char *)to->compressed, sizeof(to->compressed) - to->gzip.avail_out);
	} while (!to->gzip.avail_out && !to->out->error);
	return !to->out->error;
}

static bool gzip_put(void *to, const char *bytes, size_t length)
{
	const size_t most = (size_t)1 << 30; /* zlib counts in 32 bits */
	while (length > most) {
		if (!gzip_write(to, bytes, most, Z_NO_FLUSH)) {
			return false;
		}
		bytes += most;
		length -= most;
	}
	return gzip_write(to, bytes, length, Z_NO_FLUSH);
}

static char *put_varint(char *to, uint64_t number)
{
	while (number >= 0x80) {
		*to++ = (char)(number | 0x80);
		number >>= 7;
	}
	*to++ = (char)number;
	return to;
}

static char *put_number(char *to, unsigned field, uint64_t number)
{
	return put_varint(put_varint(to, field << 3), number);
}

/* The head of a field whose `length` bytes follow. */
static char *put_head(char *to, unsigned field, size_t length)
{
	return put_varint(put_varint(to, field << 3 | 2), length);
}

static void write_head(pprof *to, unsigned field, size_t length)
{
	char *at = xhprof_writer_reserve(&to->writer, 2 * VARINT_ROOM);
	xhprof_writer_commit(&to->writer, put_head(at, field, length));
}

static void write_message(pprof *to, unsigned field, const char *message, const char *end)
{
	write_head(to, field, (size_t)(end - message));
	xhprof_write_bytes(&to->writer, message, (size_t)(end - message));
}

static void write_number(pprof *to, unsigned field, uint64_t number)
{
	char *at = xhprof_writer_reserve(&to->writer, 2 * VARINT_ROOM);
	xhprof_writer_commit(&to->writer, put_number(at, field, number));
}

static void write_value_type(pprof *to, unsigned field, uint32_t type, uint32_t unit)
{
	char message[4 * VARINT_ROOM];
	write_message(to, field, message, put_number(put_number(message, VALUE_TYPE, type), VALUE_UNIT, unit));
}

/* The index of a string, equal ones have the same; false when there is no memory. */
static bool intern(pprof *to, const char *bytes, size_t length, uint32_t *index)
{
	uint64_t hash = xhprof_hash_bytes(bytes, length, 0);
	uint32_t first = (uint32_t)(uintptr_t)xhprof_table_find(&to->paths->table, hash);
	for (uint32_t i = first; i; i = to->strings[i].same_hash) {
		if (to->strings[i].length == length && !memcmp(to->strings[i].bytes, bytes, length)) {
			*index = i;
			return true;
		}
	}
	*index = to->count;
	to->strings[to->count] = (string_entry){bytes, length, first};
	return !to->count++ || xhprof_table_put(&to->paths->table, hash, (void *)(uintptr_t)*index);
}

static bool intern_all(pprof *to, bool types)
{
	const xhprof_alloc_paths *paths = to->paths;
	uint32_t index, row;
	xhprof_alloc_holding holding;
	for (uint32_t i = 0; i < FIXED_STRINGS; i++) {
		if (!intern(to, fixed_strings[i], strlen(fixed_strings[i]), &index)) {
			return false;
		}
	}
	for (uint32_t i = 1; i < paths->count; i++) {
		size_t length;
		uint32_t symbol = paths->of[i].symbol;
		const char *name = xhprof_alloc_symbol_name(paths, symbol, &length);
		if (!to->of_symbol[symbol] && !intern(to, name, length, &to->of_symbol[symbol])) {
			return false;
		}
		row = types ? paths->of[i].first_row : 0;
		while (xhprof_alloc_holding_next(paths, &row, &holding)) {
			const xhprof_alloc_type *type = &paths->dump->types->types[holding.type];
			if (!to->of_type[holding.type] && !intern(to, type->name, type->length, &to->of_type[holding.type])) {
				return false;
			}
		}
	}
	return true;
}

static void write_sample(pprof *to, uint32_t path, uint64_t blocks, uint64_t bytes, uint32_t type)
{
	/* A location is the function; ids take 5 bytes at most. */
	char locations[XHPROF_ALLOC_DEPTH * 5], values[2 * VARINT_ROOM], label[4 * VARINT_ROOM];
	char head[3][2 * VARINT_ROOM];
	char *locations_end = locations, *values_end = put_varint(put_varint(values, blocks), bytes), *label_end = label;
	for (uint32_t at = path; at; at = to->paths->of[at].parent) {
		locations_end = put_varint(locations_end, to->paths->of[at].symbol);
	}
	char *head_end[3] = {put_head(head[0], SAMPLE_LOCATION, (size_t)(locations_end - locations)),
						 put_head(head[1], SAMPLE_VALUE, (size_t)(values_end - values)), head[2]};
	if (type) {
		label_end = put_number(put_number(label, LABEL_KEY, TYPE), LABEL_STRING, type);
		head_end[2] = put_head(head[2], SAMPLE_LABEL, (size_t)(label_end - label));
	}
	size_t length = (size_t)(locations_end - locations + values_end - values + label_end - label);
	for (unsigned i = 0; i < 3; i++) {
		length += (size_t)(head_end[i] - head[i]);
	}
	write_head(to, PROFILE_SAMPLE, length);
	xhprof_write_bytes(&to->writer, head[0], (size_t)(head_end[0] - head[0]));
	xhprof_write_bytes(&to->writer, locations, (size_t)(locations_end - locations));
	xhprof_write_bytes(&to->writer, head[1], (size_t)(head_end[1] - head[1]));
	xhprof_write_bytes(&to->writer, values, (size_t)(values_end - values));
	xhprof_write_bytes(&to->writer, head[2], (size_t)(head_end[2] - head[2]));
	xhprof_write_bytes(&to->writer, label, (size_t)(label_end - label));
}

static void write_samples(pprof *to, bool types)
{
	for (uint32_t i = 1; i < to->paths->count; i++) {
		const xhprof_alloc_path *path = &to->paths->of[i];
		uint32_t row = types ? path->first_row : 0;
		xhprof_alloc_holding holding;
		if (!row && (path->own_bytes || path->own_blocks)) {
			write_sample(to, i, path->own_blocks, path->own_bytes, 0);
		}
		while (xhprof_alloc_holding_next(to->paths, &row, &holding)) {
			write_sample(to, i, holding.blocks, holding.bytes, to->of_type[holding.type]);
		}
	}
}

static void write_symbols(pprof *to)
{
	for (uint32_t symbol = 1; symbol < to->paths->symbols; symbol++) {
		char message[6 * VARINT_ROOM], line[2 * VARINT_ROOM], *end;
		if (!to->of_symbol[symbol]) {
			continue;
		}
		end = put_number(line, LINE_FUNCTION, symbol);
		size_t length = (size_t)(end - line);
		end = put_head(put_number(message, LOCATION_ID, symbol), LOCATION_LINE, length);
		memcpy(end, line, length);
		write_message(to, PROFILE_LOCATION, message, end + length);
		end = put_number(message, FUNCTION_ID, symbol);
		end = put_number(end, FUNCTION_NAME, to->of_symbol[symbol]);
		end = put_number(end, FUNCTION_SYSTEM_NAME, to->of_symbol[symbol]);
		write_message(to, PROFILE_FUNCTION, message, end);
	}
}

static void write_profile(pprof *to, const xhprof_alloc_dump *dump, bool types)
{
	write_value_type(to, PROFILE_SAMPLE_TYPE, INUSE_OBJECTS, COUNT);
	write_value_type(to, PROFILE_SAMPLE_TYPE, INUSE_SPACE, BYTES);
	write_samples(to, types);
	write_symbols(to);
	for (uint32_t i = 0; i < to->count; i++) {
		write_message(to, PROFILE_STRING, to->strings[i].bytes, to->strings[i].bytes + to->strings[i].length);
	}
	write_number(to, PROFILE_TIME_NANOS, (uint64_t)(dump->time * 1e6) * 1000);
	if (dump->sample_bytes) {
		write_value_type(to, PROFILE_PERIOD_TYPE, SPACE, BYTES);
		write_number(to, PROFILE_PERIOD, dump->sample_bytes);
	}
	write_number(to, PROFILE_DEFAULT_SAMPLE_TYPE, INUSE_SPACE);
}

static pprof *begin(xhprof_alloc_paths *paths, bool types, xhprof_writer *out)
{
	const uint32_t symbols = paths->symbols, type_count = paths->dump->types->count;
	xhprof_arena *arena = &paths->arena;
	pprof *to = xhprof_arena_alloc(arena, sizeof(*to), 16);
	if (!to) {
		return NULL;
	}
	to->paths = paths;
	to->out = out;
	xhprof_writer_init_put(&to->writer, gzip_put, to);
	to->gzip.zalloc = gzip_alloc;
	to->gzip.zfree = gzip_free;
	to->gzip.opaque = arena;
	to->of_symbol = xhprof_arena_alloc(arena, symbols * sizeof(*to->of_symbol), 4);
	to->of_type = xhprof_arena_alloc(arena, type_count * sizeof(*to->of_type), 4);
	to->strings = xhprof_arena_alloc(arena, ((size_t)FIXED_STRINGS + symbols + type_count) * sizeof(*to->strings), 8);
	return to->of_symbol && to->of_type && to->strings && intern_all(to, types) &&
				   deflateInit2(&to->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, /* gzip */
								Z_DEFAULT_STRATEGY) == Z_OK
			   ? to
			   : NULL;
}

bool xhprof_alloc_write_pprof(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							  xhprof_alloc_paths *paths, xhprof_writer *writer)
{
	pprof *to;
	if (!xhprof_alloc_paths_begin(paths, dump, XHPROF_ALLOC_DEPTH, 0) || !(to = begin(paths, options->types, writer))) {
		return false;
	}
	write_profile(to, dump, options->types);
	xhprof_writer_flush(&to->writer);
	gzip_write(to, NULL, 0, Z_FINISH);
	deflateEnd(&to->gzip);
	return true;
}
