<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Format\Units;

/** Origin of a run, in words: its start and its end, and how it was sampled. */
final class OriginText
{
    private const STARTS = [
        'trigger' => ['triggered', 'The request or process sent XHPROF_TRIGGER'],
        'sampled' => ['chosen by rate', 'A share of all requests: xhprof.start_with_request=sampled'],
        'yes' => ['automatic', 'Every request or process is profiled: xhprof.start_with_request=yes'],
        'span' => ['job', 'Between xhprof_begin_span() and xhprof_end_span()'],
        'aggregate' => ['window', 'Call paths of all requests, sampled and merged: xhprof.mode=aggregate'],
    ];

    private const MODES = [
        'exact' => ['exact', 'Every call was recorded'],
        'alloc' => ['allocations', 'Allocations of memory were recorded'],
        'sample' => ['sampled', 'The call stack was recorded at intervals'],
        'aggregate' => ['window', 'Call paths of all requests, sampled and merged'],
    ];

    /** The end of a job's profile, while the job goes on. */
    private const CUT = 'span of another fiber';

    /** Something else was profiled meanwhile; then it went on. */
    private const INTERRUPTION = 'interruption';

    /** Events that end a profile before its request. */
    private const ENDS = [
        'xhprof_enable' => 'the program started its own profile with xhprof_enable()',
        'xhprof_sample_enable' => 'the program started its own profile with xhprof_sample_enable()',
        'memprof_enable' => 'the program started its own profile with memprof_enable()',
        'span' => 'the first job began: each job is a separate run',
        self::CUT => 'another fiber began a job, which took its place: the rest of it is in no run',
        'fiber' => 'the fiber of the job was destroyed',
        'pcntl_exec' => 'the process started another program with pcntl_exec()',
        'shutdown' => 'the process ended during the job',
        'SIGTERM' => 'the process got the signal SIGTERM',
        'SIGINT' => 'the process got the signal SIGINT',
        'SIGHUP' => 'the process got the signal SIGHUP',
    ];

    /**
     * @return array{text: string, title: string}|null a word or two and their meaning; null for runs started by the program
     *     itself
     */
    public static function start(string $start, ?float $rate = null): ?array
    {
        if (!isset(self::STARTS[$start])) {
            return null;
        }
        [$text, $title] = self::STARTS[$start];
        if ($start === 'sampled' && $rate !== null && $rate > 0) {
            $text .= $rate >= 1 ? ': all' : ': 1 of ' . Units::count((int) min(1e9, round(1 / $rate)));
        }

        return ['text' => $text, 'title' => $title];
    }

    /**
     * @param string $mode how it was recorded, '' if unknown
     * @return array{text: string, title: string}|null a word and its meaning
     */
    public static function mode(string $mode): ?array
    {
        return isset(self::MODES[$mode]) ? ['text' => self::MODES[$mode][0], 'title' => self::MODES[$mode][1]] : null;
    }

    /**
     * @return string|null what it is a part of, "ended when the program called..."; not escaped
     */
    public static function end(RunMeta $meta): ?string
    {
        return $meta->recording->endedBy === null ? null : self::ending($meta->recording->endedBy);
    }

    private static function ending(string $endedBy): string
    {
        return $endedBy === self::INTERRUPTION ? 'without what the program profiled itself, and its jobs'
            : 'ended when ' . (self::ENDS[$endedBy] ?? $endedBy);
    }

    /**
     * @param string $endedBy any bytes, '' for a run that is whole
     * @return array{text: string, title: string}|null a word and its meaning; not escaped
     */
    public static function part(string $endedBy): ?array
    {
        return $endedBy === '' ? null : [
            'text' => $endedBy === self::CUT ? 'cut' : 'part',
            'title' => 'A part: ' . self::ending($endedBy),
        ];
    }

    /** @return string|null whose work is in the run besides its own; null if none is */
    public static function mixed(RunMeta $meta): ?string
    {
        return ($meta->recording->otherFibers ?? 0) < 1 ? null : sprintf(
            'mixed: other fibers ran %s within it, and what they did is in it',
            $meta->recording->otherFibers === 1 ? 'once' : Units::count($meta->recording->otherFibers) . ' times',
        );
    }

