<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Profile\MetricKind;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Share;
use XHProf\Report\Unit;

/**
 * A column of a table: the words and the unit of one measure, of metrics as in Metrics. `key` is the name used in run files,
 * reports and the `sort` parameter; exclusive measures carry the prefix "excl_".
 */
final class ShownMetric
{
    private const EXCLUSIVE = 'excl_';

    /** Columns of heap snapshots: label, full label, unit. */
    private const HEAP = [
        'count' => ['Count', 'Number of values', 'count'],
        'bytes' => ['Bytes', "Bytes of the heap's blocks", 'bytes'],
        'retained' => ['Retained', 'Bytes that would be free without them', 'bytes'],
    ];

    /** @param 'us'|'bytes'|'count' $unit */
    private function __construct(
        public readonly string $key,
        public readonly string $base,
        public readonly string $label,
        public readonly string $unit,
        public readonly bool $exclusive,
    ) {
    }

    public static function of(string $key): self
    {
        $exclusive = str_starts_with($key, self::EXCLUSIVE);
        $base = $exclusive ? substr($key, strlen(self::EXCLUSIVE)) : (string) preg_replace('/\Aper_/', '', $key);

        $known = Metrics::of($base);

        return new self($key, $base, $known->label, $known->unit, $exclusive);
    }

    /** @param key-of<self::HEAP> $key */
    public static function heap(string $key): self
    {
        return new self($key, $key, self::HEAP[$key][0], self::HEAP[$key][2], false);
    }

    /**
     * @param list<string> $keys
     * @return list<self>
     */
    public static function list(array $keys): array
    {
        return array_map(self::of(...), $keys);
    }

    /** The exclusive form of this measure. */
    public function exclusive(): self
    {
        return self::of(self::EXCLUSIVE . $this->base);
    }

    /** "Total wall time", "Self CPU time", "Calls". */
    public function fullLabel(): string
    {
        if (isset(self::HEAP[$this->key])) {
            return self::HEAP[$this->key][1];
        }
        $known = Metrics::of($this->base);
        if ($known->kind === MetricKind::Calls || $known->kind === MetricKind::Whole) {
            return $this->label;
        }

        return ($this->exclusive ? 'Self ' : 'Total ') . $known->words();
    }

    /**
     * Its column of a table.
     *
     * @param int $weight see Column
     * @param int|float $whole of which its figures are parts; counts never are
     */
    public function column(int $weight = 0, int|float $whole = 0, ?string $label = null, ?Heading $above = null): Column
    {
        $share = $this->unit === 'count' || $whole == 0 ? null : new Share($whole);

        return Column::ofPage(
            $this->key,
            Unit::fromWord($this->unit),
            $label ?? $this->label,
            $this->fullLabel(),
            $weight,
            share: $share,
            above: $above,
        );
    }

    /** time, memory or count: selects the colour of the bars, so that they are not confused. */
    public function family(): string
    {
        return match ($this->unit) {
            'us' => 'time',
            'bytes' => 'memory',
            'count' => 'count',
        };
    }
}
