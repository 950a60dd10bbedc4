#include "spool_record.h"

#include <string.h>

#define MAGIC UINT32_C(0x58415235)
#define NUMBER_ROOM 10 /* bytes that 64 bits take */
#define TRUNCATED_REF ((xhprof_symbol_ref)XHPROF_SYMBOL_TRUNCATED << XHPROF_SYMBOL_FLAG_BITS)
#define LARGEST_NUMBER ((UINT64_C(1) << 53) - 1)

/* In this order. */
enum {
	FIELD_PROCESS,
	FIELD_INTERVAL,
	FIELD_CLOCK,
	FIELD_FROM,
	FIELD_TO,
	FIELD_REQUESTS,
	FIELD_SAMPLES,
	FIELD_TAKEN,
	FIELD_DELAYED,
	FIELD_DROPPED,
	FIELD_NODES_DROPPED,
	FIELDS
};

static uint64_t head_checksum(const xhprof_spool_record_head *head)
{
	return xhprof_hash_bytes(head, offsetof(xhprof_spool_record_head, head_checksum), MAGIC);
}

static char *put_number(char *to, uint64_t number)
{
	while (number >= 0x80) {
		*to++ = (char)(number | 0x80);
		number >>= 7;
	}
	*to++ = (char)number;
	return to;
}

/* NULL if they do not fit. */
static char *put_files(char *to, const char *end, const xhprof_file_list *files)
{
	if ((size_t)(end - to) < NUMBER_ROOM) {
		return NULL;
	}
	to = put_number(to, files ? files->count : 0);
	for (const xhprof_file *file = files ? files->first : NULL; file; file = file->next) {
		if ((size_t)(end - to) < file->length + NUMBER_ROOM) {
			return NULL;
		}
		to = put_number(to, file->length);
		memcpy(to, file->path, file->length);
		to += file->length;
	}
	return to;
}

static char *put_place(char *to, const xhprof_place *place)
{
	to = put_number(to, place->file ? place->file->id : 0);
	to = put_number(to, place->line);
	return put_number(to, place->last_line);
}

static char *put_names(char *to, const xhprof_symbols *symbols)
{
	to = put_number(to, symbols->count);
	for (uint32_t id = 1; id <= symbols->count; id++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(symbols, id);
		to = put_number(to, symbol->flags);
		to = put_number(to, symbol->length);
		memcpy(to, symbol->name, symbol->length);
		to = put_place(to + symbol->length, &symbol->place);
	}
	return to;
}

/* Of a route, in this order. */
enum {
	ROUTE_REQUESTS,
	ROUTE_FAILED,
	ROUTE_ABORTED,
	ROUTE_SAMPLES,
	ROUTE_WALL,
	ROUTE_CPU,
	ROUTE_MAX,
	ROUTE_KEPT_REQUESTS,
	ROUTE_KEPT, /* signed */
	ROUTE_EARLY,
	ROUTE_AFTER,
	ROUTE_NUMBERS
};

/* A number whose sign is its lowest bit: small ones stay short. */
static uint64_t from_signed(int64_t number)
{
	return number < 0 ? (uint64_t)(-number) << 1 | 1 : (uint64_t)number << 1;
}

static int64_t to_signed(uint64_t number)
{
	return number & 1 ? -(int64_t)(number >> 1) : (int64_t)(number >> 1);
}

static char *put_route(char *to, uint32_t name, const uint64_t numbers[ROUTE_NUMBERS])
{
	to = put_number(to, name);
	for (size_t i = 0; i < ROUTE_NUMBERS; i++) {
		to = put_number(to, numbers[i]);
	}
	return to;
}

/* Each bucket by its distance from the one before. */
static char *put_distribution(char *to, const xhprof_distribution *distribution)
{
	uint32_t before = 0;
	to = put_number(to, distribution->used);
	for (uint32_t i = 0; i < distribution->used; i++) {
		to = put_number(to, distribution->buckets[i].bucket - before);
		to = put_number(to, distribution->buckets[i].count);
		before = distribution->buckets[i].bucket;
	}
	return to;
}

