#include "spool_read.h"

#include <string.h>

size_t xhprof_spool_read_size(const void *bytes, size_t length)
{
	xhprof_spool_record_head head;
	if (length < sizeof(head)) {
		return 0;
	}
	memcpy(&head, bytes, sizeof(head));
	bool known = head.magic == XHPROF_SPOOL_RECORD_MAGIC || head.magic == XHPROF_SPOOL_RECORD_MAGIC_8;
	if (!known || head.head_checksum != xhprof_spool_head_checksum(&head) || head.length > length - sizeof(head)) {
		return 0;
	}
	size_t size = xhprof_spool_record_size_of(head.length);
	return size <= length ? size : 0;
}

/* A place in a record that numbers are read from: past the end, or on invalid ones, `good` is false from there on and
 * numbers are 0. */
typedef struct reader {
	const unsigned char *at, *end;
	bool good;
} reader;

static uint64_t get_number(reader *from, uint64_t max)
{
	uint64_t number = 0;
	for (unsigned shift = 0; from->good && from->at < from->end && shift < 64; shift += 7) {
		uint64_t byte = *from->at++;
		if (shift == 63 && byte > 1) {
			break;
		}
		number |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			from->good = number <= max;
			return from->good ? number : 0;
		}
	}
	from->good = false;
	return 0;
}

static int64_t to_signed(uint64_t number)
{
	return number & 1 ? -(int64_t)(number >> 1) : (int64_t)(number >> 1);
}

static const char *get_bytes(reader *from, size_t length)
{
	const char *bytes = (const char *)from->at;
	if (!from->good || length > (size_t)(from->end - from->at)) {
		from->good = false;
		return NULL;
	}
	from->at += length;
	return bytes;
}

/* The state of reading a record, which is read twice: `merged` is NULL for the check. */
typedef struct reading {
	reader from;
	bool version_8;
	xhprof_merged *merged;
	size_t route_numbers; /* that its version has */
	uint64_t fields[XHPROF_SPOOL_FIELDS];
	uint32_t files, names;
	uint32_t depth;             /* the largest */
	const xhprof_file **file;   /* by the record's ids; NULL at 0 */
	xhprof_symbol_ref *symbols; /* by the record's ids */
	xhprof_node **path;         /* by depth */
	reader tree;                /* where the tree begins */
	uint32_t route;             /* the name of the last route */
	xhprof_exemplar kept;       /* for exemplars; its nodes are NULL while they are checked, or without memory */
	size_t kept_size;           /* of its pages */
} reading;

static void read_fields(reading *record)
{
	for (size_t i = 0; i < (record->version_8 ? XHPROF_SPOOL_FIELDS_8 : XHPROF_SPOOL_FIELDS); i++) {
		record->fields[i] = get_number(&record->from, i ? XHPROF_SPOOL_LARGEST_NUMBER : UINT64_MAX);
	}
}

/* Returns whether nodes of the record's tree have numbers of blocks. */
static bool has_blocks(const reading *record)
{
	return record->fields[XHPROF_SPOOL_FIELD_ALLOC_BYTES];
}

/* Returns how many numbers the nodes of the record's tree have. */
static size_t numbers_of_tree(const reading *record)
{
	bool keeps = has_blocks(record) && record->fields[XHPROF_SPOOL_FIELD_HAS_KEPT];
	return keeps                ? XHPROF_SPOOL_NODE_NUMBERS
		   : has_blocks(record) ? XHPROF_SPOOL_NODE_ALLOCATING
								: XHPROF_SPOOL_NODE_SHORT;
}

static void read_files(reading *record)
{
	uint64_t room = (uint64_t)(record->from.end - record->from.at); /* each takes at least a byte */
	record->files = (uint32_t)get_number(&record->from, room < UINT32_MAX ? room : UINT32_MAX);
	for (uint32_t id = 1; id <= record->files && record->from.good; id++) {
		size_t length = get_number(&record->from, UINT32_MAX);
		const char *path = get_bytes(&record->from, length);
		if (record->merged && path) {
			xhprof_symbols *symbols = &record->merged->tracer.symbols;
			bool full = symbols->arena.mapped > record->merged->max_names;
			record->file[id] = full ? NULL : xhprof_symbols_file(symbols, "", path, length);
		}
	}
}

