/* Candidates of the cycle collector: arrays, objects and references that may be garbage, and that nothing else may lead
 * to. The engine does not export the collector's variables; they are recognized by their contents, and each entry of
 * its buffer is confirmed by its target, whose header has the entry's number. */
#include "engine_parts.h"
#include "walk_parts.h"

#include "compat/engine_layout.h"

/* The distance searched from the executor's globals: one program's variables, or one thread's. */
#define WINDOW ((uint64_t)1 << 20)
#define PAGE ((uint64_t)4096)
#define MAX_ENTRIES ((uint32_t)1 << 30)

typedef void (*entry_found)(xhprof_walker *walker, xhprof_addr address, uint32_t number, uint8_t type);

/* Returns the header of an entry's target, if that has the entry's number; else NULL. */
static const zend_refcounted_h *load_entry(xhprof_walker *walker, xhprof_addr address, uint32_t number,
										   zend_refcounted_h *copy)
{
	xhprof_zmm_block block;
	if (address % sizeof(void *) || !xhprof_zmm_block_of(walker->zmm, address, &block)) {
		return NULL;
	}
	const zend_refcounted_h *header = xhprof_reader_load(walker->reader, address, copy, sizeof(*copy));
	return header && xhprof_layout_entry_of(header) == xhprof_layout_entry_number(number) ? header : NULL;
}

/* Calls `found`, if not NULL, for each entry that its target confirms; returns how many do, and stores how many do
 * not. */
static uint32_t read_entries(xhprof_walker *walker, const xhprof_layout_collector *collector, entry_found found,
							 uint32_t *others)
{
	uint64_t piece[512], buffer = (xhprof_addr)collector->buffer;
	uint32_t confirmed = 0, last = collector->first_unused;
	*others = 0;
	for (uint32_t number = 1; number < last && xhprof_walker_may_continue(walker); number++) {
		size_t at = (number - 1) % 512, left = last - number < 512 ? last - number : 512;
		if (at == 0 && xhprof_reader_copy(walker->reader, buffer + number * sizeof(*piece), piece,
										  left * sizeof(*piece)) != left * sizeof(*piece)) {
			*others += last - number;
			break;
		}
		xhprof_addr address = piece[at] & ~(uint64_t)XHPROF_LAYOUT_COLLECTOR_TAG;
		zend_refcounted_h copy;
		const zend_refcounted_h *header = load_entry(walker, address, number, &copy);
		confirmed += header != NULL;
		*others += !header && !xhprof_layout_is_unused_entry(piece[at]);
		if (*others > 16 + confirmed / 8) {
			break; /* it is something else */
		}
		if (header && found) {
			found(walker, address, number, header->u.type_info & GC_TYPE_MASK);
		}
	}
	return confirmed;
}

static bool is_collector(xhprof_walker *walker, const xhprof_layout_collector *collector)
{
	uint32_t others;
	xhprof_addr buffer = (xhprof_addr)collector->buffer;
	if (buffer <= XHPROF_HEAP_ROOTS || buffer % sizeof(void *) || collector->flags & UINT32_C(0xfefefefe) ||
		collector->first_unused < 2 || collector->first_unused > collector->buffer_size ||
		collector->threshold > collector->buffer_size || collector->buffer_size > MAX_ENTRIES ||
		!xhprof_reader_readable(walker->reader, buffer, (uint64_t)collector->first_unused * sizeof(void *))) {
		return false;
	}
	/* A process that runs while it is read may change some of them meanwhile. */
	uint32_t confirmed = read_entries(walker, collector, NULL, &others);
	return confirmed > others * 8;
}

/* Finds the collector's variables; false if they are not found, or its buffer is empty. */
static bool find_collector(xhprof_walker *walker, xhprof_layout_collector *collector)
{
	uint64_t known = walker->engine->executor_globals, piece[512 + sizeof(*collector) / sizeof(uint64_t)];
	uint64_t from = known > WINDOW ? (known - WINDOW) & ~(PAGE - 1) : PAGE, to = from + 2 * WINDOW;
	for (uint64_t at = from; at < to; at += PAGE) {
		const xhprof_region *region = xhprof_reader_region(walker->reader, at);
		if (!region || !region->writable) {
			continue;
		}
		/* One that begins in this page may end in the next. */
		size_t got = xhprof_reader_copy(walker->reader, at, piece, sizeof(piece));
		got = got ? got : xhprof_reader_copy(walker->reader, at, piece, PAGE);
		for (size_t i = 0; i < 512 && i * sizeof(*piece) + sizeof(*collector) <= got; i++) {
			memcpy(collector, &piece[i], sizeof(*collector));
			if (is_collector(walker, collector)) {
				return true;
			}
		}
	}
	return false;
}

/* Reports an entry of the buffer, weakly, as the buffer keeps nothing alive: a cycle that only the buffer lists is
 * garbage. */
static void refer_entry(xhprof_walker *walker, xhprof_addr address, uint32_t number, uint8_t type)
{
	const xhprof_edge_label label = XHPROF_WEAK(xhprof_walk_numbered(walker, number));
	const void *thing = (const void *)address;
	if (type == IS_ARRAY) {
		xhprof_walker_refer(walker, label, XHPROF_VISIT_ARRAY, thing, 0);
	} else if (type == IS_OBJECT) {
		xhprof_walker_refer(walker, label, XHPROF_VISIT_OBJECT, thing, 0);
	} else if (type == IS_REFERENCE) {
		xhprof_walker_refer(walker, label, XHPROF_VISIT_REFERENCE, thing, 0);
	}
}

void xhprof_walk_collector(xhprof_walker *walker)
{
	xhprof_layout_collector collector;
	uint32_t others;
	xhprof_walker_root(walker, XHPROF_HEAP_ROOT_COLLECTOR);
	if (find_collector(walker, &collector)) {
		xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "buffer", collector.buffer,
						   (uint64_t)collector.buffer_size * sizeof(void *));
		read_entries(walker, &collector, refer_entry, &others);
	}
	xhprof_walker_drain(walker);
}