static char *put_routes(char *to, const xhprof_merged *merged)
{
	const xhprof_merged_route *others = &merged->routes[XHPROF_MERGED_ROUTES];
	to = put_number(to, merged->route_count + (others->node != NULL));
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		if (route->node && (i < merged->route_count || route == others)) {
			const uint64_t numbers[ROUTE_NUMBERS] = {
				[ROUTE_REQUESTS] = route->requests,
				[ROUTE_FAILED] = route->failed,
				[ROUTE_ABORTED] = route->aborted,
				[ROUTE_SAMPLES] = route->samples,
				[ROUTE_WALL] = route->wall_us,
				[ROUTE_CPU] = route->cpu_us,
				[ROUTE_MAX] = route->max_us,
				[ROUTE_KEPT_REQUESTS] = route->kept_requests,
				[ROUTE_KEPT] = from_signed(route->kept),
				[ROUTE_EARLY] = route->early,
				[ROUTE_AFTER] = route->after_us,
			};
			to = put_route(to, XHPROF_SYMBOL_ID(route->symbol), numbers);
			for (size_t measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
				to = put_distribution(to, &route->distributions[measure]);
			}
		}
	}
	return to;
}

static char *put_tree(char *to, const xhprof_calltree *tree)
{
	uint32_t depth = 0;
	to = put_number(to, tree->nodes);
	for (const xhprof_node *node = tree->root; node; node = xhprof_calltree_next_at(node, &depth)) {
		to = put_number(to, depth);
		to = put_number(to, XHPROF_SYMBOL_ID(node->symbol));
		to = put_number(to, node->calls);
		to = put_number(to, *xhprof_node_call_line(node));
	}
	return to;
}

/* Of an exemplar, in this order, behind its route's name and its kind. */
enum {
	EXEMPLAR_KEY,
	EXEMPLAR_WALL,
	EXEMPLAR_CPU,
	EXEMPLAR_PEAK,
	EXEMPLAR_ENDED,
	EXEMPLAR_FAILED,
	EXEMPLAR_NODES,
	EXEMPLAR_NUMBERS
};

/* How many there are comes first; this many: the record is of one request, which is its exemplar itself. */
#define MOST_EXEMPLARS ((size_t)XHPROF_EXEMPLAR_ROUTES * XHPROF_EXEMPLAR_KINDS)
#define ITSELF (MOST_EXEMPLARS + 1)

static char *put_exemplar_numbers(char *to, uint64_t key, const xhprof_exemplar_figures *figures, uint32_t nodes)
{
	const uint64_t numbers[EXEMPLAR_NUMBERS] = {
		[EXEMPLAR_KEY] = key,
		[EXEMPLAR_WALL] = figures->wall_us,
		[EXEMPLAR_CPU] = figures->cpu_us,
		[EXEMPLAR_PEAK] = figures->peak,
		[EXEMPLAR_ENDED] = figures->ended,
		[EXEMPLAR_FAILED] = figures->failed,
		[EXEMPLAR_NODES] = nodes,
	};
	for (size_t i = 0; i < EXEMPLAR_NUMBERS; i++) {
		to = put_number(to, numbers[i]);
	}
	return to;
}

static char *put_exemplar(char *to, xhprof_symbol_ref route, size_t kind, const xhprof_exemplar *exemplar)
{
	to = put_number(to, XHPROF_SYMBOL_ID(route));
	to = put_number(to, kind);
	to = put_exemplar_numbers(to, exemplar->key, &exemplar->figures, exemplar->used);
	for (uint32_t i = 0; i < exemplar->used; i++) {
		to = put_number(to, exemplar->nodes[i].depth);
		to = put_number(to, XHPROF_SYMBOL_ID(exemplar->nodes[i].symbol));
		to = put_number(to, exemplar->nodes[i].calls);
		to = put_number(to, exemplar->nodes[i].line);
	}
	return to;
}

