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
    /** Lines of code that are shown; of a longer function its beginning. */
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
     * @param float|null                                            $recorded when the run began, seconds since 1970
     *
     * @return array<string, mixed>|null variables of the template; null where the source may not or cannot be read
     */
    public function variables(CodePlace $place, ?FunctionLines $times, array $calls, ?float $recorded): ?array
    {
        $source = $place->line > 0 && $place->extension() === null ? $this->files->read($place->file) : null;
        if ($source === null || $place->line > count($source['lines'])) {
            return null;
        }
        $last = min(max($place->lastLine, $place->line), count($source['lines']));
        $metric = ShownMetric::of($times->metric ?? 'wt');
        $total = $times?->time() ?? 0;
        $rows = [];
        for ($line = $place->line; $line <= $last && count($rows) < self::MAX_LINES; $line++) {
            $time = $times->lines[$line]['time'] ?? null;
            $rows[] = [
                'line' => $line,
                'text' => self::text($source['lines'][$line - 1]),
                'cell' => Cells::value($time, $metric, $total, true),
                'calls' => $calls[$line] ?? [],
            ];
        }

        return [
            'rows' => $rows,
            'more' => $last - $place->line + 1 - count($rows),
            'label' => $times === null ? null : $metric->label,
            'calls' => $calls !== [],
            'changed' => $recorded !== null && $source['mtime'] > $recorded,
        ];
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
