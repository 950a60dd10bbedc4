/* The figures of a node: the one table of them. Columns, the file of a run, arrays for PHP and edges are made from it.
 *
 * F(COLUMN, key, unit, present), or C() for what readers of a file compute from others: it is in none. `key` is its name in
 * files and arrays; the unit of an exclusive figure is "ns", "B" or "" (a count); `present`: whether a profile (`tracer`)
 * has it. How two nodes' figures are put together is said in shedding.h and merged.h. A new figure is a line here, and the
 * place where the tracer counts it. */
#ifndef XHPROF_TRACE_FIGURES_H
#define XHPROF_TRACE_FIGURES_H

#define XHPROF_FIGURES(F, C)                                                                           \
	F(WALL, "wt", "ns", xhprof_tracer_has_wall(tracer))                                                \
	F(CPU, "cpu", "ns", tracer->flags &XHPROF_TRACE_CPU)                                               \
	F(MEMORY, "mu", "B", tracer->flags &XHPROF_TRACE_MEMORY)                                           \
	F(PEAK, "pmu", "B", tracer->flags &XHPROF_TRACE_MEMORY)                                            \
	/* Of sampled allocations: the same as the calls. */                                               \
	F(SAMPLES, "samples", "", tracer->sample_bytes != 0)                                               \
	/* Of blocks that the node allocated itself; freed ones are of those, wherever they were freed. */ \
	F(ALLOCATED_BYTES, "allocated_bytes", "B", tracer->tree.blocks != NULL)                            \
	F(ALLOCATED_BLOCKS, "allocated_blocks", "", tracer->tree.blocks != NULL)                           \
	/* Samples are merged with those of other requests, whose blocks are gone. */                      \
	F(FREED_BYTES, "freed_bytes", "B", tracer->tree.blocks != NULL && !tracer->sample_interval_us)     \
	F(FREED_BLOCKS, "freed_blocks", "", tracer->tree.blocks != NULL && !tracer->sample_interval_us)    \
	C(LIVE_BYTES, "live_bytes", "B", tracer->tree.blocks != NULL && !tracer->sample_interval_us)       \
	C(LIVE_BLOCKS, "live_blocks", "", tracer->tree.blocks != NULL && !tracer->sample_interval_us)      \
	/* In samples: of those blocks, live when the heap was largest. */                                 \
	F(PEAK_BYTES, "peak_bytes", "B", tracer->tree.blocks != NULL && tracer->sample_interval_us)

/* Estimates, F(COLUMN, key): they are in no file, whose readers compute them. See overhead.h. */
#define XHPROF_CORRECTED_FIGURES(F) \
	F(CORRECTED_WALL, "wt")         \
	F(CORRECTED_CPU, "cpu")

/* Figures of an edge, in the order of PECL's array, F(METRIC, key, present): inclusive, times in us. */
#define XHPROF_EDGE_FIGURES(F)                                 \
	F(CT, "ct", true)                                          \
	F(WT, "wt", xhprof_tracer_has_wall(tracer))                \
	F(CPU, "cpu", tracer->flags &XHPROF_TRACE_CPU)             \
	F(MU, "mu", tracer->flags &XHPROF_TRACE_MEMORY)            \
	F(PMU, "pmu", tracer->flags &XHPROF_TRACE_MEMORY)          \
	F(ALLOCATED, "allocated_bytes", tracer->sample_bytes != 0) \
	F(SAMPLES, "samples", tracer->sample_bytes != 0)

#endif
