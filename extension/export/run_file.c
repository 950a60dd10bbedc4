#include "run_file.h"

#define ALIGNMENT 8
#define BLOCK XHPROF_SECTION_BLOCK

/* The number up to which doubles hold all whole numbers. */
#define EXACT (INT64_C(1) << 53)

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Run files have the byte order of little-endian machines; no other is supported."
#endif

static const struct {
	const char *name;
	size_t size; /* of a value */
} types[XHPROF_SECTION_TYPES] = {
	[XHPROF_SECTION_SAME] = {"same", 0}, [XHPROF_SECTION_U8] = {"u8", 1},   [XHPROF_SECTION_U16] = {"u16", 2},
	[XHPROF_SECTION_U32] = {"u32", 4},   [XHPROF_SECTION_I32] = {"i32", 4}, [XHPROF_SECTION_F64] = {"f64", 8},
	[XHPROF_SECTION_TEXT] = {"text", 0},
};

/* What a column's values have in common, as bits: this takes fewer than two instructions a value. */
typedef struct column_bits {
	int64_t any;  /* set in any value */
	int64_t all;  /* set in all of them: the same bits if all have one value */
	int64_t wide; /* set in any value whose sign is taken off; only of columns with negative values */
} column_bits;

/* Two values, which are read at once: at -O2 compilers leave loops as they are. Columns are aligned for single values
 * only. */
typedef int64_t two_values __attribute__((vector_size(16), aligned(8), may_alias));

void xhprof_run_file_init(xhprof_run_file *file)
{
	file->section_count = file->document_count = 0;
}

void xhprof_run_file_document(xhprof_run_file *file, const char *name, xhprof_document_head head, const void *from)
{
	if (file->document_count < XHPROF_DOCUMENTS) {
		file->documents[file->document_count].name = name;
		file->documents[file->document_count].head = head;
		file->documents[file->document_count++].from = from;
	}
}

static void add_section(xhprof_run_file *file, xhprof_section section)
{
	if (file->section_count < XHPROF_SECTIONS && file->document_count) {
		section.document = file->documents[file->document_count - 1].name;
		file->sections[file->section_count++] = section;
	}
}

void xhprof_run_file_column(xhprof_run_file *file, const char *name, size_t count, const int64_t *whole)
{
	add_section(file, (xhprof_section){.name = name, .count = count, .whole = whole});
}

void xhprof_run_file_values(xhprof_run_file *file, const char *name, size_t count, xhprof_section_values values,
							void *from, unsigned field)
{
	add_section(file, (xhprof_section){.name = name, .count = count, .values = values, .from = from, .field = field});
}

void xhprof_run_file_indexes(xhprof_run_file *file, const char *name, size_t count, xhprof_section_values values,
							 void *from, unsigned field, size_t bound)
{
	xhprof_section section = {.name = name, .count = count, .values = values, .from = from, .field = field};
	section.most = bound ? (int64_t)bound - 1 : 0;
	add_section(file, section);
}

void xhprof_run_file_texts(xhprof_run_file *file, const char *name, size_t count, xhprof_section_text text, void *from)
{
	xhprof_section section = {.name = name, .count = count, .text = text, .from = from};
	add_section(file, section);
	section.ends = true;
	add_section(file, section);
}

/* Puts the ends of texts. `end`: the end of the last one, 0 at the beginning. */
static void put_ends(const xhprof_section *section, size_t first, size_t count, int64_t *values, int64_t *end)
{
	for (size_t i = 0; i < count; i++) {
		size_t length;
		const char *text = section->text(section->from, first + i, &length);
		*end += (int64_t)xhprof_text_length(text, length);
		values[i] = *end;
	}
}

/* Returns the values of a block: where they are in memory, or in `room`. */
static const int64_t *block_values(const xhprof_section *section, size_t first, size_t count, int64_t room[BLOCK],
								   int64_t *end)
{
	if (section->whole) {
		return section->whole + first;
	}
	if (section->ends) {
		put_ends(section, first, count, room, end);
	} else {
		section->values(section->from, section->field, first, count, room);
	}
	return room;
}

static size_t block_count(const xhprof_section *section, size_t first)
{
	return section->count - first < BLOCK ? section->count - first : BLOCK;
}

