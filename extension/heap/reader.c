/* Regions of memory from /proc/PID/maps, and finding the one around an address; see reader.h. */
#include "reader.h"

#include "base/arena.h"
#include "base/own_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define FIRST_TEXT ((size_t)256 * 1024)
#define PAGE XHPROF_READER_PAGE
#define LARGEST_TEXT ((size_t)64 * 1024 * 1024)

typedef struct maps_line {
	uint64_t from, to;
	bool readable, writable, executable, shared;
	const char *path;
	size_t path_length;
} maps_line;

typedef struct maps_parser {
	xhprof_region *regions;
	size_t count, max;
	char *names;
	size_t names_used, names_size;
	/* The file of the previous line, and whether it is a program or library: those have code. */
	const char *file;
	size_t file_length, file_first; /* the first region of this file */
	uint64_t file_end;
	uint32_t file_name;
	bool library;
} maps_parser;

static bool is_text(const maps_line *line, const char *text, bool exact)
{
	size_t length = strlen(text);
	return (exact ? line->path_length == length : line->path_length >= length) && !memcmp(line->path, text, length);
}

static const char *read_hex(const char *at, const char *end, char behind, uint64_t *number)
{
	const char *start = at;
	for (*number = 0; at < end && at - start < 16; at++) {
		char digit = *at;
		if (digit >= '0' && digit <= '9') {
			*number = *number << 4 | (uint64_t)(digit - '0');
		} else if (digit >= 'a' && digit <= 'f') {
			*number = *number << 4 | (uint64_t)(digit - 'a' + 10);
		} else {
			break;
		}
	}
	return at > start && at < end && *at == behind ? at + 1 : NULL;
}

/* Reads a line of a maps file: "55d0-55d8 rw-p 0000 08:01 123 /usr/bin/php8.2". */
static bool read_line(const char *at, const char *end, maps_line *line)
{
	if (!(at = read_hex(at, end, '-', &line->from)) || !(at = read_hex(at, end, ' ', &line->to)) || end - at < 4 ||
		line->from >= line->to) {
		return false;
	}
	line->readable = at[0] == 'r';
	line->writable = at[1] == 'w';
	line->executable = at[2] == 'x';
	line->shared = at[3] == 's';
	at += 4;
	for (int word = 0; word < 3; word++) { /* offset, device, inode */
		for (; at < end && *at == ' '; at++) {
		}
		for (; at < end && *at != ' '; at++) {
		}
	}
	for (; at < end && *at == ' '; at++) {
	}
	line->path = at;
	line->path_length = (size_t)(end - at);
	return true;
}

/* Finds the kind of a region. Returns whether it is safe to read and may matter: a mapped file that is no library may
 * be truncated at any time, and reading it in place then raises SIGBUS; [vvar] and devices are not memory. */
static bool region_kind(const maps_line *line, xhprof_region_kind *kind)
{
	if (line->shared) {
		*kind = XHPROF_REGION_SHARED;
		return is_text(line, "/dev/zero", false) || is_text(line, "/SYSV", false) ||
			   is_text(line, "/dev/shm/ZendAccelerator", false);
	}
	*kind = XHPROF_REGION_ANON;
	if (line->path_length == 0 || is_text(line, "[heap]", true) || is_text(line, "[anon:", false)) {
		return true;
	}
	if (is_text(line, "[stack", false)) {
		*kind = XHPROF_REGION_STACK;
		return true;
	}
	*kind = line->writable ? XHPROF_REGION_LIBRARY : XHPROF_REGION_OTHER;
	return line->path[0] == '/' && !is_text(line, "/dev/", false);
}

/* Drops the regions of a mapped file that turns out to be no library. */
static void end_file(maps_parser *parser)
{
	if (parser->file && !parser->library) {
		parser->count = parser->file_first;
	}
	parser->file = NULL;
}

static uint32_t keep_name(maps_parser *parser, const maps_line *line)
{
	if (line->path_length == 0 || parser->names_size - parser->names_used <= line->path_length) {
		return 0;
	}
	uint32_t name = (uint32_t)parser->names_used;
	memcpy(parser->names + name, line->path, line->path_length);
	parser->names_used += line->path_length + 1;
	return name;
}

static void add_region(maps_parser *parser, uint64_t from, uint64_t to, xhprof_region_kind kind, bool writable,
					   uint32_t name)
{
	xhprof_region *before = parser->count ? parser->regions + parser->count - 1 : NULL;
	if (before && before->to == from && before->kind == kind && before->writable == writable && before->name == name) {
		before->to = to;
	} else if (parser->count < parser->max) {
		parser->regions[parser->count++] = (xhprof_region){from, to, kind, writable, name};
	}
}

