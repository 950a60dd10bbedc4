/* The figures of a node: the one table of them. Columns, the file of a run, arrays for PHP and edges are made from it.
 *
 * F(COLUMN, key, unit, present, value); C() instead of F() for a figure that is in no file, as readers compute it from
 * others. `key` is its name in files and arrays; the unit of an exclusive figure is "ns", "B" or "" (a count);
 * `present`: whether a profile (`tracer`) has it; `value`: the figure of a `node`, the `i`th of those of a `tree` that
 * columns.c reads together.
 *
 * A new figure is a line here; its member in calltree.h, of xhprof_node_links, as a node is one cache line and full; the
 * place that counts it; a line in shedding.c's fold(), which adds a node to its caller; and one in
 * xhprof_lib/src/Profile/Metrics.php. */
#ifndef XHPROF_TRACE_FIGURES_H
#define XHPROF_TRACE_FIGURES_H

/* Expressions for the blocks that a node allocated itself and those of them that were freed, wherever that was.
 * columns.c has whole_blocks(). */
#define XHPROF_NODE_BYTES(which) (blocks[i]->which##_bytes)
#define XHPROF_NODE_BLOCKS(which) whole_blocks(tree, blocks[i]->which##_blocks)

/* Whether a profile has them. Samples of requests are merged, and blocks of earlier requests are gone. */
#define XHPROF_HAS_BLOCKS (tracer->tree.blocks != NULL)
#define XHPROF_HAS_FREED (XHPROF_HAS_BLOCKS && !tracer->sample_interval_us)
#define XHPROF_HAS_KEPT (tracer->tree.kept != NULL)

/* Expressions for the blocks that have outlived their requests, and those of them that were freed later. */
#define XHPROF_NODE_KEPT_BYTES(which) (tree->kept[node->id].which##_bytes)
#define XHPROF_NODE_KEPT_BLOCKS(which) whole_blocks(tree, tree->kept[node->id].which##_blocks)

/* Whether a profile has user and system time apart. */
#define XHPROF_HAS_SYSTEM (tracer->tree.system != NULL)

#define XHPROF_FIGURES(F, C)                                                                                       \
	F(WALL, "wt", "ns", xhprof_tracer_has_wall(tracer), node->self_wall)                                           \
	F(CPU, "cpu", "ns", (tracer->flags & XHPROF_TRACE_CPU) != 0, node->self_cpu)                                   \
	/* Where the CPU clock has them apart, they are the parts of the CPU time. */                                  \
	F(USER, "ut", "ns", XHPROF_HAS_SYSTEM, node->self_cpu - tree->system[node->id])                                \
	F(SYSTEM, "st", "ns", XHPROF_HAS_SYSTEM, tree->system[node->id])                                               \
	F(MEMORY, "mu", "B", (tracer->flags & XHPROF_TRACE_MEMORY) != 0, node->self_memory)                            \
	F(PEAK, "pmu", "B", (tracer->flags & XHPROF_TRACE_MEMORY) != 0, node->self_peak)                               \
	/* Of sampled allocations: the same as the calls. */                                                           \
	F(SAMPLES, "samples", "", tracer->sample_bytes != 0, node->calls)                                              \
	F(ALLOCATED_BYTES, "allocated_bytes", "B", XHPROF_HAS_BLOCKS, XHPROF_NODE_BYTES(allocated))                    \
	F(ALLOCATED_BLOCKS, "allocated_blocks", "", XHPROF_HAS_BLOCKS, XHPROF_NODE_BLOCKS(allocated))                  \
	F(FREED_BYTES, "freed_bytes", "B", XHPROF_HAS_FREED, XHPROF_NODE_BYTES(freed))                                 \
	F(FREED_BLOCKS, "freed_blocks", "", XHPROF_HAS_FREED, XHPROF_NODE_BLOCKS(freed))                               \
	C(LIVE_BYTES, "live_bytes", "B", XHPROF_HAS_FREED, XHPROF_NODE_BYTES(allocated) - XHPROF_NODE_BYTES(freed))    \
	C(LIVE_BLOCKS, "live_blocks", "", XHPROF_HAS_FREED, XHPROF_NODE_BLOCKS(allocated) - XHPROF_NODE_BLOCKS(freed)) \
	/* In samples: of those blocks, live when the heap was largest. */                                             \
	F(PEAK_BYTES, "peak_bytes", "B", XHPROF_HAS_BLOCKS && tracer->sample_interval_us, node->self_peak)             \
	F(KEPT_BYTES, "kept_bytes", "B", XHPROF_HAS_KEPT, XHPROF_NODE_KEPT_BYTES(kept))                                \
	F(KEPT_BLOCKS, "kept_blocks", "", XHPROF_HAS_KEPT, XHPROF_NODE_KEPT_BLOCKS(kept))                              \
	F(RELEASED_BYTES, "released_bytes", "B", XHPROF_HAS_KEPT, XHPROF_NODE_KEPT_BYTES(released))                    \
	F(RELEASED_BLOCKS, "released_blocks", "", XHPROF_HAS_KEPT, XHPROF_NODE_KEPT_BLOCKS(released))

/* Estimated figures, F(COLUMN, key), in no file: readers compute them. See overhead.h. */
#define XHPROF_CORRECTED_FIGURES(F) \
	F(CORRECTED_WALL, "wt")         \
	F(CORRECTED_CPU, "cpu")

/* Figures of an edge in the order of PECL's array, F(METRIC, key, present, value): inclusive, times in us. */
#define XHPROF_EDGE_FIGURES(F)                                                    \
	F(CT, "ct", true, (int64_t)edge->calls)                                       \
	F(WT, "wt", xhprof_tracer_has_wall(tracer), (int64_t)edge->wall_us)           \
	F(CPU, "cpu", (tracer->flags & XHPROF_TRACE_CPU) != 0, (int64_t)edge->cpu_us) \
	F(UT, "ut", XHPROF_HAS_SYSTEM, (int64_t)(edge->cpu_us - edge->system_us))     \
	F(ST, "st", XHPROF_HAS_SYSTEM, (int64_t)edge->system_us)                      \
	F(MU, "mu", (tracer->flags & XHPROF_TRACE_MEMORY) != 0, edge->memory)         \
	F(PMU, "pmu", (tracer->flags & XHPROF_TRACE_MEMORY) != 0, edge->peak)         \
	F(ALLOCATED, "allocated_bytes", tracer->sample_bytes != 0, edge->memory)      \
	F(SAMPLES, "samples", tracer->sample_bytes != 0, edge->peak)

#endif
