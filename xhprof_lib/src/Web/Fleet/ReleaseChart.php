<?php

declare(strict_types=1);

namespace XHProf\Web\Fleet;

use XHProf\Fleet\Question\Steps;
use XHProf\Format\Units;
use XHProf\Web\Table\Moment;

/** A figure over time as one line for each release, drawn without scripts. */
final class ReleaseChart
{
    private const WIDTH = 960;
    private const HEIGHT = 120;

    /** Lines that can be told apart: those of the releases that were seen last. */
    private const LINES = 6;

    /**
     * @param list<array{at: int, release: string, value: int|float|null}> $points the oldest first; null has no line
     * @param \Closure(int|float): string $words of a value
     *
     * @return array<string, mixed>|null for fleet_blocks.html.twig; null for fewer than two steps: a point is no picture
     */
    public static function of(string $title, Steps $steps, array $points, \Closure $words): ?array
    {
        $points = array_values(array_filter($points, static fn (array $point): bool => $point['value'] !== null));
        if (count(array_unique(array_column($points, 'at'))) < 2) {
            return null;
        }
        $from = $points[0]['at'];
        $to = $points[count($points) - 1]['at'] + $steps->seconds;
        $most = max(0, ...array_column($points, 'value'));
        $releases = [];
        foreach ($points as $point) {
            $releases["\0{$point['release']}"][] = $point;
        }
        uasort($releases, static fn (array $a, array $b): int => end($b)['at'] <=> end($a)['at']);
        $lines = [];
        foreach (array_slice($releases, 0, self::LINES, true) as $release => $own) {
            $values = array_column($own, 'value');
            $lines[] = [
                'label' => $release === "\0" ? '(no release)' : substr($release, 1),
                'path' => self::path($own, $from, $to, $steps->seconds, $most),
                'text' => $words(min($values)) . ' to ' . $words(max($values)),
            ];
        }

        return [
            'kind' => 'chart',
            'title' => $title,
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'lines' => $lines,
            'left' => count($releases) - count($lines),
            'most' => $words($most),
            'step' => Units::age($steps->seconds),
            'from' => Moment::of($from),
            'to' => Moment::of($to),
            'text' => "$title: " . implode('; ', array_map(
                static fn (array $line): string => "$line[label] $line[text]",
                $lines,
            )),
        ];
    }

    /**
     * @param list<array{at: int, release: string, value: int|float|null}> $points
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
