<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Format\JsonText;
use XHProf\Format\Units;
use XHProf\Run\OriginText;
use XHProf\Run\RunMeta;
use XHProf\Run\RunRecording;

/** Information about a run besides its values: its origin, and how it was recorded. */
final class RunInfo
{
    /** The clocks by their names in run files. */
    private const CLOCKS = [
        'tsc' => "the processor's time stamp counter",
        'tsc-pinned' => 'the time stamp counter of one processor, to which the program was bound',
        'monotonic' => "the system's clock",
        'rseq' => 'the wall clock, while the kernel does not interrupt the program',
        'interpolate' => 'the wall clock, and the system where two calls are far apart',
        'syscall' => 'the system, at both ends of every call',
        'getrusage' => 'the system, at both ends of every call; it has user and system time apart',
        'thread_cputime' => 'the system, at both ends of every call',
    ];

    /** @return list<array{label: string, value: string}> only known facts */
    public static function facts(ShownRun $set): array
    {
        $meta = $set->run->meta();
        $facts = [
            'Run' => $set->ids[0]->id,
            'Source' => $set->ids[0]->source,
            'Host' => $meta->origin->host,
            'SAPI' => $meta->origin->sapi,
            'PHP' => $meta->origin->php === null ? null : $meta->origin->php . ($meta->origin->zts === true ? ' ZTS' : ''),
            'XHProf' => $meta->recording->version,
            'Release' => $meta->origin->release,
            'Git' => $meta->origin->git,
            'Trace' => $meta->origin->traceId,
            // The request that a window has kept knows its own span, other runs the one that their client sent.
            $meta->recording->start === RunRecording::WINDOW ? 'Span' : 'Parent span' => $meta->origin->spanId,
            'Process' => $meta->origin->pid === null ? null : (string) $meta->origin->pid,
            'Flags' => $meta->recording->flagNames === [] ? null : implode(', ', $meta->recording->flagNames),
            'Sampling' => $meta->recording->samples === null ? null : OriginText::sampling($meta),
            'Wall clock' => self::clock($meta->recording->clock['wall'] ?? ''),
            'CPU clock' => self::clock($meta->recording->clock['cpu'] ?? '') . self::refused($meta),
            'Overhead' => self::overhead($meta),
            'Elapsed' => self::elapsed($meta),
            'Suspended' => ucfirst(OriginText::suspended($meta) ?? ''),
            'Call paths' => $meta->totals->nodes === null ? null : Units::count($meta->totals->nodes),
        ];
        foreach ($meta->meta as $key => $value) {
            $facts[(string) $key] = is_string($value)
                ? $value
                : JsonText::encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        }
        $known = [];
        foreach ($facts as $label => $value) {
            if ($value !== null && $value !== '') {
                $known[] = ['label' => (string) $label, 'value' => $value];
            }
        }

        return $known;
    }

    private static function clock(string $name): string
    {
        return isset(self::CLOCKS[$name]) ? "$name: " . self::CLOCKS[$name] : $name;
    }

    /** Reasons for refusing better CPU clocks. */
    private static function refused(RunMeta $meta): string
    {
        $reasons = '';
        foreach ($meta->recording->refused as $clock => $why) {
            $reasons .= "; not $clock: $why";
        }

        return isset($meta->recording->clock['cpu']) ? $reasons : '';
    }

    /** What the clock on the wall showed, where that is more than the time of main(), and that in which it was suspended. */
    private static function elapsed(RunMeta $meta): string
    {
        $own = ($meta->totals->elapsedUs ?? 0) - ($meta->totals->wholeUs() ?? 0);

        return $meta->totals->durationUs === null || $own <= 0 ? '' : sprintf(
            '%s, of which %s were work of the profiler that is in no function\'s time',
            Units::us($meta->totals->elapsedUs ?? 0),
            Units::us($own),
        );
    }

    /** The profiler's own overhead, "per call of a user function 9.2 ns in it, 14.1 ns in its caller; of an…". */
    private static function overhead(RunMeta $meta): string
    {
        $parts = [];
        foreach ($meta->recording->overhead as $kind => $cost) {
            $function = $kind === 'user' ? 'a user function' : 'an internal function';
            $parts[] = sprintf('of %s %.1f ns in it, %.1f ns in its caller', $function, $cost['callee'], $cost['caller']);
        }

        return $parts === [] ? '' : 'per call ' . implode('; ', $parts);
    }
}
