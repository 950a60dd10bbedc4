#include "requests.h"

#include "aggregate/exemplar.h"
#include "aggregate/route_allocations.h"
#include "aggregate/route_waits.h"
#include "aggregate/spool_part.h"
#include "aggregate/spool_read.h"
#include "aggregate/spool_record.h"

static xhprof_merged_request whole_request(uint64_t wall_us, uint64_t random)
{
	return (xhprof_merged_request){
		.values = {wall_us, wall_us / 2, wall_us * 10}, .whole = true, .ended = 150, .random = random};
}

static void add_request(xhprof_merged *merged, const char *route, const char *path, uint64_t wall_us, uint64_t random)
{
	xhprof_tracer profile = {0};
	xhprof_merged_request request = whole_request(wall_us, random);
	request_begin(&profile, 10000);
	request_sample(&profile, path, wall_us / 100);
	request_sample(&profile, "", 1);
	xhprof_merged_span(merged, 120, 180);
	xhprof_merged_add(merged, xhprof_merged_find(merged, route, strlen(route)), &profile, &request);
	xhprof_tracer_release(&profile);
}

static const xhprof_exemplar *kept_of(const xhprof_merged *merged, const char *route, xhprof_exemplar_kind kind)
{
	for (uint32_t i = 0; i < merged->exemplars.count; i++) {
		const xhprof_exemplar_route *entry = &merged->exemplars.routes[i];
		const xhprof_symbol *name = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(entry->symbol));
		if (name->length == strlen(route) && memcmp(name->name, route, name->length) == 0) {
			return &entry->by_kind[kind];
		}
	}
	return NULL;
}

static bool node_is(const xhprof_merged *merged, const xhprof_exemplar_node *node, const char *name, uint32_t depth,
					uint32_t calls)
{
	const xhprof_symbol *symbol = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(node->symbol));
	return symbol->length == strlen(name) && memcmp(symbol->name, name, symbol->length) == 0 && node->depth == depth &&
		   node->calls == calls;
}

/* The slowest is the second, the one by chance the third. */
static void fill_routes(xhprof_merged *merged)
{
	add_request(merged, "GET /a", "f>g", 1000, UINT64_C(1) << 40);
	add_request(merged, "GET /a", "f>slow>h", 9000, UINT64_C(2) << 40);
	add_request(merged, "GET /a", "f>usual", 2000, UINT64_C(9) << 40);
	add_request(merged, "GET /b", "only", 500, 1);
}

static void check_routes(const xhprof_merged *merged)
{
	const xhprof_exemplar *slowest = kept_of(merged, "GET /a", XHPROF_EXEMPLAR_SLOWEST);
	const xhprof_exemplar *random = kept_of(merged, "GET /a", XHPROF_EXEMPLAR_RANDOM);
	CHECK(slowest && slowest->figures.wall_us == 9000 && slowest->figures.cpu_us == 4500 &&
		  slowest->figures.peak == 90000 && slowest->figures.ended == 150);
	CHECK(slowest && slowest->used == 4 && node_is(merged, &slowest->nodes[0], "GET /a", 0, 1) &&
		  node_is(merged, &slowest->nodes[1], "f", 1, 0) && node_is(merged, &slowest->nodes[2], "slow", 2, 0) &&
		  node_is(merged, &slowest->nodes[3], "h", 3, 90));
	CHECK(slowest && slowest->nodes[3].line == 11);
	CHECK(random && random->figures.wall_us == 2000 && random->used == 3 &&
		  node_is(merged, &random->nodes[2], "usual", 2, 20));
	slowest = kept_of(merged, "GET /b", XHPROF_EXEMPLAR_SLOWEST);
	CHECK(slowest && slowest->figures.wall_us == 500);
}

static void slowest_and_random_are_kept(void)
{
	xhprof_merged merged;
	merged_new(&merged);
	fill_routes(&merged);
	check_routes(&merged);
	xhprof_merged_request part = whole_request(100000, UINT64_MAX);
	part.whole = false; /* some of its samples are elsewhere */
	xhprof_tracer profile = {0};
	request_begin(&profile, 100);
	request_sample(&profile, "x", 5);
	xhprof_merged_add(&merged, xhprof_merged_find(&merged, "GET /a", 6), &profile, &part);
	xhprof_tracer_release(&profile);
	check_routes(&merged);
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 4 << 20);
	CHECK(merged.exemplars.count == 0);
	xhprof_merged_release(&merged);
}

