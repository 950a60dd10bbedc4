<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Report\DiffReport;
use XHProf\Report\SymbolDiff;

/**
 * The tables of a comparison, ready for the templates.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 */
final class DiffTables
{
    /**
     * Totals of both runs, one line per metric.
     *
     * @return list<array<string, mixed>>
     */
    public static function totals(DiffReport $report): array
    {
        $totals = $report->totals();
        $lines = [];
        foreach (Metric::list([...$report->metrics(), 'ct']) as $metric) {
            $a = $totals['a'][$metric->key] ?? 0;
            $b = $totals['b'][$metric->key] ?? 0;
            $lines[] = self::beforeAfter($metric->label, $metric, $a, $b);
        }
        $functions = Metric::of('functions');
        $lines[] = self::beforeAfter(
            'Functions',
            $functions,
            count($report->before()->rows()),
            count($report->after()->rows()),
        );

        return $lines;
    }

    /**
     * A function's own figures in both runs.
     *
     * @param list<string> $metrics
     * @return list<array<string, mixed>>
     */
    public static function own(SymbolDiff $diff, array $metrics): array
    {
        $self = $diff->self();
        $keys = ['ct'];
        foreach ($metrics as $metric) {
            array_push($keys, $metric, "excl_$metric");
        }
        $lines = [];
        foreach (Metric::list($keys) as $metric) {
            $lines[] = self::beforeAfter(
                $metric->fullLabel(),
                $metric,
                $self['a'][$metric->key] ?? 0,
                $self['b'][$metric->key] ?? 0,
            );
        }

        return $lines;
    }

    /**
     * @param array<string, array<string, int|float>> $rows part of the report's rows
     * @return list<array<string, mixed>>
     */
    public static function functions(array $rows, DiffReport $report, DiffPair $pair, Sorting $sorting): array
    {
        $before = $report->before()->rows();
        $after = $report->after()->rows();
        $metrics = Metric::list(array_slice(Columns::keys($report->metrics()), 1));
        $largest = self::largest($rows, $sorting->key);
        $keep = $pair->parameters() + ['sort' => $sorting->key];
        $lines = [];
        foreach ($rows as $name => $_) {
            $lines[] = [
                'name' => $name,
                'status' => $report->status($name),
                'url' => Url::index($keep + Url::symbolParameter($name)),
                'cells' => self::cells($before[$name] ?? [], $after[$name] ?? [], $metrics, $sorting, $largest),
            ];
        }

        return $lines;
    }

    /**
     * @param array<string, Neighbour> $rows
     * @param list<string> $keys metrics
     * @return list<array<string, mixed>>
     */
    public static function neighbours(array $rows, DiffPair $pair, Sorting $sorting, array $keys): array
    {
        $sorted = $sorting->apply($rows, static fn (array $row, int|string $name): int|float|string
            => $sorting->key === Sorting::BY_NAME ? (string) $name : abs($row['delta'][$sorting->key] ?? 0));
        $largest = self::largest(array_column($rows, 'delta'), $sorting->key);
        $metrics = Metric::list(array_slice(Columns::keys($keys, false), 1));
        $lines = [];
        foreach ($sorted as $name => $row) {
            $url = Url::index($pair->parameters() + ['sort' => $sorting->key] + Url::symbolParameter((string) $name));
            $lines[] = [
                'name' => (string) $name,
                'status' => $row['status'],
                'url' => $url,
                'cells' => self::cells($row['a'], $row['b'], $metrics, $sorting, $largest),
            ];
        }

        return $lines;
    }

    /**
     * @param array<string, int|float> $a
     * @param array<string, int|float> $b
     * @param list<Metric> $metrics
     * @param int|float $largest change of the sorted column
     * @return list<array<string, mixed>>
     */
    private static function cells(array $a, array $b, array $metrics, Sorting $sorting, int|float $largest): array
    {
        $cells = [];
        foreach ($metrics as $metric) {
            $isMain = $metric->key === $sorting->key;
            $cells[] = Cells::change($a[$metric->key] ?? 0, $b[$metric->key] ?? 0, $metric, $isMain ? $largest : 0, $isMain);
        }

        return $cells;
    }

    /** @return array<string, mixed> */
    private static function beforeAfter(string $label, Metric $metric, int|float $a, int|float $b): array
    {
        return [
            'label' => $label,
            'before' => Cells::figure($a, $metric),
            'after' => Cells::figure($b, $metric),
            'change' => Cells::change($a, $b, $metric),
        ];
    }

    /**
     * @param array<array-key, array<string, int|float>> $rows
     */
    private static function largest(array $rows, string $key): int|float
    {
        return max([0, ...array_map(static fn (array $row): int|float => abs($row[$key] ?? 0), array_values($rows))]);
    }
}
