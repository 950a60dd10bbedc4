<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\TimeSteps;
use XHProf\Format\Units;
use XHProf\Report\Unit;
use XHProf\Web\Table\TimeLabel;

/**
 * A figure over time as one line for each release or service, drawn without scripts.
 *
 * @phpstan-type Point array{at: int, line: string, value: int|float|null}
 */
final class LineChart
{
    private const WIDTH = 960;
    private const HEIGHT = 120;

    /** Lines that can be told apart. */
    private const LINES = 6;

    /**
     * @param list<Point> $points the oldest first; a step of null is a gap
     * @param array{string, string} $kind what a line is of, one and several
     * @param array<string, string> $labels by line, in their order; without it those that were seen last come first
     *
     * @return array<string, mixed>|null for fleet_blocks.html.twig; null for fewer than two steps: a point is no picture
     */
    public static function draw(
        string $title,
        TimeSteps $steps,
        array $points,
        Unit $unit,
        array $kind = ['release', 'releases'],
        array $labels = [],
    ): ?array {
        $points = array_values(array_filter($points, static fn (array $point): bool => $point['value'] !== null));
        if (count(array_unique(array_column($points, 'at'))) < 2) {
            return null;
        }
        $from = $points[0]['at'];
        $to = $points[count($points) - 1]['at'] + $steps->seconds;
        $most = max(0, ...array_column($points, 'value'));
        $byLine = [];
        foreach ($points as $point) {
            $byLine["\0{$point['line']}"][] = $point;
        }
        uasort($byLine, static fn (array $a, array $b): int => end($b)['at'] <=> end($a)['at']);
        $places = array_flip(array_map(static fn (string $line): string => "\0$line", array_keys($labels)));
        uksort($byLine, static fn (string $a, string $b): int => ($places[$a] ?? PHP_INT_MAX) <=> ($places[$b] ?? PHP_INT_MAX));
        $lines = [];
        foreach (array_slice($byLine, 0, self::LINES, true) as $line => $own) {
            $values = array_column($own, 'value');
            $lines[] = [
                'label' => $labels[substr($line, 1)] ?? ($line === "\0" ? "(no $kind[0])" : substr($line, 1)),
                'path' => self::path($own, $from, $to, $steps->seconds, $most),
                'text' => $unit->text(min($values)) . ' to ' . $unit->text(max($values)),
            ];
        }
        $left = count($byLine) - count($lines);

        return [
            'kind' => 'chart',
            'title' => $title,
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'lines' => $lines,
            'left' => $left === 0 ? '' : "$left more " . ($left === 1 ? "$kind[0] has" : "$kind[1] have"),
            'most' => $unit->text($most),
            'step' => Units::age($steps->seconds),
            'from' => TimeLabel::of($from),
            'to' => TimeLabel::of($to),
            'text' => "$title: " . implode('; ', array_map(
                static fn (array $line): string => "$line[label] $line[text]",
                $lines,
            )),
        ];
    }

    /**
     * @param list<Point> $points
     */
    private static function path(array $points, int $from, int $to, int $step, int|float $most): string
    {
        $x = static fn (int $time): float => round(self::WIDTH * ($time - $from) / max(1, $to - $from), 1);
        $path = '';
        $before = null;
        foreach ($points as $point) {
            $y = round(self::HEIGHT * (1 - 0.95 * ($most > 0 ? ($point['value'] ?? 0) / $most : 0)), 1);
            // A step without a value is a gap.
            $path .= ($before === $point['at'] ? 'L' : 'M') . "{$x($point['at'])} {$y}H{$x($point['at'] + $step)}";
            $before = $point['at'] + $step;
        }

        return $path;
    }
}