static void records_have_them(void)
{
	xhprof_merged merged, read;
	xhprof_spool_record record;
	uint64_t process;
	merged_new(&merged);
	merged_new(&read);
	fill_routes(&merged);
	CHECK(xhprof_spool_record_make(&record, &merged, 7));
	add_request(&read, "GET /c", "before", 100, 5);
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && process == 7);
	check_routes(&read);
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process));
	check_routes(&read); /* the same ones again */
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

/* Unknown in a tree without allocations. */
static void check_allocations(const xhprof_merged *merged, const char *route, uint64_t requests, uint64_t allocated,
							  uint64_t held)
{
	xhprof_route_allocations sums;
	bool known =
		xhprof_route_allocations_of(merged, xhprof_merged_find((xhprof_merged *)merged, route, strlen(route)), &sums);
	CHECK(known == (merged->alloc_bytes != 0));
	CHECK(!known || (sums.requests == requests && sums.allocated_bytes == allocated && sums.peak_bytes == held));
}

static void one_request_is_its_own(void (*make)(xhprof_merged *merged))
{
	static char bytes[4096] __attribute__((aligned(8)));
	xhprof_merged merged, read;
	xhprof_tracer profile = {0};
	xhprof_spool_record record;
	uint64_t process;
	make(&merged);
	make(&read);
	xhprof_merged_request request = whole_request(7000, UINT64_C(3) << 40);
	request_begin(&profile, 100);
	request_sample(&profile, "f>g", 4);
	request_sample(&profile, "f>nothing", 0);
	request_allocate(&profile, "f>g", 300, 1);
	request_allocate(&profile, "f>allocates", 500, 1);
	xhprof_merged_span(&merged, 120, 180);
	xhprof_merged_route *route = xhprof_merged_find(&merged, "GET /a", 6);
	xhprof_merged_add(&merged, route, &profile, &request);
	xhprof_spool_part part = {route, &profile, &request, 120, NULL, 0};
	CHECK(xhprof_spool_part_put(bytes, sizeof(bytes), &part, &merged, 3) > 0);
	CHECK(xhprof_spool_read_merge(bytes, &read, &process));
	CHECK(bytes_at(&merged, "GET /a>f>g") == bytes_at(&read, "GET /a>f>g") &&
		  bytes_at(&merged, "GET /a>f>allocates") == bytes_at(&read, "GET /a>f>allocates"));
	CHECK(bytes_at(&read, "GET /a>f>allocates") == (read.alloc_bytes ? 500 : UINT64_MAX));
	for (int kind = 0; kind < XHPROF_EXEMPLAR_KINDS; kind++) {
		const xhprof_exemplar *kept = kept_of(&read, "GET /a", (xhprof_exemplar_kind)kind);
		CHECK(kept && kept->key == kept_of(&merged, "GET /a", (xhprof_exemplar_kind)kind)->key);
		CHECK(kept && kept->figures.wall_us == 7000 && kept->used == (read.alloc_bytes ? 4 : 3) &&
			  node_is(&read, &kept->nodes[0], "GET /a", 0, 0) &&
			  node_is(&read, &kept->nodes[kept->used - 1], "g", 2, 4));
		CHECK(!read.alloc_bytes == !kept->blocks);
		if (kept->blocks) { /* also of a path that has no samples of time */
			CHECK(kept->blocks[1].allocated_bytes == 0 && kept->blocks[3].allocated_bytes == 300 &&
				  kept->blocks[3].allocated_blocks == XHPROF_SAMPLING_UNIT && kept->blocks[3].peak_bytes == 150);
			CHECK(node_is(&read, &kept->nodes[2], "allocates", 2, 0) && kept->blocks[2].allocated_bytes == 500 &&
				  kept->blocks[2].peak_bytes == 250);
		}
	}
	check_allocations(&merged, "GET /a", 1, 800, 400);
	check_allocations(&read, "GET /a", 1, 800, 400);
	CHECK(xhprof_spool_record_make(&record, &merged, 3) && xhprof_spool_read_merge(record.bytes, &read, &process));
	check_allocations(&read, "GET /a", 2, 1600, 800);
	const xhprof_exemplar *again = kept_of(&read, "GET /a", XHPROF_EXEMPLAR_SLOWEST);
	CHECK(again && (!again->blocks || again->blocks[2].allocated_bytes == 500));
	xhprof_merged_begin(&read, INTERVAL, XHPROF_SAMPLE_WALL, read.alloc_bytes, 30000, 4 << 20);
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process)); /* it has only what the record kept */
	again = kept_of(&read, "GET /a", XHPROF_EXEMPLAR_RANDOM);
	CHECK(again && again->used == (read.alloc_bytes ? 4 : 3) && !again->blocks == !read.alloc_bytes);
	CHECK(again && (!again->blocks || again->blocks[2].peak_bytes == 250));
	xhprof_spool_record_release(&record);
	xhprof_tracer_release(&profile);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

