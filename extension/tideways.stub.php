<?php

/** @generate-class-entries */

/**
 * Record the CPU time of the thread.
 * @var int
 * @cvalue FLAGS_CPU
 */
const TIDEWAYS_XHPROF_FLAGS_CPU = UNKNOWN;

/**
 * Record the growth of used memory: mu.
 * @var int
 * @cvalue FLAGS_MEMORY_MU
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_MU = UNKNOWN;

/**
 * Record the growth of the peak: pmu.
 * @var int
 * @cvalue FLAGS_MEMORY_PMU
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_PMU = UNKNOWN;

/**
 * Record both, mu and pmu.
 * @var int
 * @cvalue FLAGS_MEMORY
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY = UNKNOWN;

/**
 * Leave PHP's own functions out.
 * @var int
 * @cvalue FLAGS_NO_BUILTINS
 */
const TIDEWAYS_XHPROF_FLAGS_NO_BUILTINS = UNKNOWN;

/**
 * Record what each callee itself allocates and frees: mem.na (blocks), mem.nf (blocks it frees) and mem.aa (bytes). Also what
 * XHPROF_FLAGS_ALLOC does, for xhprof_call_tree() and xhprof_save().
 * @var int
 * @cvalue FLAGS_MEMORY_ALLOC
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC = UNKNOWN;

/**
 * The same, with the bytes as mu, unless TIDEWAYS_XHPROF_FLAGS_MEMORY_MU is requested too.
 * @var int
 * @cvalue FLAGS_MEMORY_ALLOC_AS_MU
 */
const TIDEWAYS_XHPROF_FLAGS_MEMORY_ALLOC_AS_MU = UNKNOWN;

/**
 * Start profiling. Ignored while a profile runs.
 *
 * @param int $flags TIDEWAYS_XHPROF_FLAGS_*, or-ed; others are ignored
 */
function tideways_xhprof_enable(int $flags = 0): void {}

/**
 * Stop profiling.
 *
 * @return array<string, array<string, int>> as xhprof_disable() returns it; empty if nothing is profiled
 */
function tideways_xhprof_disable(): array {}
