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
 * Record which call paths allocate memory of the Zend heap, and how much of it stays alive.
 * @var int
 * @cvalue XHPROF_FLAGS_ALLOC
 */
const XHPROF_FLAGS_ALLOC = UNKNOWN;

/**
 * Keep when calls began and ended, all of them unless xhprof.timeline_threshold is set: see the timeline of a saved run.
 * @var int
 * @cvalue XHPROF_FLAGS_TIMELINE
 */
const XHPROF_FLAGS_TIMELINE = UNKNOWN;

/**
 * Start profiling. Ignored while a profile runs.
 *
 * @param int $flags XHPROF_FLAGS_*, or-ed
 * @param array|null $options "ignored_functions" => string|list<string>: functions and methods to leave out; their callees
 *     count as callees of their callers; "run_init" => bool: show files' top-level code as separate functions in the array
 *     of xhprof_disable(), as saved runs always do; "native" => bool: with XHPROF_FLAGS_ALLOC, also memory from malloc()
 *     (LD_PRELOAD=libxhprof_malloc.so); "timeline_threshold" => int: with XHPROF_FLAGS_TIMELINE, the microseconds that a
 *     call must last to be kept, 0 for every call (default: xhprof.timeline_threshold)
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
 * Return the call tree of the last stopped profile as columns in preorder. Node 0 is main().
 *
 * @return array{names: list<string>, files: list<string>, file: list<int>, line: list<int>, last_line: list<int>,
 *     fn: list<int>, depth: list<int>, ct: list<int>, call_line: list<int>, self: array<string, list<int>>,
 *     corrected?: array<string, list<int>>, samples?: array<string, int|float|string|list<int>>}|null
 *     null without such a profile. file, line, last_line: by name, where the function is: an index into files (-1: not
 *     known; "ext:NAME" is an extension), its first and last line (0: not known). fn: indexes into names. call_line: line of
 *     the caller that called the path first (0: not known). self: exclusive figures, wt and cpu in ns, mu and pmu in bytes,
 *     allocated_bytes, allocated_blocks, freed_bytes and freed_blocks (of these, wherever they were freed), live_bytes,
 *     live_blocks. corrected: an estimate of wt and cpu without profiling (absent if the cost of a call could not be
 *     measured). After sampling, ct counts the samples with the node innermost, self has their time, and samples has
 *     interval_us, clock, start (seconds since the epoch); by sample the lists t (us since start), node (index of the
 *     tree's node) and, if requested, line; taken (stacks read), overruns (intervals that ended before the previous stack
 *     was read; they count for the same path), delayed (taken after an internal function returned), dropped
 */
function xhprof_call_tree(): ?array {}

/**
 * Write the last stopped profile to the run folder, as the file ID.SOURCE.run.
 *
 * @param string $source name of the application or kind of run, [A-Za-z0-9_-]{1,64}
 * @param array $meta anything to keep with the run: at most 1 MB as JSON, 65,536 arrays and 128 levels
 * @return string the run id, 32 hex digits
 * @throws RuntimeException if there is no stopped profile, or it cannot be written
 */
function xhprof_save(string $source = "xhprof", array $meta = []): string {}

/**
 * Start sampling the call path. Ignored while a profile runs.
 *
 * @param array|null $options "interval" => int: microseconds, at least 100; "depth" => int: most functions in a sample's
 *     path, counted from the innermost; "clock" => "wall" or "cpu" (of the thread); "lines" => bool: record the line that
 *     ran. The settings xhprof.sampling_* are the defaults
 * @throws TypeError|ValueError if the value of an option is not allowed
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
 * Begin a span: one job of a worker, profiled as xhprof.mode says and saved at its end. xhprof.start_with_request chooses the
 * spans: yes (every span), trigger or sampled. With "no" nothing happens, except in mode=aggregate, which then has spans only.
 *
 * A span belongs to the fiber where it began. A span that begins in a function called by an outer span's function is part of
 * the outer span. An open span ends when the next one begins in its fiber at the same or a lower depth of calls. Only one
 * profile runs at a time: when another fiber begins a span, the run of this one ends, and is marked as cut.
 *
 * Within a profile of the whole program, its own or that of bin/xhprof run, a span has no run: the timeline shows it, and where
 * allocations are tracked it ends with a mark, as xhprof_alloc_mark() makes it, unless the program makes marks.
 *
 * @param string $name name of the job; jobs of the same name are compared
 * @param array $meta anything to keep with the run: at most 1 MB as JSON, 65,536 arrays and 128 levels
 * @return bool true if the span is profiled, as a run of its own
 */
function xhprof_begin_span(string $name, array $meta = []): bool {}

/**
 * End the span that xhprof_begin_span() began last in this fiber. Where a later span has ended that one, it does nothing and
 * returns null; where none has begun, it warns.
 *
 * @return string|null the id of its run; null when none was saved
 */