static xhprof_place get_place(reading *record)
{
	uint32_t file = (uint32_t)get_number(&record->from, record->files);
	xhprof_place place = {record->merged ? record->file[file] : NULL, 0, 0};
	place.line = (uint32_t)get_number(&record->from, UINT32_MAX);
	place.last_line = (uint32_t)get_number(&record->from, UINT32_MAX);
	return place;
}

static void read_names(reading *record)
{
	uint64_t room = (uint64_t)(record->from.end - record->from.at) / 5; /* each takes at least five bytes */
	record->names = (uint32_t)get_number(&record->from, room < UINT32_MAX ? room : UINT32_MAX);
	for (uint32_t id = 1; id <= record->names && record->from.good; id++) {
		uint32_t flags = (uint32_t)get_number(&record->from, UINT32_MAX);
		size_t length = get_number(&record->from, UINT32_MAX);
		const char *name = get_bytes(&record->from, length);
		xhprof_place place = get_place(record);
		if (record->merged && name) {
			bool full = record->merged->tracer.symbols.arena.mapped > record->merged->max_names;
			record->symbols[id] =
				full ? XHPROF_SYMBOL_TRUNCATED_REF : xhprof_merged_symbol(record->merged, name, length, flags);
			xhprof_merged_place(record->merged, record->symbols[id], &place);
		}
	}
}

static uint32_t get_name(reading *record)
{
	uint32_t id = (uint32_t)get_number(&record->from, record->names);
	record->from.good = record->from.good && id;
	return id;
}

static xhprof_merged_route *find_route(const reading *record, uint32_t id)
{
	const xhprof_symbol *symbol = NULL;
	if (record->symbols[id]) {
		symbol = xhprof_symbols_get(&record->merged->tracer.symbols, XHPROF_SYMBOL_ID(record->symbols[id]));
	}
	return xhprof_merged_find(record->merged, symbol ? symbol->name : XHPROF_MERGED_OTHER_ROUTES,
							  symbol ? symbol->length : sizeof(XHPROF_MERGED_OTHER_ROUTES) - 1);
}

static void add_route(xhprof_merged_route *route, const uint64_t numbers[XHPROF_SPOOL_ROUTE_NUMBERS])
{
	const uint64_t max_us = numbers[XHPROF_SPOOL_ROUTE_MAX];
#define ADD(name, field) route->field = xhprof_distribution_sum(route->field, numbers[XHPROF_SPOOL_ROUTE_##name]);
#define NOT_ADDED(name, field)
	XHPROF_SPOOL_ROUTE(ADD, NOT_ADDED)
	route->max_us = route->max_us > max_us ? route->max_us : max_us;
	xhprof_merged_keep(route, numbers[XHPROF_SPOOL_ROUTE_KEPT_REQUESTS], to_signed(numbers[XHPROF_SPOOL_ROUTE_KEPT]));
}

static void read_distribution(reading *record, xhprof_merged_route *route, xhprof_merged_measure measure)
{
	uint64_t count = get_number(&record->from, XHPROF_DISTRIBUTION_BUCKETS);
	uint32_t bucket = 0;
	for (uint64_t i = 0; i < count && record->from.good; i++) {
		uint32_t step = (uint32_t)get_number(&record->from, XHPROF_DISTRIBUTION_BUCKETS - 1 - bucket);
		uint64_t values = get_number(&record->from, XHPROF_SPOOL_LARGEST_NUMBER);
		record->from.good = record->from.good && (step || i == 0);
		bucket += step;
		if (route && record->from.good) {
			xhprof_merged_count(record->merged, route, measure, bucket, values);
		}
	}
}

