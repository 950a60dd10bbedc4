<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\InvalidRunId;
use XHProf\Format\Units;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Web\Http\Url;

/** How a run came about: what started it and what ended it, how it was sampled, how the request was answered. */
final class RunOrigin
{
    private const STARTS = [
        'trigger' => ['triggered', 'The request or process asked for it: XHPROF_TRIGGER'],
        'sampled' => ['sampled', 'Some of many: xhprof.start_with_request=sampled'],
        'yes' => ['every request', 'Every request or process is profiled: xhprof.start_with_request=yes'],
        'span' => ['job', 'Between xhprof_begin_span() and xhprof_end_span()'],
        'aggregate' => ['aggregate', 'Call paths of all requests, sampled and merged: xhprof.mode=aggregate'],
    ];

    /** What ends a profile before its request, in words. */
    private const ENDS = [
        'xhprof_enable' => 'the program called xhprof_enable(), which starts a profile of its own',
        'xhprof_sample_enable' => 'the program called xhprof_sample_enable(), which starts a profile of its own',
        'memprof_enable' => 'the program called memprof_enable(), which starts a profile of its own',
        'span' => 'the first job began, and jobs are runs of their own',
    ];

    /**
     * @return array{badge: array{text: string, title: string}|null, status: array{text: string, tone: string, title: string}|null,
     *     job: ?string, part: ?string, parent: array{text: string, url: ?string}|null, previous_url: ?string, next_url: ?string}
     */
    public static function of(Runs $runs, RunSet $set): array
    {
        $meta = $set->meta;
        [$previous, $next] = $meta->start === 'aggregate' ? self::windows($runs, $set) : [null, null];

        return [
            'badge' => self::badge($meta->start ?? '', $meta->sampleRate, $meta->command !== null),
            'status' => self::status($meta->status),
            'job' => ($meta->name ?? '') === '' ? null : $meta->command ?? $meta->url,
            'part' => $meta->endedBy === null ? null : self::ENDS[$meta->endedBy] ?? $meta->endedBy,
            'parent' => self::parent($runs, $set),
            'previous_url' => $previous,
            'next_url' => $next,
        ];
    }

    /** @return array{text: string, title: string}|null null for what the program itself started */
    public static function badge(string $start, ?float $rate = null, bool $isCommand = false): ?array
    {
        if (!isset(self::STARTS[$start])) {
            return null;
        }
        [$text, $title] = self::STARTS[$start];
        if ($start === 'sampled' && $rate !== null && $rate > 0) {
            $text = $rate >= 1 ? 'sampled: all' : '1 of ' . Units::count((int) min(1e9, round(1 / $rate))) . ' sampled';
        }
        if ($start === 'yes' && $isCommand) {
            $text = 'every process';
        }

        return ['text' => $text, 'title' => $title];
    }

    /** @return array{text: string, tone: string, title: string}|null */
    public static function status(?int $status): ?array
    {
        if ($status === null) {
            return null;
        }
        $tone = $status >= 500 ? 'bad' : ($status >= 400 ? 'odd' : 'fine');

        return ['text' => (string) $status, 'tone' => $tone, 'title' => "Answered with status $status"];
    }

    /** @return string "Sampled every 1.00 ms, wall clock, 3 021 samples, 12 overruns, 3 delayed." */
    public static function sampling(RunMeta $meta): string
    {
        $sampling = $meta->sampling;
        $samples = $meta->samples ?? 0;
        $parts = ['Sampled every ' . Units::us($meta->sampleInterval ?? 0)];
        if ($sampling !== null) {
            $parts[] = $sampling->clock === 'cpu' ? 'CPU clock' : 'wall clock';
        }
        $parts[] = Units::count($samples) . ($samples === 1 ? ' sample' : ' samples');
        foreach (['overruns' => 'overrun', 'delayed' => 'delayed', 'dropped' => 'dropped'] as $key => $word) {
            $count = $sampling === null ? 0 : $sampling->toArray()[$key] ?? 0;
            if (is_int($count) && $count > 0) {
                $parts[] = Units::count($count) . " $word" . ($key === 'overruns' && $count > 1 ? 's' : '');
            }
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

    /** @return array{text: string, url: ?string}|null */
    private static function parent(Runs $runs, RunSet $set): ?array
    {
        if ($set->meta->parent === null) {
            return null;
        }
        try {
            $parent = RunId::fromStrings($set->meta->parent, $set->source());
        } catch (InvalidRunId) {
            return null;
        }

        return [
            'text' => substr($parent->id, 0, 12),
            'url' => $runs->store->has($parent) ? Url::index(Url::runParameters($parent)) : null,
        ];
    }

    /** @return array{?string, ?string} the aggregates of this host before and after this one */
    private static function windows(Runs $runs, RunSet $set): array
    {
        $windows = new Windows($runs, $set);

        return [$windows->beside(false), $windows->beside(true)];
    }
}