static size_t count_exemplars(const xhprof_exemplars *exemplars, size_t *nodes)
{
	size_t count = 0;
	for (uint32_t i = 0; i < exemplars->count; i++) {
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			count += exemplars->routes[i].of[kind].key != 0;
			*nodes += exemplars->routes[i].of[kind].used;
		}
	}
	return count;
}

static char *put_exemplars(char *to, const xhprof_exemplars *exemplars)
{
	size_t nodes = 0;
	to = put_number(to, count_exemplars(exemplars, &nodes));
	for (uint32_t i = 0; i < exemplars->count; i++) {
		const xhprof_exemplar_route *entry = &exemplars->routes[i];
		for (size_t kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
			to = entry->of[kind].key ? put_exemplar(to, entry->symbol, kind, &entry->of[kind]) : to;
		}
	}
	return to;
}

static size_t max_bytes_of_exemplars(const xhprof_exemplars *exemplars)
{
	size_t nodes = 0, count = count_exemplars(exemplars, &nodes);
	return (1 + count * (2 + EXEMPLAR_NUMBERS) + nodes * 4) * NUMBER_ROOM;
}

static size_t max_bytes_of(const xhprof_merged *merged)
{
	const xhprof_symbols *symbols = &merged->tracer.symbols;
	size_t names = 0;
	for (uint32_t id = 1; id <= symbols->count; id++) {
		names += xhprof_symbols_get(symbols, id)->length + 5 * NUMBER_ROOM;
	}
	for (const xhprof_file *file = symbols->files.first; file; file = file->next) {
		names += file->length + NUMBER_ROOM;
	}
	size_t buckets = 0;
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		for (size_t measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
			buckets += merged->routes[i].distributions[measure].used;
		}
	}
	return sizeof(xhprof_spool_record_head) + (FIELDS + 5) * NUMBER_ROOM + names +
		   ((size_t)merged->route_count + 1) * (1 + ROUTE_NUMBERS + XHPROF_MERGED_MEASURES) * NUMBER_ROOM +
		   buckets * 2 * NUMBER_ROOM + (size_t)merged->tracer.tree.nodes * 4 * NUMBER_ROOM +
		   max_bytes_of_exemplars(&merged->exemplars) + XHPROF_SPOOL_ALIGN;
}

/* The head in front of `length` bytes of contents; returns the size of the record. */
static size_t finish_record(char *to, size_t length)
{
	const char *contents = to + sizeof(xhprof_spool_record_head);
	xhprof_spool_record_head head = {MAGIC, (uint32_t)length, xhprof_hash_bytes(contents, length, 0), 0};
	head.head_checksum = head_checksum(&head);
	memcpy(to, &head, sizeof(head));
	return (sizeof(head) + length + XHPROF_SPOOL_ALIGN - 1) & ~(size_t)(XHPROF_SPOOL_ALIGN - 1);
}

