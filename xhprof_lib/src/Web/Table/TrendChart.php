<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;
use XHProf\Stats\Distribution;

/**
 * Figures over time as a line, drawn here for browsers without JavaScript: points, a line for the median, a band that holds
 * the middle half of them.
 */
final class TrendChart
{
    private const WIDTH = 1000;
    private const HEIGHT = 220;
    private const LEFT = 76;
    private const BOTTOM = 28;
    private const TOP = 10;

    /**
     * @param list<array{time: float, value: int|float|null, url: string, title: string, outlier: bool}> $points oldest first
     * @return array<string, mixed>|null null where there is nothing to draw
     */
    public static function of(array $points, Metric $metric): ?array
    {
        $values = array_values(array_filter(array_column($points, 'value'), static fn (mixed $value): bool => $value !== null));
        if ($values === []) {
            return null;
        }
        $all = new Distribution($values);
        [$least, $most] = [min(0, $all->min()), max($all->max(), 1) * 1.05];
        $times = array_column($points, 'time');
        [$first, $last] = [min([INF, ...$times]), max([0.0, ...$times])];
        $x = static fn (float $time): float => round(
            self::LEFT + ($last > $first ? ($time - $first) / ($last - $first) : 0.5) * (self::WIDTH - self::LEFT - 12),
            1,
        );
        $y = static fn (int|float $value): float
            => round(self::TOP + ($most - $value) / ($most - $least) * (self::HEIGHT - self::TOP - self::BOTTOM), 1);
        $dots = [];
        $line = '';
        foreach ($points as $i => $point) {
            if ($point['value'] !== null) {
                $dots[] = ['at' => $i, 'x' => $x($point['time']), 'y' => $y($point['value'])] + $point + [
                    'label' => date('Y-m-d H:i:s', (int) $point['time']) . ': ' . Units::of($point['value'], $metric->key),
                ];
                $line .= ($line === '' ? 'M' : 'L') . $x($point['time']) . ' ' . $y($point['value']);
            }
        }
        $top = $y($all->quantile(0.75));

        return [
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'left' => self::LEFT,
            'right' => self::WIDTH - 12,
            'line' => $line,
            'dots' => $dots,
            'median' => $y($all->quantile(0.5)),
            'band' => ['y' => $top, 'height' => max(1.0, round($y($all->quantile(0.25)) - $top, 1))],
            'ticks' => array_map(static fn (float $value): array => [
                'y' => $y($value),
                'text' => Units::of($value == 0 ? 0 : $value, $metric->key),
            ], self::ticks($least, $most)),
            'dates' => array_values(array_unique([$x($first), $x($last)])),
            'from' => date('Y-m-d H:i', (int) $first),
            'to' => date('Y-m-d H:i', (int) $last),
            'text' => sprintf(
                '%s of %d runs: median %s, from %s to %s',
                $metric->fullLabel(),
                count($values),
                Units::of($all->quantile(0.5), $metric->key),
                Units::of($all->min(), $metric->key),
                Units::of($all->max(), $metric->key),
            ),
        ];
    }

    /** @return list<float> round numbers, at most six */
    private static function ticks(int|float $least, int|float $most): array
    {
        $rough = max(1e-9, ($most - $least) / 4);
        $power = 10 ** floor(log10($rough));
        $step = $power * ([1, 2, 5, 10][(int) ($rough / $power > 1) + (int) ($rough / $power > 2) + (int) ($rough / $power > 5)]);
        $ticks = [];
        for ($value = ceil($least / $step) * $step; $value <= $most; $value += $step) {
            $ticks[] = $value;
        }

        return $ticks;
    }
}
