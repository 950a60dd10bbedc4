/* Routes that are too many. */
#include "requests.h"

#include "aggregate/merged_fold.h"
#include "aggregate/spool_read.h"
#include "aggregate/spool_record.h"

static const xhprof_merged_route *route_of(const xhprof_merged *merged, const char *name)
{
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		if (route->node && (i < merged->route_count || i == XHPROF_MERGED_ROUTES)) {
			const xhprof_symbol *symbol = merged->tracer.symbols.by_id[XHPROF_SYMBOL_ID(route->symbol)];
			if (symbol->length == strlen(name) && memcmp(symbol->name, name, symbol->length) == 0) {
				return route;
			}
		}
	}
	return NULL;
}

static uint64_t requests_of(const xhprof_merged *merged, const char *name)
{
	const xhprof_merged_route *route = route_of(merged, name);
	return route ? route->requests : 0;
}

/* Requests, samples and values of distributions add up, whatever was folded. */
static bool adds_up(const xhprof_merged *merged)
{
	uint64_t requests = 0, samples = 0, nodes = 0, in_tree = 0, walls = 0;
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		requests += route->requests;
		samples += route->samples;
		for (uint32_t bucket = 0; bucket < route->distributions[XHPROF_MERGED_WALL].used; bucket++) {
			walls += route->distributions[XHPROF_MERGED_WALL].buckets[bucket].count;
		}
	}
	for (const xhprof_node *node = merged->tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		in_tree += node->calls;
		nodes++;
	}
	return requests == merged->requests && walls == requests && samples == merged->tracer.samples.samples &&
		   in_tree == samples && nodes == merged->tracer.tree.nodes;
}

/* As a process does. */
static void ask(xhprof_merged *merged, const char *route, const xhprof_tracer *profile, uint64_t wall_us)
{
	xhprof_merged_fold_if_many(merged);
	merged_request(merged, route, profile, wall_us);
}

static const char *odd(char name[128], const char *before, int i, const char *after)
{
	static const char *const words[] = {"ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibis", "jay"};
	snprintf(name, 128, "%s%s%s%s%s%s", before, words[i / 1000 % 10], words[i / 100 % 10], words[i / 10 % 10],
			 words[i % 10], after);
	return name;
}

static void siblings_become_a_pattern(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	char name[128];
	merged_new(&merged);
	request_begin(&profile, 1000);
	request_sample(&profile, "index>blog", 1);
	for (int i = 0; i < 10000; i++) {
		ask(&merged, odd(name, "GET /blog/", i, ""), &profile, 1000);
		if (i % 50 == 0) {
			ask(&merged, "GET /blog/popular", &profile, 1000 + (uint64_t)i);
			ask(&merged, "GET /login", &profile, 500);
			ask(&merged, "POST /blog/popular", NULL, 500);
		}
	}
	CHECK(merged.tracer.symbols.arena.mapped < (1 << 20) && merged.buckets.mapped < (1 << 20));
	CHECK(merged.tracer.tree.nodes < 1600);
	xhprof_merged_fold(&merged);
	CHECK(merged.route_count == 4 && merged.requests == 10600 && adds_up(&merged));
	CHECK(requests_of(&merged, "GET /login") == 200 && requests_of(&merged, "POST /blog/popular") == 200);
	uint64_t pattern = requests_of(&merged, "GET /blog/" XHPROF_FOLD_ANY);
	CHECK(pattern >= 10000 && pattern < 10010);
	CHECK(requests_of(&merged, "GET /blog/popular") == 10200 - pattern); /* those before it was popular */
	CHECK(samples_at(&merged, "GET /blog/" XHPROF_FOLD_ANY ">index>blog") == pattern);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void allocations_are_folded_too(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	char name[128];
	merged_new_allocating(&merged);
	request_begin(&profile, 1000);
	request_allocate(&profile, "index>blog", 1000, 1);
	for (int i = 0; i < 500; i++) {
		ask(&merged, odd(name, "GET /blog/", i, ""), &profile, 10);
	}
	xhprof_merged_fold(&merged);
	CHECK(merged.route_count == 1 && merged.alloc_bytes == ALLOC_BYTES);
	CHECK(bytes_at(&merged, "GET /blog/" XHPROF_FOLD_ANY ">index>blog") == 500000);
	CHECK(parts_at(&merged, "GET /blog/" XHPROF_FOLD_ANY ">index>blog") == 500 * XHPROF_SAMPLING_UNIT);
	CHECK(held_at(&merged, "GET /blog/" XHPROF_FOLD_ANY ">index>blog") == 250000);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void few_siblings_stay(void)
{
	xhprof_merged merged;
	char name[128];
	merged_new(&merged);
	for (int i = 0; i < (int)XHPROF_FOLD_SIBLINGS; i++) {
		ask(&merged, odd(name, "GET /shop/", i * 7, "/edit"), NULL, 10);
		ask(&merged, odd(name, "", i, ""), NULL, 10); /* names of jobs */
	}
	xhprof_merged_fold(&merged);
	CHECK(merged.route_count == 200 && adds_up(&merged));
	ask(&merged, "GET /shop/one/edit", NULL, 10);
	for (int i = 100; i < 300; i++) {
		ask(&merged, odd(name, "", i, ""), NULL, 10);
	}
	xhprof_merged_fold(&merged);
	CHECK(merged.route_count == 301 && requests_of(&merged, "GET /shop/" XHPROF_FOLD_ANY "/edit") == 101);
	CHECK(adds_up(&merged));
	xhprof_merged_release(&merged);
}

static void parameters_and_hosts_are_parts(void)
{
	xhprof_merged merged;
	char name[128];
	merged_new(&merged);
	for (int i = 0; i < 150; i++) {
		ask(&merged, odd(name, "GET /?action=", i, "&page=x"), NULL, 10);
		ask(&merged, odd(name, "GET ", i, ".example.org/about"), NULL, 10);
	}
	xhprof_merged_fold(&merged);
	CHECK(requests_of(&merged, "GET /?action=" XHPROF_FOLD_ANY "&page=x") == 150);
	CHECK(requests_of(&merged, "GET " XHPROF_FOLD_ANY "/about") == 150 && merged.route_count == 2);
	xhprof_merged_release(&merged);
}

static void the_lightest_give_way(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	char name[128], before[128];
	merged_new(&merged);
	request_begin(&profile, 1000);
	request_sample(&profile, "a>b", 1);
	static const char between[] = XHPROF_MERGED_BETWEEN; /* it has samples only */
	xhprof_merged_add(&merged, xhprof_merged_find(&merged, between, sizeof(between) - 1), &profile, NULL);
	for (int i = 0; i < 520; i++) { /* names that have nothing in common */
		ask(&merged, odd(name, "GET job ", i, ""), &profile, 100);
	}
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 20; i++) {
			snprintf(name, sizeof(name), "GET /real/%c", 'a' + i);
			ask(&merged, name, &profile, 20000);
		}
	}
	for (int i = 0; i < 5000; i++) { /* two parts vary */
		odd(before, "GET /x/", i, "/");
		ask(&merged, odd(name, before, i * 7 % 9999, ""), NULL, 100);
	}
	xhprof_merged_fold(&merged);
	CHECK(merged.route_count <= XHPROF_FOLD_ROUTES && merged.requests == 5720 && adds_up(&merged));
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "GET /real/%c", 'a' + i);
		CHECK(requests_of(&merged, name) == 10);
	}
	CHECK(requests_of(&merged, between) == 0 && samples_at(&merged, XHPROF_MERGED_BETWEEN ">a>b") == 1);
	CHECK(route_of(&merged, "(other routes)")->requests > 500 && samples_at(&merged, "(other routes)>a>b") > 20);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

