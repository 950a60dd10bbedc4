<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Profile\Metrics;

/**
 * The words and the unit of one measure. `key` is the name used in run files, reports and the
 * `sort` parameter; exclusive measures carry the prefix "excl_".
 */
final class Metric
{
    private const EXCLUSIVE = 'excl_';

    private const LABELS = [
        'ct' => 'Calls',
        'wt' => 'Wall time',
        'corrected_wt' => 'Corrected wall time',
        'ut' => 'User CPU',
        'st' => 'System CPU',
        'cpu' => 'CPU time',
        'corrected_cpu' => 'Corrected CPU time',
        'mu' => 'Memory',
        'pmu' => 'Peak growth',
        Metrics::PROCESS_PEAK => 'Process peak',
        'samples' => 'Samples',
    ];

    /** Figures of the requests of a route. */
    private const REQUESTS = [
        Metrics::REQUEST_MEAN => 'Mean per request',
        Metrics::REQUEST_MAX => 'Slowest request',
        Metrics::REQUEST_SHARE => 'Share of the time, %',
        Metrics::REQUEST_RATE => 'Requests per second',
        Metrics::REQUESTS => 'Requests',
    ];

    /** Columns of MemoryTable: label and full label. */
    private const MEMORY = [
        'live' => ['Live', 'Live memory'],
        'incl' => ['With callees', 'Live memory, with callees'],
        'blocks' => ['Blocks', 'Live blocks'],
        'allocated' => ['Allocated', 'Allocated in all'],
        'freed' => ['Freed', 'Freed again'],
    ];

    /** Columns of heap snapshots: label, full label, unit. */
    private const HEAP = [
        'count' => ['Count', 'How many there are', 'count'],
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

        return new self($key, $base, self::LABELS[$base] ?? self::REQUESTS[$base] ?? $base, Metrics::unit($base), $exclusive);
    }

    /**
     * @param list<string> $keys columns of MemoryTable
     * @return list<self> those that have a column here, in the order of the page
     */
    public static function memory(array $keys): array
    {
        $metrics = [];
        foreach (array_intersect_key(self::MEMORY, array_flip($keys)) as $key => [$label]) {
            $metrics[] = new self($key, $key, $label, $key === 'blocks' ? 'count' : 'bytes', false);
        }

        return $metrics;
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

    /** "Inclusive wall time", "Exclusive CPU time", "Calls". */
    public function fullLabel(): string
    {
        if (isset(self::MEMORY[$this->key])) {
            return self::MEMORY[$this->key][1];
        }
        if (isset(self::HEAP[$this->key])) {
            return self::HEAP[$this->key][1];
        }
        if (in_array($this->base, ['ct', Metrics::PROCESS_PEAK], true) || isset(self::REQUESTS[$this->base])) {
            return $this->label;
        }
        $label = str_starts_with($this->label, 'CPU') ? $this->label : lcfirst($this->label);

        return ($this->exclusive ? 'Exclusive ' : 'Inclusive ') . $label;
    }

    /** time, memory or count: chooses the colour of the bars, so that no one mixes them up. */
    public function family(): string
    {
        return match ($this->unit) {
            'us' => 'time',
            'bytes' => 'memory',
            'count' => 'count',
        };
    }
}
