<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Format\Text;
use XHProf\Secret\Redact;

/** Metadata of a run: the document "meta" of its file. Everything may be missing (null, empty). */
final class RunMeta
{
    private const LONGEST_GROUP = 400;

    /** The keys of its file, in the order of the extension. */
    private const ORDER = [
        'v', 'id', 'source', 'ts', 'duration_us', 'elapsed_us', 'cpu_us', 'run_delay_us', 'sapi', 'command', 'url', 'method',
        'host', 'php', 'zts', 'version', 'pid', 'git', 'release', 'start', 'mode', 'name', 'route', 'status', 'ended_by',
        'failed', 'other_fibers', 'suspended_us', 'parent', 'saved_if', 'trace_id', 'span_id', 'sample_rate', 'peak_memory',
        'calls', 'functions', 'nodes', 'nodes_dropped', 'samples', 'sample_interval_us', 'sampling', 'aggregate', 'flags',
        'flag_names', 'clock', 'overhead', 'totals', 'meta',
    ];

    /**
     * @param float|null         $ts     start, seconds since 1970
     * @param RequestWindow|null $window of a run that is one: requests by route
     * @param array<mixed>       $meta   data attached by the user
     */
    private function __construct(
        public readonly ?string $id,
        public readonly ?string $source,
        public readonly ?float $ts,
        public readonly RunOrigin $origin,
        public readonly RunRecording $recording,
        public readonly RunTotals $totals,
        public readonly ?RequestWindow $window,
        public readonly array $meta,
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
        $values = new MetaValues($data);
        $meta = $values->list('meta');
        array_walk_recursive($meta, static function (mixed &$value): void {
            $value = is_float($value) && !is_finite($value) ? null : $value;
        });

        $clock = is_array($data['sampled'] ?? null) ? $data['sampled']['clock'] ?? null : null;

        return new self(
            $values->text('id'),
            $values->text('source'),
            MetaValues::time($data['ts'] ?? null),
            RunOrigin::fromMeta($values),
            RunRecording::fromMeta($values),
            RunTotals::fromMeta($values),
            RequestWindow::fromMeta($data['aggregate'] ?? null, $clock !== 'cpu'),
            $meta,
        );
    }

    /** @return array<string, string|int> what formats without a place of their own for it note of a run */
    public function notes(): array
    {
        $suspended = $this->totals->suspendedUs;

        return $this->origin->trace() + ($suspended === null ? [] : ['suspended_us' => $suspended]);
    }

    /** @param array<string, mixed> $data in the shape of fromArray(): for what is missing here */
    public function completed(array $data): self
    {
        return self::fromArray($this->toArray() + $data);
    }

    /** @param array<string, mixed> $data in the shape of fromArray(): what is other than here */
    public function with(array $data): self
    {
        return self::fromArray($data + $this->toArray());
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

    /**
     * @return string one printable line (not escaped for HTML): the job, the command, "GET /url", or the source
     */
    public function title(): string
    {
        return Text::printable($this->subject() ?? $this->source ?? '');
    }

    /** Returns title(), or another text if it is not known what was profiled. */
    public function titleOr(string $other): string
    {
        return $this->subject() === null ? $other : $this->title();
    }

    /**
     * @return string|null the profiled job, command or "GET /url"; null if unknown
     */
    public function subject(): ?string
    {
        $origin = $this->origin;

        return match (true) {
            $this->isWindow() && $this->window !== null => $this->window->title(),
            ($origin->name ?? '') !== '' => $origin->name,
            $origin->command !== null => $origin->command,
            $origin->url !== null => trim("$origin->method $origin->url"),
            default => null,
        };
    }

    /** Whether it is a window of requests, or a request that one has kept. */
    public function isWindow(): bool
    {
        return $this->recording->start === RunRecording::WINDOW;
    }

    /** @return int|null µs from begin to end; of a window the time of its requests, if its samples are of CPU time */
    public function wall(): ?int
    {
        if ($this->totals->suspendedUs !== null) {
            return $this->totals->wholeUs();
        }

        return $this->window !== null && $this->recording->sampling?->clock === 'cpu'
            ? $this->window->wall()
            : $this->recording->sampledTotal('wt') ?? $this->totals->figures['wt'] ?? $this->totals->durationUs;
    }

    /** Whether the request, job or command failed. The extension knows; of runs of others the answer shows it. */
    public function isFailed(): bool
    {
        return $this->recording->failed
            ?? ($this->origin->status >= 500 || str_starts_with($this->recording->endedBy ?? '', 'SIG'));
    }

    /**
     * Common name of a route's requests or a job's runs.
     *
     * @return string one printable line; '' if neither
     */
    public function group(): string
    {
        $origin = $this->origin;
        $isRequest = $origin->url !== null || in_array($this->recording->start, RunRecording::BY_ITSELF, true);
        if (!$isRequest || $this->isWindow()) {
            return '';
        }
        $path = $origin->url === null ? null : trim($origin->method . ' ' . strstr("$origin->url?", '?', true));
        foreach ([$origin->name, $origin->route, $path, $origin->command] as $group) {
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
        $all = ['v' => 1, 'id' => $this->id, 'source' => $this->source, 'ts' => $this->ts, 'meta' => $this->meta]
            + ['aggregate' => $this->window?->toArray()]
            + $this->origin->toArray() + $this->recording->toArray() + $this->totals->toArray();
        $known = array_filter($all, static fn (mixed $value): bool => $value !== null && $value !== []);

        return array_replace(array_intersect_key(array_flip(self::ORDER), $known), $known);
    }
}