static void large_trees_are_pruned(void)
{
	static xhprof_exemplar_node nodes[4001];
	uint64_t sum = 0;
	for (uint32_t i = 0; i < 4001; i++) { /* a root, and a thousand paths of four */
		nodes[i] =
			(xhprof_exemplar_node){(i + 1) << XHPROF_SYMBOL_FLAG_BITS, i ? (i - 1) % 4 + 1 : 0, i % 4 ? 0 : i, 0};
		sum += nodes[i].calls;
	}
	xhprof_exemplar request = {.nodes = nodes, .used = 4001};
	xhprof_exemplar_prune(&request);
	uint32_t kept = request.used;
	CHECK(kept > XHPROF_EXEMPLAR_NODES / 2 && kept <= XHPROF_EXEMPLAR_NODES);
	CHECK(nodes[0].depth == 0 && nodes[kept - 1].calls == 4000);
	for (uint32_t i = 0; i < kept; i++) {
		sum -= nodes[i].calls;
		CHECK(!i || (nodes[i].depth && nodes[i].depth <= nodes[i - 1].depth + 1));
	}
	CHECK(sum == 0);
	xhprof_exemplar none = {.nodes = &(xhprof_exemplar_node){1 << XHPROF_SYMBOL_FLAG_BITS, 0, 0, 0}, .used = 1};
	xhprof_exemplar_prune(&none);
	CHECK(none.used == 0);
}

/* A root, and as many paths of one function as there is room for: light ones, but for three that have much of one measure. */
static void what_has_much_of_any_measure_is_kept(void)
{
	static xhprof_exemplar_node nodes[3001];
	static xhprof_exemplar_blocks blocks[3001];
	const uint32_t slow = 1500, allocates = 1501, holds = 1502;
	for (uint32_t i = 0; i < 3001; i++) {
		nodes[i] = (xhprof_exemplar_node){(i + 1) << XHPROF_SYMBOL_FLAG_BITS, i != 0, i != 0, 0};
		blocks[i] = (xhprof_exemplar_blocks){i ? 1000 : 0, i ? XHPROF_SAMPLING_UNIT : 0, i ? 100 : 0};
	}
	nodes[slow].calls = 500;
	nodes[allocates].calls = nodes[holds].calls = 0;
	blocks[slow] = (xhprof_exemplar_blocks){0};
	blocks[allocates] = (xhprof_exemplar_blocks){1 << 30, XHPROF_SAMPLING_UNIT, 0};
	blocks[holds] = (xhprof_exemplar_blocks){0, 0, 1 << 30};
	xhprof_exemplar request = {.nodes = nodes, .blocks = blocks, .used = 3001};
	xhprof_exemplar_prune(&request);
	bool found[3] = {false};
	uint64_t calls = 0;
	xhprof_exemplar_blocks sum = {0};
	for (uint32_t i = 0; i < request.used; i++) {
		uint32_t number = (nodes[i].symbol >> XHPROF_SYMBOL_FLAG_BITS) - 1;
		found[0] = found[0] || (number == slow && nodes[i].calls == 500);
		found[1] = found[1] || (number == allocates && blocks[i].allocated_bytes == 1 << 30);
		found[2] = found[2] || (number == holds && blocks[i].peak_bytes == 1 << 30);
		calls += nodes[i].calls;
		sum.allocated_bytes += blocks[i].allocated_bytes;
		sum.allocated_blocks += blocks[i].allocated_blocks;
		sum.peak_bytes += blocks[i].peak_bytes;
	}
	CHECK(request.used >= 4 && request.used <= XHPROF_EXEMPLAR_NODES && found[0] && found[1] && found[2]);
	CHECK(calls == 500 + 2997 && sum.allocated_bytes == (1 << 30) + 2997 * 1000);
	CHECK(sum.allocated_blocks == 2998 * XHPROF_SAMPLING_UNIT && sum.peak_bytes == (1 << 30) + 2997 * 100);
	xhprof_exemplar_node two[] = {{1 << XHPROF_SYMBOL_FLAG_BITS, 0, 1, 0}, {2 << XHPROF_SYMBOL_FLAG_BITS, 1, 0, 0}};
	xhprof_exemplar_blocks held[] = {{UINT64_MAX, 0, 0}, {UINT64_MAX, 0, 0}}; /* from a file */
	request = (xhprof_exemplar){.nodes = two, .blocks = held, .used = 2};
	xhprof_exemplar_prune(&request);
	CHECK(request.used == 2);
}

