<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Exception\CannotExport;
use XHProf\Exception\InvalidProfile;
use XHProf\File\Sink;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FoldedCalls;
use XHProf\Functions\MetricList;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;
use XHProf\Run\RunFileWriter;

/**
 * The run in Html's file: what its tables show as JSON (assets/js/standalone/run.js reads it),
 *
 *     {"v":1, "kind":"xhprof-html", "metrics":[{"k","unit","label"},..., {"k":"ct",..., "calls":bool}],
 *      "total":{"ct","wt",...}, "names":[...],
 *      "m":{"ct":[],"wt":[],"excl_wt":[],...} of functions,
 *      "calls":{"p":[index of names], "c":[], "way_in":[0 or 1], "m":{"ct":[],"wt":[],...}},
 *      "inner":{"p":[], "c":[], "ct":[]} callers of a function while it was running}
 *
 * and what is drawn as a run file of the documents "tree", "timeline" and "stacks", as api.php?get=columns answers. The times of
 * calls, or else of samples, are there if the whole tree is. Levels of recursion are one function. Corrected times are in the
 * tree only, as on the pages by default.
 *
 * @internal
 */
final class HtmlRun
{
    public static function json(Run $run, Sink $out): void
    {
        $report = FlatReport::compute($run->profile(), true);
        $isMeasured = static fn (string $key): bool => !Metrics::isCorrected($key);
        $metrics = array_values(array_filter(ExportColumn::metrics($run), $isMeasured));
        $labels = MetricList::ofProfile($metrics, CountKind::ofRuns($run));
        $totals = array_intersect_key($report->totals(), array_flip(['ct', ...$metrics]));
        $names = array_flip(array_keys($report->rows()));
        $out->write('{"v":1,"kind":"xhprof-html","metrics":' . Utf8Names::data($labels));
        $out->write(',"total":' . Utf8Names::data($totals) . ",\n\"names\":");
        $json = static fn (int|string $name): string => Utf8Names::json((string) $name);
        JsonRun::column(array_map($json, array_keys($names)), $out);
        $columns = ['ct'];
        foreach ($metrics as $metric) {
            array_push($columns, $metric, "excl_$metric");
        }
        JsonRun::columns($report->rows(), $columns, $out);
        self::calls(FoldedCalls::fold($run->profile()), ['ct', ...$metrics], $names, $out);
        $out->write("}\n");
    }

    /** Whether there is something to draw. */
    public static function hasColumns(Run $run): bool
    {
        return $run->tree() !== null || $run->samplesThatFit() !== null;
    }

    /** @throws CannotExport */
    public static function columns(Run $run, Sink $out): void
    {
        $documents = [];
        if ($run->tree() !== null) {
            // The file is for others: the paths of this machine stay here.
            $places = $run->tree()->places->toArray() + ['call_line' => []];
            $metrics = MetricList::ofTree(CountKind::ofRuns($run));
            $documents['tree'] = ['metrics' => $metrics] + array_diff_key($run->tree()->toArray(), $places);
        }
        if ($run->timelineThatFits() !== null) {
            $documents['timeline'] = $run->timelineThatFits()->toArray();
        } elseif ($run->samplesThatFit() !== null) {
            [$metric] = MetricList::ofProfile([$run->samplesThatFit()->metric], CountKind::Samples);
            $documents['stacks'] = ['metric' => $metric] + $run->samplesThatFit()->toArray();
        }
        try {
            foreach (RunFileWriter::pieces($documents) as $piece) {
                $out->write($piece);
            }
        } catch (InvalidProfile $e) {
            throw new CannotExport($e->getMessage(), 0, $e);
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
        $out->write("},\n\"inner\":" . Utf8Names::data($inner));
    }
}
