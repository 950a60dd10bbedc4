<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Profile\SampleCount;

/** Metadata of a run: the document "meta" of its file. Everything may be missing (null, empty). */
final class RunMeta
{
    private const LONGEST_GROUP = 400;

    /** The last second of the year 9999: the last date of four digits. */
    private const LAST_SECOND = 253402300799;

    /** Ways to start a profile: the program itself, the settings for all requests, for some, for those that ask; a job. */
    public const STARTS = ['manual', 'yes', 'trigger', 'sampled', 'span', 'aggregate'];

    private const MODES = ['exact', 'sample', 'alloc', 'aggregate'];

    /** Larger counts, 285 years in microseconds, are not valid; times 1000 it still is an integer. */
    private const LARGEST = 1 << 53;

    /**
     * @param float|null            $ts           start, seconds since 1970
     * @param int|null              $durationUs   wall time from start to stop, in exact runs without the profiler's own slow work
     * @param int|null              $elapsedUs    the same with it
     * @param int|null              $peakMemory   bytes, of the process
     * @param int|null              $nodesDropped calls folded into "(truncated)" are counted here
     * @param int|null              $samples      number of samples; null for a run that was not sampled
     * @param int|null              $sampleInterval microseconds from one to the next
     * @param string|null           $start        start of the profile: one of STARTS
     * @param string|null           $mode         exact, sample, alloc or aggregate
     * @param string|null           $name         of the span (a job of a worker), any bytes
     * @param string|null           $route        "GET /users/{id}": common name of requests
     * @param int|null              $status       of the HTTP answer
     * @param string|null           $endedBy      reason of an early end: the run is a part
     * @param bool|null             $failed       whether it has failed, as the extension saw it; null: it did not say
     * @param int|null              $otherFibers  how often a fiber that is not the span's ran within it; null: never
     * @param string|null           $parent       id of the run of the process that this one was forked from
     * @param string|null           $traceId      of the request's W3C trace context, 32 hexadecimal digits
     * @param string|null           $spanId       the caller's span in it, 16 hexadecimal digits
     * @param string|null           $savedIf      the condition of xhprof.save_if that it met
     * @param float|null            $sampleRate   share of the requests that are profiled like this one, from 0 to 1
     * @param list<string>          $flagNames
     * @param array<string, string> $clock        "wall" and "cpu": clock in use
     * @param array<string, string> $refused      better CPU clocks, and why each was refused
     * @param array<string, array{callee: float, caller: float, callee_cpu?: float, caller_cpu?: float}> $overhead profiler's
     *     overhead per call of a "user" and of an "internal" function, within it and in its caller, ns of wall and of CPU time
     * @param array<string, int>    $totals       per metric, microseconds and bytes
     * @param array<mixed>          $meta         data attached by the user
     */
    public function __construct(
        public readonly ?string $id = null,
        public readonly ?string $source = null,
        public readonly ?float $ts = null,
        public readonly ?int $durationUs = null,
        public readonly ?int $elapsedUs = null,
        public readonly ?string $sapi = null,
        public readonly ?string $command = null,
        public readonly ?string $url = null,
        public readonly ?string $method = null,
        public readonly ?string $host = null,
        public readonly ?string $php = null,
        public readonly ?bool $zts = null,
        public readonly ?string $version = null,
        public readonly ?int $pid = null,
        public readonly ?string $git = null,
        public readonly ?string $release = null,
        public readonly ?int $peakMemory = null,
        public readonly ?int $calls = null,
        public readonly ?int $functions = null,
        public readonly ?int $nodes = null,
        public readonly ?int $nodesDropped = null,
        public readonly ?int $samples = null,
        public readonly ?int $sampleInterval = null,
        public readonly ?Sampling $sampling = null,
        public readonly ?string $start = null,
        public readonly ?string $mode = null,
        public readonly ?string $name = null,
        public readonly ?string $route = null,
        public readonly ?int $status = null,
        public readonly ?string $endedBy = null,
        public readonly ?string $parent = null,
        public readonly ?float $sampleRate = null,
        public readonly ?RequestWindow $aggregate = null,
        public readonly ?int $flags = null,
        public readonly array $flagNames = [],
        public readonly array $clock = [],
        public readonly array $refused = [],
        public readonly array $overhead = [],
        public readonly array $totals = [],
        public readonly array $meta = [],
        public readonly ?string $traceId = null,
        public readonly ?string $spanId = null,
        public readonly ?string $savedIf = null,
        public readonly ?bool $failed = null,
        public readonly ?int $otherFibers = null,
    ) {
    }