    /**
     * @return string|null "54.0 ms from begin to end: 10.0 ms CPU, 21.0 ms other, 23.0 ms suspended…"; null if it never was. Other
     *     time is that in which it ran without the processor: it waited, or other programs had it
     */
    public static function suspended(RunMeta $meta): ?string
    {
        $suspended = $meta->totals->suspendedUs;
        if ($suspended === null) {
            return null;
        }
        $own = $meta->totals->durationUs;
        $cpu = $meta->totals->figures['cpu'] ?? null;
        $why = 'while other fibers ran or the loop waited';
        if ($own === null) {
            return 'suspended for ' . Units::us($suspended) . " $why";
        }

        return sprintf(
            '%s from begin to end: %s, %s suspended %s',
            Units::us($own + $suspended),
            // Clocks differ: a little more CPU than wall time is no other time.
            $cpu === null ? Units::us($own) . ' running'
                : Units::us(max(0, $cpu)) . ' CPU, ' . Units::us(max(0, $own - max(0, $cpu))) . ' other',
            Units::us($suspended),
            $why,
        );
    }

    /** @return string which part of a span's time the functions of its run have: samples may miss some of that in which it ran */
    public static function ownTime(RunMeta $meta): string
    {
        return $meta->recording->samples === null ? 'running' : 'sampled';
    }

    /** @return array{text: string, title: string}|null a word and its meaning; null for a run that never was */
    public static function suspension(RunMeta $meta): ?array
    {
        $text = self::suspended($meta);

        return $text === null ? null : [
            'text' => 'suspended ' . Units::us($meta->totals->suspendedUs ?? 0),
            'title' => ucfirst($text),
        ];
    }

    /** @return string "Trace 4bf9..., span 00f0..." by which it is found elsewhere; '' if it is not known */
    public static function trace(RunMeta $meta): string
    {
        $span = $meta->origin->spanId === null ? '' : ", span {$meta->origin->spanId}";

        return $meta->origin->traceId === null ? '' : "Trace {$meta->origin->traceId}$span";
    }

    /** @return string one line: "triggered, answered with status 503, a part: ended when..."; '' if there is nothing to report */
    public static function line(RunMeta $meta): string
    {
        $end = self::end($meta);

        return implode(', ', array_filter([
            self::start($meta->recording->start ?? '', $meta->recording->sampleRate)['text'] ?? '',
            $meta->origin->status === null ? '' : "answered with status {$meta->origin->status}",
            $meta->origin->release === null ? '' : "release {$meta->origin->release}",
            $meta->origin->parent === null ? '' : "fork of run {$meta->origin->parent}",
            $end === null ? '' : "a part: $end",
            self::mixed($meta) ?? '',
            self::suspended($meta) ?? '',
        ]));
    }

    /** What is incomplete, as the run has more call paths than xhprof.max_nodes; null: nothing is. */
    public static function folded(RunMeta $meta): ?string
    {
        $folded = $meta->totals->nodesDropped ?? 0;
        if ($folded === 0) {
            return null;
        }
        if ($meta->recording->samples !== null) {
            return 'Samples of light call paths are those of their callers, or of (truncated), as xhprof.max_nodes is the most '
                . 'paths. None is missing, but some functions may be.';
        }

        return sprintf(
            '%s of light call paths %s folded, as xhprof.max_nodes is the most paths. Their time and memory are those of their '
                . 'callers, or of (truncated). The calls of all functions are exact: these are in main(), below (truncated).',
            Units::counted($folded, 'call'),
            $folded === 1 ? 'is' : 'are',
        );
    }

    /** @return string "3 021 samples, one per 1.00 ms of wall time, in a run of 3.02 s; 12 fell into calls that..." */
    public static function sampling(RunMeta $meta): string
    {
        $samples = $meta->recording->samples ?? 0;
        // The figures are samples times their distance: a short run has taken more, or less.
        $lasted = $meta->window === null && ($meta->recording->sampling->intervalBytes ?? null) === null
            ? $meta->totals->durationUs
            : null;
        $parts = [sprintf(
            '%s, one per %s%s',
            Units::counted($samples, 'sample'),
            $meta->recording->sampleDistance() . ($meta->recording->sampling === null ? ' of time' : ''),
            $lasted === null ? '' : ', in a run of ' . Units::us($lasted),
        )];
        $words = [
            'fell into calls that could not be interrupted and were charged to them' => $meta->recording->sampling->overruns ?? 0,
            "were taken after a function of PHP's own returned, and charged to it" => $meta->recording->sampling->delayed ?? 0,
            'were dropped: the buffer was full' => $meta->recording->sampling->dropped ?? 0,
        ];
        foreach (array_filter($words) as $what => $count) {
            $parts[] = Units::count($count) . ' ' . ($count === 1 ? str_replace('were ', 'was ', $what) : $what);
        }

        return implode('; ', $parts) . '.';
    }
}
