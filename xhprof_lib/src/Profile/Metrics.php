<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * The list of metrics, in display order: the library, the command line and the pages take everything about a metric from here.
 * Other names are allowed in a profile and count as plain numbers. The extension writes keys only.
 *
 * @phpstan-import-type Unit from Metric
 */
final class Metrics
{
    /** Values of a route's requests; no profile has them. */
    public const REQUEST_MEAN = 'request_mean';
    public const REQUEST_MAX = 'request_max';
    public const REQUEST_ALLOCATED = 'request_allocated';
    public const REQUEST_HELD = 'request_held';
    public const REQUEST_FAILED = 'request_failed';
    public const REQUEST_SHARE = 'request_share';
    public const REQUEST_RATE = 'request_rate';
    public const REQUESTS = 'requests';

    /** The process's peak memory during a run; "pmu" of a profile is the rise of the peak while a function ran. */
    public const PROCESS_PEAK = 'peak_memory';

    private const CORRECTED = 'corrected_';
    private const EXCLUSIVE = 'excl_';

    /** What stands beside the figures of a node or a function, in columns and in JSON: no metric can be called that. */
    private const RESERVED = ['fn', 'depth', 'name'];

    /** @var array<string, Metric>|null */
    private static ?array $all = null;

    /**
     * @return non-empty-list<Metric>
     */
    private static function list(): array
    {
        $classic = static fn (string $short, string $heading, string $description): array => [
            'short' => $short, 'heading' => $heading, 'description' => $description,
        ];

        return [
            new Metric(
                'wt',
                'Wall time',
                'us',
                short: 'wall',
                pprof: 'wall',
                callgrind: 'Time',
                classic: $classic('Wall', 'Wall Time', 'walltime'),
            ),
            new Metric(
                'corrected_wt',
                'Corrected wall time',
                'us',
                short: 'corr',
                pprof: 'wall_corrected',
                callgrind: 'Corrected_Time',
            ),
            new Metric(
                'ut',
                'User CPU',
                'us',
                short: 'user',
                callgrind: 'User',
                classic: $classic('User', 'User', 'user cpu time'),
            ),
            new Metric(
                'st',
                'System CPU',
                'us',
                short: 'sys',
                callgrind: 'System',
                classic: $classic('Sys', 'Sys', 'system cpu time'),
            ),
            new Metric('cpu', 'CPU time', 'us', short: 'CPU', callgrind: 'CPU', classic: $classic('Cpu', 'CPU', 'cpu time')),
            new Metric(
                'corrected_cpu',
                'Corrected CPU time',
                'us',
                short: 'corr CPU',
                pprof: 'cpu_corrected',
                callgrind: 'Corrected_CPU',
            ),
            new Metric(
                'mu',
                'Memory',
                'bytes',
                isSigned: true,
                short: 'mem',
                pprof: 'memory',
                callgrind: 'Memory',
                classic: $classic('MUse', 'MemUse', 'memory usage'),
            ),
            new Metric(
                'pmu',
                'Peak growth',
                'bytes',
                short: 'peak growth',
                pprof: 'memory_peak_growth',
                callgrind: 'Peak_Growth',
                classic: $classic('PMUse', 'PeakMemUse', 'peak memory usage'),
            ),
            // From Tideways: bytes allocated.
            new Metric('mem.aa', 'mem.aa', 'bytes'),

            new Metric(
                'allocated_bytes',
                'Allocated memory',
                'bytes',
                MetricKind::Allocation,
                short: 'allocated',
                pprof: 'alloc_space',
            ),
            new Metric('freed_bytes', 'Freed memory', 'bytes', MetricKind::Allocation, pprof: 'free_space'),
            new Metric('live_bytes', 'Live memory', 'bytes', MetricKind::Allocation, pprof: 'inuse_space'),
            new Metric('allocated_blocks', 'Allocated blocks', 'count', MetricKind::Allocation, pprof: 'alloc_objects'),
            new Metric('freed_blocks', 'Freed blocks', 'count', MetricKind::Allocation, pprof: 'free_objects'),
            new Metric('live_blocks', 'Live blocks', 'count', MetricKind::Allocation, pprof: 'inuse_objects'),
            // Of requests, added up: what each path held when its request was largest.
            new Metric('peak_bytes', 'Held at the peak', 'bytes', MetricKind::Allocation, pprof: 'peak_space'),
            // Of blocks that have outlived their requests, and of these what was freed later.
            new Metric('kept_bytes', 'Kept memory', 'bytes', MetricKind::Allocation, pprof: 'kept_space'),
            new Metric('released_bytes', 'Released memory', 'bytes', MetricKind::Allocation, pprof: 'released_space'),
            new Metric('kept_blocks', 'Kept blocks', 'count', MetricKind::Allocation, pprof: 'kept_objects'),
            new Metric('released_blocks', 'Released blocks', 'count', MetricKind::Allocation, pprof: 'released_objects'),
            new Metric('samples', 'Samples', 'count', callgrind: 'Samples', classic: $classic('Samples', 'Samples', 'cpu time')),

            new Metric('ct', 'Calls', 'count', MetricKind::Calls, short: 'calls', pprof: 'calls', callgrind: 'Calls'),

            new Metric(self::PROCESS_PEAK, 'Process peak', 'bytes', MetricKind::Whole),
            new Metric(self::REQUEST_MEAN, 'Mean per request', 'us', MetricKind::Whole),
            new Metric('request_p50', 'Median', 'us', MetricKind::Whole),
            new Metric('request_p90', 'p90', 'us', MetricKind::Whole),
            new Metric('request_p95', 'p95', 'us', MetricKind::Whole),
            new Metric('request_p99', 'p99', 'us', MetricKind::Whole),
            new Metric('request_p999', 'p99.9', 'us', MetricKind::Whole),
            new Metric(self::REQUEST_MAX, 'Slowest request', 'us', MetricKind::Whole),
            new Metric(self::REQUEST_ALLOCATED, 'Allocated per request', 'bytes', MetricKind::Whole),
            new Metric(self::REQUEST_HELD, 'Held at the peak, per request', 'bytes', MetricKind::Whole, short: 'held'),
            new Metric(self::REQUEST_FAILED, 'Failed requests', 'count', MetricKind::Whole),
            new Metric(self::REQUEST_SHARE, 'Share of the time, %', 'count', MetricKind::Whole),
            new Metric(self::REQUEST_RATE, 'Requests per second', 'count', MetricKind::Whole),
            new Metric(self::REQUESTS, 'Requests', 'count', MetricKind::Whole),
        ];
    }