    /**
     * Takes values of the right type and drops the rest, also times that are no date and counts that are too large. Numbers are
     * finite: JSON has no others.
     *
     * @param array<mixed> $data the document "meta" of a run
     */
    public static function fromArray(array $data): self
    {
        $text = static fn (string $key): ?string => is_string($data[$key] ?? null) ? $data[$key] : null;
        $int = static fn (string $key): ?int => self::isCount($data[$key] ?? null) ? $data[$key] : null;
        $among = static fn (string $key, array $known): ?string => in_array($data[$key] ?? null, $known, true) ? $data[$key] : null;
        $list = static fn (string $key): array => is_array($data[$key] ?? null) ? $data[$key] : [];
        $status = $data['status'] ?? null;
        $rate = $data['sample_rate'] ?? null;
        /** @var array<string, int> $totals */
        $totals = array_filter($list('totals'), static fn ($value, $key): bool => is_int($value) && is_string($key), 1);
        $meta = $list('meta');
        array_walk_recursive($meta, static function (mixed &$value): void {
            $value = is_float($value) && !is_finite($value) ? null : $value;
        });

        return new self(
            id: $text('id'),
            source: $text('source'),
            ts: self::time($data['ts'] ?? null),
            durationUs: $int('duration_us'),
            elapsedUs: $int('elapsed_us'),
            sapi: $text('sapi'),
            command: $text('command'),
            url: self::asAsked($text('url')),
            method: $text('method'),
            host: $text('host'),
            php: $text('php'),
            zts: is_bool($data['zts'] ?? null) ? $data['zts'] : null,
            version: $text('version'),
            pid: $int('pid'),
            git: $text('git'),
            release: $text('release'),
            // 0 stands for a run without a process of its own: an aggregate.
            peakMemory: $int('peak_memory') ?: null,
            calls: $int('calls'),
            functions: $int('functions'),
            nodes: $int('nodes'),
            nodesDropped: $int('nodes_dropped'),
            samples: $int('samples'),
            sampleInterval: $int('sample_interval_us'),
            sampling: Sampling::fromMeta($data['sampling'] ?? null),
            start: $among('start', self::STARTS),
            mode: $among('mode', self::MODES),
            name: $text('name'),
            route: $text('route'),
            status: is_int($status) && $status >= 100 && $status <= 599 ? $status : null,
            endedBy: $text('ended_by'),
            failed: is_bool($data['failed'] ?? null) ? $data['failed'] : null,
            otherFibers: $int('other_fibers'),
            parent: $text('parent'),
            sampleRate: (is_int($rate) || is_float($rate)) && $rate >= 0 && $rate <= 1 ? (float) $rate : null,
            aggregate: RequestWindow::fromMeta($data['aggregate'] ?? null),
            flags: $int('flags'),
            flagNames: array_values(array_filter($list('flag_names'), is_string(...))),
            clock: self::texts($list('clock')),
            refused: self::texts($list('clock')['cpu_refused'] ?? null),
            overhead: self::overhead($list('overhead')),
            totals: $totals,
            meta: $meta,
            traceId: self::hexadecimal($data['trace_id'] ?? null, 32),
            spanId: self::hexadecimal($data['span_id'] ?? null, 16),
            savedIf: $text('saved_if'),
        );
    }

    /**
     * Describes a run of samples that a timer took.
     *
     * @param string   $clock      of the timer: "wall" or "cpu"
     * @param int|null $intervalUs from one sample to the next; null if it is not known
     *
     * @return array{mode: string, samples: int, sample_interval_us: int|null, sampling: array{clock: string}} in the shape of
     *     fromArray()
     */
    public static function ofSamples(string $clock, int $samples, ?int $intervalUs): array
    {
        return ['mode' => 'sample', 'samples' => $samples, 'sample_interval_us' => $intervalUs, 'sampling' => ['clock' => $clock]];
    }

