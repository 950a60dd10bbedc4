<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Format\Units;
use XHProf\Store\RunMeta;

/** How a run came about, in words: what started it and what ended it, and how it was sampled. */
final class Origin
{
    private const STARTS = [
        'trigger' => ['triggered', 'The request or process asked for it: XHPROF_TRIGGER'],
        'sampled' => ['chosen by rate', 'Some of many: xhprof.start_with_request=sampled'],
        'yes' => ['every request', 'Every request or process is profiled: xhprof.start_with_request=yes'],
        'span' => ['job', 'Between xhprof_begin_span() and xhprof_end_span()'],
        'aggregate' => ['aggregate', 'Call paths of all requests, sampled and merged: xhprof.mode=aggregate'],
    ];

    private const MODES = [
        'exact' => ['exact', 'Every call was recorded'],
        'alloc' => ['allocations', 'Every call was recorded, and every allocation of memory'],
        'sample' => ['sampled', 'The call stack was looked at now and then'],
        'aggregate' => ['aggregate', 'Call paths of all requests, sampled and merged'],
    ];

    /** Head of columns that count the samples taken in a function itself. */
    public const SELF_SAMPLES = 'Self samples';

    /** What ends a profile before its request. */
    private const ENDS = [
        'xhprof_enable' => 'the program called xhprof_enable(), which starts a profile of its own',
        'xhprof_sample_enable' => 'the program called xhprof_sample_enable(), which starts a profile of its own',
        'memprof_enable' => 'the program called memprof_enable(), which starts a profile of its own',
        'span' => 'the first job began, and jobs are runs of their own',
        'shutdown' => 'the process did, within the job',
        'SIGTERM' => 'the process got the signal SIGTERM',
        'SIGINT' => 'the process got the signal SIGINT',
        'SIGHUP' => 'the process got the signal SIGHUP',
    ];

    /**
     * @return array{text: string, title: string}|null a word or two and what they mean; null for what the program itself started
     */
    public static function start(string $start, ?float $rate = null, bool $isCommand = false): ?array
    {
        if (!isset(self::STARTS[$start])) {
            return null;
        }
        [$text, $title] = self::STARTS[$start];
        if ($start === 'sampled' && $rate !== null && $rate > 0) {
            $text .= $rate >= 1 ? ': all' : ': 1 of ' . Units::count((int) min(1e9, round(1 / $rate)));
        }
        if ($start === 'yes' && $isCommand) {
            $text = 'every process';
        }

        return ['text' => $text, 'title' => $title];
    }

    /**
     * @param string $mode how it was recorded, '' where that is not known
     * @return array{text: string, title: string}|null a word and what it means
     */
    public static function mode(string $mode): ?array
    {
        return isset(self::MODES[$mode]) ? ['text' => self::MODES[$mode][0], 'title' => self::MODES[$mode][1]] : null;
    }

    /**
     * @return string|null what ended it before its time, "the program called..."; not escaped
     */
    public static function end(RunMeta $meta): ?string
    {
        return $meta->endedBy === null ? null : self::ENDS[$meta->endedBy] ?? $meta->endedBy;
    }

    /**
     * @param string $endedBy any bytes, '' for a run that is whole
     * @return array{text: string, title: string}|null a word and what it means; not escaped
     */
    public static function part(string $endedBy): ?array
    {
        return $endedBy === '' ? null
            : ['text' => 'part', 'title' => 'A part: ended when ' . (self::ENDS[$endedBy] ?? $endedBy)];
    }

    /** @return string one line: "triggered, answered with status 503, a part: ended when..."; '' where there is nothing to tell */
    public static function line(RunMeta $meta): string
    {
        $end = self::end($meta);

        return implode(', ', array_filter([
            self::start($meta->start ?? '', $meta->sampleRate, $meta->command !== null)['text'] ?? '',
            $meta->status === null ? '' : "answered with status $meta->status",
            $meta->parent === null ? '' : "fork of run $meta->parent",
            $end === null ? '' : "a part: ended when $end",
        ]));
    }

    /** @return string "Sampled every 1.00 ms, wall clock, 3 021 samples, 12 overruns, 3 delayed." */
    public static function sampling(RunMeta $meta): string
    {
        $samples = $meta->samples ?? 0;
        $parts = ['Sampled every ' . Units::us($meta->sampleInterval ?? 0)];
        if ($meta->sampling !== null) {
            $parts[] = $meta->sampling->clock === 'cpu' ? 'CPU clock' : 'wall clock';
        }
        $parts[] = Units::count($samples) . ($samples === 1 ? ' sample' : ' samples');
        $overruns = $meta->sampling->overruns ?? 0;
        $others = ['delayed' => $meta->sampling->delayed ?? 0, 'dropped' => $meta->sampling->dropped ?? 0];
        if ($overruns > 0) {
            $parts[] = Units::count($overruns) . ($overruns === 1 ? ' overrun' : ' overruns');
        }
        foreach (array_filter($others) as $word => $count) {
            $parts[] = Units::count($count) . " $word";
        }

        return implode(', ', $parts) . '.';
    }

    /** What the words of sampling() mean, as far as they are in it. */
    public static function meaning(RunMeta $meta): string
    {
        $text = '';
        if (($meta->sampling->overruns ?? 0) > 0) {
            $text .= ' Overruns: intervals that ended while a sample could not be taken yet; the next one stands for them.';
        }
        if (($meta->sampling->delayed ?? 0) > 0) {
            $text .= " Delayed: taken when the function of PHP's own that ran had returned, and charged to it.";
        }
        if (($meta->sampling->dropped ?? 0) > 0) {
            $text .= ' Dropped: there was no room for them.';
        }

        return $text;
    }
}
