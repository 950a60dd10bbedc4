<?php

/** @generate-function-entries */

/**
 * Track allocations from now on: which call path holds how much of the Zend heap. Dumps omit earlier allocations.
 *
 * @return bool false, after a warning, if tracking cannot start
 * @throws Exception if allocations are tracked already
 */
function memprof_enable(): bool {}

/**
 * Stop tracking, and discard what was recorded.
 *
 * @throws Exception when nothing is tracked
 */
function memprof_disable(): bool {}

/**
 * Return whether memprof_enable() or MEMPROF_PROFILE tracks allocations now.
 */
function memprof_enabled(): bool {}

/**
 * Return what is tracked, and whether a profile is written at memory_limit.
 *
 * @return array{enabled: bool, native: bool, dump_on_limit: bool}
 */
function memprof_enabled_flags(): array {}

/**
 * Return live allocations since memprof_enable(), by call path; the outermost is main().
 *
 * @return array<string, mixed> memory_size (bytes), blocks_count, both also with _inclusive, calls, and called_functions:
 *     name => the same
 * @throws Exception if nothing is tracked, or memory is not enough for the dump
 */
function memprof_dump_array(): array {}

/**
 * Write live allocations by function, for KCachegrind.
 *
 * @param resource $handle
 * @throws Exception when nothing is tracked, or the stream cannot be written to
 */
function memprof_dump_callgrind($handle): void {}

/**
 * Write live allocations for the pprof of gperftools.
 *
 * @param resource $handle
 * @throws Exception when nothing is tracked, or the stream cannot be written to
 */
function memprof_dump_pprof($handle): void {}

/**
 * Return XHProf's version.
 */
function memprof_version(): string {}
