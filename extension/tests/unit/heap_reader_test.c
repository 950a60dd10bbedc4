/* Regions from maps files, and reading through them. */
#include "unit.h"

#include "base/arena.h"
#include "heap/reader.h"

#include <stdlib.h>
#include <unistd.h>

static const char some_maps[] = "100000-101000 r--p 00000000 fe:00 11    /usr/bin/php8.2\n"
								"101000-104000 r-xp 00001000 fe:00 11    /usr/bin/php8.2\n"
								"104000-105000 r--p 00004000 fe:00 11    /usr/bin/php8.2\n"
								"105000-106000 rw-p 00005000 fe:00 11    /usr/bin/php8.2\n"
								"106000-108000 rw-p 00000000 00:00 0 \n"
								"200000-210000 rw-p 00000000 00:00 0     [heap]\n"
								"300000-301000 r--p 00000000 fe:00 12    /usr/lib/locale/C.utf8/LC_CTYPE\n"
								"301000-302000 rw-p 00000000 00:00 0 \n"
								"400000-402000 ---p 00000000 00:00 0 \n"
								"402000-404000 rw-p 00000000 00:00 0 \n"
								"500000-600000 rw-s 00000000 00:01 1     /dev/zero (deleted)\n"
								"600000-601000 rw-s 00000000 fe:00 13    /tmp/others file\n"
								"700000-701000 rw-p 00000000 00:00 0     [anon:some name]\n"
								"800000-801000 r--p 00000000 00:00 0     [vvar]\n"
								"801000-802000 r-xp 00000000 00:00 0     [vdso]\n"
								"900000-901000 rw-p 00000000 fe:00 14    /dev/nvidia0\n"
								"a00000-a21000 rw-p 00000000 00:00 0     [stack]\n"
								"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n";

static const xhprof_region *expect(xhprof_reader *reader, size_t at, uint64_t from, uint64_t to,
								   xhprof_region_kind kind)
{
	const xhprof_region *region = reader->regions + at;
	return at < reader->region_count && region->from == from && region->to == to && region->kind == kind ? region
																										 : NULL;
}

static void maps_become_regions(void)
{
	xhprof_reader reader = {0};
	CHECK(xhprof_reader_parse_maps(&reader, some_maps, sizeof(some_maps) - 1) == 0);
	CHECK(reader.region_count == 8);
	const xhprof_region *code = expect(&reader, 0, 0x100000, 0x105000, XHPROF_REGION_OTHER);
	CHECK(code && !code->writable && !strcmp(reader.names + code->name, "/usr/bin/php8.2"));
	const xhprof_region *data = expect(&reader, 1, 0x105000, 0x108000, XHPROF_REGION_LIBRARY);
	CHECK(data && data->writable && data->name == code->name);
	const xhprof_region *heap = expect(&reader, 2, 0x200000, 0x210000, XHPROF_REGION_ANON);
	CHECK(heap && !strcmp(reader.names + heap->name, "[heap]"));
	/* A file that is not a library has no .bss behind it. */
	const xhprof_region *plain = expect(&reader, 3, 0x301000, 0x302000, XHPROF_REGION_ANON);
	CHECK(plain && !strcmp(reader.names + plain->name, ""));
	CHECK(expect(&reader, 4, 0x402000, 0x404000, XHPROF_REGION_ANON) != NULL);
	CHECK(expect(&reader, 5, 0x500000, 0x600000, XHPROF_REGION_SHARED) != NULL);
	CHECK(expect(&reader, 6, 0x700000, 0x701000, XHPROF_REGION_ANON) != NULL);
	CHECK(expect(&reader, 7, 0xa00000, 0xa21000, XHPROF_REGION_STACK) != NULL);

	CHECK(xhprof_reader_region(&reader, 0x105000) == data && reader.last == 1);
	CHECK(xhprof_reader_region(&reader, 0x107fff) == data);
	CHECK(!xhprof_reader_region(&reader, 0x108000) && !xhprof_reader_region(&reader, 0));
	CHECK(!xhprof_reader_region(&reader, UINT64_MAX) && !xhprof_reader_region(&reader, 0x600000));
	CHECK(xhprof_reader_readable(&reader, 0x104ff8, 16));
	CHECK(xhprof_reader_readable(&reader, 0x100000, 0x8000) && !xhprof_reader_readable(&reader, 0x100000, 0x8001));
	CHECK(!xhprof_reader_readable(&reader, 0x107ff8, UINT64_MAX));
	reader.in_place = true;
	CHECK(xhprof_reader_load(&reader, 0xa20ff8, NULL, 8) == (void *)0xa20ff8);
	CHECK(!xhprof_reader_load(&reader, 0xa20ffc, NULL, 8) && !xhprof_reader_load(&reader, 8, NULL, 8));
	xhprof_reader_close(&reader);
	CHECK(reader.region_count == 0);
}

