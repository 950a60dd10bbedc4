<?php

declare(strict_types=1);

namespace XHProf\Memory\Web;

use XHProf\Exception\XHProfException;
use XHProf\Format\Units;
use XHProf\Profile\Timeline;
use XHProf\Run\Run;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;

/** The memory in use over the time of a run, drawn: known of runs whose timeline was recorded with memory. */
final class MemoryCurve
{
    /** The drawing is stretched to the page's width. */
    private const WIDTH = 1000;
    private const HEIGHT = 100;

    /** Numbers of a timeline from which it is not read for this. */
    private const LARGE = 3 << 20;

    /**
     * @return array{area: string, marks: string, width: int, height: int, words: string, url: string}|null null for a run without
     *     it, or with a timeline that is too large or damaged: the page of the timeline reports that
     */
    public static function draw(ShownRun $set): ?array
    {
        if (!$set->run->has(Run::TIMELINE) || $set->run->numbers(Run::TIMELINE) > self::LARGE) {
            return null;
        }
        try {
            $timeline = $set->run->timeline();
        } catch (XHProfException) {
            return null;
        }
        $steps = $timeline === null ? [] : self::steps($timeline);
        if ($timeline === null || $steps === []) {
            return null;
        }
        $most = max(1, ...$steps);
        $words = sprintf('Memory in use, up to %s, over %s', Units::bytes($most), Units::us($timeline->duration / 1000));

        return [
            'area' => self::area($steps, $most),
            'marks' => self::marks($timeline),
            'width' => self::WIDTH,
            'height' => self::HEIGHT,
            'words' => $words,
            'url' => Url::index($set->parameters() + ['view' => 'timeline']),
        ];
    }

    /** @return array<int, int> the most bytes of each step of time that has a figure, in order */
    private static function steps(Timeline $timeline): array
    {
        $steps = [];
        foreach ($timeline->memory ?? [] as $call => $bytes) {
            $step = self::step($timeline, $timeline->t[$call] + $timeline->d[$call]);
            $steps[$step] = max($steps[$step] ?? 0, $bytes);
        }
        ksort($steps);

        return $steps;
    }

    private static function step(Timeline $timeline, int $time): int
    {
        return min(self::WIDTH - 1, (int) ($time / max(1, $timeline->duration) * self::WIDTH));
    }

    /** @param array<int, int> $steps */
    private static function area(array $steps, int $most): string
    {
        $path = 'M0 ' . self::HEIGHT;
        foreach ($steps as $step => $bytes) {
            // What was in use stays so until the next figure.
            $path .= "H$step" . 'V' . round(self::HEIGHT - $bytes / $most * self::HEIGHT, 1);
        }

        return $path . 'H' . self::WIDTH . 'V' . self::HEIGHT . 'Z';
    }

    private static function marks(Timeline $timeline): string
    {
        $path = '';
        foreach ($timeline->marks as [$start, $duration]) {
            // Marks take no time; spans and collections of garbage do.
            $path .= $duration === 0 ? 'M' . self::step($timeline, $start) . ' 0V' . self::HEIGHT : '';
        }

        return $path;
    }
}