static void gather_bits(const int64_t *values, size_t count, column_bits *bits)
{
	two_values any = {0, 0}, all = {-1, -1};
	const two_values *pairs = (const two_values *)values;
	_Pragma("GCC unroll 8") for (size_t i = 0; i < count / 2; i++)
	{
		any |= pairs[i];
		all &= pairs[i];
	}
	bits->any |= any[0] | any[1];
	bits->all &= all[0] & all[1];
	if (count % 2) {
		bits->any |= values[count - 1];
		bits->all &= values[count - 1];
	}
}

static void gather_width(const int64_t *values, size_t count, column_bits *bits)
{
	for (size_t i = 0; i < count; i++) {
		bits->wide |= values[i] < 0 ? ~values[i] : values[i];
	}
}

static column_bits gather(const xhprof_section *section, bool width)
{
	int64_t room[BLOCK], end = 0;
	column_bits bits = {.all = -1};
	for (size_t first = 0, count; first < section->count; first += count) {
		count = section->whole ? section->count : block_count(section, first);
		const int64_t *values = block_values(section, first, count, room, &end);
		if (width) {
			gather_width(values, count, &bits);
		} else {
			gather_bits(values, count, &bits);
		}
	}
	return bits;
}

static xhprof_section_type smallest_type(const xhprof_section *section, int64_t any)
{
	if (any < 0) {
		return gather(section, true).wide <= INT32_MAX ? XHPROF_SECTION_I32 : XHPROF_SECTION_F64;
	}
	return any <= UINT8_MAX    ? XHPROF_SECTION_U8
		   : any <= UINT16_MAX ? XHPROF_SECTION_U16
		   : any <= UINT32_MAX ? XHPROF_SECTION_U32
							   : XHPROF_SECTION_F64;
}

static int64_t within_exact(int64_t value)
{
	return value > EXACT ? EXACT : value < -EXACT ? -EXACT : value;
}

static uint64_t texts_length(const xhprof_section *section)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < section->count; i++) {
		size_t length;
		const char *text = section->text(section->from, i, &length);
		bytes += xhprof_text_length(text, length);
	}
	return bytes;
}

static void measure(xhprof_section *section)
{
	if (section->text && !section->ends) {
		section->type = XHPROF_SECTION_TEXT;
		section->bytes = texts_length(section);
		return;
	}
	column_bits bits = {.any = section->most, .all = ~section->most};
	if (!section->most) {
		bits = section->count ? gather(section, false) : (column_bits){0};
	}
	section->same = within_exact(bits.any);
	section->type = bits.any != bits.all ? smallest_type(section, bits.any) : XHPROF_SECTION_SAME;
	section->bytes = section->count * types[section->type].size;
}

static uint64_t filled_up(uint64_t bytes)
{
	return (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static void measure_all(xhprof_run_file *file)
{
	uint64_t at = 0;
	for (size_t i = 0; i < file->section_count; i++) {
		measure(&file->sections[i]);
		file->sections[i].at = at;
		at += filled_up(file->sections[i].bytes);
	}
}

static void json_section(xhprof_json *json, const xhprof_section *section)
{
	xhprof_json_item(json);
	xhprof_write_string(json->writer, "\"");
	xhprof_write_string(json->writer, section->document);
	xhprof_write_string(json->writer, ".");
	xhprof_write_string(json->writer, section->name);
	xhprof_write_string(json->writer, section->ends ? ".end\":" : "\":");
	xhprof_json_open(json, '{');
	xhprof_json_text(json, "type", types[section->type].name);
	if (section->type == XHPROF_SECTION_SAME) {
		xhprof_json_int(json, "value", section->same);
	} else {
		xhprof_json_uint(json, "at", section->at);
	}
	xhprof_json_uint(json, "n", section->count);
	if (section->type == XHPROF_SECTION_TEXT) {
		xhprof_json_uint(json, "bytes", section->bytes);
	}
	xhprof_json_close(json, '}');
}

static void json_head(const xhprof_run_file *file, xhprof_writer *writer)
{
	xhprof_json document = {.writer = writer, .first = true}, *json = &document;
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "v", XHPROF_RUN_FILE_VERSION);
	for (size_t i = 0; i < file->document_count; i++) {
		xhprof_json_open_member(json, file->documents[i].name, '{');
		if (file->documents[i].head) {
			file->documents[i].head(json, file->documents[i].from);
		}
		xhprof_json_close(json, '}');
	}
	xhprof_json_open_member(json, "sections", '{');
	for (size_t i = 0; i < file->section_count; i++) {
		json_section(json, &file->sections[i]);
	}
	xhprof_json_close(json, '}');
	xhprof_json_close(json, '}');
}

static void write_fill(xhprof_writer *writer, uint64_t bytes, char with)
{
	for (uint64_t i = bytes; i < filled_up(bytes); i++) {
		xhprof_write_bytes(writer, &with, 1);
	}
}

typedef union narrowed_block {
	uint8_t u8[BLOCK];
	uint16_t u16[BLOCK];
	uint32_t u32[BLOCK];
	double f64[BLOCK];
} narrowed_block;

#define NARROW(member, value)                                  \
	_Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++) \
	{                                                          \
		to->member[i] = (__typeof__(to->member[0]))(value);    \
	}

