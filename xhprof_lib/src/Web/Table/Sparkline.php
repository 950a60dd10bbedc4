<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Format\Units;

/** The values of several runs as a strip of bars, one per run in their order: a drawing with a sentence. */
final class Sparkline
{
    private const WIDTH = 64;
    private const HEIGHT = 16;

    /**
     * @param non-empty-list<int|float> $values one per run
     * @param array<int, true> $marked positions that stand out
     * @return array{width: int, height: int, text: string, bars: string, marked: string} the bars as paths, those marked apart
     */
    public static function draw(array $values, ShownMetric $metric, array $marked = []): array
    {
        // From 0, so that heights compare; negative values (freed memory) hang below.
        [$least, $most] = [min(0, ...$values), max(0, ...$values)];
        $scale = $most - $least > 0 ? self::HEIGHT / ($most - $least) : 0.0;
        $step = self::WIDTH / count($values);
        $width = round(max(0.5, $step * 0.8), 1);
        $paths = ['', ''];
        foreach ($values as $i => $value) {
            $height = max(abs($value) * $scale, $value == 0 ? 0.0 : 0.5);
            $x = round($i * $step, 1);
            $y = round(($most - max($value, 0)) * $scale, 1);
            $paths[isset($marked[$i]) ? 1 : 0] .= "M$x {$y}h{$width}v" . round($height, 1) . "h-{$width}z";
        }
        $text = static fn (int|float $value): string => Units::ofMetric($value, $metric->key);
        $figures = array_map($text, array_slice($values, 0, 20));
        $more = count($values) > 20 ? sprintf(', … (%d runs)', count($values)) : '';

        return [
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'text' => 'Run by run: ' . implode(', ', $figures) . $more,
            'bars' => $paths[0],
            'marked' => $paths[1],
        ];
    }
}
