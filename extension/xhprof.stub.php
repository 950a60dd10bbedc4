<?php

/** @generate-class-entries */

/**
 * Leave PHP's own functions out: their time and memory count to their callers.
 * @var int
 * @cvalue XHPROF_FLAGS_NO_BUILTINS
 */
const XHPROF_FLAGS_NO_BUILTINS = UNKNOWN;

/**
 * Record the CPU time of the thread.
 * @var int
 * @cvalue XHPROF_FLAGS_CPU
 */
const XHPROF_FLAGS_CPU = UNKNOWN;

/**
 * Record the growth of used memory and of its peak.
 * @var int
 * @cvalue XHPROF_FLAGS_MEMORY
 */
const XHPROF_FLAGS_MEMORY = UNKNOWN;

/**
 * Record which call path allocates memory of the Zend heap, and what of it stays alive.
 * @var int
 * @cvalue XHPROF_FLAGS_ALLOC
 */
const XHPROF_FLAGS_ALLOC = UNKNOWN;

/**
 * Start profiling. Ignored while a profile runs.
 *
 * @param int $flags XHPROF_FLAGS_*, or-ed
 * @param array|null $options "ignored_functions" => string|list<string>: functions and methods to leave out, their callees
 *     hang on their callers; "run_init" => bool: give files' top-level code edges of its own
 *     in the array of xhprof_disable(), as in runs that are saved; "native" => bool: with
 *     XHPROF_FLAGS_ALLOC, memory from malloc() as well (LD_PRELOAD=libxhprof_malloc.so)
 */
function xhprof_enable(int $flags = 0, ?array $options = null): void {}

/**
 * Stop profiling.
 *
 * @return array<string, array<string, int>>|null "main()" and "caller==>callee" => ct (calls), wt (wall time, us),
 *     cpu (us), mu (memory, bytes), pmu (peak memory, bytes), all inclusive; null when nothing is profiled
 */
function xhprof_disable(): ?array {}

/**
 * The call tree of the last stopped profile as columns in preorder, node 0 is main(); null without such a profile.
 *
 * @return array{names: list<string>, fn: list<int>, depth: list<int>, ct: list<int>, self: array<string, list<int>>,
 *     corrected?: array<string, list<int>>, samples?: array<string, int|float|string|list<int>>}|null
 *     fn are indexes into names; self figures are exclusive: wt and cpu in ns, mu and pmu in bytes, allocated_bytes,
 *     allocated_blocks, freed_bytes, freed_blocks (of those, wherever they were freed), live_bytes, live_blocks; corrected: wt and cpu
 *     as they would be unprofiled, an estimate (absent where the cost of a call could not be measured). Of a sampling ct
 *     are the samples with the node innermost, self their time, and samples: interval_us, clock, start (seconds since the
 *     epoch), lists by sample of t (us since start), node (index of the tree's node) and, where asked for, line; taken
 *     (stacks read), overruns (intervals that ended before the last was taken: they count for the same path), delayed
 *     (taken when the internal function that ran had returned), dropped
 */
function xhprof_call_tree(): ?array {}

/**
 * Write the last stopped profile to the run folder: ID.SOURCE.xhprof, .tree.json and .meta.json.
 *
 * @param string $source name of the run's kind or application, [A-Za-z0-9_-]{1,64}
 * @param array $meta anything to keep with the run
 * @return string the run id, 32 hex digits
 * @throws RuntimeException when no profile has been stopped, or it cannot be written
 */
function xhprof_save(string $source = "xhprof", array $meta = []): string {}

/**
 * Start sampling the call path. Ignored while a profile runs.
 *
 * @param array|null $options "interval" => int: microseconds, at least 100; "depth" => int: so many of the innermost
 *     functions in a sample's path; "clock" => "wall" or "cpu" (of the thread); "lines" => bool: which line ran. What is
 *     not given is as the settings xhprof.sampling_* say
 * @throws TypeError|ValueError for an option's value that cannot be
 */
function xhprof_sample_enable(?array $options = null): void {}

/**
 * Stop sampling.
 *
 * @return array<string, string>|null "seconds.microseconds" => "main()==>a==>b", with lines "main()==>a==>b:17"; null
 *     when nothing is sampled
 */
function xhprof_sample_disable(): ?array {}

