<?php

/** @generate-class-entries */

/**
 * Leave PHP's own functions out: their time and memory count to their callers.
 * @var int
 * @cvalue XHPROF_FLAGS_NO_BUILTINS
 */
const XHPROF_FLAGS_NO_BUILTINS = UNKNOWN;

/**
 * Record the CPU time of the thread, cpu.
 * @var int
 * @cvalue XHPROF_FLAGS_CPU
 */
const XHPROF_FLAGS_CPU = UNKNOWN;

/**
 * Record the growth of used memory, mu, and of its peak, pmu.
 * @var int
 * @cvalue XHPROF_FLAGS_MEMORY
 */
const XHPROF_FLAGS_MEMORY = UNKNOWN;

/**
 * Record which call paths allocate memory of the Zend heap, and how many bytes and blocks of it stay alive.
 * @var int
 * @cvalue XHPROF_FLAGS_ALLOC
 */
const XHPROF_FLAGS_ALLOC = UNKNOWN;

/**
 * Record when calls began and ended, for the timeline of a saved run. xhprof.timeline_threshold leaves short calls out.
 * @var int
 * @cvalue XHPROF_FLAGS_TIMELINE
 */
const XHPROF_FLAGS_TIMELINE = UNKNOWN;

/**
 * Start profiling. While a profile runs, the call does not start another one.
 *
 * @param int $flags XHPROF_FLAGS_* constants, joined by "|"; other bits are ignored, with a warning
 * @param array|null $options "ignored_functions" => string|list<string>: functions and methods to leave out; their callees
 *     count as callees of their callers; "run_init" => bool: show files' top-level code as separate functions in the array
 *     of xhprof_disable(), as saved runs always do (false); "native" => bool: with XHPROF_FLAGS_ALLOC, also record memory from
 *     malloc(), which needs LD_PRELOAD=libxhprof_malloc.so (false); "timeline_threshold" => int: with XHPROF_FLAGS_TIMELINE,
 *     the microseconds that a call must last to be kept, 0 for every call (default: xhprof.timeline_threshold)
 * @throws TypeError|ValueError if the value of an option is not allowed
 */
function xhprof_enable(int $flags = 0, ?array $options = null): void {}

/**
 * Stop profiling.
 *
 * @return array<string, array<string, int>>|null the edges, "main()" and "caller==>callee", each with ct (number of calls), wt
 *     (wall time in us) and, if requested, cpu (CPU time in us), mu (growth of used memory in bytes) and pmu (growth of the
 *     peak in bytes), all inclusive; null if no profile runs
 */
function xhprof_disable(): ?array {}

/**
 * Return the call tree of the last stopped profile as columns in preorder. Node 0 is main().
 *
 * @return array{names: list<string>, files: list<string>, file: list<int>, line: list<int>, last_line: list<int>,
 *     fn: list<int>, depth: list<int>, ct: list<int>, call_line: list<int>, self: array<string, list<int>>,
 *     corrected?: array<string, list<int>>, samples?: array<string, int|float|string|list<int>>}|null
 *     null without a stopped profile. file, line and last_line have an entry for each name, which says where the function is:
 *     an index into files (-1: not known; the file "ext:NAME" is an extension), its first and its last line (0: not known). All
 *     other lists have an entry for each node. fn: index into names. depth: number of callers. ct: number of calls. call_line:
 *     line of the caller that called the path first (0: not known). self: exclusive figures, wt and cpu in ns, mu and pmu in
 *     bytes, allocated_bytes and allocated_blocks, freed_bytes and freed_blocks (of the allocated ones, wherever they were
 *     freed), live_bytes and live_blocks. corrected: an estimate of wt and cpu without profiling, in ns (absent if the cost of
 *     a call could not be measured). After sampling, ct is the number of samples with the node innermost, self has their time,
 *     and samples has interval_us, clock, start (seconds since the epoch); the lists t (us since start), node (index of the
 *     tree's node) and, if requested, line, each with an entry for each sample; and the numbers taken (stacks read), overruns
 *     (intervals that ended before the previous stack was read; they count for the same path), delayed (samples taken after an
 *     internal function had returned) and dropped (samples for which there was no room)
 */
function xhprof_call_tree(): ?array {}

/**
 * Write the last stopped profile to the run folder, as the file ID.SOURCE.run.
 *
 * @param string $source the name of the application or kind of run, [A-Za-z0-9_-]{1,64}
 * @param array $meta anything to keep with the run: at most 1 MB as JSON, 65,536 arrays and 128 levels
 * @return string the id of the run, 32 hex digits
 * @throws RuntimeException if there is no stopped profile, or it cannot be written
 * @throws ValueError if the source is not allowed, or the metadata is too large or cannot be encoded as JSON
 */
function xhprof_save(string $source = "xhprof", array $meta = []): string {}