/* opcache.huge_code_pages moves the program's code to anonymous memory. */
static void moved_code_is_not_library_data(void)
{
	static const char maps[] = "100000-101000 r--p 00000000 fe:00 11    /usr/sbin/php-fpm8.2\n"
							   "101000-401000 r-xp 00000000 00:00 0 \n"
							   "401000-402000 rw-p 00301000 fe:00 11    /usr/sbin/php-fpm8.2\n"
							   "402000-403000 rw-p 00000000 00:00 0 \n";
	xhprof_reader reader = {0};
	CHECK(xhprof_reader_parse_maps(&reader, maps, sizeof(maps) - 1) == 0);
	CHECK(reader.region_count == 2 && expect(&reader, 0, 0x100000, 0x401000, XHPROF_REGION_OTHER));
	CHECK(expect(&reader, 1, 0x401000, 0x403000, XHPROF_REGION_LIBRARY) != NULL);
	xhprof_reader_close(&reader);
}

static void bad_maps_are_refused(void)
{
	static const char *const bad[] = {"",
									  "\n\n\n",
									  "x",
									  "100000",
									  "100000-",
									  "100000-200000",
									  "100000-200000 ",
									  "100000-200000 r",
									  "200000-100000 rw-p 0 0:0 0",
									  "100000-100000 rw-p 0 0:0 0",
									  "11111111111111111-22222222222222222 rw-p 0 0:0 0"};
	xhprof_reader reader = {0};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CHECK(xhprof_reader_parse_maps(&reader, bad[i], strlen(bad[i])) == EINVAL);
	}
	/* A line without an end, one out of order, one that overlaps the one before. */
	static const char cut[] = "100000-200000 rw-p 0 0:0 0\n50000-60000 rw-p 0 0:0 0\n1ff000-300000 rw-p 0 0:0 0\n"
							  "400000-500000 rw-p";
	CHECK(xhprof_reader_parse_maps(&reader, cut, sizeof(cut) - 1) == 0);
	CHECK(reader.region_count == 2 && expect(&reader, 1, 0x400000, 0x500000, XHPROF_REGION_ANON));
	xhprof_reader_close(&reader);
	unit_mmaps = 0;
	CHECK(xhprof_reader_parse_maps(&reader, cut, sizeof(cut) - 1) == ENOMEM);
	CHECK(xhprof_reader_open_self(&reader) == ENOMEM);
	unit_mmaps = -1;
}

/* Any bytes: regions by address and apart, or an error. */
static void random_maps_give_ordered_regions_or_an_error(void)
{
	size_t length = sizeof(some_maps) - 1, good = 0;
	char *text = malloc(length);
	srand(1);
	for (int round = 0; round < 3000; round++) {
		memcpy(text, some_maps, length);
		for (int change = rand() % 40; change >= 0; change--) {
			text[(size_t)rand() % length] = (char)(rand() % 4 ? "0123456789abcdef-rwxps/ \n"[rand() % 25] : rand());
		}
		size_t used = (size_t)rand() % (length + 1);
		xhprof_reader reader = {0};
		if (xhprof_reader_parse_maps(&reader, text, used)) {
			good++;
			continue;
		}
		bool apart = true;
		for (size_t i = 0; i < reader.region_count; i++) {
			const xhprof_region *region = reader.regions + i;
			apart &= region->from < region->to && (!i || region[-1].to <= region->from);
			apart &= strlen(reader.names + region->name) < length;
		}
		good += apart;
		xhprof_reader_close(&reader);
	}
	CHECK(good == 3000);
	free(text);
}

static int in_data = 7;