bool xhprof_spool_record_make(xhprof_spool_record *record, const xhprof_merged *merged, uint64_t process)
{
	const xhprof_tracer *tracer = &merged->tracer;
	record->window = record->journal = 0;
	record->mapped = max_bytes_of(merged);
	record->bytes = record->mapped < UINT32_MAX ? xhprof_pages_map(record->mapped) : NULL;
	if (!record->bytes) {
		return false;
	}
	const uint64_t fields[FIELDS] = {
		[FIELD_PROCESS] = process,
		[FIELD_INTERVAL] = tracer->sample_interval_us,
		[FIELD_CLOCK] = tracer->samples.clock,
		[FIELD_FROM] = merged->from,
		[FIELD_TO] = merged->to,
		[FIELD_REQUESTS] = merged->requests,
		[FIELD_SAMPLES] = tracer->samples.samples,
		[FIELD_TAKEN] = tracer->samples.taken,
		[FIELD_DELAYED] = tracer->samples.delayed,
		[FIELD_DROPPED] = tracer->samples.dropped,
		[FIELD_NODES_DROPPED] = tracer->tree.dropped,
	};
	char *start = (char *)record->bytes + sizeof(xhprof_spool_record_head), *to = start;
	for (size_t i = 0; i < FIELDS; i++) {
		to = put_number(to, fields[i]);
	}
	to = put_files(to, (char *)record->bytes + record->mapped, &tracer->symbols.files);
	to = put_names(to, &tracer->symbols);
	to = put_routes(to, merged);
	to = put_tree(to, &tracer->tree);
	to = put_exemplars(to, &merged->exemplars);
	record->size = finish_record(record->bytes, (size_t)(to - start));
	return true;
}

/* A part's names are the profile's, by their ids, and the route's. */
static char *put_part_names(char *to, const char *end, const xhprof_symbols *symbols, const xhprof_symbol *route)
{
	uint32_t count = symbols ? symbols->count : 0;
	to = put_number(to, (uint64_t)count + 1);
	for (uint32_t id = 1; id <= count + 1; id++) {
		const xhprof_symbol *symbol = id <= count ? xhprof_symbols_get(symbols, id) : route;
		uint32_t length = symbol->length < XHPROF_MERGED_NAME_MAX ? symbol->length : XHPROF_MERGED_NAME_MAX + 4;
		length = length < symbol->length ? length : symbol->length; /* a little more, for a character that is cut */
		if ((size_t)(end - to) < length + 5 * NUMBER_ROOM) {
			return NULL;
		}
		to = put_number(to, id <= count ? symbol->flags : 0);
		to = put_number(to, length);
		memcpy(to, symbol->name, length);
		to = put_place(to + length, id <= count ? &symbol->place : &(xhprof_place){NULL, 0, 0});
	}
	return to;
}

/* main() ==> route, which is the request's main(), ==> its paths. */
static char *put_part_tree(char *to, const char *end, const xhprof_calltree *tree, uint32_t route)
{
	uint32_t depth = 0;
	const xhprof_node *node = tree ? tree->root : NULL;
	uint64_t nodes = tree ? tree->nodes : 1;
	if ((size_t)(end - to) < 8 * NUMBER_ROOM || (size_t)(end - to) / 4 < nodes) {
		return NULL;
	}
	to = put_number(to, nodes + 1);
	to = put_number(to, 0);
	to = put_number(to, 1);
	to = put_number(to, 0);
	to = put_number(to, 0);
	if (!node) {
		to = put_number(to, 1);
		to = put_number(to, route);
		to = put_number(to, 0);
		return put_number(to, 0);
	}
	for (; node; node = xhprof_calltree_next_at(node, &depth)) {
		if ((size_t)(end - to) < 4 * NUMBER_ROOM) {
			return NULL;
		}
		to = put_number(to, (uint64_t)depth + 1);
		to = put_number(to, depth ? XHPROF_SYMBOL_ID(node->symbol) : route);
		to = put_number(to, node->calls);
		to = put_number(to, *xhprof_node_call_line(node));
	}
	return to;
}

/* The numbers of a part's one route, and the number of routes. */
#define PART_NUMBERS (2 + ROUTE_NUMBERS + 3 * XHPROF_MERGED_MEASURES)