static void read_routes(reading *record)
{
	uint64_t count = get_number(&record->from, XHPROF_MERGED_ROUTES + 1);
	while (record->from.good && count--) {
		uint32_t id = record->route = get_name(record);
		uint64_t numbers[XHPROF_SPOOL_ROUTE_NUMBERS] = {0};
		for (size_t i = 0; i < record->route_numbers; i++) {
			numbers[i] = get_number(&record->from, i == XHPROF_SPOOL_ROUTE_KEPT ? 2 * XHPROF_SPOOL_LARGEST_NUMBER + 1
																				: XHPROF_SPOOL_LARGEST_NUMBER);
		}
		xhprof_merged_route *route = record->merged && record->from.good ? find_route(record, id) : NULL;
		if (route) {
			add_route(route, numbers);
		}
		for (int measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
			read_distribution(record, route, (xhprof_merged_measure)measure);
		}
	}
}

static xhprof_node *make_node(const reading *record, uint32_t depth, uint32_t id)
{
	xhprof_node *parent = depth ? record->path[depth - 1] : NULL;
	if (!parent) {
		return record->merged->tracer.tree.root;
	}
	if (depth == 1 && XHPROF_SYMBOL_ID(record->symbols[id]) != XHPROF_SYMBOL_TRUNCATED) {
		xhprof_merged_route *route = find_route(record, id);
		return route ? route->node : parent;
	}
	return xhprof_merged_child(record->merged, parent, record->symbols[id]);
}

/* Reads the node behind one of this depth, or the first, in the order of a record: `count` numbers. */
static void read_node(reading *record, bool first, uint32_t depth, size_t count,
					  uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS])
{
	static const uint64_t most[XHPROF_SPOOL_NODE_NUMBERS] = {
		[XHPROF_SPOOL_NODE_CALLS] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_LINE] = UINT32_MAX,
		[XHPROF_SPOOL_NODE_ALLOCATED_BYTES] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_ALLOCATED_BLOCKS] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_PEAK_BYTES] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_KEPT_BYTES] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_KEPT_BLOCKS] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_RELEASED_BYTES] = XHPROF_SPOOL_LARGEST_NUMBER,
		[XHPROF_SPOOL_NODE_RELEASED_BLOCKS] = XHPROF_SPOOL_LARGEST_NUMBER,
	};
	memset(numbers, 0, sizeof(most));
	numbers[XHPROF_SPOOL_NODE_DEPTH] = get_number(&record->from, first ? 0 : (uint64_t)depth + 1);
	numbers[XHPROF_SPOOL_NODE_NAME] = get_name(record);
	for (size_t i = XHPROF_SPOOL_NODE_CALLS; i < count; i++) {
		numbers[i] = get_number(&record->from, most[i]);
	}
	record->from.good = record->from.good && first == (numbers[XHPROF_SPOOL_NODE_DEPTH] == 0);
}

static void add_node(reading *record, uint32_t depth, const uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS])
{
	xhprof_node *node = make_node(record, depth, (uint32_t)numbers[XHPROF_SPOOL_NODE_NAME]);
	record->path[depth] = node;
	node->calls = xhprof_distribution_sum(node->calls, numbers[XHPROF_SPOOL_NODE_CALLS]);
	if (depth > 1 && node != record->path[depth - 1]) { /* as in a full tree */
		xhprof_merged_call_line(node, (uint32_t)numbers[XHPROF_SPOOL_NODE_LINE]);
	}
	if (record->merged->alloc_bytes) {
		const xhprof_node_blocks blocks = {.allocated_bytes = numbers[XHPROF_SPOOL_NODE_ALLOCATED_BYTES],
										   .allocated_blocks = numbers[XHPROF_SPOOL_NODE_ALLOCATED_BLOCKS]};
		xhprof_merged_allocate(record->merged, node, &blocks, numbers[XHPROF_SPOOL_NODE_PEAK_BYTES]);
	}
	if (numbers_of_tree(record) == XHPROF_SPOOL_NODE_NUMBERS) {
		const xhprof_node_kept kept = {.kept_bytes = numbers[XHPROF_SPOOL_NODE_KEPT_BYTES],
									   .kept_blocks = numbers[XHPROF_SPOOL_NODE_KEPT_BLOCKS],
									   .released_bytes = numbers[XHPROF_SPOOL_NODE_RELEASED_BYTES],
									   .released_blocks = numbers[XHPROF_SPOOL_NODE_RELEASED_BLOCKS]};
		xhprof_merged_add_kept(record->merged, node, &kept);
	}
}