    /**
     * @return array<string, Metric> by key, in their order
     */
    public static function all(): array
    {
        return self::$all ??= array_column(self::list(), null, 'key');
    }

    /** Description of a metric; a name that is not in the list is its own label and counts as a plain number. */
    public static function of(string $key): Metric
    {
        return self::all()[$key] ?? new Metric($key, $key, 'count');
    }

    public static function isName(string $name): bool
    {
        return preg_match('/\A[A-Za-z][A-Za-z0-9_.]{0,31}\z/', $name) === 1 && !str_starts_with($name, self::EXCLUSIVE)
            && !in_array($name, self::RESERVED, true);
    }

    /** Whether a text can be the name of a metric other than "ct". */
    public static function isFigure(string $name): bool
    {
        return $name !== 'ct' && self::isName($name);
    }

    /** Whether a column of a call tree holds allocations, which are not among its metrics. */
    public static function isAllocation(string $name): bool
    {
        return self::of($name)->kind === MetricKind::Allocation;
    }

    /**
     * @param list<string> $columns figures of the nodes of a call tree
     *
     * @return list<string> those that its edges have, in order: allocations are shown by path, but where nothing else was sampled
     */
    public static function ofEdges(array $columns): array
    {
        $isSampled = in_array('samples', $columns, true);

        return self::ordered(array_filter($columns, static fn (string $name): bool => self::isFigure($name)
            && (!self::isAllocation($name) || ($isSampled && $name === 'allocated_bytes'))));
    }

    /**
     * @param list<string> $metrics without "ct"
     *
     * @return string|null the one that is looked at unless another one is wanted: wall time, else the first
     */
    public static function leading(array $metrics): ?string
    {
        return in_array('wt', $metrics, true) ? 'wt' : $metrics[0] ?? null;
    }

    /**
     * @param list<string> $metrics
     *
     * @return list<string> those whose sum is CPU time: "cpu", or user and system time; [] if they are not all there
     */
    public static function ofCpu(array $metrics): array
    {
        $parts = array_values(array_intersect(['ut', 'st'], $metrics));

        return in_array('cpu', $metrics, true) ? ['cpu'] : (count($parts) === 2 ? $parts : []);
    }

    /** See Metric::$isSigned. */
    public static function isSigned(string $name): bool
    {
        return self::of($name)->isSigned;
    }

    /** Whether call trees keep it in nanoseconds; folded into edges it is in microseconds. */
    public static function isTime(string $name): bool
    {
        return self::of($name)->isTime();
    }

    /**
     * @return string "wt" => "corrected_wt": the same without what the profiler itself took, see CorrectedTimes
     */
    public static function corrected(string $name): string
    {
        return self::CORRECTED . $name;
    }

    /** Whether it has a corrected form. */
    public static function isCorrectable(string $name): bool
    {
        return isset(self::all()[self::corrected($name)]);
    }

    /**
     * @return string "wt" => "corrected_wt", and back
     */
    public static function counterpart(string $name): string
    {
        return self::isCorrected($name) ? substr($name, strlen(self::CORRECTED)) : self::corrected($name);
    }

    public static function isCorrected(string $name): bool
    {
        return str_starts_with($name, self::CORRECTED);
    }

    /**
     * @return Unit unit of "wt", "excl_wt", "mu", "ct"... in a profile
     */
    public static function unit(string $name): string
    {
        return self::of(str_starts_with($name, self::EXCLUSIVE) ? substr($name, strlen(self::EXCLUSIVE)) : $name)->unit;
    }

    /**
     * @param array<int, string> $names
     *
     * @return list<string> known ones first, in their order, then the others as they came
     */
    public static function ordered(array $names): array
    {
        return array_values(array_unique([...array_intersect(array_keys(self::all()), $names), ...$names]));
    }
}