static char *put_part_route(char *to, uint32_t name, uint64_t samples, const xhprof_spool_part *part)
{
	static const xhprof_merged_request none;
	const xhprof_merged_request *request = part->request;
	const xhprof_merged_request *end = request ? request : &none;
	const uint64_t numbers[ROUTE_NUMBERS] = {
		[ROUTE_REQUESTS] = request != NULL,
		[ROUTE_FAILED] = end->failed,
		[ROUTE_ABORTED] = end->aborted,
		[ROUTE_SAMPLES] = samples,
		[ROUTE_WALL] = end->values[XHPROF_MERGED_WALL],
		[ROUTE_CPU] = end->values[XHPROF_MERGED_CPU],
		[ROUTE_MAX] = end->values[XHPROF_MERGED_WALL],
		[ROUTE_KEPT_REQUESTS] = part->kept != NULL,
		[ROUTE_KEPT] = part->kept ? from_signed(*part->kept) : 0,
		[ROUTE_EARLY] = end->early,
		[ROUTE_AFTER] = end->after_us,
	};
	to = put_route(to, name, numbers);
	for (size_t i = 0; i < XHPROF_MERGED_MEASURES; i++) {
		xhprof_distribution_bucket bucket = {xhprof_distribution_bucket_of(end->values[i]), 1};
		to = put_distribution(to, &(xhprof_distribution){&bucket, request != NULL, 1});
	}
	return to;
}

static char *put_part_exemplar(char *to, const char *end, const xhprof_spool_part *part, bool sampled)
{
	const xhprof_merged_request *request = part->request;
	if ((size_t)(end - to) < (1 + EXEMPLAR_NUMBERS) * NUMBER_ROOM) {
		return NULL;
	}
	if (!sampled || !request || !request->whole) {
		return put_number(to, 0);
	}
	const xhprof_exemplar_figures figures = {request->values[XHPROF_MERGED_WALL], request->values[XHPROF_MERGED_CPU],
											 request->values[XHPROF_MERGED_PEAK], request->ended, request->failed};
	return put_exemplar_numbers(put_number(to, ITSELF), request->random >> 11, &figures, 0);
}

static uint64_t sum_of_calls(const xhprof_calltree *tree)
{
	uint64_t sum = 0;
	for (const xhprof_node *node = tree ? tree->root : NULL; node; node = xhprof_calltree_next(node)) {
		sum += node->calls;
	}
	return sum;
}

size_t xhprof_spool_record_put(char *to, size_t room, const xhprof_spool_part *part, const xhprof_merged *merged,
							   uint64_t process)
{
	const xhprof_sample_log none = {0}, *log = part->profile ? &part->profile->samples : &none;
	bool sampled = part->profile && log->samples;
	const xhprof_calltree *tree = sampled ? &part->profile->tree : NULL;
	const xhprof_symbols *symbols = sampled ? &part->profile->symbols : NULL;
	const xhprof_symbol *name = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(part->route->symbol));
	uint64_t samples = sum_of_calls(tree);
	const uint64_t fields[FIELDS] = {
		[FIELD_PROCESS] = process,
		[FIELD_INTERVAL] = merged->tracer.sample_interval_us,
		[FIELD_CLOCK] = merged->tracer.samples.clock,
		[FIELD_FROM] = part->from,
		[FIELD_TO] = part->from + 1,
		[FIELD_REQUESTS] = part->request != NULL,
		[FIELD_SAMPLES] = samples,
		[FIELD_TAKEN] = sampled ? log->taken : 0,
		[FIELD_DELAYED] = sampled ? log->delayed : 0,
		[FIELD_DROPPED] = log->dropped,
		[FIELD_NODES_DROPPED] = part->profile ? part->profile->tree.dropped : 0,
	};
	uint32_t route = (symbols ? symbols->count : 0) + 1;
	char *contents = to + sizeof(xhprof_spool_record_head), *at = contents;
	const char *end = to + room - XHPROF_SPOOL_ALIGN;
	if (room < sizeof(xhprof_spool_record_head) + (FIELDS + PART_NUMBERS + 10) * NUMBER_ROOM + XHPROF_SPOOL_ALIGN) {
		return 0;
	}
	for (size_t i = 0; i < FIELDS; i++) {
		at = put_number(at, fields[i]);
	}
	at = put_files(at, end, symbols ? &symbols->files : NULL);
	at = at ? put_part_names(at, end, symbols, name) : NULL;
	if (!at || (size_t)(end - at) < PART_NUMBERS * NUMBER_ROOM) {
		return 0;
	}
	at = put_part_route(put_number(at, 1), route, samples, part);
	at = put_part_tree(at, end, tree, route);
	at = at ? put_part_exemplar(at, end, part, sampled) : NULL;
	return at ? finish_record(to, (size_t)(at - contents)) : 0;
}