static void read_tree(reading *record)
{
	record->tree = record->from;
	uint64_t count = get_number(&record->from, (uint64_t)(record->from.end - record->from.at));
	uint32_t depth = 0;
	for (uint64_t i = 0; i < count && record->from.good; i++) {
		uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS];
		read_node(record, i == 0, depth, numbers_of_tree(record), numbers);
		depth = (uint32_t)numbers[XHPROF_SPOOL_NODE_DEPTH];
		if (!record->merged) {
			record->depth = depth > record->depth ? depth : record->depth;
		} else if (record->from.good) {
			add_node(record, depth, numbers);
		}
	}
}

/* Makes the places of an exemplar's nodes; `record->kept.nodes` stays NULL without memory. */
static void make_kept(reading *record, size_t nodes)
{
	xhprof_exemplar *kept = &record->kept;
	size_t size = nodes * (sizeof(*kept->nodes) + (has_blocks(record) ? sizeof(*kept->blocks) : 0));
	void *pages = size ? xhprof_pages_map(size) : NULL;
	*kept = (xhprof_exemplar){.nodes = pages, .room = (uint32_t)nodes};
	kept->blocks = pages && has_blocks(record) ? (void *)(kept->nodes + nodes) : NULL;
	record->kept_size = size;
}

static void release_kept(reading *record)
{
	xhprof_pages_unmap(record->kept.nodes, record->kept_size);
	record->kept = (xhprof_exemplar){.nodes = NULL};
}

static void keep_node(reading *record, uint32_t depth, const uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS])
{
	xhprof_exemplar *kept = &record->kept;
	xhprof_symbol_ref symbol = record->symbols[numbers[XHPROF_SPOOL_NODE_NAME]];
	uint64_t calls = numbers[XHPROF_SPOOL_NODE_CALLS];
	uint32_t at = kept->used++;
	kept->nodes[at] = (xhprof_exemplar_node){.symbol = symbol ? symbol : XHPROF_SYMBOL_TRUNCATED_REF,
											 .depth = depth,
											 .calls = calls < UINT32_MAX ? (uint32_t)calls : UINT32_MAX,
											 .line = (uint32_t)numbers[XHPROF_SPOOL_NODE_LINE]};
	if (kept->blocks) {
		kept->blocks[at] = (xhprof_exemplar_blocks){.allocated_bytes = numbers[XHPROF_SPOOL_NODE_ALLOCATED_BYTES],
													.allocated_blocks = numbers[XHPROF_SPOOL_NODE_ALLOCATED_BLOCKS],
													.peak_bytes = numbers[XHPROF_SPOOL_NODE_PEAK_BYTES]};
	}
}

/* Reads the nodes of an exemplar. `above`: how many levels of the tree are above it, whose nodes they are; 0: they are
 * its own. */
static void read_exemplar_nodes(reading *record, reader *from, uint64_t count, uint32_t above)
{
	reader before = record->from;
	uint32_t depth = 0;
	size_t allocating = has_blocks(record) ? XHPROF_SPOOL_NODE_ALLOCATING : XHPROF_SPOOL_NODE_SHORT;
	size_t numbers_of_node = above ? numbers_of_tree(record) : allocating;
	record->from = *from;
	record->kept.used = 0;
	for (uint64_t i = 0; i < count && record->from.good; i++) {
		uint64_t numbers[XHPROF_SPOOL_NODE_NUMBERS];
		read_node(record, i == 0, depth, numbers_of_node, numbers);
		depth = (uint32_t)numbers[XHPROF_SPOOL_NODE_DEPTH];
		if (record->kept.nodes && record->from.good && depth >= above) {
			keep_node(record, depth - above, numbers);
		}
	}
	*from = record->from;
	record->from = before;
}