/**
 * Start sampling the call path. While a profile runs, the call does not start another one.
 *
 * @param array|null $options "interval" => int: the microseconds between two samples, at least 100; "depth" => int: the most
 *     functions in a sample's path, counted from the innermost; "clock" => "wall" (wall time) or "cpu" (CPU time of the thread);
 *     "lines" => bool: record the line that ran. The settings xhprof.sampling_* are the defaults
 * @throws TypeError|ValueError if the value of an option is not allowed
 */
function xhprof_sample_enable(?array $options = null): void {}

/**
 * Stop sampling.
 *
 * @return array<string, string>|null the call path of each sample by its time, "seconds.microseconds" since the epoch:
 *     "main()==>a==>b", or with lines "main()==>a==>b:17"; null if no sampling runs
 */
function xhprof_sample_disable(): ?array {}

/**
 * Begin a span: one job of a worker, profiled as xhprof.mode says and saved at its end. xhprof.start_with_request chooses the
 * spans: yes (every span), trigger or sampled. With "no" nothing happens, except in mode=aggregate, which then has spans only.
 *
 * A span belongs to the fiber where it began. A span that begins in a function called by an outer span's function is part of
 * the outer span. An open span ends when the next one begins in its fiber at the same or a lower depth of calls. A fiber that
 * has no span of its own works for the span of the code that made it, or else of the fiber that started it. Any number of
 * fibers may have spans at once, up to 10,000: the profile of each has only what ran for it, and how long it was suspended.
 * Where all blocks are recorded (mode=alloc, or with XHPROF_FLAGS_ALLOC), one profile runs at a time: when another fiber begins
 * a span, the run of this one ends.
 *
 * Within a profile of the whole program, its own or that of bin/xhprof run, a span has no run: the timeline shows it, and where
 * allocations are tracked it ends with a mark, as xhprof_alloc_mark() makes it, unless the program makes marks.
 *
 * @param string $name the name of the job; jobs of the same name are compared
 * @param array $meta anything to keep with the run: at most 1 MB as JSON, 65,536 arrays and 128 levels
 * @return bool true if the span is profiled, as a run of its own
 * @throws ValueError if the metadata is too large or cannot be encoded as JSON
 */
function xhprof_begin_span(string $name, array $meta = []): bool {}

/**
 * End the span that xhprof_begin_span() began last in this fiber. If a later span has ended it already, the call does nothing;
 * if no span has begun, it gives a warning.
 *
 * @return string|null the id of the span's run; null if no run was saved
 */
function xhprof_end_span(): ?string {}

/**
 * Begin a span that ends when the returned object is destroyed, at the latest, also by an exception.
 *
 * @param string $name the name of the job; jobs of the same name are compared
 * @param array $meta anything to keep with the run: at most 1 MB as JSON, 65,536 arrays and 128 levels
 * @return XHProfSpan the span, whether it is profiled or not
 * @throws ValueError if the metadata is too large or cannot be encoded as JSON
 */
function xhprof_span(string $name, array $meta = []): XHProfSpan {}

/**
 * A span that xhprof_span() has begun. It ends with end(), or when the object is destroyed.
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

    /**
     * Let the running fiber work for this span until leave(), as in a callback of an event loop without fibers. Calls may be
     * nested, up to 10,000 times. Nothing happens if the span has ended.
     */
    public function enter(): void {}

    /**
     * End the last enter() of this span in the running fiber, and those after it. Nothing happens if there was none.
     */
    public function leave(): void {}
}

/**
 * Name the route of this request, job or program. Windows count it under this name, and runs are compared by it. The last name
 * counts, and replaces the name that a framework or the URL gives. Without a profile the call does nothing; nor between the
 * requests of a worker.
 *
 * @param string $name the route, of which the first 200 bytes are kept. It should contain no values, such as numbers of
 *     customers: a program should have few routes
 * @throws ValueError if the name is empty
 */
function xhprof_set_route(string $name): void {}

/**
 * Set the trace context of the code that runs: the trace and the span of it that samples and operations from here on are of, as
 * OpenTelemetry and W3C's Trace Context name them. Exports for pprof and OTLP have the ids, and the slow requests of windows.
 *
 * Each fiber has its own; a new fiber has that of the code that made it until it sets one. It lasts until it is set again, until
 * the span of XHProf in which it was set ends, or the request. Where OpenTelemetry's PHP packages run, its active span is the
 * context by itself, unless the fiber has set another one.
 *
 * @param string|null $trace_id 32 hexadecimal digits; null, with the other one: no context is set any more
 * @param string|null $span_id 16 hexadecimal digits
 * @return array{trace_id: string, span_id: string}|null the context before, or null if there was none
 * @throws ValueError if an id is anything else, all zeros, or null beside an id
 */
function xhprof_context(?string $trace_id, ?string $span_id): ?array {}

