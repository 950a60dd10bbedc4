<?php

declare(strict_types=1);

namespace XHProf\Requests\Web;

use XHProf\Format\Units;
use XHProf\Requests\RouteReport;
use XHProf\Run\RouteFigures;

/** Where the wall times of a route's requests lie, as bars on a logarithmic axis: a drawing with a sentence. */
final class Histogram
{
    private const WIDTH = 96;
    private const HEIGHT = 20;
    private const BARS = 32;

    /**
     * @return array{width: int, height: int, text: string, bars: string, marked: string}|null as Sparkline::draw(); null without
     *     values. Bars beyond the 99th percentile are marked
     */
    public static function draw(RouteFigures $figures): ?array
    {
        $bars = $figures->walls->bars(self::BARS);
        $most = max([0, ...array_column($bars, 'count')]);
        if ($most === 0) {
            return null;
        }
        $tail = $figures->wallQuantile(0.99) ?? 0;
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

        return [
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'text' => sprintf(
                '%s between %s and %s%s',
                RouteReport::counted($figures),
                Units::us($bars[0]['from']),
                Units::us($bars[count($bars) - 1]['to']),
                RouteReport::shares($figures),
            ),
            'bars' => $paths[0],
            'marked' => $paths[1],
        ];
    }
}
