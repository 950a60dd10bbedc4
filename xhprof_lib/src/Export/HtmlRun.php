<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\Metrics;
use XHProf\Report\Counted;
use XHProf\Report\FlatReport;
use XHProf\Report\FoldedCalls;
use XHProf\Report\MetricList;

/**
 * The run in Html's file, as its scripts read it (assets/js/standalone/run.js):
 *
 *     {"v":1, "kind":"xhprof-html", "metrics":[{"k","unit","label"},..., {"k":"ct",..., "calls":bool}],
 *      "total":{"ct","wt",...}, "names":[...],
 *      "m":{"ct":[],"wt":[],"excl_wt":[],...} of functions,
 *      "calls":{"p":[index of names], "c":[], "way_in":[0 or 1], "m":{"ct":[],"wt":[],...}},
 *      "inner":{"p":[], "c":[], "ct":[]} callers of a function while it was running,
 *      "tree":null or as in tree.json, "timeline":null or as in timeline.json, "samples":null or as api.php?get=samples answers}
 *
 * The times of calls, or else of samples, are there if the whole tree is. Levels of recursion are one function. Corrected times
 * are in the tree only, as on the pages by default.
 *
 * @internal
 */
final class HtmlRun
{
    public static function write(ExportedRun $run, Sink $out): void
    {
        $report = FlatReport::of($run->profile, true);
        $metrics = array_values(array_filter($run->metrics(), static fn (string $key): bool => !Metrics::isCorrected($key)));
        $counted = Counted::of($run->meta);
        $labels = MetricList::ofProfile($metrics, $counted);
        $totals = array_intersect_key($report->totals(), array_flip(['ct', ...$metrics]));
        $names = array_flip(array_keys($report->rows()));
        $out->write('{"v":1,"kind":"xhprof-html","metrics":' . Names::data($labels));
        $out->write(',"total":' . Names::data($totals) . ",\n\"names\":");
        JsonRun::column(array_map(static fn (int|string $name): string => Names::json((string) $name), array_keys($names)), $out);
        $columns = ['ct'];
        foreach ($metrics as $metric) {
            array_push($columns, $metric, "excl_$metric");
        }
        JsonRun::columns($report->rows(), $columns, $out);
        self::calls(FoldedCalls::of($run->profile), ['ct', ...$metrics], $names, $out);
        $out->write(",\n\"tree\":");
        if ($run->tree === null) {
            $out->write('null');
        } else {
            // The file is for others: the paths of this machine stay here.
            JsonRun::tree($run->tree, MetricList::ofTree($counted), $out, false);
        }
        self::times($run, $out);
        $out->write("}\n");
    }

    private static function times(ExportedRun $run, Sink $out): void
    {
        $samples = $run->timeline === null ? $run->samples : null;
        foreach (['timeline' => $run->timeline?->toArray(), 'samples' => $samples?->toArray()] as $kind => $data) {
            $out->write(",\n\"$kind\":");
            if ($data === null) {
                $out->write('null');
                continue;
            }
            $out->write("{\"v\":1,\"kind\":\"$kind\"");
            if ($samples !== null) {
                [$metric] = MetricList::ofProfile([$samples->metric], Counted::Samples);
                $out->write(',"metric":' . Names::data($metric));
            }
            foreach ($data as $key => $value) {
                $out->write(",\"$key\":");
                self::value($value, $out);
            }
            $out->write('}');
        }
    }

    /** Long columns in parts; names as they are shown. */
    private static function value(mixed $value, Sink $out): void
    {
        if (!is_array($value)) {
            $out->write(Names::data($value));
        } elseif (array_is_list($value)) {
            JsonRun::column(array_map(static fn (mixed $one): mixed => is_string($one) ? Names::json($one) : $one, $value), $out);
        } else {
            $comma = '{';
            foreach ($value as $key => $column) {
                $out->write("$comma\"$key\":");
                self::value($column, $out);
                $comma = ',';
            }
            $out->write('}');
        }
    }

    /**
     * @param list<string>          $columns
     * @param array<array-key, int> $names
     */
    private static function calls(FoldedCalls $folded, array $columns, array $names, Sink $out): void
    {
        $numbers = static fn (array $list): array => array_map(static fn (int|string $name): int => $names[$name], $list);
        foreach (['p' => 'from', 'c' => 'to'] as $key => $end) {
            $out->write($key === 'p' ? ",\n\"calls\":{\"p\":" : ",\"$key\":");
            JsonRun::column($numbers(array_column($folded->calls, $end)), $out);
        }
        $out->write(',"way_in":');
        JsonRun::column(array_map(intval(...), array_column($folded->calls, 'way_in')), $out);
        JsonRun::columns(array_column($folded->calls, 'row'), $columns, $out);
        $inner = ['p' => [], 'c' => [], 'ct' => []];
        foreach ($folded->inner as $callee => $callers) {
            array_push($inner['p'], ...$numbers(array_keys($callers)));
            array_push($inner['c'], ...array_fill(0, count($callers), $names[$callee]));
            array_push($inner['ct'], ...array_values($callers));
        }
        $out->write("},\n\"inner\":" . Names::data($inner));
    }
}
