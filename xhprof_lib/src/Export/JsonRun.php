<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Format\Decimal;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\MetricList;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Run\Run;

/**
 * All data of a run as columns:
 *
 *     {"v":1, "kind":"xhprof-run", "run":{"id","source","title"}, "meta":{as RunMeta::toArray()},
 *      "metrics":[{"k":"wt","unit":"us"|"bytes"|"count","label"},..., {"k":"ct",..., "calls":bool}],
 *      "total":{"ct","wt",...}, "names":[...],
 *      "functions":{"fn":[index of names], "m":{"ct":[],"wt":[],"excl_wt":[],...}},
 *      "edges":{"p":[index of names, -1 for none], "c":[index of names], "m":{"ct":[],"wt":[],...}},
 *      "tree":null or {"v","kind","metrics","order","n","names","files","file","line","last_line","fn","depth",
 *      "ct","call_line","self","corrected"}}
 *
 * Microseconds and bytes; nanoseconds in the tree, together with the metrics that a tree can have. Missing values of a
 * function or an edge are null.
 */
final class JsonRun implements Format
{
    public const NAME = 'json';
    public const EXTENSION = 'run.json';
    public const MIME_TYPE = 'application/json';
    public const LABEL = 'JSON';
    public const OPENS = 'jq and your own programs: functions, calls, call tree and metadata as columns; bin/xhprof import';

    public const KIND = 'xhprof-run';

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $metrics = ExportColumn::metrics($run, $metric);
        $counted = CountKind::ofRuns($run);
        $labels = MetricList::ofProfile($metrics, $counted);
        $totals = array_intersect_key($run->profile()->totals(), array_flip(['ct', ...$metrics]));
        $names = array_flip($run->profile()->symbols());
        $about = ['id' => $run->id?->id, 'source' => $run->id?->source, 'title' => Utf8Names::utf8($run->title())];
        $out->write('{"v":1,"kind":"' . self::KIND . '","run":' . Utf8Names::data($about));
        $out->write(',"meta":' . Utf8Names::data((object) $run->meta()->toArray()));
        $out->write(',"metrics":' . Utf8Names::data($labels) . ',"total":' . Utf8Names::data($totals));
        $out->write(",\n\"names\":");
        self::column(array_map(static fn (int|string $name): string => Utf8Names::json((string) $name), array_keys($names)), $out);
        self::functions(FlatReport::compute($run->profile()), $metrics, $names, $out);
        self::edges($run, $metrics, $names, $out);
        $out->write(",\n\"tree\":");
        if ($run->tree() === null) {
            $out->write('null');
        } else {
            self::tree($run->tree(), MetricList::ofTree($counted), $out);
        }
        $out->write("}\n");
    }

    /**
     * The tree as columns, and the metrics that a tree can have.
     *
     * @param list<array<string, mixed>> $metrics of MetricList
     */
    private static function tree(CallTree $tree, array $metrics, Sink $out): void
    {
        $out->write('{"v":1,"kind":"tree","metrics":' . Utf8Names::data($metrics) . ',"order":"preorder"');
        $out->write(',"n":' . $tree->count() . ',"names":');
        self::column(array_map(Utf8Names::json(...), $tree->names), $out);
        $columns = $tree->places->toArray() + ['fn' => $tree->fn, 'depth' => $tree->depth, 'ct' => $tree->ct]
            + ($tree->callLine === [] ? [] : ['call_line' => $tree->callLine]);
        foreach ($columns as $key => $column) {
            $out->write(",\"$key\":");
            self::column($key === 'files' ? array_map(Utf8Names::json(...), array_map(strval(...), $column)) : $column, $out);
        }
        foreach (['self' => $tree->self + $tree->allocations, 'corrected' => $tree->corrected] as $key => $columns) {
            if ($columns === []) {
                continue;
            }
            $comma = ",\"$key\":{";
            foreach ($columns as $metric => $column) {
                $out->write($comma . Utf8Names::json($metric) . ':');
                self::column($column, $out);
                $comma = ',';
            }
            $out->write('}');
        }
        $out->write('}');
    }

    /**
     * @param list<string>          $metrics
     * @param array<array-key, int> $names
     */
    private static function functions(FlatReport $report, array $metrics, array $names, Sink $out): void
    {
        $rows = $report->rows();
        $out->write(",\n\"functions\":{\"fn\":");
        self::column(array_map(static fn (int|string $name): int => $names[$name], array_keys($rows)), $out);
        $columns = ['ct'];
        foreach ($metrics as $metric) {
            array_push($columns, $metric, "excl_$metric");
        }
        self::columns($rows, $columns, $out);
        $out->write('}');
    }

    /**
     * @param list<string>          $metrics
     * @param array<array-key, int> $names
     */
    private static function edges(Run $run, array $metrics, array $names, Sink $out): void
    {
        $edges = $run->profile()->edges();
        $callers = [];
        $callees = [];
        foreach ($edges as $key => $_) {
            [$caller, $callee] = EdgeKey::parse($key);
            $callers[] = $caller === null ? -1 : $names[$caller];
            $callees[] = $names[$callee];
        }
        $out->write(",\n\"edges\":{\"p\":");
        self::column($callers, $out);
        $out->write(',"c":');
        self::column($callees, $out);
        self::columns($edges, ['ct', ...$metrics], $out);
        $out->write('}');
    }

    /**
     * @internal
     *
     * @param array<array<string, int|float>> $rows
     * @param list<string>                    $columns
     */
    public static function columns(array $rows, array $columns, Sink $out): void
    {
        $comma = ',"m":{';
        foreach ($columns as $column) {
            $out->write($comma . Utf8Names::json($column) . ':');
            $text = static fn (array $row): string => isset($row[$column]) ? Decimal::text($row[$column]) : 'null';
            self::column(array_map($text, array_values($rows)), $out);
            $comma = ',';
        }
        $out->write('}');
    }

    /**
     * @internal
     *
     * @param array<int|string> $values a list of whole numbers, or JSON
     */
    public static function column(array $values, Sink $out): void
    {
        $out->write('[');
        for ($i = 0; $i < count($values); $i += 4096) {
            $out->write(($i > 0 ? ',' : '') . implode(',', array_slice($values, $i, 4096)));
        }
        $out->write(']');
    }
}