static void own_memory_is_read(void)
{
	xhprof_reader reader;
	int *on_heap = malloc(sizeof(*on_heap));
	CHECK(xhprof_reader_open_self(&reader) == 0 && reader.in_place);
	/* Not the address of a variable: sanitizers keep those elsewhere. */
	CHECK(xhprof_reader_region(&reader, (uint64_t)(uintptr_t)__builtin_frame_address(0))->kind == XHPROF_REGION_STACK);
	const xhprof_region *data = xhprof_reader_region(&reader, (uint64_t)(uintptr_t)&in_data);
	CHECK(data && data->kind == XHPROF_REGION_LIBRARY && strstr(reader.names + data->name, "heap_reader_test"));
	const xhprof_region *code = xhprof_reader_region(&reader, (uint64_t)(uintptr_t)&own_memory_is_read);
	CHECK(code && code->kind == XHPROF_REGION_OTHER && !code->writable);
	CHECK(xhprof_reader_region(&reader, (uint64_t)(uintptr_t)on_heap) != NULL);
	XHPROF_LOAD(&reader, int, there, (uint64_t)(uintptr_t)&in_data);
	CHECK(there == &in_data);
	/* The regions' own memory is not in any region, nor is memory mapped later. */
	CHECK(!xhprof_reader_region(&reader, (uint64_t)(uintptr_t)reader.regions));
	CHECK(!xhprof_reader_region(&reader, (uint64_t)(uintptr_t)reader.names));
	/* Through the kernel: as much as is mapped. */
	char bytes[2 * 4096];
	char *pages = xhprof_pages_map(4 * 4096), *end = pages + 2 * 4096;
	uint64_t at = (uint64_t)(uintptr_t)pages;
	CHECK(xhprof_reader_copy(&reader, (uint64_t)(uintptr_t)&in_data, bytes, 4) == 4 && bytes[0] == 7);
	CHECK(xhprof_reader_untouched(&reader, at, 4 * 4096) == 4 * 4096);
	CHECK(xhprof_reader_untouched(&reader, at + 8, 4096) == 0);
	memset(pages + 4096, 5, 100);
	CHECK(xhprof_reader_untouched(&reader, at, 4 * 4096) == 4096);
	CHECK(xhprof_reader_untouched(&reader, at + 4096, 4096) == 0);
	munmap(end, 2 * 4096);
	CHECK(xhprof_reader_copy(&reader, at + 4096, bytes, sizeof(bytes)) == 4096 && bytes[99] == 5);
	CHECK(xhprof_reader_copy(&reader, at + 2 * 4096, bytes, 8) == 0);
	munmap(pages, 2 * 4096);
	free(on_heap);
	xhprof_reader_close(&reader);
}

/* The kernel's pages may be four times as large: each entry then stands for four of ours. */
static void large_pages_have_an_entry_for_each_part(void)
{
	uint64_t there[8] = {10, 11, 12, 13, 14, 15, 16, 17}, entries[9];
	FILE *file = tmpfile();
	CHECK(file && fwrite(there, sizeof(there), 1, file) == 1 && fflush(file) == 0);
	CHECK(xhprof_reader_page_entries(fileno(file), 4096, 2 * 4096, entries, 3));
	CHECK(entries[0] == 12 && entries[1] == 13 && entries[2] == 14);
	CHECK(!xhprof_reader_page_entries(fileno(file), 4096, 6 * 4096, entries, 3));
	CHECK(xhprof_reader_page_entries(fileno(file), 16384, 3 * 4096, entries, 9));
	CHECK(entries[0] == 10 && entries[1] == 11 && entries[4] == 11 && entries[5] == 12 && entries[8] == 12);
	CHECK(xhprof_reader_page_entries(fileno(file), 16384, 31 * 4096, entries, 1) && entries[0] == 17);
	CHECK(!xhprof_reader_page_entries(fileno(file), 16384, 31 * 4096, entries, 2));
	CHECK(xhprof_reader_page_entries(fileno(file), 16384, 4096, entries, 0));
	fclose(file);
}

int main(void)
{
	maps_become_regions();
	moved_code_is_not_library_data();
	bad_maps_are_refused();
	random_maps_give_ordered_regions_or_an_error();
	own_memory_is_read();
	large_pages_have_an_entry_for_each_part();
	return unit_end();
}
