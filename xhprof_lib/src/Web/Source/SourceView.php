<?php

declare(strict_types=1);

namespace XHProf\Web\Source;

use XHProf\Functions\FunctionLines;
use XHProf\Profile\CodePlace;
use XHProf\Source\SourceFiles;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/** The source of a function with the time of its lines, and what its lines call. */
final class SourceView
{
    /** Lines of code that are shown; of a longer function its beginning, or those around the line that matters. */
    private const MAX_LINES = 1500;

    /** Bytes of a line; the rest is cut off. */
    private const MAX_LINE = 400;

    private const TAB = 4;

    public function __construct(private readonly SourceFiles $files)
    {
    }

    /**
     * @param FunctionLines|null                                    $times null: no time of lines is known
     * @param array<int, list<array{name: string, url: ?string}>> $calls by line, the functions that it calls
     * @param int $costliest line of the call that costs most, 0: not known. The line that matters is the one with the most
     *     time, else this one
     * @param float|null                                            $recorded when the run began, seconds since 1970
     *
     * @return array<string, mixed>|null variables of the template; null where the source may not or cannot be read
     */
    public function variables(CodePlace $place, ?FunctionLines $times, array $calls, ?float $recorded, int $costliest = 0): ?array
    {
        $source = $place->line > 0 && $place->extension() === null ? $this->files->read($place->file) : null;
        if ($source === null || $place->line > count($source['lines'])) {
            return null;
        }
        $last = min(max($place->lastLine, $place->line), count($source['lines']));
        $metric = ShownMetric::of($times->metric ?? 'wt');
        $total = $times?->time() ?? 0;
        $rows = [];
        $matters = self::hottest($times) ?? $costliest;
        $isFar = $matters <= $last && $matters - $place->line >= self::MAX_LINES;
        $first = $isFar ? $matters - intdiv(self::MAX_LINES, 2) : $place->line;
        for ($line = $first; $line <= $last && count($rows) < self::MAX_LINES; $line++) {
            $time = $times->lines[$line]['time'] ?? null;
            $rows[] = [
                'line' => $line,
                'text' => self::text($source['lines'][$line - 1]),
                'cell' => Cells::value($time, $metric, $total, true),
                'calls' => $calls[$line] ?? [],
                'matters' => $line === $matters,
            ];
        }

        return [
            'rows' => $rows,
            'before' => $first - $place->line,
            'more' => $last - $first + 1 - count($rows),
            'label' => $times === null ? null : $metric->label,
            'calls' => $calls !== [],
            'changed' => $recorded !== null && $source['mtime'] > $recorded,
        ];
    }

    /** The line with the most time. */
    private static function hottest(?FunctionLines $times): ?int
    {
        $hottest = null;
        $most = -1;
        foreach ($times->lines ?? [] as $line => ['time' => $time]) {
            [$hottest, $most] = $time > $most ? [$line, $time] : [$hottest, $most];
        }

        return $hottest;
    }

    private static function text(string $line): string
    {
        $text = '';
        foreach (explode("\t", substr($line, 0, self::MAX_LINE)) as $i => $part) {
            $text .= ($i > 0 ? str_repeat(' ', self::TAB - mb_strlen($text, '8bit') % self::TAB) : '') . $part;
        }

        return $text . (strlen($line) > self::MAX_LINE ? ' …' : '');
    }
}
