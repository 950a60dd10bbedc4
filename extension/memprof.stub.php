<?php

/** @generate-function-entries */

/**
 * Track allocations from now on: which call path holds how much of the Zend heap. What was allocated before is in no dump.
 *
 * @return bool false, after a warning, when it cannot be
 * @throws Exception when they are tracked already
 */
function memprof_enable(): bool {}

/**
 * Stop, and forget what was recorded.
 *
 * @throws Exception when nothing is tracked
 */
function memprof_disable(): bool {}

/**
 * Whether memprof_enable(), or MEMPROF_PROFILE, tracks allocations now.
 */
function memprof_enabled(): bool {}

/**
 * What is tracked, and whether a profile is written at memory_limit.
 *
 * @return array{enabled: bool, native: bool, dump_on_limit: bool}
 */
function memprof_enabled_flags(): array {}

/**
 * What is alive of what was allocated since memprof_enable(), by call path; the outermost is main().
 *
 * @return array<string, mixed> memory_size (bytes), blocks_count, both also with _inclusive, calls, and called_functions:
 *     name => the same
 * @throws Exception when nothing is tracked, or there is no memory for the dump
 */
function memprof_dump_array(): array {}

/**
 * Write the same, by function, for KCachegrind.
 *
 * @param resource $handle
 * @throws Exception when nothing is tracked, or the stream cannot be written to
 */
function memprof_dump_callgrind($handle): void {}

/**
 * Write the same for the pprof of gperftools.
 *
 * @param resource $handle
 * @throws Exception when nothing is tracked, or the stream cannot be written to
 */
function memprof_dump_pprof($handle): void {}

/**
 * XHProf's version.
 */
function memprof_version(): string {}