    /**
     * Describes the current process or request, to be saved with its profile: without secrets, according to xhprof.redact.
     *
     * @return array<string, scalar|null> in the shape of fromArray()
     */
    public static function here(): array
    {
        $server = static fn (string $key): ?string => is_scalar($_SERVER[$key] ?? null) ? (string) $_SERVER[$key] : null;
        $started = $_SERVER['REQUEST_TIME_FLOAT'] ?? null;
        $arguments = is_array($_SERVER['argv'] ?? null) ? array_filter($_SERVER['argv'], is_scalar(...)) : [];
        $arguments = array_map(strval(...), array_values($arguments));
        $url = $server('REQUEST_URI');
        $redact = Redact::here();

        return [
            'ts' => is_float($started) ? $started : microtime(true),
            'sapi' => PHP_SAPI,
            'command' => $url === null && $arguments !== [] ? $redact->command($arguments) : null,
            'url' => $url === null ? null : $redact->url($url),
            'method' => $url === null ? null : $server('REQUEST_METHOD'),
            'host' => $server('HTTP_HOST') ?? (gethostname() ?: null),
            'php' => PHP_VERSION,
            'zts' => (bool) PHP_ZTS,
            'pid' => getmypid() ?: null,
            'peak_memory' => memory_get_peak_usage(),
        ];
    }

    /** A URL without the parameter that asked for its profile: the program was asked for the same as without it. */
    private static function asAsked(?string $url): ?string
    {
        $asked = $url === null ? null : preg_replace('~(?<=[?&])XHPROF_TRIGGER=[^&#]*(?:&|(?=#|\z))~', '', $url);

        return $asked === null || $asked === $url ? $url : preg_replace('~[?&](?=#|\z)~', '', $asked, 1);
    }

    /**
     * @return string one printable line (not escaped for HTML): the job, the command, "GET /url", or the source
     */
    public function title(): string
    {
        return Text::printable($this->subject() ?? $this->source ?? '');
    }

    /**
     * @return string|null the profiled job, command or "GET /url"; null if unknown
     */
    public function subject(): ?string
    {
        return match (true) {
            $this->start === 'aggregate' && $this->aggregate !== null => $this->aggregate->title(),
            ($this->name ?? '') !== '' => $this->name,
            $this->command !== null => $this->command,
            $this->url !== null => trim("$this->method $this->url"),
            default => null,
        };
    }

    /** @return string how far apart its samples are: "1.00 ms of wall time", "512 KB of allocated memory" */
    public function sampleDistance(): string
    {
        $bytes = $this->sampling?->intervalBytes;

        return ($bytes === null ? Units::us($this->sampleInterval ?? 0) : Units::bytes($bytes))
            . ($this->sampling === null ? '' : ' of ' . Metrics::of($this->sampling->metric())->words());
    }

    /** @return array{trace_id?: string, span_id?: string} of the W3C trace context that came with the request, as far as it is known */
    public function trace(): array
    {
        return array_filter(['trace_id' => $this->traceId, 'span_id' => $this->spanId], is_string(...));
    }

    /**
     * What all samples stand for: the total of their metric in every view, which is the run's time up to one interval.
     *
     * @return int|null µs; null of another metric, and where it is not known
     */
    public function sampledTotal(string $metric): ?int
    {
        $total = (float) ($this->samples ?? 0) * ($this->sampleInterval ?? 0);

        // From a file: no larger than what a number can be.
        return $total >= 1 && $total < 1 << 52 && $this->sampling?->metric() === $metric ? (int) $total : null;
    }

    /**
     * @param array<string, int> $totals by metric
     *
     * @return int|null µs; of a window the time of its requests, if its samples are of CPU time
     */
    public function wall(array $totals): ?int
    {
        return $this->aggregate !== null && $this->sampling?->clock === 'cpu'
            ? $this->aggregate->wall()
            : $this->sampledTotal('wt') ?? $totals['wt'] ?? $this->durationUs;
    }

    /** @return SampleCount|null null for a run that counted calls */
    public function sampleCount(): ?SampleCount
    {
        return $this->samples === null ? null : new SampleCount($this->sampleInterval, $this->samples);
    }

    /** Whether the request, job or command failed. The extension knows; of runs of others the answer shows it. */
    public function isFailed(): bool
    {
        return $this->failed ?? ($this->status >= 500 || str_starts_with($this->endedBy ?? '', 'SIG'));
    }

