#include "copy.h"

#include "base/arena.h"
#include "process.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096
#define PRESENT ((uint64_t)3 << 62)       /* in a page map: in memory, or swapped out */
#define MAX_SCANNED ((uint64_t)256 << 30) /* of all listed memory; far less is used */
#define ENTRIES 2048
#define SPARE ((size_t)16 << 20) /* for allocations of the process before it is stopped */

/* ---- Reading ------------------------------------------------------------------------------------------------------------ */

/* Returns the first part that ends behind an address; their count if there is no such part. */
static size_t find_part(const xhprof_copy_list *list, xhprof_addr address)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->parts[middle].to <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Copies what a part has of `*size` bytes from an address on, and returns how many; 0 if no part begins there: `*size`
 * then ends where one does. */
static size_t take_part(const xhprof_copy *copy, const xhprof_copy_list *list, xhprof_addr address, void *to,
						size_t *size)
{
	size_t i = find_part(list, address);
	const xhprof_copy_part *part = list->parts + i;
	if (i == list->count || part->from > address) {
		*size = i < list->count && part->from - address < *size ? part->from - address : *size;
		return 0;
	}
	size_t length = part->to - address < *size ? part->to - address : *size;
	if (part->at == XHPROF_COPY_EMPTY) {
		memset(to, 0, length);
	} else {
		memcpy(to, copy->bytes + part->at + (address - part->from), length);
	}
	return length;
}

static size_t fetch_copy(xhprof_remote *remote, xhprof_addr address, void *to, size_t size)
{
	const xhprof_copy *copy = remote->context;
	char *target = to;
	size_t done = 0;
	while (done < size) {
		uint64_t at = address + done;
		size_t length = size - done, got = take_part(copy, &copy->moment, at, target + done, &length);
		got = got ? got : take_part(copy, &copy->constants, at, target + done, &length);
		if (!got) {
			const xhprof_region *region = xhprof_reader_region(&remote->reader, at);
			length = region && region->to - at < length ? region->to - at : length;
			got = region ? xhprof_remote_fetch_process(remote, at, target + done, length) : 0;
			if (got < length) {
				return done + got;
			}
		}
		done += got;
	}
	return done;
}

static bool page_map_of_copy(xhprof_reader *reader, xhprof_addr address, uint64_t *entries, size_t count)
{
	const xhprof_remote *remote = (const xhprof_remote *)reader;
	const xhprof_copy *copy = remote->context;
	bool known = xhprof_remote_page_map(reader, address, entries, count); /* of memory not copied */
	const xhprof_copy_list *list = &copy->moment;
	size_t i = find_part(list, address);
	for (size_t n = 0; n < count; n++, address += PAGE) {
		while (i < list->count && list->parts[i].to <= address) {
			i++;
		}
		if (i < list->count && list->parts[i].from <= address) {
			entries[n] = list->parts[i].at == XHPROF_COPY_EMPTY ? 0 : PRESENT;
		} else if (!known) {
			return false;
		}
	}
	return true;
}

/* ---- Taking ------------------------------------------------------------------------------------------------------------- */

static bool add_part(xhprof_copy_list *list, uint64_t from, uint64_t to, size_t at)
{
	xhprof_copy_part *last = list->count ? &list->parts[list->count - 1] : NULL;
	bool empty = at == XHPROF_COPY_EMPTY;
	if (last && last->to == from &&
		(empty ? last->at == at : last->at != XHPROF_COPY_EMPTY && last->at + (last->to - last->from) == at)) {
		last->to = to;
		return true;
	}
	if (list->count == list->capacity &&
		!xhprof_pages_double((void **)&list->parts, sizeof(*list->parts), &list->capacity, 1024)) {
		return false;
	}
	list->parts[list->count++] = (xhprof_copy_part){from, to, at};
	return true;
}

/* Copies pages, and leaves unreadable ones out. False if there is no room. */
static bool copy_pages(xhprof_copy *copy, xhprof_copy_list *list, uint64_t from, uint64_t to)
{
	while (from < to) {
		if (to - from > copy->size - copy->used) {
			return false;
		}
		size_t got = xhprof_remote_fetch_process(copy->remote, from, copy->bytes + copy->used, to - from);
		got -= got % PAGE;
		if (got && !add_part(list, from, from + got, copy->used)) {
			return false;
		}
		copy->used += got;
		from += got + (from + got < to ? PAGE : 0);
	}
	return true;
}

static bool path_is(const xhprof_mapping *mapping, const char *text)
{
	size_t length = strlen(text);
	return mapping->path_length >= length && memcmp(mapping->path, text, length) == 0;
}

typedef enum kind {
	LEFT,     /* not copied: code, devices, shared files */
	CONSTANT, /* read-only data of a library */
	OWN,      /* memory private to the process */
	OF_FILE,  /* memory private to the process, whose untouched pages are those of a file */
	SHARED,   /* memory shared with other processes; untouched pages may be theirs */
} kind;

static kind kind_of(const xhprof_mapping *mapping)
{
	const char *rights = mapping->rights;
	if (rights[0] != 'r' || mapping->from % PAGE || path_is(mapping, "[v") ||
		mapping->to - mapping->from > XHPROF_COPY_MAPPING) {
		return LEFT;
	}
	if (rights[3] == 's') {
		return path_is(mapping, "/dev/zero") || path_is(mapping, "/SYSV") ||
					   path_is(mapping, "/dev/shm/ZendAccelerator")
				   ? SHARED
				   : LEFT;
	}
	if (path_is(mapping, "/")) {
		return path_is(mapping, "/dev/") ? LEFT : rights[1] == 'w' ? OF_FILE : rights[2] == 'x' ? LEFT : CONSTANT;
	}
	return rights[1] == 'w' || rights[2] != 'x' ? OWN : LEFT;
}

