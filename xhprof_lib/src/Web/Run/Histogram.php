<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Format\Units;
use XHProf\Stats\Buckets;
use XHProf\Web\Table\Metric;

/** Where the values of many requests lie, as bars on a logarithmic axis: a drawing with a sentence. */
final class Histogram
{
    private const WIDTH = 96;
    private const HEIGHT = 20;
    private const BARS = 32;

    /**
     * @return array{width: int, height: int, text: string, bars: string, marked: string}|null as Sparkline::of(); null without
     *     values. Bars beyond the 99th percentile are marked
     */
    public static function of(Buckets $values, Metric $metric): ?array
    {
        $bars = $values->bars(self::BARS);
        $most = max([0, ...array_column($bars, 'count')]);
        if ($most === 0) {
            return null;
        }
        $tail = $values->quantile(0.99) ?? 0;
        $step = self::WIDTH / count($bars);
        $width = round(max(0.5, $step * 0.85), 2);
        $paths = ['', ''];
        foreach ($bars as $i => $bar) {
            if ($bar['count'] > 0) {
                $height = round(max(1.0, self::HEIGHT * $bar['count'] / $most), 1);
                [$x, $y] = [round($i * $step, 2), self::HEIGHT - $height];
                $paths[$bar['from'] > $tail ? 1 : 0] .= "M$x {$y}h{$width}v{$height}h-{$width}z";
            }
        }
        $unit = static fn (int $value): string => Units::in($value, $metric->unit);

        return [
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'text' => sprintf(
                '%s requests between %s and %s; half of them up to %s, 99 %% up to %s',
                Units::count($values->count()),
                $unit($bars[0]['from']),
                $unit($bars[count($bars) - 1]['to']),
                $unit($values->quantile(0.5) ?? 0),
                $unit($tail),
            ),
            'bars' => $paths[0],
            'marked' => $paths[1],
        ];
    }
}
