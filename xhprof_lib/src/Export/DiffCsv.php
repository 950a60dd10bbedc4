<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Compare\DiffReport;
use XHProf\File\Sink;
use XHProf\Format\Decimal;

/**
 * A comparison as a table: per function each value before and after, the change, and why it does not count, as Noise has it; the
 * largest change first.
 */
final class DiffCsv
{
    public static function write(DiffReport $report, Sink $out): void
    {
        [$figures, $noise] = [$report->figures(), $report->noise()];
        $metrics = $report->metrics();
        $columns = ['ct'];
        foreach ($metrics as $metric) {
            array_push($columns, $metric, "excl_$metric");
        }
        $head = ['function', 'status'];
        foreach ($columns as $column) {
            $title = Csv::title($column);
            array_push($head, "{$title}_before", "{$title}_after", "{$title}_change", "{$column}_noise");
        }
        $head[] = 'function_before';
        Csv::row($head, $out);
        $before = $figures->before()->rows();
        $after = $figures->after()->rows();
        foreach ($figures->sorted($metrics === [] ? 'ct' : "excl_$metrics[0]") as $name => $row) {
            $cells = [Csv::text($name), $figures->status($name)];
            foreach ($columns as $column) {
                $cells[] = Decimal::text($before[$name][$column] ?? 0);
                $cells[] = Decimal::text($after[$name][$column] ?? 0);
                $change = $row[$column] ?? 0;
                $cells[] = Decimal::text($change);
                // What is the same is not noise.
                $cells[] = $change == 0 ? '' : $noise->of($name, $column, $change) ?? '';
            }
            $cells[] = Csv::text($figures->nameBefore($name) ?? '');
            Csv::row($cells, $out);
        }
    }
}