static void kept_requests_have_their_allocations(void)
{
	static xhprof_exemplar kept; /* zero at first */
	xhprof_exemplar_node nodes[300] = {{1 << XHPROF_SYMBOL_FLAG_BITS, 0, 1, 0}};
	xhprof_exemplar_blocks blocks[300] = {{7, 8, 9}};
	xhprof_exemplar request = {.key = 1, .nodes = nodes, .used = 1};
	xhprof_exemplar_set(&kept, &request);
	CHECK(kept.key == 1 && kept.used == 1 && !kept.blocks);
	request = (xhprof_exemplar){.key = 2, .nodes = nodes, .blocks = blocks, .used = 300}; /* larger, and with blocks */
	xhprof_exemplar_set(&kept, &request);
	CHECK(kept.key == 2 && kept.used == 300 && kept.blocks && kept.blocks[0].peak_bytes == 9);
	request = (xhprof_exemplar){.key = 3, .nodes = nodes, .used = 2};
	xhprof_exemplar_set(&kept, &request);
	CHECK(kept.key == 3 && kept.used == 2 && !kept.blocks);
	request.used = XHPROF_EXEMPLAR_NODES + 1;
	xhprof_exemplar_set(&kept, &request);
	CHECK(kept.key == 0 && kept.used == 0);
	xhprof_pages_unmap(kept.nodes, kept.room * sizeof(*kept.nodes));
}

static void sums_of_routes_are_those_of_their_paths(void)
{
	xhprof_merged merged;
	xhprof_tracer profile = {0};
	xhprof_route_allocations sums;
	merged_new_allocating(&merged);
	for (int i = 0; i < 3; i++) {
		request_begin(&profile, 1000);
		request_allocate(&profile, "f>g", 1000, 1);
		request_allocate(&profile, "", 10, 1);
		merged_request(&merged, i ? "GET /a" : "GET /b", &profile, 100);
	}
	merged_request(&merged, "GET /a", NULL, 100); /* one that could not be sampled */
	merged_request(&merged, "GET /none", NULL, 100);
	check_allocations(&merged, "GET /a", 2, 2020, 1010);
	check_allocations(&merged, "GET /b", 1, 1010, 505);
	CHECK(!xhprof_route_allocations_of(&merged, xhprof_merged_find(&merged, "GET /none", 9), &sums));
	xhprof_merged_add(&merged, xhprof_merged_find(&merged, "job", 3), &profile, NULL); /* goes on in the next window */
	check_allocations(&merged, "job", 0, 1010, 505);
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, ALLOC_BYTES, 8, 4 << 20);
	request_begin(&profile, 1000);
	request_allocate(&profile, "a>b>c>d>e", 1000, 1);
	merged_request(&merged, "GET /a", &profile, 100);
	merged_request(&merged, "GET /full", &profile, 100);
	merged_request(&merged, "GET /full too", &profile, 100); /* both have the tree's (truncated) */
	check_allocations(&merged, "GET /a", 1, 1000, 500);
	CHECK(xhprof_node_is_truncated(xhprof_merged_find(&merged, "GET /full too", 13)->node) &&
		  !xhprof_route_allocations_of(&merged, xhprof_merged_find(&merged, "GET /full too", 13), &sums));
	xhprof_tracer_release(&profile);
	xhprof_merged_release(&merged);
}