/**
 * Begin a span: one job of a worker, profiled as xhprof.mode says and saved at its end, as far as xhprof.start_with_request
 * wants it: yes (every span), trigger or sampled. With "no" nothing happens, but in mode=aggregate, which then has spans alone.
 *
 * A span belongs to the fiber where it began. A span within a span belongs to it: one that begins in a function that the
 * outer one's function calls. One that was left open ends when the next one begins in its fiber at the same depth of calls
 * or a lower one. One profile runs at a time: when another fiber begins a span, the run of this one ends there.
 *
 * @param string $name what the job is called; jobs of one name are compared
 * @param array $meta anything to keep with the run
 * @return bool whether it is profiled
 */
function xhprof_begin_span(string $name, array $meta = []): bool {}

/**
 * End the span that was begun last in this fiber by xhprof_begin_span().
 *
 * @return string|null the id of its run; null when none was saved
 */
function xhprof_end_span(): ?string {}

/**
 * Begin a span that ends with the object that is returned, at the latest: by an exception, too.
 *
 * @param string $name as for xhprof_begin_span()
 * @param array $meta as for xhprof_begin_span()
 */
function xhprof_span(string $name, array $meta = []): XHProfSpan {}

/**
 * A span, which its end() or its destructor ends.
 *
 * @strict-properties
 * @not-serializable
 */
final class XHProfSpan
{
    private function __construct() {}

    /**
     * End the span, and those within it.
     *
     * @return string|null the id of its run; null when none was saved, or it has ended before
     */
    public function end(): ?string {}
}

/**
 * Mark this moment: dumps can ask for what was allocated after one mark and before another one.
 *
 * @return int the number of the mark, from 1; false when no allocations are tracked
 */
function xhprof_alloc_mark(): int|false {}

/**
 * Write what is allocated and alive, by call path, type and mark, to a stream: now, or at the end of the last profile with
 * XHPROF_FLAGS_ALLOC. `xhprof export FILE` makes other tools' formats of it: pprof, callgrind, folded, chrome ... (`--format`).
 *
 * @param resource $stream
 * @param string $format "json": as memory.json of a run, with the call paths in it
 * @param array $options "threshold" => int: rows of fewer bytes are summed up; "after" and "before" => int: marks; "types" =>
 *     bool: what the blocks hold (true); "allocator" => "all", "zend_mm" or "malloc"
 * @return bool false, after a warning, when nothing is tracked or the stream cannot be written to
 * @throws ValueError|TypeError for a format or option there is not, and for a stream that is closed
 */
function xhprof_alloc_dump($stream, string $format = "json", array $options = []): bool {}

/**
 * Write all that is in this process's memory to a file: every string, array, object, function, class ... with its size and
 * references, and while allocations are tracked the call path that allocated it. The program does not change by it.
 *
 * @param string $file replaced when there is one; only its owner can read it (0600), for it holds what the program's strings
 *     do. A device such as /dev/null is written to
 * @param array $options "format" => "jsonl", which `xhprof heap export` turns into other tools' formats, or "summary" (JSON
 *     lines without nodes); "max_string" => int: bytes shown of a string (80); "redact" => bool: no contents of strings, no
 *     numbers (false); "scalars" => bool: also values that take no memory of their own (false); "handlers" => bool: ask
 *     objects of internal classes for the values they hold (true); "native" => bool: look for the owners of memory without
 *     a type of PHP's (true)
 * @return array{nodes: int, edges: int, usage: int, typed: array{bytes: int, blocks: int}, native: array{bytes: int,
 *     blocks: int}, unreachable: array{bytes: int, blocks: int}, shared_bytes: int, outside_bytes: int, typed_percent: float,
 *     unreadable: int, incomplete: bool, took_ms: float, written: int, types: array<string, array{count: int, bytes: int,
 *     size: int}>, classes: array<string, array{count: int, bytes: int, size: int}>, owners: array<string, array{count: int,
 *     bytes: int}>}|array{} bytes: of blocks of PHP's heap, as memory_get_usage() counts them, the sum of typed, native and
 *     unreachable is usage; size: of what is used in them, or elsewhere; shared_bytes: in opcache's memory; outside_bytes:
 *     elsewhere out of the heap; unreadable: references to what was no such thing; incomplete: no memory for the walk; written: bytes
 *     of the file. Empty, after a warning, when there is no snapshot
 * @throws TypeError|ValueError for an option's value that cannot be
 */
function xhprof_heap_snapshot(string $file, array $options = []): array {}