/* A job's name may be its function's too. */
static void functions_keep_their_names(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	char name[128];
	merged_new(&merged);
	for (int i = 0; i < 600; i++) {
		odd(name, "App/", i, "");
		request_begin(&profile, 1000);
		request_sample(&profile, name, 1);
		merged_request(&merged, name, &profile, 100);
	}
	xhprof_merged_fold(&merged);
	CHECK(merged.route_count == 1 && requests_of(&merged, "App/" XHPROF_FOLD_ANY) == 600 && adds_up(&merged));
	odd(name, "App/", 523, "");
	char path[200];
	snprintf(path, sizeof(path), "App/" XHPROF_FOLD_ANY ">%s", name);
	CHECK(samples_at(&merged, path) == 1);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void many_processes_are_folded(void)
{
	xhprof_merged all;
	char name[128];
	uint64_t process;
	merged_new(&all);
	for (int worker = 0; worker < 16; worker++) {
		xhprof_merged merged;
		merged_new(&merged);
		for (int i = 0; i < 450; i++) {
			odd(name, worker % 2 ? "GET job " : "GET /tag/", worker * 450 + i, "");
			ask(&merged, name, NULL, 100);
		}
		ask(&merged, "GET /real", NULL, 9000);
		xhprof_spool_record record;
		CHECK(xhprof_spool_record_make(&record, &merged, 7) && xhprof_spool_read_merge(record.bytes, &all, &process));
		xhprof_spool_record_release(&record);
		xhprof_merged_fold_if_many(&all);
		xhprof_merged_release(&merged);
	}
	xhprof_merged_fold(&all);
	CHECK(all.route_count <= XHPROF_FOLD_ROUTES && all.requests == 16 * 451 && adds_up(&all));
	CHECK(requests_of(&all, "GET /real") == 16 && requests_of(&all, "GET /tag/" XHPROF_FOLD_ANY) == 3600);
	xhprof_merged_release(&all);
}

static void folding_without_memory_loses_nothing(void)
{
	char name[128];
	unsigned bad = 0;
	for (int mmaps = 0; mmaps < 16; mmaps++) {
		xhprof_merged merged;
		merged_new(&merged);
		for (int i = 0; i < 120; i++) {
			merged_request(&merged, odd(name, "GET /blog/", i, ""), NULL, 100);
		}
		unit_mmaps = mmaps;
		xhprof_merged_fold(&merged);
		unit_mmaps = -1;
		bad += !adds_up(&merged) || merged.requests != 120 || (merged.route_count != 120 && merged.route_count != 1);
		bad += merged.route_count == 120 && requests_of(&merged, "GET /blog/antantantant") != 1;
		xhprof_merged_release(&merged);
	}
	CHECK(bad == 0);
}

int main(void)
{
	siblings_become_a_pattern();
	allocations_are_folded_too();
	few_siblings_stay();
	parameters_and_hosts_are_parts();
	the_lightest_give_way();
	functions_keep_their_names();
	many_processes_are_folded();
	folding_without_memory_loses_nothing();
	return unit_end();
}
