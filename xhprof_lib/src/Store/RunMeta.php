<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Format\Text;

/**
 * What is known about a run besides its figures, as in ID.SOURCE.meta.json. Everything may be missing (null, empty).
 */
final class RunMeta
{
    /** The last second of the year 9999: what a date of four digits can show. */
    private const LAST_SECOND = 253402300799;

    /** Counts beyond it, 285 years in microseconds, nobody measured; times 1000 it still is an integer. */
    private const LARGEST = 1 << 53;

    /**
     * @param float|null            $ts           start, seconds since 1970
     * @param int|null              $durationUs   wall time from start to stop
     * @param int|null              $peakMemory   bytes, of the process
     * @param int|null              $nodesDropped calls folded into "(truncated)" are counted here
     * @param int|null              $samples      how many were taken; null for a run that was not sampled
     * @param int|null              $sampleInterval microseconds from one to the next
     * @param list<string>          $flagNames
     * @param array<string, string> $clock        "wall" and "cpu": clock in use
     * @param array<string, string> $refused      CPU clocks that were better but for this reason
     * @param array<string, array{callee: float, caller: float}> $overhead what one call of a "user" and of an "internal"
     *                                            function takes of the profiler's own, in it and in its caller, ns
     * @param array<string, int>    $totals       per metric, microseconds and bytes
     * @param array<mixed>          $meta         what the user attached
     */
    public function __construct(
        public readonly ?string $id = null,
        public readonly ?string $source = null,
        public readonly ?float $ts = null,
        public readonly ?int $durationUs = null,
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
        public readonly ?int $peakMemory = null,
        public readonly ?int $calls = null,
        public readonly ?int $functions = null,
        public readonly ?int $nodes = null,
        public readonly ?int $nodesDropped = null,
        public readonly ?int $samples = null,
        public readonly ?int $sampleInterval = null,
        public readonly ?int $flags = null,
        public readonly array $flagNames = [],
        public readonly array $clock = [],
        public readonly array $refused = [],
        public readonly array $overhead = [],
        public readonly array $totals = [],
        public readonly array $meta = [],
    ) {
    }

    /**
     * Takes what has the right type and leaves the rest; so with a time that is no date and a count that is none. Numbers are
     * finite: JSON has no others.
     *
     * @param array<mixed> $data in the shape of meta.json
     */
    public static function fromArray(array $data): self
    {
        $text = static fn (string $key): ?string => is_string($data[$key] ?? null) ? $data[$key] : null;
        $isCount = static fn (mixed $value): bool => is_int($value) && abs($value) <= self::LARGEST;
        $int = static fn (string $key): ?int => $isCount($data[$key] ?? null) ? $data[$key] : null;
        $list = static fn (string $key): array => is_array($data[$key] ?? null) ? $data[$key] : [];
        $ts = $data['ts'] ?? null;
        $isTime = (is_float($ts) || is_int($ts)) && $ts > 0 && $ts <= self::LAST_SECOND;
        /** @var array<string, int> $totals */
        $totals = array_filter($list('totals'), static fn ($value, $key): bool => is_int($value) && is_string($key), 1);
        $meta = $list('meta');
        array_walk_recursive($meta, static function (mixed &$value): void {
            $value = is_float($value) && !is_finite($value) ? null : $value;
        });

        return new self(
            id: $text('id'),
            source: $text('source'),
            ts: $isTime ? (float) $ts : null,
            durationUs: $int('duration_us'),
            sapi: $text('sapi'),
            command: $text('command'),
            url: $text('url'),
            method: $text('method'),
            host: $text('host'),
            php: $text('php'),
            zts: is_bool($data['zts'] ?? null) ? $data['zts'] : null,
            version: $text('version'),
            pid: $int('pid'),
            git: $text('git'),
            peakMemory: $int('peak_memory'),
            calls: $int('calls'),
            functions: $int('functions'),
            nodes: $int('nodes'),
            nodesDropped: $int('nodes_dropped'),
            samples: $int('samples'),
            sampleInterval: $int('sample_interval_us'),
            flags: $int('flags'),
            flagNames: array_values(array_filter($list('flag_names'), is_string(...))),
            clock: self::texts($list('clock')),
            refused: self::texts($list('clock')['cpu_refused'] ?? null),
            overhead: self::overhead($list('overhead')),
            totals: $totals,
            meta: $meta,
        );
    }

    /**
     * @param string $name for the message
     *
     * @throws DamagedRun
     */
    public static function fromJson(string $json, string $name): self
    {
        $data = json_decode($json, true, 64, JSON_INVALID_UTF8_SUBSTITUTE);
        if (!is_array($data) || ($data !== [] && array_is_list($data))) {
            throw new DamagedRun("$name: the metadata is not a JSON object");
        }

        return self::fromArray($data);
    }

    /**
     * The process or request that runs now, to be saved with its profile.
     *
     * @return array<string, scalar|null> in the shape of meta.json
     */
    public static function here(): array
    {
        $server = static fn (string $key): ?string => is_scalar($_SERVER[$key] ?? null) ? (string) $_SERVER[$key] : null;
        $started = $_SERVER['REQUEST_TIME_FLOAT'] ?? null;
        $arguments = is_array($_SERVER['argv'] ?? null) ? array_filter($_SERVER['argv'], is_scalar(...)) : [];
        $url = $server('REQUEST_URI');

        return [
            'ts' => is_float($started) ? $started : microtime(true),
            'sapi' => PHP_SAPI,
            'command' => $url === null && $arguments !== [] ? 'php ' . implode(' ', $arguments) : null,
            'url' => $url,
            'method' => $url === null ? null : $server('REQUEST_METHOD'),
            'host' => $server('HTTP_HOST') ?? (gethostname() ?: null),
            'php' => PHP_VERSION,
            'zts' => (bool) PHP_ZTS,
            'pid' => getmypid() ?: null,
            'peak_memory' => memory_get_peak_usage(),
        ];
    }

    /**
     * @return string one printable line (not escaped for HTML): the command, "GET /url", or the source
     */
    public function title(): string
    {
        $title = $this->command ?? ($this->url === null ? $this->source : trim("$this->method $this->url"));

        return Text::printable($title ?? '');
    }

    /**
     * @return array<string, mixed> in the shape and order of meta.json, without what is missing
     */
    public function toArray(): array
    {
        return array_filter([
            'v' => 1,
            'id' => $this->id,
            'source' => $this->source,
            'ts' => $this->ts,
            'duration_us' => $this->durationUs,
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
            'peak_memory' => $this->peakMemory,
            'calls' => $this->calls,
            'functions' => $this->functions,
            'nodes' => $this->nodes,
            'nodes_dropped' => $this->nodesDropped,
            'samples' => $this->samples,
            'sample_interval_us' => $this->sampleInterval,
            'flags' => $this->flags,
            'flag_names' => $this->flagNames,
            'clock' => $this->clock + ($this->refused === [] ? [] : ['cpu_refused' => $this->refused]),
            'overhead' => $this->overhead,
            'totals' => $this->totals,
            'meta' => $this->meta,
        ], static fn (mixed $value): bool => $value !== null && $value !== []);
    }

    /**
     * @return array<string, string> what has a name and is a text
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
     * @return array<string, array{callee: float, caller: float}>
     */
    private static function overhead(array $data): array
    {
        $overhead = [];
        foreach (['user', 'internal'] as $kind) {
            $callee = $data[$kind]['callee'] ?? null;
            $caller = $data[$kind]['caller'] ?? null;
            if (self::isCost($callee) && self::isCost($caller)) {
                $overhead[$kind] = ['callee' => (float) $callee, 'caller' => (float) $caller];
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
