<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Format\Units;
use XHProf\Report\Origin;
use XHProf\Store\RunMeta;

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
        'thread_cputime' => 'the system, at both ends of every call',
    ];

    /** @return list<array{label: string, value: string}> only known facts */
    public static function of(ShownRun $set): array
    {
        $meta = $set->run->meta();
        $facts = [
            'Run' => $set->ids[0]->id,
            'Source' => $set->ids[0]->source,
            'Host' => $meta->host,
            'SAPI' => $meta->sapi,
            'PHP' => $meta->php === null ? null : $meta->php . ($meta->zts === true ? ' ZTS' : ''),
            'XHProf' => $meta->version,
            'Release' => $meta->release,
            'Git' => $meta->git,
            'Trace' => $meta->traceId,
            'Parent span' => $meta->spanId,
            'Process' => $meta->pid === null ? null : (string) $meta->pid,
            'Flags' => $meta->flagNames === [] ? null : implode(', ', $meta->flagNames),
            'Sampling' => $meta->samples === null ? null : Origin::sampling($meta),
            'Wall clock' => self::clock($meta->clock['wall'] ?? ''),
            'CPU clock' => self::clock($meta->clock['cpu'] ?? '') . self::refused($meta),
            'Overhead' => self::overhead($meta),
            'Elapsed' => self::elapsed($meta),
            'Call paths' => $meta->nodes === null ? null : Units::count($meta->nodes),
        ];
        foreach ($meta->meta as $key => $value) {
            $facts[(string) $key] = is_string($value)
                ? $value
                : (string) json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
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
        foreach ($meta->refused as $clock => $why) {
            $reasons .= "; not $clock: $why";
        }

        return isset($meta->clock['cpu']) ? $reasons : '';
    }

    /** What the clock on the wall showed, where that is more than the time of main(). */
    private static function elapsed(RunMeta $meta): string
    {
        $own = ($meta->elapsedUs ?? 0) - ($meta->durationUs ?? 0);

        return $meta->durationUs === null || $own <= 0 ? '' : sprintf(
            '%s, of which %s were work of the profiler that is in no function\'s time',
            Units::us($meta->elapsedUs ?? 0),
            Units::us($own),
        );
    }

    /** The profiler's own overhead, "per call of a user function 9.2 ns in it, 14.1 ns in its caller; of an…". */
    private static function overhead(RunMeta $meta): string
    {
        $parts = [];
        foreach ($meta->overhead as $kind => $cost) {
            $function = $kind === 'user' ? 'a user function' : 'an internal function';
            $parts[] = sprintf('of %s %.1f ns in it, %.1f ns in its caller', $function, $cost['callee'], $cost['caller']);
        }

        return $parts === [] ? '' : 'per call ' . implode('; ', $parts);
    }
}