function xhprof_end_span(): ?string {}

/**
 * Begin a span that ends when the returned object is destroyed, at the latest, also by an exception.
 *
 * @param string $name as for xhprof_begin_span()
 * @param array $meta as for xhprof_begin_span()
 */
function xhprof_span(string $name, array $meta = []): XHProfSpan {}

/**
 * A span; it ends with end() or the destructor.
 *
 * @strict-properties
 * @not-serializable
 */
final class XHProfSpan
{
    private function __construct() {}

    /**
     * End the span and the spans within it.
     *
     * @return string|null the id of its run; null if none was saved, or the span had ended before
     */
    public function end(): ?string {}
}

/**
 * Name the route of this request, job or program: what it is counted under in a window, and compared by. The last name
 * counts. It takes the place of the one that a framework or the URL gives. Without a profile nothing happens.
 *
 * @param string $name of at most 200 bytes, further ones are cut off; without values, as there should be few of them
 * @throws ValueError if it is empty
 */
function xhprof_set_route(string $name): void {}

/**
 * Drop the profile that settings have started of this request or program: it leaves no run, and no window counts it. For what
 * nobody wants to see, such as health checks. Spans that begin later are profiled.
 *
 * @return bool false if there is none, or within a span
 */
function xhprof_ignore_request(): bool {}

/**
 * Hide the secrets of a URL or a command line, as runs have them: by xhprof.redact, by their looks, and xhprof.trigger_value.
 *
 * @param string|array $text a URL; or list<string>: the arguments of a program of PHP, the script first
 * @return string with REDACTED in their place; at most 16 KB. The arguments as they could be typed, after "php"
 * @throws TypeError if an argument is not a string
 */
function xhprof_redact(string|array $text): string {}

/**
 * Mark this moment. Dumps can be limited to what was allocated between two marks.
 *
 * @return int|false the number of the mark, from 1; false if no allocations are tracked
 */
function xhprof_alloc_mark(): int|false {}

/**
 * Write the live memory, by call path, type and mark, to a stream: that of now, or of the end of the last profile with
 * XHPROF_FLAGS_ALLOC. `xhprof export FILE` converts it to other tools' formats: pprof, callgrind, folded, chrome ... (`--format`).
 *
 * @param resource $stream
 * @param string $format "json": what a run has of live memory, and with the call paths
 * @param array $options "threshold" => int: rows of fewer bytes are summed up; "after" and "before" => int: marks; "types" =>
 *     bool: show what the blocks hold (true); "allocator" => "all", "zend_mm" or "malloc"
 * @return bool false, after a warning, if nothing is tracked or the stream cannot be written to
 * @throws ValueError|TypeError if the format or the value of an option is not allowed, or the stream is closed
 */
function xhprof_alloc_dump($stream, string $format = "json", array $options = []): bool {}

/**
 * Write everything in this process's memory to a file: every string, array, object, function, class ... with its size and
 * references, and while allocations are tracked with the call path that allocated it. This does not change the program.
 *
 * @param string $file an existing file is replaced. Only its owner can read it (0600), as it holds contents of the program's
 *     strings. A device such as /dev/null is written to
 * @param array $options "format" => "jsonl", which `xhprof heap export` converts to formats of other tools, or "summary" (JSON
 *     lines without nodes); "max_string" => int: bytes shown of a string (80); "redact" => bool: no contents of strings, no
 *     numbers (false); "scalars" => bool: also values without memory of their own: numbers, booleans, null (false); "handlers"
 *     => bool: ask objects of internal classes for the values they hold (true); "native" => bool: look for the owners of
 *     memory that has no PHP type (true)
 * @return array{nodes: int, edges: int, usage: int, typed: array{bytes: int, blocks: int}, native: array{bytes: int,
 *     blocks: int}, unreachable: array{bytes: int, blocks: int}, shared_bytes: int, outside_bytes: int, typed_percent: float,
 *     unreadable: int, incomplete: bool, took_ms: float, written: int, types: array<string, array{count: int, bytes: int,
 *     size: int}>, classes: array<string, array{count: int, bytes: int, size: int}>, owners: array<string, array{count: int,
 *     bytes: int}>}|array{} bytes: size of the blocks in PHP's heap, as memory_get_usage() counts; typed, native and
 *     unreachable add up to usage; size: used part of the blocks, or memory elsewhere; shared_bytes: in opcache's memory;
 *     outside_bytes: elsewhere outside of the heap; unreadable: references that led to nothing valid; incomplete: the walk
 *     ran out of memory; written: bytes of the file. Empty, after a warning, if there is no snapshot
 * @throws TypeError|ValueError if the value of an option is not allowed
 */
function xhprof_heap_snapshot(string $file, array $options = []): array {}