    /**
     * Common name of a route's requests or a job's runs.
     *
     * @return string one printable line; '' if neither
     */
    public function group(): string
    {
        $isRequest = $this->url !== null || in_array($this->start, RunEntry::BY_ITSELF, true);
        if (!$isRequest || $this->start === 'aggregate') {
            return '';
        }
        $path = $this->url === null ? null : trim($this->method . ' ' . strstr("$this->url?", '?', true));
        foreach ([$this->name, $this->route, $path, $this->command] as $group) {
            if (($group ?? '') !== '') {
                return Text::printable(substr((string) $group, 0, self::LONGEST_GROUP));
            }
        }

        return '';
    }

    /**
     * @return array<string, mixed> what fromArray() takes, in the order of the extension, without missing values
     */
    public function toArray(): array
    {
        return array_filter([
            'v' => 1,
            'id' => $this->id,
            'source' => $this->source,
            'ts' => $this->ts,
            'duration_us' => $this->durationUs,
            'elapsed_us' => $this->elapsedUs,
            'sapi' => $this->sapi,
            'command' => $this->command,
            'url' => $this->url,
            'method' => $this->method,
            'host' => $this->host,
            'php' => $this->php,
            'zts' => $this->zts,
            'version' => $this->version,
            'pid' => $this->pid,
            'git' => $this->git,
            'release' => $this->release,
            'start' => $this->start,
            'mode' => $this->mode,
            'name' => $this->name,
            'route' => $this->route,
            'status' => $this->status,
            'ended_by' => $this->endedBy,
            'failed' => $this->failed,
            'other_fibers' => $this->otherFibers,
            'parent' => $this->parent,
            'saved_if' => $this->savedIf,
            'trace_id' => $this->traceId,
            'span_id' => $this->spanId,
            'sample_rate' => $this->sampleRate,
            'peak_memory' => $this->peakMemory,
            'calls' => $this->calls,
            'functions' => $this->functions,
            'nodes' => $this->nodes,
            'nodes_dropped' => $this->nodesDropped,
            'samples' => $this->samples,
            'sample_interval_us' => $this->sampleInterval,
            'sampling' => $this->sampling?->toArray(),
            'aggregate' => $this->aggregate?->toArray(),
            'flags' => $this->flags,
            'flag_names' => $this->flagNames,
            'clock' => $this->clock + ($this->refused === [] ? [] : ['cpu_refused' => $this->refused]),
            'overhead' => $this->overhead,
            'totals' => $this->totals,
            'meta' => $this->meta,
        ], static fn (mixed $value): bool => $value !== null && $value !== []);
    }

    private static function hexadecimal(mixed $text, int $digits): ?string
    {
        return is_string($text) && preg_match('/\A[0-9a-f]{' . $digits . '}\z/', $text) === 1 ? $text : null;
    }

    /**
     * @internal
     *
     * @return float|null seconds since 1970; null if it is no time
     */
    public static function time(mixed $time): ?float
    {
        return (is_float($time) || is_int($time)) && $time > 0 && $time <= self::LAST_SECOND ? (float) $time : null;
    }

    /**
     * @internal
     *
     * @phpstan-assert-if-true int $value
     */
    public static function isCount(mixed $value): bool
    {
        return is_int($value) && abs($value) <= self::LARGEST;
    }

    /**
     * @return array<string, string> the entries that are texts with a name
     */
    private static function texts(mixed $texts): array
    {
        $texts = is_array($texts) ? $texts : [];

        /** @var array<string, string> */
        return array_filter($texts, static fn ($value, $key): bool => is_string($value) && is_string($key), 1);
    }

    /**
     * @param array<mixed> $data
     *
     * @return array<string, array{callee: float, caller: float, callee_cpu?: float, caller_cpu?: float}>
     */
    private static function overhead(array $data): array
    {
        $overhead = [];
        foreach (['user', 'internal'] as $kind) {
            $costs = array_intersect_key(
                is_array($data[$kind] ?? null) ? array_filter($data[$kind], self::isCost(...)) : [],
                ['callee' => 0, 'caller' => 0, 'callee_cpu' => 0, 'caller_cpu' => 0],
            );
            if (isset($costs['callee'], $costs['caller'])) {
                $overhead[$kind] = array_map(floatval(...), $costs);
            }
        }

        return $overhead;
    }

    /**
     * @phpstan-assert-if-true int|float $nanoseconds
     */
    private static function isCost(mixed $nanoseconds): bool
    {
        return (is_int($nanoseconds) || is_float($nanoseconds)) && is_finite($nanoseconds) && abs($nanoseconds) < 1e9;
    }
}