static void add_line(maps_parser *parser, const maps_line *line)
{
	xhprof_region_kind kind;
	if (parser->file && line->from == parser->file_end && line->path_length == 0 && !line->shared &&
		(parser->library || line->executable)) {
		/* A library's .bss follows its data; code in between is the program's own, moved to huge pages. */
		parser->library |= line->executable;
		parser->file_end = line->to;
		if (line->readable) {
			add_region(parser, line->from, line->to, line->writable ? XHPROF_REGION_LIBRARY : XHPROF_REGION_OTHER,
					   line->writable, parser->file_name);
		}
		return;
	}
	if (!region_kind(line, &kind)) {
		return;
	}
	if (kind != XHPROF_REGION_LIBRARY && kind != XHPROF_REGION_OTHER) {
		end_file(parser);
		if (line->readable) {
			add_region(parser, line->from, line->to, kind, line->writable, keep_name(parser, line));
		}
		return;
	}
	if (!parser->file || parser->file_length != line->path_length ||
		memcmp(parser->file, line->path, line->path_length) != 0) {
		end_file(parser);
		parser->file = line->path;
		parser->file_length = line->path_length;
		parser->file_first = parser->count;
		parser->file_name = keep_name(parser, line);
		parser->library = false;
	}
	parser->file_end = line->to;
	parser->library |= line->executable;
	if (line->readable) {
		add_region(parser, line->from, line->to, kind, line->writable, parser->file_name);
	}
}

static void parse_maps(maps_parser *parser, const char *text, size_t length)
{
	const char *end = text + length;
	uint64_t last = 0;
	parser->names[0] = 0;
	parser->names_used = 1;
	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		line_end = line_end ? line_end : end;
		maps_line line;
		if (read_line(text, line_end, &line) && line.from >= last) {
			last = line.to;
			add_line(parser, &line);
		}
		text = line_end + 1;
	}
	end_file(parser);
}

/* Returns how many regions a text of this length may have: a line that counts has 20 bytes or more. The names go behind
 * the regions. */
static size_t max_regions(size_t length)
{
	return length / 20 + 1;
}

static size_t pages_for(size_t length)
{
	return (max_regions(length) * sizeof(xhprof_region) + length + 2 + 4095) & ~(size_t)4095;
}

static int parse_into(xhprof_reader *reader, void *pages, size_t size, const char *text, size_t length)
{
	maps_parser parser = {.regions = pages, .max = max_regions(length)};
	parser.names = (char *)(parser.regions + parser.max);
	parser.names_size = size - parser.max * sizeof(xhprof_region);
	parse_maps(&parser, text, length);
	if (!parser.count) {
		return EINVAL;
	}
	reader->regions = parser.regions;
	reader->region_count = parser.count;
	reader->names = parser.names;
	reader->last = 0;
	reader->pages = pages;
	reader->pages_size = size;
	return 0;
}

int xhprof_reader_parse_maps(xhprof_reader *reader, const char *text, size_t length)
{
	if (length > LARGEST_TEXT) {
		return EFBIG;
	}
	size_t size = pages_for(length);
	void *pages = xhprof_pages_map(size);
	if (!pages) {
		return ENOMEM;
	}
	int error = parse_into(reader, pages, size, text, length);
	if (error) {
		xhprof_pages_unmap(pages, size);
	}
	return error;
}

/* Reads a whole file of /proc, which does not report its size; *length is `size` if there is more. */
static int read_file(const char *path, char *text, size_t size, size_t *length)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file < 0) {
		return errno;
	}
	int error = 0;
	for (*length = 0; *length < size;) {
		ssize_t got = read(file, text + *length, size - *length);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			error = got < 0 ? errno : 0;
			break;
		}
		*length += (size_t)got;
	}
	close(file);
	return error;
}

/* Leaves the reader's own pages out: the addresses in them are not references. The kernel may have merged them with
 * others. */
static void leave_out(xhprof_reader *reader, xhprof_region *regions, size_t max, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < reader->region_count; i++) {
		xhprof_region *region = regions + i;
		if (from < region->from || from >= region->to) {
			continue;
		}
		xhprof_region behind = *region;
		behind.from = to < behind.to ? to : behind.to;
		region->to = from;
		if (region->from == region->to) {
			*region = behind;
		} else if (behind.from < behind.to && reader->region_count < max) {
			memmove(region + 2, region + 1, (reader->region_count - i - 1) * sizeof(*region));
			region[1] = behind;
			reader->region_count++;
		}
		return;
	}
}

