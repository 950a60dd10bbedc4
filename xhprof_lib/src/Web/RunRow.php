<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Store\RunId;
use XHProf\Store\RunSummary;

/** One line of the run list. Figures that nobody knows are null. */
final class RunRow
{
    /**
     * @param string $title bytes to be made visible
     * @param float $time seconds since 1970
     * @param int|null $wall microseconds
     * @param int|null $cpu microseconds
     * @param int|null $memory peak, bytes
     */
    private function __construct(
        public readonly RunId $id,
        public readonly string $title,
        public readonly float $time,
        public readonly ?int $wall,
        public readonly ?int $cpu,
        public readonly ?int $memory,
        public readonly ?int $calls,
        public readonly string $host,
        public readonly string $git,
        public readonly ?string $error,
        public readonly ?string $note,
    ) {
    }

    /**
     * @param array<string, int> $totals of the profile, where the metadata has none
     * @param string|null $error why the run cannot be opened, without the run folder's path
     * @param string|null $note what else is wrong with it
     */
    public static function of(RunSummary $run, array $totals, ?string $error, ?string $note = null): self
    {
        $meta = $run->meta;
        $totals = $meta->totals + $totals;

        return new self(
            $run->id,
            Runs::title($meta, $run->id),
            $run->time,
            $totals['wt'] ?? $meta->durationUs,
            $totals['cpu'] ?? null,
            $meta->peakMemory ?? $totals['pmu'] ?? null,
            $meta->calls ?? $totals['ct'] ?? null,
            $meta->host ?? '',
            $meta->git ?? '',
            $error,
            $note,
        );
    }

    /** True when one of the texts of this line holds $needle, whatever its case. */
    public function matches(string $needle): bool
    {
        foreach ([$this->title, $this->id->id, $this->id->source, $this->host, $this->git] as $text) {
            if (stripos($text, $needle) !== false) {
                return true;
            }
        }

        return false;
    }

    public function sortValue(string $key): int|float|string|null
    {
        return match ($key) {
            'title' => $this->title,
            'source' => $this->id->source,
            'wt' => $this->wall,
            'cpu' => $this->cpu,
            'pmu' => $this->memory,
            'ct' => $this->calls,
            'host' => $this->host === '' ? null : $this->host,
            default => $this->time,
        };
    }
}
