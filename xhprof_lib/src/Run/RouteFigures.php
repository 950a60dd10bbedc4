<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Profile\Metric;
use XHProf\Profile\Metrics;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;
use XHProf\Stats\Buckets;

/** What the requests of a route took, in one window or in several. */
final class RouteFigures
{
    /** Of wall time: key => share of the requests that are not slower */
    public const QUANTILES = ['p50' => 0.5, 'p90' => 0.9, 'p95' => 0.95, 'p99' => 0.99, 'p999' => 0.999];

    /** Meaning of the failed requests. */
    public const FAILED = 'Answered with a status from 500, or ended by a fatal error or a signal';

    public const NO_WAITS = 'No sample says whether the requests waited: what is not on the CPU was waiting or not running.';

    /** µs of an hour of one core. */
    private const CORE_HOUR = 3_600_000_000;

    /** The extension has a dozen. */
    private const MOST_WAITS = 40;

    public readonly RouteAllocations $allocations;

    /**
     * @param int     $failed  of the requests: a status from 500, a fatal error, or ended by a signal
     * @param int     $aborted of the requests: their clients were gone
     * @param int     $wall    µs of all together
     * @param int     $cpu     µs of all together
     * @param int     $max     µs of wall time
     * @param Buckets $walls   µs per request; nothing in runs of older versions
     * @param Buckets $cpus    µs per request
     * @param Buckets $peaks   bytes of PHP's heap, while each ran
     * @param array<string, int> $waits samples that were not the program's own time, by what it waited for: a kind of
     *     operation, or "output"
     * @param int $keptRequests requests of which it is known what their processes kept
     * @param int $kept bytes of these together; below 0: given back
     * @param int $early of the requests: they went on when their clients had the answer, which is where wall time ends
     * @param int $after µs for which those went on, all together
     * @param int $cut of the requests: spans whose samples and CPU time end where the span of another fiber began
     * @param int $mixed of the requests: spans whose samples and CPU time are those of other fibers too
     * @param int $unsampled of the requests: they were not sampled to their end
     * @param int $unsampledTime µs for which those were not, all together
     * @param int $suspended of the requests: their fibers were suspended
     * @param int $suspendedTime µs of wall time for which those were, all together: other fibers ran, or the loop waited
     * @param int $met samples of which it is known whether the program waited; 0 in older files, and by a CPU clock
     */
    public function __construct(
        public readonly int $requests,
        public readonly int $failed,
        public readonly int $aborted,
        public readonly int $samples,
        public readonly int $wall,
        public readonly int $cpu,
        public readonly int $max,
        public readonly Buckets $walls,
        public readonly Buckets $cpus,
        public readonly Buckets $peaks,
        public readonly array $waits = [],
        public readonly int $keptRequests = 0,
        public readonly int $kept = 0,
        public readonly int $early = 0,
        public readonly int $after = 0,
        ?RouteAllocations $allocations = null,
        public readonly int $cut = 0,
        public readonly int $mixed = 0,
        public readonly int $unsampled = 0,
        public readonly int $unsampledTime = 0,
        public readonly int $suspended = 0,
        public readonly int $suspendedTime = 0,
        public readonly int $met = 0,
    ) {
        $this->allocations = $allocations ?? RouteAllocations::none();
    }

    /** Hours for which one core would be busy with them. */
    public function coreHours(): float
    {
        return $this->cpu / self::CORE_HOUR;
    }

    /** @return string what a quantile of wall time says */
    public static function meaning(float $share): string
    {
        return 100 * $share . ' % of the requests took at most this';
    }

    public static function none(): self
    {
        return new self(0, 0, 0, 0, 0, 0, 0, Buckets::none(), Buckets::none(), Buckets::none());
    }

    /** @param array<self> $parts */
    public static function sum(array $parts): self
    {
        return array_reduce($parts, static fn (self $sum, self $part): self => $sum->plus($part), self::none());
    }