bool xhprof_reader_page_entries(int page_map, size_t system_page, xhprof_addr address, uint64_t *entries, size_t count)
{
	if (count == 0) {
		return true;
	}
	uint64_t first = address / system_page, last = (address + (count - 1) * PAGE) / system_page;
	size_t size = (size_t)(last - first + 1) * sizeof(*entries);
	if (pread(page_map, entries, size, (off_t)(first * sizeof(*entries))) != (ssize_t)size) {
		return false;
	}
	if (system_page != PAGE) {
		for (size_t i = count; i-- > 0;) { /* from the last one on: no entry is read from further behind */
			entries[i] = entries[(address + i * PAGE) / system_page - first];
		}
	}
	return true;
}

static bool own_page_map(xhprof_reader *reader, xhprof_addr address, uint64_t *entries, size_t count)
{
	int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file < 0) {
		return false;
	}
	bool all = xhprof_reader_page_entries(file, (size_t)sysconf(_SC_PAGESIZE), address, entries, count);
	close(file);
	return all;
}

int xhprof_reader_open_self(xhprof_reader *reader)
{
	memset(reader, 0, sizeof(*reader));
	reader->in_place = true;
	reader->page_map = own_page_map;
	for (size_t text_size = FIRST_TEXT; text_size <= LARGEST_TEXT; text_size *= 4) {
		/* One mapping for everything, made before the maps are read, so that they list it too. */
		size_t table_size = pages_for(text_size), size = table_size + text_size, length = 0;
		char *pages = xhprof_pages_map(size);
		if (!pages) {
			return ENOMEM;
		}
		int error = read_file("/proc/self/maps", pages + table_size, text_size, &length);
		if (!error && length < text_size) {
			error = parse_into(reader, pages, table_size, pages + table_size, length);
			if (!error) {
				leave_out(reader, (xhprof_region *)(void *)pages, max_regions(length), (xhprof_addr)pages,
						  (xhprof_addr)pages + size);
				xhprof_pages_unmap(pages + table_size, text_size);
				return 0;
			}
		}
		xhprof_pages_unmap(pages, size);
		if (error) {
			return error;
		}
	}
	return EFBIG;
}

void xhprof_reader_close(xhprof_reader *reader)
{
	xhprof_pages_unmap(reader->pages, reader->pages_size);
	reader->pages = NULL;
	reader->regions = NULL;
	reader->region_count = 0;
}

const xhprof_region *xhprof_reader_find_region(xhprof_reader *reader, xhprof_addr address)
{
	size_t low = 0, high = reader->region_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (address < reader->regions[middle].from) {
			high = middle;
		} else if (address >= reader->regions[middle].to) {
			low = middle + 1;
		} else {
			reader->last = middle;
			return reader->regions + middle;
		}
	}
	return NULL;
}

bool xhprof_reader_readable(xhprof_reader *reader, xhprof_addr address, uint64_t size)
{
	const xhprof_region *region = xhprof_reader_region(reader, address);
	const xhprof_region *end = reader->regions + reader->region_count;
	while (region && size > region->to - address) {
		size -= region->to - address;
		address = region->to;
		region = region + 1 < end && region[1].from == address ? region + 1 : NULL;
	}
	return region != NULL;
}

size_t xhprof_reader_copy(xhprof_reader *reader, xhprof_addr address, void *to, size_t size)
{
	if (reader->in_place) {
		const void *from = (const void *)(uintptr_t)address;
		bool refused;
		size_t got = xhprof_own_memory_copy(from, to, size, &refused);
		return refused ? xhprof_own_memory_copy_by_file(from, to, size) : got;
	}
	return reader->copy(reader, address, to, size) ? size : 0;
}

uint64_t xhprof_reader_untouched(xhprof_reader *reader, xhprof_addr address, uint64_t size)
{
	uint64_t entries[512], untouched = 0;
	while (reader->page_map && address % PAGE == 0 && untouched < size) {
		size_t count = sizeof(entries) / sizeof(*entries), i = 0;
		if ((size - untouched) / PAGE < count) {
			count = (size_t)((size - untouched) / PAGE);
		}
		if (!count || !reader->page_map(reader, address + untouched, entries, count)) {
			break;
		}
		while (i < count && !(entries[i] >> 62)) { /* bits 63 and 62: in memory, in swap */
			i++;
		}
		untouched += (uint64_t)i * PAGE;
		if (i < count) {
			break;
		}
	}
	return untouched;
}