static bool copy_mapping(xhprof_copy *copy, const xhprof_mapping *mapping, kind kind)
{
	uint64_t entries[ENTRIES];
	xhprof_remote *remote = copy->remote;
	xhprof_copy_list *list = kind == CONSTANT ? &copy->constants : &copy->moment;
	for (uint64_t at = mapping->from; at < mapping->to; at += (uint64_t)ENTRIES * PAGE) {
		uint64_t left = (mapping->to - at) / PAGE;
		size_t pages = left < ENTRIES ? (size_t)left : ENTRIES;
		bool known =
			kind != OF_FILE && remote->reader.page_map && remote->reader.page_map(&remote->reader, at, entries, pages);
		if (!known && (kind == SHARED || kind == CONSTANT)) {
			continue; /* reading pages that no process has touched would allocate them */
		}
		for (size_t i = 0; i < pages;) {
			bool present = !known || entries[i] & PRESENT;
			size_t count = 1;
			while (i + count < pages && present == (!known || entries[i + count] & PRESENT)) {
				count++;
			}
			uint64_t from = at + i * PAGE, to = from + count * PAGE;
			if (present ? !copy_pages(copy, list, from, to)
						: kind == OWN && !add_part(list, from, to, XHPROF_COPY_EMPTY)) {
				return false;
			}
			i += count;
		}
	}
	return true;
}

static bool copy_mappings(xhprof_copy *copy, const char *maps, bool constants)
{
	uint64_t scanned = 0, last = 0;
	xhprof_mapping mapping;
	while (xhprof_process_mapping(&maps, &mapping)) {
		kind kind = kind_of(&mapping);
		if (kind == LEFT || (kind == CONSTANT) != constants || mapping.from < last) {
			continue;
		}
		last = mapping.to;
		scanned += mapping.to - mapping.from;
		if (scanned > MAX_SCANNED || !copy_mapping(copy, &mapping, kind)) {
			return false;
		}
	}
	return true;
}

/* Returns whether the copied constants are still at their places. */
static bool has_constants(const xhprof_copy *copy)
{
	const char *before = copy->constants_maps, *now = copy->maps;
	xhprof_mapping mapping, found = {0};
	while (before && xhprof_process_mapping(&before, &mapping)) {
		if (kind_of(&mapping) != CONSTANT) {
			continue;
		}
		while (found.from < mapping.from && xhprof_process_mapping(&now, &found)) {
		}
		if (found.from != mapping.from || found.to != mapping.to || found.offset != mapping.offset ||
			kind_of(&found) != CONSTANT || found.path_length != mapping.path_length ||
			memcmp(found.path, mapping.path, mapping.path_length) != 0) {
			return false;
		}
	}
	return true;
}

bool xhprof_copy_take(xhprof_copy *copy, char *maps, size_t length)
{
	if (!copy_mappings(copy, maps, false)) {
		xhprof_copy_drop(copy);
		return false;
	}
	copy->maps = maps;
	copy->maps_length = length;
	if (!has_constants(copy)) {
		copy->constants.count = 0;
	}
	xhprof_remote_forget(copy->remote);
	copy->remote->fetch = fetch_copy;
	copy->remote->context = copy;
	copy->remote->reader.page_map = page_map_of_copy;
	return true;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------------- */

uint64_t xhprof_copy_max(void)
{
	uint64_t available = xhprof_memory_available();
	return available ? available / 2 : (uint64_t)1 << 30;
}

/* Returns the bytes of memory used by the process: a little more than will be copied. */
static uint64_t expected_bytes(pid_t pid)
{
	static const char *const names[] = {"RssAnon", "RssFile", "RssShmem", "VmSwap"};
	uint64_t bytes = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int64_t kilobytes = xhprof_process_status(pid, names[i]);
		bytes += kilobytes > 0 ? (uint64_t)kilobytes * 1024 : 0;
	}
	return bytes;
}

bool xhprof_copy_open(xhprof_copy *copy, xhprof_remote *remote, uint64_t max)
{
	uint64_t size = expected_bytes(remote->pid);
	memset(copy, 0, sizeof(*copy));
	if (size > max) {
		return false;
	}
	copy->size = size + size / 4 + SPARE; /* only address space, until it is used */
	copy->size = copy->size < max ? copy->size : max;
	copy->bytes = xhprof_pages_reserve(copy->size);
	if (!copy->bytes) {
		return false;
	}
	copy->remote = remote;
	/* Touches the pages before the process is stopped. */
	madvise(copy->bytes, copy->size, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
	madvise(copy->bytes, (size + PAGE - 1) / PAGE * PAGE, MADV_POPULATE_WRITE);
#endif
	copy->constants_maps = xhprof_process_file(remote->pid, "maps", NULL);
	if (copy->constants_maps && !copy_mappings(copy, copy->constants_maps, true)) {
		copy->constants.count = 0;
	}
	copy->constants_used = copy->used;
	return true;
}

void xhprof_copy_drop(xhprof_copy *copy)
{
	if (copy->remote) {
		xhprof_remote_of_process(copy->remote);
	}
	free(copy->maps);
	copy->maps = NULL;
	copy->maps_length = copy->moment.count = 0;
	copy->used = copy->constants_used;
}

void xhprof_copy_close(xhprof_copy *copy)
{
	xhprof_copy_drop(copy);
	xhprof_pages_unmap(copy->bytes, copy->size);
	xhprof_pages_unmap(copy->moment.parts, copy->moment.capacity * sizeof(*copy->moment.parts));
	xhprof_pages_unmap(copy->constants.parts, copy->constants.capacity * sizeof(*copy->constants.parts));
	free(copy->constants_maps);
	memset(copy, 0, sizeof(*copy));
}
