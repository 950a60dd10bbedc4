<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Description of one metric. Metrics has the list.
 *
 * @phpstan-type Unit 'us'|'bytes'|'count'
 * @phpstan-type TreeUnit 'ns'|'bytes'|'count'
 */
final class Metric
{
    public readonly string $short;
    public readonly string $pprof;
    private readonly string $callgrind;

    /**
     * @internal use Metrics::of()
     *
     * @param string $key        its name in profiles, call trees, URLs and options
     * @param string $label      head of a column, "Wall time"
     * @param Unit   $unit       of profiles; call trees keep times in nanoseconds, see treeUnit()
     * @param ?string $short     the same for the narrow columns of a terminal; the key unless given
     * @param bool   $isSigned   whether it can shrink while a function runs, so that a caller may show less than its callees
     * @param ?string $pprof     type of a sample in pprof's format; the key unless given
     * @param ?string $callgrind event in callgrind's format, without its unit; the key unless given
     * @param array{short: string, heading: string, description: string}|null $classic words of the classic functions and
     *     reports; null if they do not have the metric
     */
    public function __construct(
        public readonly string $key,
        public readonly string $label,
        public readonly string $unit,
        public readonly MetricKind $kind = MetricKind::Cost,
        public readonly bool $isSigned = false,
        public readonly ?array $classic = null,
        ?string $short = null,
        ?string $pprof = null,
        ?string $callgrind = null,
    ) {
        $this->short = $short ?? $key;
        $this->pprof = $pprof ?? $key;
        $this->callgrind = $callgrind ?? $key;
    }

    public function isTime(): bool
    {
        return $this->unit === 'us';
    }

    /** @return TreeUnit */
    public function treeUnit(): string
    {
        return $this->unit === 'us' ? 'ns' : $this->unit;
    }

    /** The label inside a sentence: "wall time", "CPU time". */
    public function words(): string
    {
        // An abbreviation stays as it is; so does the key of a metric that has no label.
        $isName = $this->label === $this->key || preg_match('/\A[A-Z]{2}/', $this->label) === 1;

        return $isName ? $this->label : lcfirst($this->label);
    }

    /**
     * Event in callgrind's format, "Time_(us)": the unit in brackets, as Xdebug writes it; "live_bytes" has it.
     *
     * @param bool $isExact whether times are nanoseconds
     */
    public function callgrindEvent(bool $isExact = false): string
    {
        $unit = $isExact ? $this->treeUnit() : $this->unit;

        return $this->callgrind . ($unit === 'count' || str_ends_with($this->callgrind, "_$unit") ? '' : "_($unit)");
    }
}
