<?php

declare(strict_types=1);

namespace XHProf\Requests;

use XHProf\Format\Period;
use XHProf\Store\RunCatalog;
use XHProf\Store\RunQuery;

/** The range of time of a question on requests, in words; where it has none, those that are nearest to it. A window counts where it begins. */
final class RequestRange
{
    /**
     * @param string $label "yesterday", "since the last release"; '' for one that moments name
     * @param string|null $release the last one, where it is since then
     */
    private function __construct(
        private readonly RunCatalog $catalog,
        private readonly RunQuery $query,
        public readonly ?float $from,
        public readonly ?float $until,
        private readonly string $label,
        private readonly ?string $release,
    ) {
    }

    /**
     * @param RunQuery $query of windows
     * @param string   $label see Period
     *
     * @return self|null null for any time
     *
     * @throws \XHProf\Exception\StoreError if the folder cannot be read
     */
    public static function of(RunCatalog $catalog, RunQuery $query, string $label = ''): ?self
    {
        if ($query->from === null && $query->until === null && !$query->sinceRelease) {
            return null;
        }
        $release = $query->sinceRelease ? $catalog->lastRelease($query->source) : null;
        $from = $release === null ? $query->from : max($release['began'], $query->from ?? 0.0);

        return new self($catalog, $query, $from, $query->until, $label, $release['name'] ?? null);
    }

    /** "yesterday, 2026-11-30 00:00 to 2026-12-01 00:00 (UTC)"; printable bytes of a release from outside too. */
    public function text(): string
    {
        $time = Period::text($this->from, $this->until);

        return match (true) {
            $this->query->sinceRelease && $this->release === null => "$this->label, but no run says its release (xhprof.release)",
            $this->release !== null => "$this->label, $this->release, which was seen first at " . substr($time, strlen('since ')),
            $this->label !== '' => "$this->label, $time",
            default => $time,
        };
    }

    /**
     * The nearest requests before and after a range that has none.
     *
     * @return array{before: float|null, after: float|null} seconds since 1970
     *
     * @throws \XHProf\Exception\StoreError
     */
    public function nearest(): array
    {
        $query = $this->query->with(['from' => $this->from, 'until' => $this->until]);
        $windows = $this->catalog->nearest($query);
        $single = $this->catalog->nearest($query->with(['start' => '', 'requests' => true]));
        $of = static fn (string $side): array
            => array_filter([$windows[$side] ?? null, $single[$side] ?? null], is_float(...));

        return [
            'before' => $of('before') === [] ? null : max($of('before')),
            'after' => $of('after') === [] ? null : min($of('after')),
        ];
    }

    /** Says that there are none. */
    public function none(): string
    {
        return "No requests in this range of time: {$this->text()}.";
    }

    /** Says where the nearest are. */
    public function near(): string
    {
        $near = [];
        foreach (array_filter($this->nearest(), is_float(...)) as $side => $time) {
            $near[] = Period::moment($time) . " $side it";
        }

        return $near === [] ? '' : 'The nearest: ' . implode(', ', $near) . '.';
    }

    /** @return array<string, mixed> for programs */
    public function facts(bool $isEmpty): array
    {
        return [
            'from' => $this->from,
            'until' => $this->until,
            'label' => $this->label,
            'release' => $this->release,
            'zone' => date_default_timezone_get(),
            'nearest' => $isEmpty ? $this->nearest() : null,
        ];
    }
}
