#include "route_allocations.h"

static void add_kept(xhprof_node_kept *to, const xhprof_node_kept *kept)
{
	to->kept_bytes = xhprof_distribution_sum(to->kept_bytes, kept->kept_bytes);
	to->kept_blocks = xhprof_distribution_sum(to->kept_blocks, kept->kept_blocks);
	to->released_bytes = xhprof_distribution_sum(to->released_bytes, kept->released_bytes);
	to->released_blocks = xhprof_distribution_sum(to->released_blocks, kept->released_blocks);
}

bool xhprof_route_allocations_of(const xhprof_merged *merged, const xhprof_merged_route *route,
								 xhprof_route_allocations *allocations)
{
	const xhprof_node_kept *kept = merged->tracer.tree.kept;
	const xhprof_node_blocks *blocks = xhprof_merged_blocks(merged, &merged->tracer.tree);
	*allocations =
		(xhprof_route_allocations){.requests = route->allocating, .unheld = route->unheld, .followed = route->followed};
	if (!blocks || xhprof_node_is_truncated(route->node)) { /* (truncated) may be the node of several routes */
		return false;
	}
	uint32_t depth = 0;
	for (const xhprof_node *node = route->node; node; node = xhprof_merged_next_of_route(node, &depth)) {
		uint64_t *allocated = &allocations->allocated_bytes, *held = &allocations->peak_bytes;
		*allocated = xhprof_distribution_sum(*allocated, blocks[node->id].allocated_bytes);
		*held = xhprof_distribution_sum(*held, (uint64_t)node->self_peak);
		if (kept) {
			add_kept(&allocations->kept, &kept[node->id]);
		}
	}
	return allocations->requests || allocations->followed || allocations->allocated_bytes || allocations->peak_bytes;
}