static void read_exemplar_numbers(reading *record, uint64_t numbers[XHPROF_SPOOL_EXEMPLAR_NUMBERS])
{
	size_t count = record->version_8 ? XHPROF_SPOOL_EXEMPLAR_NUMBERS_8 : XHPROF_SPOOL_EXEMPLAR_NUMBERS;
	memset(numbers, 0, XHPROF_SPOOL_EXEMPLAR_NUMBERS * sizeof(*numbers));
	for (size_t i = 0; i < count; i++) {
		numbers[i] = get_number(&record->from, i >= XHPROF_SPOOL_EXEMPLAR_TRACE   ? UINT32_MAX
											   : i == XHPROF_SPOOL_EXEMPLAR_NODES ? XHPROF_EXEMPLAR_NODES
																				  : XHPROF_SPOOL_LARGEST_NUMBER);
	}
}

static xhprof_trace_ids ids_of(const uint64_t *numbers)
{
	xhprof_trace_ids ids;
	uint32_t parts[sizeof(ids) / sizeof(uint32_t)];
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		parts[i] = (uint32_t)numbers[i];
	}
	memcpy(&ids, parts, sizeof(ids));
	return ids;
}

static xhprof_exemplar_figures figures_of(const uint64_t numbers[XHPROF_SPOOL_EXEMPLAR_NUMBERS])
{
	return (xhprof_exemplar_figures){
		numbers[XHPROF_SPOOL_EXEMPLAR_WALL],   numbers[XHPROF_SPOOL_EXEMPLAR_CPU],
		numbers[XHPROF_SPOOL_EXEMPLAR_PEAK],   numbers[XHPROF_SPOOL_EXEMPLAR_ENDED],
		numbers[XHPROF_SPOOL_EXEMPLAR_FAILED], ids_of(&numbers[XHPROF_SPOOL_EXEMPLAR_TRACE])};
}

static void read_exemplar(reading *record)
{
	uint64_t numbers[XHPROF_SPOOL_EXEMPLAR_NUMBERS];
	uint32_t name = get_name(record);
	uint64_t kind = get_number(&record->from, XHPROF_EXEMPLAR_KINDS - 1);
	read_exemplar_numbers(record, numbers);
	reader from = record->from;
	read_exemplar_nodes(record, &from, numbers[XHPROF_SPOOL_EXEMPLAR_NODES], 0);
	record->from = from;
	if (record->kept.nodes && from.good && record->kept.used) {
		const xhprof_merged_route *route = find_route(record, name);
		record->kept.key = numbers[XHPROF_SPOOL_EXEMPLAR_KEY];
		record->kept.figures = figures_of(numbers);
		if (route) {
			xhprof_merged_offer_kept(record->merged, route, (xhprof_exemplar_kind)kind, &record->kept);
		}
	}
}

/* Reads the one request of the record. */
static void read_itself(reading *record)
{
	uint64_t numbers[XHPROF_SPOOL_EXEMPLAR_NUMBERS];
	read_exemplar_numbers(record, numbers);
	reader from = record->tree;
	uint64_t count = get_number(&from, (uint64_t)(from.end - from.at));
	const xhprof_merged_route *route = record->merged && record->from.good ? find_route(record, record->route) : NULL;
	make_kept(record, route ? (size_t)count : 0);
	if (record->kept.nodes) {
		read_exemplar_nodes(record, &from, count, 1);
		if (from.good && record->kept.used && record->kept.nodes[0].depth == 0) {
			record->kept.figures = figures_of(numbers);
			xhprof_merged_offer_nodes(record->merged, route, &record->kept, numbers[XHPROF_SPOOL_EXEMPLAR_KEY] << 11);
		}
	}
	release_kept(record);
}

static void read_exemplars(reading *record)
{
	uint64_t count = get_number(&record->from, XHPROF_SPOOL_ITSELF);
	if (count == XHPROF_SPOOL_ITSELF) {
		read_itself(record);
		return;
	}
	make_kept(record, record->merged && count ? XHPROF_EXEMPLAR_NODES : 0);
	while (record->from.good && count--) {
		read_exemplar(record);
	}
	release_kept(record);
}