    /**
     * Takes the valid values and drops the rest.
     *
     * @param array<mixed> $values a route of "aggregate" in the metadata
     */
    public static function fromMeta(array $values): self
    {
        $count = static fn (string $key): int => MetaValues::isCount($values[$key] ?? null) ? max(0, $values[$key]) : 0;

        $waits = $values['waits'] ?? null;

        return new self(
            $count('requests'),
            $count('failed'),
            $count('aborted'),
            $count('samples'),
            $count('wall_us'),
            $count('cpu_us'),
            $count('max_us'),
            Buckets::fromSteps($values['wall'] ?? null),
            Buckets::fromSteps($values['cpu'] ?? null),
            Buckets::fromSteps($values['peak'] ?? null),
            self::waits($waits),
            ...self::kept($values['kept'] ?? null),
            early: $count('early'),
            after: $count('after_us'),
            allocations: RouteAllocations::fromMeta($values['allocations'] ?? null),
            cut: $count('cut'),
            mixed: $count('mixed'),
            unsampled: self::counted($values['unsampled'] ?? null, 'requests'),
            unsampledTime: self::counted($values['unsampled'] ?? null, 'us'),
            suspended: self::counted($values['suspended'] ?? null, 'requests'),
            suspendedTime: self::counted($values['suspended'] ?? null, 'us'),
            // Where some windows knew it, "met" has their samples.
            met: is_array($waits) ? min($count('samples'), $count('met') ?: $count('samples')) : 0,
        );
    }

    private static function counted(mixed $values, string $key): int
    {
        $value = is_array($values) ? $values[$key] ?? null : null;

        return MetaValues::isCount($value) ? max(0, $value) : 0;
    }

    /** @return array{int, int} requests and bytes; 0 and 0 if they are not valid */
    private static function kept(mixed $kept): array
    {
        $requests = is_array($kept) ? $kept['requests'] ?? null : null;
        $bytes = is_array($kept) ? $kept['bytes'] ?? null : null;

        return MetaValues::isCount($requests) && MetaValues::isCount($bytes) && $requests > 0 ? [$requests, $bytes] : [0, 0];
    }

    /**
     * @return array<string, int> the valid ones
     */
    private static function waits(mixed $waits): array
    {
        $found = [];
        foreach (is_array($waits) ? array_slice($waits, 0, self::MOST_WAITS, true) : [] as $kind => $samples) {
            if (preg_match('/\A[a-z]{1,20}\z/', (string) $kind) === 1 && MetaValues::isCount($samples) && $samples > 0) {
                $found[(string) $kind] = $samples;
            }
        }

        return $found;
    }

    /** @return array<string, int|list<int>|array<string, int|array<string, int>>> in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        return [
            'requests' => $this->requests,
            'failed' => $this->failed,
            'aborted' => $this->aborted,
            'samples' => $this->samples,
            'wall_us' => $this->wall,
            'cpu_us' => $this->cpu,
            'max_us' => $this->max,
            'wall' => $this->walls->toSteps(),
            'cpu' => $this->cpus->toSteps(),
            'peak' => $this->peaks->toSteps(),
        ] + ($this->met === 0 ? [] : ['waits' => $this->waits])
            + (in_array($this->met, [0, $this->samples], true) ? [] : ['met' => $this->met])
            + ($this->keptRequests === 0 ? [] : ['kept' => ['requests' => $this->keptRequests, 'bytes' => $this->kept]])
            + ($this->early === 0 ? [] : ['early' => $this->early, 'after_us' => $this->after])
            + ($this->cut === 0 ? [] : ['cut' => $this->cut])
            + ($this->mixed === 0 ? [] : ['mixed' => $this->mixed])
            + ($this->unsampled === 0 ? [] : ['unsampled' => ['requests' => $this->unsampled, 'us' => $this->unsampledTime]])
            + ($this->suspended === 0 ? [] : ['suspended' => ['requests' => $this->suspended, 'us' => $this->suspendedTime]])
            + ($this->allocations->isKnown() ? ['allocations' => $this->allocations->toArray()] : []);
    }

    public function plus(self $other): self
    {
        return new self(
            MetaValues::sum($this->requests, $other->requests),
            MetaValues::sum($this->failed, $other->failed),
            MetaValues::sum($this->aborted, $other->aborted),
            MetaValues::sum($this->samples, $other->samples),
            MetaValues::sum($this->wall, $other->wall),
            MetaValues::sum($this->cpu, $other->cpu),
            max($this->max, $other->max),
            $this->walls->plus($other->walls),
            $this->cpus->plus($other->cpus),
            $this->peaks->plus($other->peaks),
            self::sums($this->waits, $other->waits),
            MetaValues::sum($this->keptRequests, $other->keptRequests),
            MetaValues::sum($this->kept, $other->kept),
            MetaValues::sum($this->early, $other->early),
            MetaValues::sum($this->after, $other->after),
            $this->allocations->plus($other->allocations),
            MetaValues::sum($this->cut, $other->cut),
            MetaValues::sum($this->mixed, $other->mixed),
            MetaValues::sum($this->unsampled, $other->unsampled),
            MetaValues::sum($this->unsampledTime, $other->unsampledTime),
            MetaValues::sum($this->suspended, $other->suspended),
            MetaValues::sum($this->suspendedTime, $other->suspendedTime),
            MetaValues::sum($this->met, $other->met),
        );
    }

    /** @return int|null µs that this share (0 to 1) of the requests did not exceed; null where it is not known */
    public function wallQuantile(float $share): ?int
    {
        $value = $this->walls->quantile($share);

        // The middle of the last bucket may be above the slowest request.
        return $value === null ? null : min($value, $this->max);
    }

