/* Reads memory that holds PHP's values: of this process, of another one, or of a file. It may be damaged or may change
 * meanwhile, so unreadable addresses are never followed. Addresses are numbers everywhere above this. */
#ifndef XHPROF_HEAP_READER_H
#define XHPROF_HEAP_READER_H

#include "address.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Bytes of a page in the page maps here. The kernel's pages have this size; on some aarch64 systems a multiple, 16 or
 * 64 KB. */
#define XHPROF_READER_PAGE 4096

typedef enum xhprof_region_kind {
	XHPROF_REGION_ANON,    /* malloc's heap, mmap'd memory */
	XHPROF_REGION_STACK,   /* of the main thread */
	XHPROF_REGION_LIBRARY, /* data of the program or of a library, or what follows it (.bss) */
	XHPROF_REGION_SHARED,  /* shared by processes: opcache's memory */
	XHPROF_REGION_OTHER,   /* of programs and libraries, but not writable: code, constants */
} xhprof_region_kind;

typedef struct xhprof_region {
	xhprof_addr from, to;
	xhprof_region_kind kind;
	bool writable;
	uint32_t name; /* offset into the reader's names: the path, or "" */
} xhprof_region;

typedef struct xhprof_reader {
	bool in_place; /* addresses are this process's: regions are read in place */
	/* All readable memory, by address, without overlaps. Files that are no libraries are left out: they may be
	 * truncated, and memory behind a file's end cannot be read. */
	const xhprof_region *regions;
	size_t region_count; /* at least 1 once it is open */
	const char *names;
	size_t last; /* region found last */
	void *pages; /* of the regions and names */
	size_t pages_size;
	/* Copies `size` bytes; false unless all of them can be read. Not used in place. */
	bool (*copy)(struct xhprof_reader *reader, xhprof_addr address, void *to, size_t size);
	/* Stores the page map's entries of `count` pages from this address on; false if unavailable. Or NULL. */
	bool (*page_map)(struct xhprof_reader *reader, xhprof_addr address, uint64_t *entries, size_t count);
} xhprof_reader;

const xhprof_region *xhprof_reader_find_region(xhprof_reader *reader, xhprof_addr address);

/* The region around an address, or NULL. */
static inline const xhprof_region *xhprof_reader_region(xhprof_reader *reader, xhprof_addr address)
{
	const xhprof_region *last = reader->regions + reader->last;
	if (reader->region_count && address >= last->from && address < last->to) {
		return last;
	}
	return xhprof_reader_find_region(reader, address);
}

/* Whether the whole range is in regions; several may follow one another. */
bool xhprof_reader_readable(xhprof_reader *reader, xhprof_addr address, uint64_t size);

/* `size` bytes at `address`: in place, or copied to `copy`; NULL if they cannot be read. */
static inline const void *xhprof_reader_load(xhprof_reader *reader, xhprof_addr address, void *copy, size_t size)
{
	if (reader->in_place) {
		const xhprof_region *region = reader->regions + reader->last;
		bool inside = address >= region->from && address < region->to && size <= region->to - address;
		return inside || xhprof_reader_readable(reader, address, size) ? (const void *)address : NULL;
	}
	return reader->copy(reader, address, copy, size) ? copy : NULL;
}

/* Copies at most `size` bytes of memory that may go away, or that others write, even in place; returns how many. The
 * caller has looked up the region. */
size_t xhprof_reader_copy(xhprof_reader *reader, xhprof_addr address, void *to, size_t size);

/* Reads the entries of an open /proc/PID/pagemap, one for each XHPROF_READER_PAGE bytes from `address` on, whatever the size
 * of the system's pages. `address` begins such a page. */
bool xhprof_reader_page_entries(int page_map, size_t system_page, xhprof_addr address, uint64_t *entries, size_t count);

/* Bytes from `address` on, at most `size`, that were never written to; only for memory without a file. */
uint64_t xhprof_reader_untouched(xhprof_reader *reader, xhprof_addr address, uint64_t size);

/* Declares `name`: a pointer to the `type` at `address`, a number or a pointer; or NULL. Valid as long as the block it is in. */
#define XHPROF_LOAD(reader, type, name, address) \
	type name##_copy;                            \
	const type *name = xhprof_reader_load((reader), (xhprof_addr)(address), &name##_copy, sizeof(type))

/* This process, as /proc/self/maps shows it now; memory mapped later is missing. The reader owns `regions` and `names`,
 * in pages of their own. 0 or an errno. */
int xhprof_reader_open_self(xhprof_reader *reader);

/* Regions from the text of a maps file, for any reader. 0 or an errno. */
int xhprof_reader_parse_maps(xhprof_reader *reader, const char *text, size_t length);
void xhprof_reader_close(xhprof_reader *reader);

#endif