static bool read_all(reading *record, const char *bytes, size_t length)
{
	record->from = (reader){(const unsigned char *)bytes, (const unsigned char *)bytes + length, true};
	read_fields(record);
	read_files(record);
	read_names(record);
	read_routes(record);
	read_tree(record);
	read_exemplars(record);
	return record->from.good && record->from.at == record->from.end;
}

static bool sampled_alike(const reading *record, const xhprof_merged *merged)
{
	return record->fields[XHPROF_SPOOL_FIELD_INTERVAL] == merged->tracer.sample_interval_us &&
		   record->fields[XHPROF_SPOOL_FIELD_CLOCK] == (uint64_t)merged->tracer.samples.clock &&
		   record->fields[XHPROF_SPOOL_FIELD_ALLOC_BYTES] == merged->alloc_bytes &&
		   record->fields[XHPROF_SPOOL_FIELD_FROM] &&
		   record->fields[XHPROF_SPOOL_FIELD_FROM] <= record->fields[XHPROF_SPOOL_FIELD_TO];
}

static void add_fields(const reading *record, xhprof_merged *merged)
{
	xhprof_sample_log *samples = &merged->tracer.samples;
	const uint64_t *fields = record->fields;
	xhprof_merged_span(merged, fields[XHPROF_SPOOL_FIELD_FROM], fields[XHPROF_SPOOL_FIELD_TO]);
	merged->requests = xhprof_distribution_sum(merged->requests, fields[XHPROF_SPOOL_FIELD_REQUESTS]);
	samples->samples = xhprof_distribution_sum(samples->samples, fields[XHPROF_SPOOL_FIELD_SAMPLES]);
	samples->taken = xhprof_distribution_sum(samples->taken, fields[XHPROF_SPOOL_FIELD_TAKEN]);
	samples->delayed = xhprof_distribution_sum(samples->delayed, fields[XHPROF_SPOOL_FIELD_DELAYED]);
	samples->dropped = xhprof_distribution_sum(samples->dropped, fields[XHPROF_SPOOL_FIELD_DROPPED]);
	samples->blocks_dropped =
		xhprof_distribution_sum(samples->blocks_dropped, fields[XHPROF_SPOOL_FIELD_BLOCKS_DROPPED]);
	merged->unfollowed = xhprof_distribution_sum(merged->unfollowed, fields[XHPROF_SPOOL_FIELD_UNFOLLOWED]);
	merged->tracer.tree.dropped =
		xhprof_distribution_sum(merged->tracer.tree.dropped, fields[XHPROF_SPOOL_FIELD_NODES_DROPPED]);
}

bool xhprof_spool_read_merge(const void *bytes, xhprof_merged *merged, uint64_t *process)
{
	xhprof_spool_record_head head;
	memcpy(&head, bytes, sizeof(head));
	const char *contents = (const char *)bytes + sizeof(head);
	bool version_8 = head.magic == XHPROF_SPOOL_RECORD_MAGIC_8;
	reading record = {.version_8 = version_8,
					  .route_numbers = version_8 ? XHPROF_SPOOL_ROUTE_NUMBERS_8 : XHPROF_SPOOL_ROUTE_NUMBERS};
	if (head.checksum != xhprof_hash_bytes(contents, head.length, 0) || !read_all(&record, contents, head.length) ||
		!sampled_alike(&record, merged)) {
		return false;
	}
	size_t path = ((size_t)record.depth + 1) * sizeof(*record.path);
	size_t files = ((size_t)record.files + 1) * sizeof(*record.file);
	size_t size = path + files + ((size_t)record.names + 1) * sizeof(*record.symbols);
	record.path = xhprof_pages_map(size);
	if (!record.path) {
		return false;
	}
	record.file = (const xhprof_file **)((char *)record.path + path);
	record.symbols = (xhprof_symbol_ref *)((char *)record.file + files);
	record.merged = merged;
	read_all(&record, contents, head.length);
	add_fields(&record, merged);
	*process = record.fields[XHPROF_SPOOL_FIELD_PROCESS];
	xhprof_pages_unmap(record.path, size);
	return true;
}