static void heavy_routes_have_the_places(void)
{
	static xhprof_exemplars exemplars;
	for (uint32_t i = 1; i <= XHPROF_EXEMPLAR_ROUTES; i++) {
		CHECK(xhprof_exemplars_route(&exemplars, i, 1000 + i) != NULL);
	}
	CHECK(!xhprof_exemplars_route(&exemplars, 100, 1200)); /* hardly more than the lightest */
	const xhprof_exemplar_route *entry = xhprof_exemplars_route(&exemplars, 101, 5000);
	CHECK(entry && entry->symbol == 101 && exemplars.count == XHPROF_EXEMPLAR_ROUTES);
	CHECK(!xhprof_exemplars_route(&exemplars, 1, 1100) && xhprof_exemplars_route(&exemplars, 2, 1002));
	xhprof_exemplars_release(&exemplars);
}

static void add_named(xhprof_tracer *profile, const char *name, uint32_t flags, uint64_t count)
{
	xhprof_symbol_ref symbol = xhprof_symbols_intern(&profile->symbols, name, strlen(name), 0, flags);
	xhprof_node *node = xhprof_calltree_child(&profile->tree, profile->tree.root, symbol);
	xhprof_sample_log_add(&profile->samples, 1, count, node, 0);
}

static void waiting_is_told_apart(void)
{
	xhprof_merged merged;
	xhprof_tracer profile = {0};
	xhprof_route_waits waits;
	uint64_t samples[XHPROF_WAIT_KINDS];
	merged_new(&merged);
	request_begin(&profile, 1000);
	add_named(&profile, "PDO::query", XHPROF_SYMBOL_INTERNAL, 5);
	add_named(&profile, "flock", XHPROF_SYMBOL_INTERNAL, 4);
	add_named(&profile, "usleep", XHPROF_SYMBOL_INTERNAL, 3);
	add_named(&profile, "sleep", 0, 100); /* a function of the program's own */
	add_named(&profile, "load::a.php", XHPROF_SYMBOL_COMPILED, 2);
	add_named(&profile, XHPROF_SYMBOL_GC_NAME, XHPROF_SYMBOL_INTERNAL, 6);
	add_named(&profile, "fastcgi_finish_request", XHPROF_SYMBOL_INTERNAL, 7);
	add_named(&profile, "strlen", XHPROF_SYMBOL_INTERNAL, 50);
	merged_request(&merged, "GET /a", &profile, 500);
	request_begin(&profile, 1000);
	add_named(&profile, "PDO::query", XHPROF_SYMBOL_INTERNAL, 1000);
	merged_request(&merged, "GET /b", &profile, 500);
	CHECK(xhprof_route_waits_begin(&waits, &merged));
	xhprof_route_waits_of(&waits, xhprof_merged_find(&merged, "GET /a", 6), samples);
	CHECK(samples[XHPROF_OPERATION_SQL] == 5 && samples[XHPROF_OPERATION_LOCK] == 4);
	CHECK(samples[XHPROF_OPERATION_SLEEP] == 3 && samples[XHPROF_OPERATION_COMPILE] == 2);
	CHECK(samples[XHPROF_OPERATION_GC] == 6 && samples[XHPROF_WAIT_OUTPUT] == 7 && !samples[XHPROF_OPERATION_FILE]);
	CHECK(!strcmp(xhprof_wait_name(XHPROF_WAIT_OUTPUT), "output") &&
		  !strcmp(xhprof_wait_name(XHPROF_OPERATION_GC), "gc"));
	xhprof_route_waits_of(&waits, xhprof_merged_find(&merged, "GET /b", 6), samples);
	CHECK(samples[XHPROF_OPERATION_SQL] == 1000 && samples[XHPROF_OPERATION_LOCK] == 0);
	xhprof_route_waits_release(&waits);
	xhprof_tracer_release(&profile);
	xhprof_merged_release(&merged);
}

int main(void)
{
	slowest_and_random_are_kept();
	records_have_them();
	one_request_is_its_own(merged_new);
	one_request_is_its_own(merged_new_allocating);
	large_trees_are_pruned();
	what_has_much_of_any_measure_is_kept();
	kept_requests_have_their_allocations();
	sums_of_routes_are_those_of_their_paths();
	heavy_routes_have_the_places();
	waiting_is_told_apart();
	return unit_end();
}
