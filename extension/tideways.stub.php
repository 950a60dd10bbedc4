<?php

/** @generate-class-entries */

/**
 * Record the CPU time of the thread, cpu.
 * @var int
 * @cvalue FLAGS_CPU
 */
const TIDEWAYS_XHPROF_FLAGS_CPU = UNKNOWN;

/**
 * Record the growth of used memory, mu.
 * @var int
 * @cvalue FLAGS_MEMORY_MU
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_MU = UNKNOWN;

/**
 * Record the growth of the peak of used memory, pmu.
 * @var int
 * @cvalue FLAGS_MEMORY_PMU
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_PMU = UNKNOWN;

/**
 * Record the growth of used memory, mu, and of its peak, pmu.
 * @var int
 * @cvalue FLAGS_MEMORY
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY = UNKNOWN;

/**
 * Leave PHP's own functions out: their time and memory count to their callers.
 * @var int
 * @cvalue FLAGS_NO_BUILTINS
 */
const TIDEWAYS_XHPROF_FLAGS_NO_BUILTINS = UNKNOWN;

/**
 * Record what each callee itself allocates and frees: mem.na (blocks it allocates), mem.nf (blocks it frees) and mem.aa (bytes
 * it allocates). Like XHPROF_FLAGS_ALLOC it also records live memory, for xhprof_call_tree() and xhprof_save().
 * @var int
 * @cvalue FLAGS_MEMORY_ALLOC
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC = UNKNOWN;

/**
 * Record what TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC does, and give the allocated bytes as mu too, unless
 * TIDEWAYS_XHPROF_FLAGS_MEMORY_MU is requested as well.
 * @var int
 * @cvalue FLAGS_MEMORY_ALLOC_AS_MU
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC_AS_MU = UNKNOWN;

/**
 * Start profiling. The call has no effect while a profile runs.
 *
 * @param int $flags TIDEWAYS_XHPROF_FLAGS_* constants, joined by "|"; other bits are ignored
 */
function tideways_xhprof_enable(int $flags = 0): void {}

/**
 * Stop profiling.
 *
 * @return array<string, array<string, int>> the edges of the profile, as xhprof_disable() returns them; an empty array if no
 *     profile runs
 */
function tideways_xhprof_disable(): array {}