    /**
     * Where the wall time of these was: CPU time was measured, what they waited for is known by samples. Without any that
     * could meet it, it is not known whether the rest was waiting.
     */
    public function times(): ?TimeParts
    {
        if ($this->wall <= 0) {
            return null;
        }
        $suspended = min($this->wall, $this->suspendedTime) * 1000;
        $ran = $this->wall * 1000 - $suspended;
        $known = [];
        foreach ($this->met > 0 ? $this->waits : [] as $kind => $samples) {
            if (TimePart::tryFrom($kind) !== null) {
                $known[$kind] = (int) round($ran * min(1, $samples / $this->met));
            }
        }
        [$rest, $notes] = $this->met > 0 ? [TimePart::NotRunning, []] : [TimePart::Unknown, [self::NO_WAITS]];
        // CPU time may be that of work after the answer, which the wall time has not.
        $parts = $this->early === 0
            ? TimeParts::measured($ran, $this->cpu * 1000, $known, $rest, $notes)
            : TimeParts::split($ran, $this->cpu * 1000, $known, $rest, true, $notes);

        return $parts->withSuspended($suspended);
    }

    /** @return float|null CPU time as a share of the wall time in which they ran; null where either is not known */
    public function onCpu(): ?float
    {
        $ran = $this->wall - $this->suspendedTime;

        return $ran > 0 && $this->cpu > 0 && $this->early === 0 ? min(1.0, $this->cpu / $ran) : null;
    }

    /** @return array<key-of<self::QUANTILES>, int|null> µs of wall time; null where they are not known */
    public function quantiles(): array
    {
        return array_map($this->wallQuantile(...), self::QUANTILES);
    }

    /** @param key-of<self::QUANTILES> $quantile */
    public static function metric(string $quantile): Metric
    {
        return Metrics::of("request_$quantile");
    }

    /** @return int|null µs per request; null without one */
    public function mean(): ?int
    {
        return $this->requests === 0 ? null : intdiv($this->wall, $this->requests);
    }

    /** @return int|null bytes per request that its process kept, below 0: gave back; null where it is not known */
    public function keptMean(): ?int
    {
        return $this->keptRequests === 0 ? null : (int) round($this->kept / $this->keptRequests);
    }

    /** @return int|null µs for which a request was suspended, of those that were; null if none was */
    public function meanSuspended(): ?int
    {
        return $this->suspended === 0 ? null : intdiv($this->suspendedTime, $this->suspended);
    }

    /** @return int|null µs for which a request went on after its answer, of those that did; null if none did */
    public function meanAfter(): ?int
    {
        return $this->early === 0 ? null : intdiv($this->after, $this->early);
    }

    /**
     * @param array<string, int> $a
     * @param array<string, int> $b
     *
     * @return array<string, int>
     */
    private static function sums(array $a, array $b): array
    {
        foreach ($b as $kind => $samples) {
            $a[$kind] = MetaValues::sum($a[$kind] ?? 0, $samples);
        }

        return $a;
    }
}
