/* Made-up requests, merged as a window merges them, and a folder for its files. */
#ifndef XHPROF_UNIT_REQUESTS_H
#define XHPROF_UNIT_REQUESTS_H

#include "nodes.h"
#include "unit.h"

#include "alloc/alloc_sampling.h"
#include "aggregate/merged.h"

#include <stdlib.h>
#include <unistd.h>

#define INTERVAL 1000u     /* us */
#define ALLOC_BYTES 65536u /* from one sampled allocation to the next */

static char folder[256];

/* A request whose samples are counted. */
static inline void request_begin(xhprof_tracer *profile, uint32_t max_nodes)
{
	xhprof_tracer_options options = {
		.max_nodes = max_nodes, .clock = XHPROF_CLOCK_MONOTONIC, .blocks = true, .block_unit = XHPROF_SAMPLING_UNIT};
	xhprof_tracer_prepare(profile, &options);
	profile->tree.root->calls = 0;
	profile->sample_interval_us = INTERVAL;
	profile->samples.only_counts = true;
}

/* `path`: names with ">" between them. */
static inline xhprof_node *request_node(xhprof_tracer *profile, const char *path)
{
	xhprof_node *node = profile->tree.root;
	while (*path) {
		size_t length = strcspn(path, ">");
		xhprof_symbol_ref symbol = xhprof_symbols_intern(&profile->symbols, path, length, 0, 0);
		if (xhprof_symbols_lack_place(&profile->symbols, symbol)) {
			const xhprof_file *file = xhprof_symbols_file(&profile->symbols, "/app/", path, 1);
			xhprof_symbols_set_place(&profile->symbols, symbol,
									 (xhprof_place){file, (uint32_t)length, (uint32_t)length + 1});
		}
		node = xhprof_calltree_child(&profile->tree, node, symbol);
		*xhprof_node_call_line(node) = xhprof_node_is_truncated(node) ? 0 : 10 + (uint32_t)length;
		path += length + (path[length] == '>');
	}
	return node;
}

static inline void request_sample(xhprof_tracer *profile, const char *path, uint64_t count)
{
	xhprof_sample_log_add(&profile->samples, 1, count, request_node(profile, path), 0);
}

/* Half of the bytes are held when the request is largest. */
static inline void request_allocate(xhprof_tracer *profile, const char *path, uint64_t bytes, uint64_t blocks)
{
	xhprof_node *node = request_node(profile, path);
	xhprof_node_blocks *sampled = &profile->tree.blocks[node->id];
	node->self_peak += (int64_t)(bytes / 2);
	sampled->allocated_bytes += bytes;
	sampled->allocated_blocks += blocks * XHPROF_SAMPLING_UNIT;
}

static inline void merged_new(xhprof_merged *merged)
{
	memset(merged, 0, sizeof(*merged));
	xhprof_merged_begin(merged, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 4 << 20);
}

static inline void merged_new_allocating(xhprof_merged *merged)
{
	memset(merged, 0, sizeof(*merged));
	xhprof_merged_begin(merged, INTERVAL, XHPROF_SAMPLE_WALL, ALLOC_BYTES, 30000, 4 << 20);
}

static inline void merged_request(xhprof_merged *merged, const char *route, const xhprof_tracer *profile,
								  uint64_t wall_us)
{
	xhprof_merged_span(merged, 120, 180);
	xhprof_merged_request request = {.values = {wall_us, wall_us / 2, wall_us * 1000},
									 .failed = wall_us % 7 == 1,
									 .aborted = wall_us % 5 == 1,
									 .early = wall_us % 3 == 1,
									 .after_us = wall_us % 3 == 1 ? wall_us * 2 : 0,
									 .cut = wall_us % 11 == 1,
									 .mixed = wall_us % 13 == 1,
									 .unsampled_us = wall_us % 4 == 1 ? wall_us / 4 : 0,
									 .suspended = wall_us % 7 == 0,
									 .suspended_us = wall_us % 7 ? 0 : wall_us / 5};
	xhprof_merged_route *into = xhprof_merged_find(merged, route, strlen(route));
	xhprof_merged_add(merged, into, profile, &request);
	if (wall_us % 3) {
		xhprof_merged_keep(into, 1, (int64_t)wall_us * 4096 - 2000000);
	}
}

static inline const xhprof_node *find_node(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = merged->tracer.tree.root;
	while (node && *path) {
		size_t length = strcspn(path, ">");
		for (node = xhprof_node_first_child(node); node; node = xhprof_node_next_sibling(node)) {
			const xhprof_symbol *name = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(node->symbol));
			if (name->length == length && memcmp(name->name, path, length) == 0) {
				break;
			}
		}
		path += length + (path[length] == '>');
	}
	return node;
}

static inline uint64_t samples_at(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = find_node(merged, path);
	return node ? node->calls : UINT64_MAX;
}

static inline uint64_t bytes_at(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = find_node(merged, path);
	return node && merged->tracer.tree.blocks ? merged->tracer.tree.blocks[node->id].allocated_bytes : UINT64_MAX;
}

static inline uint64_t held_at(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = find_node(merged, path);
	return node ? (uint64_t)node->self_peak : UINT64_MAX;
}

static inline uint64_t parts_at(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = find_node(merged, path);
	return node && merged->tracer.tree.blocks ? merged->tracer.tree.blocks[node->id].allocated_blocks : UINT64_MAX;
}

/* A tree of some routes, paths and odd names. */
static inline void fill(xhprof_merged *merged, unsigned seed)
{
	xhprof_tracer profile = {0};
	char path[128], route[32];
	srand(seed);
	for (int request = 0; request < 20; request++) {
		request_begin(&profile, 10000);
		for (int i = 0; i < 10; i++) {
			snprintf(path, sizeof(path), "f%d>g\xff%d>h%d", rand() % 5, rand() % 5, rand() % 5);
			request_sample(&profile, path, (uint64_t)(rand() % 3));
			request_allocate(&profile, path, (uint64_t)(rand() % 3) << 20, 1);
		}
		snprintf(route, sizeof(route), "GET /%d", rand() % 6);
		merged_request(merged, route, &profile, (uint64_t)(rand() % 1000));
	}
	xhprof_tracer_release(&profile);
}

static inline bool folder_make(void)
{
	const char *temporary = getenv("TMPDIR");
	snprintf(folder, sizeof(folder), "%s/xhprof-unit-XXXXXX", temporary ? temporary : "/tmp");
	return mkdtemp(folder) != NULL;
}

static inline const char *in_folder(const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

#endif
