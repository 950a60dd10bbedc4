<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Profile\SampleCount;

/** How a run was recorded: why it began and ended, its flags, clocks, samples, and what recording it cost. */
final class RunRecording
{
    /** Ways to start a profile: the program itself, the settings for all requests, for some, for those that ask; a job. */
    public const STARTS = ['manual', 'yes', 'trigger', 'sampled', 'span', self::WINDOW];

    /** The start of a window of requests. */
    public const WINDOW = 'aggregate';

    /** Starts of profiles without a call in the program's code. */
    public const BY_ITSELF = ['yes', 'trigger', 'sampled', 'span'];

    private const MODES = ['exact', 'sample', 'alloc', 'aggregate'];

    /**
     * @param string|null           $version        of XHProf
     * @param string|null           $start          start of the profile: one of STARTS
     * @param string|null           $mode           exact, sample, alloc or aggregate
     * @param int|null              $samples        number of samples; null for a run that was not sampled
     * @param int|null              $sampleInterval microseconds from one to the next
     * @param float|null            $sampleRate     share of the requests that are profiled like this one, from 0 to 1
     * @param string|null           $savedIf        the condition of xhprof.save_if that it met
     * @param string|null           $endedBy        reason of an early end: the run is a part
     * @param bool|null             $failed         whether it has failed, as the extension saw it; null: it did not say
     * @param int|null              $otherFibers    how often a fiber that is not the span's ran within it; null: never
     * @param list<string>          $flagNames
     * @param array<string, string> $clock          "wall" and "cpu": clock in use
     * @param array<string, string> $refused        better CPU clocks, and why each was refused
     * @param array<string, array{callee: float, caller: float, callee_cpu?: float, caller_cpu?: float}> $overhead profiler's
     *     overhead per call of a "user" and of an "internal" function, within it and in its caller, ns of wall and of CPU time
     */
    private function __construct(
        public readonly ?string $version,
        public readonly ?string $start,
        public readonly ?string $mode,
        public readonly ?int $samples,
        public readonly ?int $sampleInterval,
        public readonly ?Sampling $sampling,
        public readonly ?float $sampleRate,
        public readonly ?string $savedIf,
        public readonly ?string $endedBy,
        public readonly ?bool $failed,
        public readonly ?int $otherFibers,
        public readonly ?int $flags,
        public readonly array $flagNames,
        public readonly array $clock,
        public readonly array $refused,
        public readonly array $overhead,
    ) {
    }

    public static function fromMeta(MetaValues $meta): self
    {
        return new self(
            $meta->text('version'),
            $meta->among('start', self::STARTS),
            $meta->among('mode', self::MODES),
            $meta->count('samples'),
            $meta->count('sample_interval_us'),
            Sampling::fromMeta($meta->list('sampling')),
            $meta->share('sample_rate'),
            $meta->text('saved_if'),
            $meta->text('ended_by'),
            $meta->bool('failed'),
            $meta->count('other_fibers'),
            $meta->count('flags'),
            array_values(array_filter($meta->list('flag_names'), is_string(...))),
            $meta->texts('clock'),
            (new MetaValues($meta->list('clock')))->texts('cpu_refused'),
            self::overhead($meta->list('overhead')),
        );
    }

    /** @return string the mode; '' if it is not known */
    public function kind(): string
    {
        return $this->mode ?? ($this->samples === null ? '' : 'sample');
    }

    /** @return string how far apart its samples are: "1.00 ms of wall time", "512 KB of allocated memory" */
    public function sampleDistance(): string
    {
        $bytes = $this->sampling?->intervalBytes;

        return ($bytes === null ? Units::us($this->sampleInterval ?? 0) : Units::bytes($bytes))
            . ($this->sampling === null ? '' : ' of ' . Metrics::of($this->sampling->metric())->words());
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

    /** @return SampleCount|null null for a run that counted calls */
    public function sampleCount(): ?SampleCount
    {
        return $this->samples === null ? null : new SampleCount($this->sampleInterval, $this->samples);
    }

    /** @return array<string, mixed> in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        return [
            'version' => $this->version,
            'start' => $this->start,
            'mode' => $this->mode,
            'ended_by' => $this->endedBy,
            'failed' => $this->failed,
            'other_fibers' => $this->otherFibers,
            'saved_if' => $this->savedIf,
            'sample_rate' => $this->sampleRate,
            'samples' => $this->samples,
            'sample_interval_us' => $this->sampleInterval,
            'sampling' => $this->sampling?->toArray(),
            'flags' => $this->flags,
            'flag_names' => $this->flagNames,
            'clock' => $this->clock + ($this->refused === [] ? [] : ['cpu_refused' => $this->refused]),
            'overhead' => $this->overhead,
        ];
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
