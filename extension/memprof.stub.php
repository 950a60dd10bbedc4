<?php

/** @generate-function-entries */

/**
 * Track allocations from now on: which call path holds how many bytes of the Zend heap. Dumps omit earlier allocations.
 *
 * @return bool true; false, after a warning, if tracking cannot start
 * @throws Exception if allocations are tracked already
 */
function memprof_enable(): bool {}

/**
 * Stop tracking allocations, and discard what was recorded.
 *
 * @return bool always true
 * @throws Exception if no allocations are tracked
 */
function memprof_disable(): bool {}

/**
 * Return whether memprof_enable() or MEMPROF_PROFILE tracks allocations now.
 *
 * @return bool true while allocations are tracked
 */
function memprof_enabled(): bool {}

/**
 * Return what is tracked, and whether a profile is written at memory_limit.
 *
 * @return array{enabled: bool, native: bool, dump_on_limit: bool} enabled: allocations of the Zend heap are tracked; native:
 *     memory from malloc() is tracked too; dump_on_limit: a profile is written when memory_limit is reached
 */
function memprof_enabled_flags(): array {}

/**
 * Return the live allocations since memprof_enable(), by call path. The outermost function is main().
 *
 * @return array<string, mixed> main() as an array: memory_size (bytes) and blocks_count (blocks) of the function itself,
 *     memory_size_inclusive and blocks_count_inclusive with its callees, calls (number of calls), and called_functions, which
 *     has such an array for each callee by its name
 * @throws Exception if no allocations are tracked, or memory is not enough for the dump
 */
function memprof_dump_array(): array {}

/**
 * Write the live allocations by function, in the format of KCachegrind.
 *
 * @param resource $handle the stream to write to
 * @throws Exception if no allocations are tracked, or the stream cannot be written to
 */
function memprof_dump_callgrind($handle): void {}

/**
 * Write the live allocations by call path, in the format of the pprof of gperftools.
 *
 * @param resource $handle the stream to write to
 * @throws Exception if no allocations are tracked, or the stream cannot be written to
 */
function memprof_dump_pprof($handle): void {}

/**
 * Return the version of XHProf, which provides the functions of the memprof extension.
 *
 * @return string the version, such as 3.0.0
 */
function memprof_version(): string {}