void xhprof_spool_record_release(xhprof_spool_record *record)
{
	xhprof_pages_unmap(record->bytes, record->mapped);
	*record = (xhprof_spool_record){.bytes = NULL};
}

size_t xhprof_spool_record_size(const void *bytes, size_t length)
{
	xhprof_spool_record_head head;
	if (length < sizeof(head)) {
		return 0;
	}
	memcpy(&head, bytes, sizeof(head));
	if (head.magic != MAGIC || head.head_checksum != head_checksum(&head) || head.length > length - sizeof(head)) {
		return 0;
	}
	size_t size = (sizeof(head) + (size_t)head.length + XHPROF_SPOOL_ALIGN - 1) & ~(size_t)(XHPROF_SPOOL_ALIGN - 1);
	return size <= length ? size : 0;
}

/* Reads numbers: past the end, or on invalid ones, `good` is false from there on and numbers are 0. */
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

/* A record is read twice: `merged` is NULL for the check. */
typedef struct reading {
	reader from;
	xhprof_merged *merged;
	uint64_t fields[FIELDS];
	uint32_t files, names;
	uint32_t depth;              /* the largest */
	const xhprof_file **file;    /* by the record's ids; NULL at 0 */
	xhprof_symbol_ref *symbols;  /* by the record's ids */
	xhprof_node **path;          /* by depth */
	reader tree;                 /* where the tree begins */
	uint32_t route;              /* the name of the last route */
	xhprof_exemplar_node *nodes; /* for exemplars; NULL while they are checked, or without memory */
} reading;

