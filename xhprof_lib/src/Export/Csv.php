<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Format\Decimal;
use XHProf\Functions\FlatReport;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;

/**
 * The functions as a table, RFC 4180: microseconds and bytes, the heaviest first. A name that a spreadsheet would take for a
 * formula gets an apostrophe in front.
 */
final class Csv implements Format
{
    public const NAME = 'csv';
    public const EXTENSION = 'csv';
    public const MIME_TYPE = 'text/csv';
    public const LABEL = 'CSV';
    public const OPENS = 'spreadsheets, R, pandas: the table of functions';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $metrics = ExportColumn::metrics($run, $metric);
        $report = FlatReport::compute($run->profile());
        $columns = MetricOrder::figures($metrics);
        self::row(['function', ...array_map(self::title(...), $columns)], $out);
        foreach ($report->sorted(MetricOrder::sort(null, $metrics)) as $name => $row) {
            $cells = [self::text($name)];
            foreach ($columns as $column) {
                $cells[] = isset($row[$column]) ? Decimal::text($row[$column]) : '';
            }
            self::row($cells, $out);
        }
    }

    /** "wt" becomes "wt_us", "live_bytes" stays: a value needs a unit. */
    public static function title(string $column): string
    {
        $unit = Metrics::unit($column);

        return $unit === 'count' || str_ends_with($column, "_$unit") ? $column : "{$column}_$unit";
    }

    /** Quotes a text, and prevents its use as a formula. */
    public static function text(string $text): string
    {
        // Quotes hold these; anything else that does something in a terminal is escaped.
        $held = str_replace(["\t", "\r", "\n"], '', $text);
        $text = Utf8Names::line($held) === $held ? $text : Utf8Names::line($text);
        // Full-width signs begin formulas too; if ";" separates cells, the text after one in a name would be a cell of its own.
        $text = preg_match('/\A[=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]/u', $text) === 1 ? "'$text" : $text;

        return preg_match('/[",;\t\r\n]|\A\s|\s\z/', $text) === 1 ? '"' . str_replace('"', '""', $text) . '"' : $text;
    }

    /**
     * @param list<string> $cells
     */
    public static function row(array $cells, Sink $out): void
    {
        $out->write(implode(',', $cells) . "\r\n");
    }
}
