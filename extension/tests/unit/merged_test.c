#include "requests.h"

#include "aggregate/spool_record.h"

static uint64_t tree_sum(const xhprof_merged *merged)
{
	uint64_t sum = 0;
	for (const xhprof_node *node = merged->tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		sum += node->calls;
	}
	return sum;
}

static void requests_are_merged(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	merged_new(&merged);
	CHECK(xhprof_merged_empty(&merged));
	request_begin(&profile, 1000);
	request_sample(&profile, "a>b>c", 3);
	request_sample(&profile, "", 2);
	request_sample(&profile, "a>x", 0);
	request_sample(&profile, "a>b", 1);
	request_sample(&profile, "d>b", 4);
	merged_request(&merged, "GET /x", &profile, 500);
	CHECK(samples_at(&merged, "GET /x") == 2 && samples_at(&merged, "GET /x>a>b>c") == 3);
	CHECK(samples_at(&merged, "GET /x>a") == 0 && samples_at(&merged, "GET /x>a>b") == 1);
	CHECK(samples_at(&merged, "GET /x>d>b") == 4 && !find_node(&merged, "GET /x>a>x"));
	request_begin(&profile, 1000);
	request_sample(&profile, "d", 1);
	request_sample(&profile, "a>b>c", 5);
	merged_request(&merged, "GET /x", &profile, 700);
	merged_request(&merged, "GET /y", &profile, 100);
	merged_request(&merged, "GET /y", NULL, 50); /* that was too short */
	CHECK(samples_at(&merged, "GET /x>a>b>c") == 8 && samples_at(&merged, "GET /y>a>b>c") == 5);
	CHECK(samples_at(&merged, "GET /x>d") == 1 && samples_at(&merged, "GET /x>d>b") == 4);
	CHECK(merged.requests == 4 && merged.tracer.samples.samples == 22 && tree_sum(&merged) == 22);
	CHECK(merged.routes[0].requests == 2 && merged.routes[0].samples == 16 && merged.routes[0].wall_us == 1200 &&
		  merged.routes[0].max_us == 700);
	CHECK(merged.routes[1].requests == 2 && merged.routes[1].samples == 6 && merged.routes[1].wall_us == 150);
	CHECK(merged.routes[1].cpu_us == 75 && merged.routes[0].failed == 0 && merged.routes[0].aborted == 0);
	CHECK(merged.routes[0].early == 1 && merged.routes[0].after_us == 1400); /* of 700; 500 has none */
	CHECK(merged.routes[1].early == 1 && merged.routes[1].after_us == 200);
	CHECK(merged.routes[0].suspended == 1 && merged.routes[0].suspended_us == 140); /* of 700 */
	CHECK(!merged.routes[1].suspended && !merged.routes[1].suspended_us);
	const xhprof_distribution *wall = &merged.routes[0].distributions[XHPROF_MERGED_WALL];
	CHECK(wall->used == 2 && wall->buckets[0].bucket == xhprof_distribution_bucket_of(500) &&
		  wall->buckets[0].count == 1 && wall->buckets[1].bucket == xhprof_distribution_bucket_of(700));
	CHECK(merged.routes[1].distributions[XHPROF_MERGED_PEAK].used == 2);
	CHECK(merged.from == 120 && merged.to == 180 && !xhprof_merged_empty(&merged));
	xhprof_merged_finish(&merged);
	CHECK(merged.tracer.duration_ns == UINT64_C(22000000));
	CHECK(find_node(&merged, "GET /x>a>b>c")->self_wall == UINT64_C(8000000));
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 1000, 1 << 20);
	CHECK(xhprof_merged_empty(&merged) && merged.requests == 0 && tree_sum(&merged) == 0);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void allocations_are_merged_with_samples_and_without(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	merged_new_allocating(&merged);
	request_begin(&profile, 1000);
	request_sample(&profile, "a>b", 3);
	request_allocate(&profile, "a>b", 100000, 2);
	request_allocate(&profile, "a>c", 50000, 1); /* a path without samples of time */
	request_allocate(&profile, "", 7, 1);        /* main() itself */
	profile.samples.blocks_dropped = 4;
	merged_request(&merged, "GET /x", &profile, 500);
	merged_request(&merged, "GET /x", &profile, 500);
	request_begin(&profile, 1000);
	request_allocate(&profile, "a>c", 25000, 1); /* a request that ends before its first tick */
	CHECK(xhprof_merged_takes(&merged, &profile) && !profile.samples.samples);
	merged_request(&merged, "GET /x", &profile, 500);
	CHECK(bytes_at(&merged, "GET /x>a>b") == 200000 && parts_at(&merged, "GET /x>a>b") == 4 * XHPROF_SAMPLING_UNIT);
	CHECK(bytes_at(&merged, "GET /x>a>c") == 125000 && bytes_at(&merged, "GET /x") == 14 && bytes_at(&merged, "") == 0);
	CHECK(held_at(&merged, "GET /x>a>b") == 100000 && held_at(&merged, "GET /x>a>c") == 62500);
	CHECK(held_at(&merged, "GET /x") == 6 && held_at(&merged, "GET /x>a") == 0);
	CHECK(samples_at(&merged, "GET /x>a>c") == 0 && merged.tracer.samples.blocks_dropped == 8);
	CHECK(merged.routes[0].samples == 6 && merged.routes[0].requests == 3);
	xhprof_node *node = (xhprof_node *)find_node(&merged, "GET /x>a>c");
	xhprof_merged_allocate(&merged, node, &(xhprof_node_blocks){.allocated_bytes = UINT64_MAX}, UINT64_MAX);
	CHECK(bytes_at(&merged, "GET /x>a>c") == (UINT64_C(1) << 53) - 1);
	CHECK(held_at(&merged, "GET /x>a>c") == (UINT64_C(1) << 53) - 1);
	request_begin(&profile, 1000); /* allocated in an earlier window, and held in this one */
	request_node(&profile, "a>d")->self_peak = 9;
	CHECK(xhprof_merged_takes(&merged, &profile));
	merged_request(&merged, "GET /x", &profile, 500);
	CHECK(held_at(&merged, "GET /x>a>d") == 9 && bytes_at(&merged, "GET /x>a>d") == 0);
	xhprof_merged_release(&merged);

	merged_new(&merged); /* one that has none */
	CHECK(!xhprof_merged_takes(&merged, &profile) && !xhprof_merged_takes(&merged, NULL));
	merged_request(&merged, "GET /x", &profile, 500);
	CHECK(!merged.tracer.tree.blocks && merged.tracer.tree.nodes == 2 && merged.requests == 1);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void kept_memory_is_signed_and_bounded(void)
{
	const int64_t most = (INT64_C(1) << 53) - 1;
	xhprof_merged_route route = {0};
	xhprof_merged_keep(&route, 1, 8192);
	xhprof_merged_keep(&route, 2, -12288);
	CHECK(route.kept_requests == 3 && route.kept == -4096);
	xhprof_merged_keep(&route, 0, INT64_MIN);
	CHECK(route.kept == -most);
	xhprof_merged_keep(&route, UINT64_MAX, INT64_MAX);
	xhprof_merged_keep(&route, 1, INT64_MAX);
	CHECK(route.kept == most && route.kept_requests == (uint64_t)most);
}

static void merging_is_bounded(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	char name[3000];
	memset(&merged, 0, sizeof(merged));
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 50, 1 << 20);
	request_begin(&profile, 1000);
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "f%d>g", i);
		request_sample(&profile, name, 1);
	}
	CHECK(xhprof_merged_full(&merged, profile.tree.nodes) && !xhprof_merged_full(&merged, 10));
	merged_request(&merged, "r", &profile, 1);
	CHECK(merged.tracer.tree.nodes <= 50 + 50 / 16 + 16 && tree_sum(&merged) == 100 && merged.tracer.tree.dropped > 0);
	CHECK(find_node(&merged, "r>(truncated)") != NULL);

	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 1 << 20);
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "GET /%d", i);
		merged_request(&merged, name, NULL, 1);
	}
	CHECK(merged.route_count == XHPROF_MERGED_ROUTES && merged.requests == 3000);
	CHECK(merged.routes[XHPROF_MERGED_ROUTES].requests == 2000 && merged.routes[999].requests == 1);
	CHECK(find_node(&merged, "(other routes)") && merged.tracer.tree.nodes == XHPROF_MERGED_ROUTES + 2);
	CHECK(merged.tracer.symbols.count < 1100); /* names that are not routes are not kept */
	merged_request(&merged, "(other routes)", NULL, 1);
	merged_request(&merged, "GET /7", NULL, 1);
	CHECK(merged.routes[XHPROF_MERGED_ROUTES].requests == 2001 && merged.routes[7].requests == 2);

	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 1 << 20);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	request_begin(&profile, 1000);
	request_sample(&profile, name, 1);
	merged_request(&merged, "", &profile, 1);
	name[XHPROF_MERGED_NAME_MAX] = '\0';
	char path[4000];
	snprintf(path, sizeof(path), "(no name)>%s", name);
	CHECK(samples_at(&merged, path) == 1);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void deep_paths_are_merged_in_memory_of_the_profile(void)
{
	xhprof_tracer profile = {0};
	xhprof_scratch scratch = {0};
	xhprof_merged merged;
	merged_new(&merged);
	request_begin(&profile, 30000);
	profile.scratch = &scratch;
	xhprof_node *node = profile.tree.root;
	for (int i = 0; i < 20000; i++) {
		node = xhprof_calltree_child(&profile.tree, node, xhprof_symbols_intern(&profile.symbols, "f", 1, 0, 0));
	}
	xhprof_sample_log_add(&profile.samples, 1, 1, node, 0);
	merged_request(&merged, "r", &profile, 1);
	CHECK(merged.tracer.tree.nodes == 20002 && tree_sum(&merged) == 1);
	CHECK(scratch.wanted > 20000 * 2 * sizeof(node) && !scratch.out);
	size_t mapped = merged.tracer.symbols.arena.mapped;
	merged_request(&merged, "r", &profile, 1);
	CHECK(scratch.size == scratch.wanted && !scratch.out && merged.tracer.symbols.arena.mapped == mapped);
	CHECK(merged.tracer.tree.nodes == 20002 && tree_sum(&merged) == 2);
	xhprof_scratch_trim(&scratch, 0);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void merging_without_memory_loses_no_samples(void)
{
	xhprof_tracer profile = {0};
	request_begin(&profile, 30000);
	for (int i = 0; i < 3000; i++) {
		char path[64];
		snprintf(path, sizeof(path), "f%d>g%d>h", i, i % 7);
		request_sample(&profile, path, 1);
	}
	unsigned bad = 0;
	for (int mmaps = 0; mmaps < 24; mmaps++) {
		xhprof_merged merged;
		memset(&merged, 0, sizeof(merged));
		unit_mmaps = mmaps;
		if (xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 4 << 20)) {
			xhprof_merged_route *route = xhprof_merged_find(&merged, "r", 1);
			if (route) {
				xhprof_merged_add(&merged, route, &profile, &(xhprof_merged_request){.values = {5}});
				bad += route->requests != 1 || route->samples != 3000 || tree_sum(&merged) != 3000;
			}
			xhprof_spool_record record;
			if (xhprof_spool_record_make(&record, &merged, 1)) {
				xhprof_spool_record_release(&record);
			}
		}
		unit_mmaps = -1;
		xhprof_merged_release(&merged);
	}
	CHECK(bad == 0);
	xhprof_tracer_release(&profile);
}

int main(void)
{
	requests_are_merged();
	allocations_are_merged_with_samples_and_without();
	kept_memory_is_signed_and_bounded();
	merging_is_bounded();
	deep_paths_are_merged_in_memory_of_the_profile();
	merging_without_memory_loses_no_samples();
	return unit_end();
}
