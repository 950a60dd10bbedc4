<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Format\Period;
use XHProf\Format\Units;
use XHProf\Requests\RouteReport;
use XHProf\Run\RouteFigures;
use XHProf\Store\RequestTotals;
use XHProf\Web\Table\TimeLabel;

/** Throughput and latency of all requests over time, drawn without scripts. */
final class RequestChart
{
    private const POINTS = 96;
    private const WIDTH = 960;
    private const HEIGHT = 120;

    /** Lines of the upper drawing, by the names of their style. */
    private const LINES = ['p50' => 0.5, 'p95' => 0.95, 'p99' => 0.99];

    /**
     * @return array{width: int, height: int, lines: array<string, string>, slowest: string, bars: string, failed: string,
     *     most: string, from: array<string, string>|null, to: array<string, string>|null, step: string, text: string,
     *     points: list<array{at: float, width: float, from: string, to: string, text: string}>}|null null for fewer than two
     *     stretches of time: a point is no picture. `points` are what a script shows and lets choose: shares of the width, the
     *     first and the last second as RunFilter reads them, and a line of words
     */
    public static function draw(RequestTotals $totals): ?array
    {
        $points = $totals->overTime(self::POINTS);
        $covered = $totals->covered();
        if (count($points) < 2 || $covered === null) {
            return null;
        }
        $seconds = $points[0]['seconds'];
        $span = max(1, $points[count($points) - 1]['from'] + $seconds - $covered['from']);
        $x = static fn (int $time): float => round(self::WIDTH * ($time - $covered['from']) / $span, 1);
        $slowest = max(1, ...array_map(static fn (array $point): int => $point['figures']->wallQuantile(0.99) ?? 0, $points));
        $most = max(1, ...array_map(static fn (array $point): int => $point['figures']->requests, $points));
        $width = round(max(0.5, self::WIDTH * $seconds / $span * 0.85), 1);
        $lines = array_fill_keys(array_keys(self::LINES), '');
        $bars = ['', ''];
        $before = null;
        foreach ($points as $point) {
            // A gap without windows, or without what they took, is a gap in the lines too.
            $command = $before === $point['from'] ? 'L' : 'M';
            foreach (self::LINES as $line => $share) {
                $value = $point['figures']->wallQuantile($share);
                if ($value !== null) {
                    $y = round(self::HEIGHT * (1 - $value / $slowest), 1);
                    $lines[$line] .= "$command{$x($point['from'])} {$y}H{$x($point['from'] + $seconds)}";
                }
            }
            foreach ([$point['figures']->requests, $point['figures']->failed] as $i => $count) {
                if ($count > 0) {
                    $height = round(max(1.0, self::HEIGHT * min(1, $count / $most)), 1);
                    $bars[$i] .= "M{$x($point['from'])} " . (self::HEIGHT - $height) . "h{$width}v{$height}h-{$width}z";
                }
            }
            $before = $point['figures']->walls->count() === 0 ? null : $point['from'] + $seconds;
        }
        $all = $totals->figures();

        return [
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'lines' => $lines,
            'slowest' => Units::ofMetric($slowest, 'wt'),
            'bars' => $bars[0],
            'failed' => $bars[1],
            'most' => RouteReport::rate($most, $seconds),
            'from' => TimeLabel::of($covered['from']),
            'to' => TimeLabel::of($covered['to']),
            'points' => array_map(static fn (array $point): array => [
                'at' => round(($point['from'] - $covered['from']) / $span, 6),
                'width' => round($seconds / $span, 6),
                'from' => Period::moment($point['from']),
                'to' => Period::moment($point['from'] + $seconds - 1),
                'text' => self::words($point['from'], $seconds, $point['figures']),
            ], $points),
            'step' => Units::ofMetric($seconds * 1000000, 'wt'),
            'text' => sprintf(
                '%s requests, at most %s per second; the slowest 1 %% of a stretch took up to %s; %s failed',
                Units::count($all->requests),
                RouteReport::rate($most, $seconds),
                Units::ofMetric($slowest, 'wt'),
                Units::count($all->failed),
            ),
        ];
    }

    /** "2026-11-30 10:00 to 10:15 (UTC): 1 234 requests, 1.37 per second, 2 failed; median 12 ms, p95 40 ms, p99 80 ms" */
    private static function words(int $from, int $seconds, RouteFigures $figures): string
    {
        $to = $from + $seconds;
        $isDay = date('Y-m-d', $from) === date('Y-m-d', $to);
        $quantiles = [];
        foreach (self::LINES as $line => $share) {
            $value = $figures->wallQuantile($share);
            $name = lcfirst(RouteFigures::metric($line)->label);
            $quantiles[] = $value === null ? '' : "$name " . Units::us($value);
        }
        $quantiles = array_filter($quantiles);

        return date('Y-m-d H:i:s', $from) . ' to ' . date($isDay ? 'H:i:s' : 'Y-m-d H:i:s', $to) . ' (' . date('T', $from) . '): '
            . Units::counted($figures->requests, 'request') . ', ' . RouteReport::rate($figures->requests, $seconds) . ' per second'
            . ($figures->failed > 0 ? ', ' . Units::count($figures->failed) . ' failed' : '')
            . ($quantiles === [] ? '' : '; ' . implode(', ', $quantiles));
    }
}