static void read_fields(reading *record)
{
	for (size_t i = 0; i < FIELDS; i++) {
		record->fields[i] = get_number(&record->from, i ? LARGEST_NUMBER : UINT64_MAX);
	}
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
			record->symbols[id] = full ? TRUNCATED_REF : xhprof_merged_symbol(record->merged, name, length, flags);
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

static void add_route(xhprof_merged_route *route, const uint64_t numbers[ROUTE_NUMBERS])
{
	route->requests = xhprof_merged_sum(route->requests, numbers[ROUTE_REQUESTS]);
	route->failed = xhprof_merged_sum(route->failed, numbers[ROUTE_FAILED]);
	route->aborted = xhprof_merged_sum(route->aborted, numbers[ROUTE_ABORTED]);
	route->samples = xhprof_merged_sum(route->samples, numbers[ROUTE_SAMPLES]);
	route->wall_us = xhprof_merged_sum(route->wall_us, numbers[ROUTE_WALL]);
	route->cpu_us = xhprof_merged_sum(route->cpu_us, numbers[ROUTE_CPU]);
	route->max_us = route->max_us > numbers[ROUTE_MAX] ? route->max_us : numbers[ROUTE_MAX];
	xhprof_merged_keep(route, numbers[ROUTE_KEPT_REQUESTS], to_signed(numbers[ROUTE_KEPT]));
	route->early = xhprof_merged_sum(route->early, numbers[ROUTE_EARLY]);
	route->after_us = xhprof_merged_sum(route->after_us, numbers[ROUTE_AFTER]);
}

static void read_distribution(reading *record, xhprof_merged_route *route, xhprof_merged_measure measure)
{
	uint64_t count = get_number(&record->from, XHPROF_DISTRIBUTION_BUCKETS);
	uint32_t bucket = 0;
	for (uint64_t i = 0; i < count && record->from.good; i++) {
		uint32_t step = (uint32_t)get_number(&record->from, XHPROF_DISTRIBUTION_BUCKETS - 1 - bucket);
		uint64_t values = get_number(&record->from, LARGEST_NUMBER);
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
		uint64_t numbers[ROUTE_NUMBERS];
		for (size_t i = 0; i < ROUTE_NUMBERS; i++) {
			numbers[i] = get_number(&record->from, i == ROUTE_KEPT ? 2 * LARGEST_NUMBER + 1 : LARGEST_NUMBER);
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

static void read_tree(reading *record)
{
	record->tree = record->from;
	uint64_t count = get_number(&record->from, (uint64_t)(record->from.end - record->from.at));
	uint32_t depth = 0;
	for (uint64_t i = 0; i < count && record->from.good; i++) {
		uint32_t at = (uint32_t)get_number(&record->from, i ? (uint64_t)depth + 1 : 0), id = get_name(record);
		uint64_t calls = get_number(&record->from, LARGEST_NUMBER);
		uint32_t line = (uint32_t)get_number(&record->from, UINT32_MAX);
		record->from.good = record->from.good && (i == 0) == (at == 0);
		depth = at;
		if (!record->from.good) {
			return;
		}
		if (record->merged) {
			record->path[depth] = make_node(record, depth, id);
			record->path[depth]->calls = xhprof_merged_sum(record->path[depth]->calls, calls);
			if (depth > 1 && record->path[depth] != record->path[depth - 1]) { /* as in a full tree */
				xhprof_merged_call_line(record->path[depth], line);
			}
		} else {
			record->depth = depth > record->depth ? depth : record->depth;
		}
	}
}

/* Nodes of an exemplar; `above`: how many levels of the tree are above it. */
static uint32_t read_exemplar_nodes(reading *record, reader *from, uint64_t count, uint32_t above)
{
	reader before = record->from;
	uint32_t depth = 0, used = 0;
	record->from = *from;
	for (uint64_t i = 0; i < count && record->from.good; i++) {
		uint32_t at = (uint32_t)get_number(&record->from, i ? (uint64_t)depth + 1 : 0), id = get_name(record);
		uint32_t calls = (uint32_t)get_number(&record->from, above ? LARGEST_NUMBER : UINT32_MAX);
		uint32_t line = (uint32_t)get_number(&record->from, UINT32_MAX);
		record->from.good = record->from.good && (i == 0) == (at == 0);
		depth = at;
		if (record->nodes && record->from.good && at >= above) {
			xhprof_symbol_ref symbol = record->symbols[id] ? record->symbols[id] : TRUNCATED_REF;
			record->nodes[used++] = (xhprof_exemplar_node){symbol, at - above, calls, line};
		}
	}
	*from = record->from;
	record->from = before;
	return used;
}

static void read_exemplar_numbers(reading *record, uint64_t numbers[EXEMPLAR_NUMBERS])
{
	for (size_t i = 0; i < EXEMPLAR_NUMBERS; i++) {
		numbers[i] = get_number(&record->from, i == EXEMPLAR_NODES ? XHPROF_EXEMPLAR_NODES : LARGEST_NUMBER);
	}
}

static xhprof_exemplar_figures figures_of(const uint64_t numbers[EXEMPLAR_NUMBERS])
{
	return (xhprof_exemplar_figures){numbers[EXEMPLAR_WALL], numbers[EXEMPLAR_CPU], numbers[EXEMPLAR_PEAK],
									 numbers[EXEMPLAR_ENDED], numbers[EXEMPLAR_FAILED]};
}

static void read_exemplar(reading *record)
{
	uint64_t numbers[EXEMPLAR_NUMBERS];
	uint32_t name = get_name(record);
	uint64_t kind = get_number(&record->from, XHPROF_EXEMPLAR_KINDS - 1);
	read_exemplar_numbers(record, numbers);
	reader from = record->from;
	uint32_t used = read_exemplar_nodes(record, &from, numbers[EXEMPLAR_NODES], 0);
	record->from = from;
	if (record->nodes && from.good && used) {
		const xhprof_merged_route *route = find_route(record, name);
		const xhprof_exemplar kept = {numbers[EXEMPLAR_KEY], figures_of(numbers), record->nodes, used, used};
		if (route) {
			xhprof_merged_offer_kept(record->merged, route, (xhprof_exemplar_kind)kind, &kept);
		}
	}
}

/* The one request of the record. */
static void read_itself(reading *record)
{
	uint64_t numbers[EXEMPLAR_NUMBERS];
	read_exemplar_numbers(record, numbers);
	reader from = record->tree;
	uint64_t count = get_number(&from, (uint64_t)(from.end - from.at));
	size_t size = (size_t)count * sizeof(*record->nodes);
	const xhprof_merged_route *route = record->merged && record->from.good ? find_route(record, record->route) : NULL;
	record->nodes = route && count ? xhprof_pages_map(size) : NULL;
	if (record->nodes) {
		const xhprof_exemplar_figures figures = figures_of(numbers);
		uint32_t used = read_exemplar_nodes(record, &from, count, 1);
		if (from.good && used && record->nodes[0].depth == 0) {
			xhprof_merged_offer_nodes(record->merged, route, record->nodes, used, &figures,
									  numbers[EXEMPLAR_KEY] << 11);
		}
		xhprof_pages_unmap(record->nodes, size);
		record->nodes = NULL;
	}
}

static void read_exemplars(reading *record)
{
	uint64_t count = get_number(&record->from, ITSELF);
	if (count == ITSELF) {
		read_itself(record);
		return;
	}
	size_t size = XHPROF_EXEMPLAR_NODES * sizeof(*record->nodes);
	record->nodes = record->merged && count ? xhprof_pages_map(size) : NULL;
	while (record->from.good && count--) {
		read_exemplar(record);
	}
	if (record->nodes) {
		xhprof_pages_unmap(record->nodes, size);
		record->nodes = NULL;
	}
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
	return record->fields[FIELD_INTERVAL] == merged->tracer.sample_interval_us &&
		   record->fields[FIELD_CLOCK] == (uint64_t)merged->tracer.samples.clock && record->fields[FIELD_FROM] &&
		   record->fields[FIELD_FROM] <= record->fields[FIELD_TO];
}

static void add_fields(const reading *record, xhprof_merged *merged)
{
	xhprof_sample_log *samples = &merged->tracer.samples;
	const uint64_t *fields = record->fields;
	xhprof_merged_span(merged, fields[FIELD_FROM], fields[FIELD_TO]);
	merged->requests = xhprof_merged_sum(merged->requests, fields[FIELD_REQUESTS]);
	samples->samples = xhprof_merged_sum(samples->samples, fields[FIELD_SAMPLES]);
	samples->taken = xhprof_merged_sum(samples->taken, fields[FIELD_TAKEN]);
	samples->delayed = xhprof_merged_sum(samples->delayed, fields[FIELD_DELAYED]);
	samples->dropped = xhprof_merged_sum(samples->dropped, fields[FIELD_DROPPED]);
	merged->tracer.tree.dropped = xhprof_merged_sum(merged->tracer.tree.dropped, fields[FIELD_NODES_DROPPED]);
}

bool xhprof_spool_record_merge(const void *bytes, xhprof_merged *merged, uint64_t *process)
{
	xhprof_spool_record_head head;
	memcpy(&head, bytes, sizeof(head));
	const char *contents = (const char *)bytes + sizeof(head);
	reading record = {.merged = NULL};
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
	*process = record.fields[FIELD_PROCESS];
	xhprof_pages_unmap(record.path, size);
	return true;
}