/**
 * Drop the profile that settings have started of this request or program: it leaves no run, and no window counts it. This is
 * for requests that are of no interest, such as health checks. Spans that begin later are profiled. Of a worker it drops the
 * request or job that a known runtime has begun.
 *
 * @return bool true if a profile was dropped; false if settings have started no profile, a span is open that the program has
 *     begun, or a worker's request is over
 */
function xhprof_ignore_request(): bool {}

/**
 * Return the id of the run that settings, or bin/xhprof run, record of this request, job or program, which is saved at its end
 * unless xhprof.save_if or xhprof.save_slower_than_ms decide otherwise. The file is ID.SOURCE.run, with xhprof.source.
 *
 * @return string|null 32 hex digits; null if nothing is recorded by settings now, or only for a window (xhprof.mode=aggregate)
 */
function xhprof_run_id(): ?string {}

/**
 * Hide the secrets of a URL or a command line, as in saved runs: values whose names xhprof.redact has, values that look like a
 * secret, and that of xhprof.trigger_value.
 *
 * @param string|array $text a URL; or list<string>: the arguments of a PHP program, the script first
 * @return string the text with REDACTED in place of each secret, at most 16 KB. A command line is given as it could be typed, and
 *     begins with "php"
 * @throws TypeError if the list contains anything but strings
 */
function xhprof_redact(string|array $text): string {}

/**
 * Mark this moment in the tracking of allocations. Dumps can be limited to what was allocated between two marks.
 *
 * @return int|false the number of the mark, counted from 1; false if no allocations are tracked
 */
function xhprof_alloc_mark(): int|false {}

/**
 * Write the live memory to a stream, by call path, type and mark: the memory that is live now, or at the end of the last profile
 * with XHPROF_FLAGS_ALLOC. `xhprof export FILE` converts it to formats of other tools: pprof, callgrind, folded, chrome ...
 * (`--format`).
 *
 * @param resource $stream the stream to write to
 * @param string $format the format; "json", the only one, has what a saved run has of live memory, and the call paths
 * @param array $options "threshold" => int: rows of fewer bytes are summed up in one row (0); "after" and "before" => int: numbers
 *     of the marks between which the memory was allocated; "types" => bool: show what the blocks hold (true); "allocator" =>
 *     "all", "zend_mm" (the Zend heap) or "malloc": the memory to write ("all")
 * @return bool true; false, after a warning, if no allocations are tracked or the stream cannot be written to
 * @throws ValueError|TypeError if the format or the value of an option is not allowed, or the stream is closed
 */
function xhprof_alloc_dump($stream, string $format = "json", array $options = []): bool {}

/**
 * Write everything in this process's memory to a file: every string, array, object, function, class ... with its size and
 * references, and while allocations are tracked with the call path that allocated it. This does not change the program.
 *
 * @param string $file the path of the file. An existing file is replaced. Only its owner can read it (mode 0600), as it has
 *     contents of the program's strings. A device such as /dev/null is written to
 * @param array $options "format" => "jsonl", which `xhprof heap export` converts to formats of other tools, or "summary" (JSON
 *     lines without nodes); "max_string" => int: the most bytes shown of a string (80); "redact" => bool: leave out
 *     contents of strings and numbers (false); "scalars" => bool: also write values without memory of their own, which are
 *     numbers, booleans and null (false); "handlers" => bool: ask objects of internal classes for the values they hold (true);
 *     "native" => bool: look for the owners of memory that has no PHP type (true)
 * @return array{nodes: int, edges: int, usage: int, typed: array{bytes: int, blocks: int}, native: array{bytes: int,
 *     blocks: int}, unreachable: array{bytes: int, blocks: int}, shared_bytes: int, outside_bytes: int, typed_percent: float,
 *     unreadable: int, incomplete: bool, took_ms: float, written: int, types: array<string, array{count: int, bytes: int,
 *     size: int}>, classes: array<string, array{count: int, bytes: int, size: int}>, owners: array<string, array{count: int,
 *     bytes: int}>}|array{} the sums of the snapshot; an empty array, after a warning, if it could not be made. nodes and edges:
 *     number of things and of references between them. usage: bytes of the heap in use, as memory_get_usage() counts them; typed,
 *     native and unreachable add up to it. typed: blocks of known PHP type, which are typed_percent of usage. native: blocks that
 *     only memory without a PHP type refers to. unreachable: blocks that nothing refers to. types, classes and owners: sums by
 *     the type of a node, the class of an object and the owner of native memory, with count (number), bytes (size of the blocks
 *     in the heap) and size (used part of the blocks, or memory elsewhere). shared_bytes: bytes in opcache's memory.
 *     outside_bytes: bytes elsewhere outside of the heap. unreadable: number of references that led to nothing valid.
 *     incomplete: whether the walk ran out of memory. took_ms: duration in ms. written: bytes of the file
 * @throws TypeError|ValueError if the value of an option is not allowed
 */
function xhprof_heap_snapshot(string $file, array $options = []): array {}