static void narrow(xhprof_section_type type, narrowed_block *to, const int64_t *values, size_t count)
{
	switch (type) {
		case XHPROF_SECTION_U8:
			NARROW(u8, values[i])
			break;
		case XHPROF_SECTION_U16:
			NARROW(u16, values[i])
			break;
		case XHPROF_SECTION_U32:
		case XHPROF_SECTION_I32: /* the bits are the same */
			NARROW(u32, values[i])
			break;
		default:
			NARROW(f64, within_exact(values[i]))
	}
}

static void write_column(const xhprof_section *section, xhprof_writer *writer)
{
	int64_t room[BLOCK], end = 0;
	narrowed_block out;
	for (size_t first = 0, count; first < section->count; first += count) {
		count = block_count(section, first);
		narrow(section->type, &out, block_values(section, first, count, room, &end), count);
		xhprof_write_bytes(writer, (const char *)&out, count * types[section->type].size);
	}
}

static void write_section(const xhprof_section *section, xhprof_writer *writer)
{
	if (types[section->type].size) {
		write_column(section, writer);
	}
	for (size_t i = 0; section->type == XHPROF_SECTION_TEXT && i < section->count; i++) {
		size_t length;
		const char *text = section->text(section->from, i, &length);
		xhprof_write_text(writer, text, length);
	}
	write_fill(writer, section->bytes, '\0');
}

/* Writes nothing: the writer counts the bytes. */
static bool put_nowhere(void *to, const char *bytes, size_t length)
{
	return true;
}

/* Writes the first line, with the length of the head, which includes that line. `length`: bytes of the JSON and its
 * newline. */
static uint64_t write_first_line(xhprof_writer *writer, uint64_t length)
{
	static const char magic[] = "xhprof-run ";
	char line[sizeof(magic) + 2 * XHPROF_NUMBER_ROOM + 2], *end = line;
	uint64_t all = length;
	for (uint64_t before = 0; before != all;) { /* more digits may make it longer */
		before = all;
		memcpy(line, magic, sizeof(magic) - 1);
		end = xhprof_format_uint(line + sizeof(magic) - 1, XHPROF_RUN_FILE_VERSION);
		*end++ = ' ';
		end = xhprof_format_uint(end, all);
		*end++ = '\n';
		all = filled_up(length + (uint64_t)(end - line));
	}
	xhprof_write_bytes(writer, line, (size_t)(end - line));
	return all - length - (uint64_t)(end - line);
}

static void write_head(const xhprof_run_file *file, xhprof_writer *writer)
{
	/* The same buffer counts first: nothing has been written to it. */
	xhprof_writer_put put = writer->put;
	void *to = writer->to;
	int fd = writer->fd;
	xhprof_writer_init_put(writer, put_nowhere, NULL);
	json_head(file, writer);
	uint64_t length = writer->written + writer->used + 1;
	xhprof_writer_init(writer, fd);
	writer->put = put;
	writer->to = to;
	uint64_t fill = write_first_line(writer, length);
	json_head(file, writer);
	for (; fill; fill--) {
		xhprof_write_bytes(writer, " ", 1);
	}
	xhprof_write_bytes(writer, "\n", 1);
}

void xhprof_run_file_write(xhprof_run_file *file, xhprof_writer *writer)
{
	measure_all(file);
	write_head(file, writer);
	for (size_t i = 0; i < file->section_count && !writer->error; i++) {
		write_section(&file->sections[i], writer);
	}
}
