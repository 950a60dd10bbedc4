<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Format\Units;
use XHProf\Operations\OperationReport;
use XHProf\Profile\Metrics;
use XHProf\Run\RouteFigures;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/** The requests of a route as a line of a table: one rule for a window and for all of them. */
final class RouteLines
{
    /**
     * @param float $seconds in which the requests ended; 0: unknown
     * @param int   $wall    of all routes together, µs
     * @param int   $allocated by all routes together, bytes
     *
     * @return array<string, mixed>
     */
    public static function of(RouteFigures $figures, float $seconds, int $wall, int $allocated): array
    {
        $metric = ShownMetric::of('wt');
        $quantiles = [];
        foreach ($figures->quantiles() as $key => $value) {
            $quantiles[$key] = Cells::value($value, $metric) + [
                'label' => RouteFigures::metric($key)->label,
                'title' => self::quantile(RouteFigures::QUANTILES[$key]),
            ];
        }

        return [
            'requests' => Units::count($figures->requests),
            'rate' => self::rate($figures->requests, $seconds),
            'failed' => $figures->failed === 0 ? '' : Units::count($figures->failed),
            'failed_share' => $figures->failed === 0 ? '' : Units::percent($figures->failed, max(1, $figures->requests)),
            'aborted' => $figures->aborted === 0 ? '' : Units::count($figures->aborted),
            'quantiles' => $quantiles,
            'mean' => Cells::value($figures->mean(), $metric),
            'max' => Cells::value($figures->requests === 0 ? null : $figures->max, $metric),
            'cpu' => Cells::value($figures->cpus->quantile(0.5), ShownMetric::of('cpu')),
            'total' => Cells::value($figures->requests === 0 ? null : $figures->wall, $metric, $wall, true),
            'waits' => self::waits($figures),
            'memory' => self::memory($figures, $allocated),
            'after' => self::after($figures),
            'cut' => self::cut($figures),
            'unsampled' => self::unsampled($figures),
            'histogram' => Histogram::of($figures),
        ];
    }

    /** @return array<string, mixed>|null null if nothing is known of it */
    private static function memory(RouteFigures $figures, int $allocated): ?array
    {
        $allocations = $figures->allocations;
        $isKnown = $allocations->isKnown();
        $peak = ShownMetric::of(Metrics::PROCESS_PEAK);

        return $figures->peaks->count() === 0 && $figures->keptRequests === 0 && !$isKnown ? null : [
            'median' => Cells::value($figures->peaks->quantile(0.5), $peak),
            'p99' => Cells::value($figures->peaks->quantile(0.99), $peak),
            'allocated' => Cells::value($allocations->allocatedPerRequest(), ShownMetric::of(Metrics::REQUEST_ALLOCATED)),
            'held' => Cells::value($allocations->heldPerRequest(), ShownMetric::of(Metrics::REQUEST_HELD))
                + ['label' => ShownMetric::of('peak_bytes')->label],
            'total' => Cells::value(
                $isKnown ? $allocations->allocated : null,
                ShownMetric::of('allocated_bytes'),
                $allocated,
                true,
            ),
            'kept' => Cells::value($figures->keptMean(), ShownMetric::of('mu')),
        ];
    }

    /**
     * The share of the samples in which the route did not run code of its own.
     *
     * @return array{text: string, title: string}|null null if it is not known
     */
    private static function waits(RouteFigures $figures): ?array
    {
        $waits = $figures->waits;
        if ($waits === []) {
            return null;
        }
        arsort($waits);
        $parts = [];
        foreach ($waits as $kind => $samples) {
            $parts[] = OperationReport::label($kind) . ' ' . Units::percent($samples, $figures->samples);
        }

        $all = min(array_sum($waits), $figures->samples);

        return ['text' => Units::percent($all, $figures->samples), 'title' => implode(', ', $parts)];
    }

    /**
     * What requests did when their clients had the answer.
     *
     * @return array{text: string, title: string}|null null if none went on
     */
    private static function after(RouteFigures $figures): ?array
    {
        $unit = ShownMetric::of('wt')->unit;

        return $figures->early === 0 ? null : [
            'text' => Units::in($figures->after, $unit),
            'title' => sprintf(
                '%s of %s requests went on, for %s on average',
                Units::count($figures->early),
                Units::count($figures->requests),
                Units::in($figures->meanAfter() ?? 0, $unit),
            ),
        ];
    }

    /**
     * Jobs whose figures are not all their own.
     *
     * @return array{text: string, title: string}|null null if there are none
     */
    private static function cut(RouteFigures $figures): ?array
    {
        $parts = array_filter([
            $figures->cut === 0 ? '' : 'cut ' . Units::count($figures->cut)
                . ': their samples and CPU time end where another fiber began a job',
            $figures->mixed === 0 ? '' : 'mixed ' . Units::count($figures->mixed)
                . ': other fibers ran within them, and are in their samples and CPU time',
        ]);

        return $parts === [] ? null : [
            'text' => Units::count($figures->cut) . ($figures->mixed === 0 ? '' : ' + ' . Units::count($figures->mixed)),
            'title' => implode('; ', $parts),
        ];
    }

    /**
     * What is in the times, and in no sample.
     *
     * @return array{text: string, title: string}|null null if all was sampled
     */
    private static function unsampled(RouteFigures $figures): ?array
    {
        $unit = ShownMetric::of('wt')->unit;

        return $figures->unsampled === 0 ? null : [
            'text' => Units::in($figures->unsampledTime, $unit),
            'title' => sprintf(
                '%s of %s requests began a profile or a job of their own, or could not be sampled',
                Units::count($figures->unsampled),
                Units::count($figures->requests),
            ),
        ];
    }

    /** @return string requests per second */
    public static function rate(int $requests, float $seconds): string
    {
        return $seconds > 0 ? Units::count($requests / $seconds) : '-';
    }

    /** What a quantile of wall time says. */
    public static function quantile(float $share): string
    {
        return RouteFigures::meaning($share);
    }
}
