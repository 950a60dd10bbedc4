<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Profile\MetricKind;
use XHProf\Profile\Metrics;

/**
 * Metrics of the events of a callgrind file.
 *
 * @internal
 */
final class CallgrindEvents
{
    public const MAX = 16;

    /** Other names of memory: of older Xdebugs, of memprof, and of XHProf's dumps of that form. */
    private const MEMORY = ['Memory', 'MemorySize', 'Memory_Size_(bytes)'];

    /** Parts of a microsecond. */
    private const DIVISORS = ['10ns' => 100, 'ns' => 1000, 'us' => 1, "\u{B5}s" => 1, "\u{3BC}s" => 1];

    /** memprof's count of blocks: its files have a block of lines per call path. */
    public const BLOCKS = 'BlocksCount';

    /**
     * @param list<string> $events
     *
     * @return list<array{string, int}|null> metric and divisor of its costs, per event; null for none
     */
    public static function metrics(array $events): array
    {
        $metrics = [];
        foreach (array_slice($events, 0, self::MAX) as $event) {
            $metric = self::metric($event);
            $isNew = $metric !== null && !in_array($metric[0], array_column(array_filter($metrics), 0), true);
            $metrics[] = $isNew ? $metric : null;
        }

        return $metrics;
    }

    /**
     * @return array{string, int}|null
     */
    private static function metric(string $event): ?array
    {
        foreach (Metrics::all() as $key => $metric) {
            if ($metric->kind === MetricKind::Cost && $metric->callgrindEvent() === $event) {
                return [$key, 1];
            }
            if ($metric->isTime() && $metric->callgrindEvent(true) === $event) {
                return [$key, 1000];
            }
        }
        if (preg_match('/\ATime(?:_\((10ns|ns|us|\x{B5}s|\x{3BC}s)\))?\z/u', $event, $match) === 1) {
            return ['wt', self::DIVISORS[$match[1] ?? 'us']];
        }
        if (in_array($event, self::MEMORY, true)) {
            return ['mu', 1];
        }
        $name = substr((string) preg_replace('/[^A-Za-z0-9_.]/', '', $event), 0, 32);

        return Metrics::isFigure($name) ? [$name, 1] : null;
    }
}
