<?php

/**
 * The classic functions over raw profiles, included by xhprof_lib.php. A raw profile ("raw data") is the array that
 * xhprof_disable() returns: "caller==>callee" => [ct, wt, cpu, mu, pmu], inclusive, in microseconds and bytes.
 */

declare(strict_types=1);

require_once __DIR__ . '/../autoload.php';
require_once __DIR__ . '/request_params.php';

use XHProf\Exception\InvalidProfile;
use XHProf\Functions\FlatReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\ProfileMean;

if (!function_exists('xhprof_error')) {
    /**
     * Reports an error. A program may define its own before including this file.
     *
     * @param string $message
     *
     * @return void
     */
    function xhprof_error($message)
    {
        error_log($message);
    }
}

/**
 * @return array<string, array{0: string, 1: string, 2: string}> metric => short name, unit, description
 */
function xhprof_get_possible_metrics()
{
    $metrics = [];
    foreach (Metrics::all() as $key => $metric) {
        if ($metric->classic !== null) {
            $unit = ['us' => 'microsecs', 'bytes' => 'bytes', 'count' => 'samples'][$metric->unit];
            $metrics[$key] = [$metric->classic['short'], $unit, $metric->classic['description']];
        }
    }

    return $metrics;
}

/**
 * Selects the columns of the reports and the sort column. Sets the globals $stats, $pc_stats, $metrics,
 * $diff_mode, $sort_col and $display_calls; reads $sortable_columns.
 *
 * @param array<string, array<string, int|float>> $xhprof_data
 * @param string|null                             $rep_symbol  a function's report is sorted by inclusive values
 * @param string|null                             $sort        a column; an unknown one is ignored
 * @param bool                                    $diff_report
 *
 * @return void
 */
function init_metrics($xhprof_data, $rep_symbol, $sort, $diff_report = false)
{
    $column = $GLOBALS['sort_col'] ?? 'wt';
    if (is_string($sort) && $sort !== '') {
        if (array_key_exists($sort, $GLOBALS['sortable_columns'] ?? [])) {
            $column = $sort;
        } else {
            xhprof_error('XHProf: the report cannot be sorted by ' . \XHProf\Format\Text::printable($sort));
        }
    }
    $calls = isset($xhprof_data['main()']['wt']);
    if (!$calls && $column === 'wt') {
        $column = 'samples';
    }
    if (!empty($rep_symbol)) {
        $column = str_replace('excl_', '', $column);
    }
    $stats = $calls ? ['fn', 'ct', 'Calls%'] : ['fn'];
    $around = $stats;
    $metrics = xhprof_get_metrics($xhprof_data);
    foreach ($metrics as $metric) {
        $short = xhprof_get_possible_metrics()[$metric][0];
        array_push($stats, $metric, "I$short%", "excl_$metric", "E$short%");
        array_push($around, $metric, "I$short%");
    }
    $GLOBALS['diff_mode'] = $diff_report;
    $GLOBALS['sort_col'] = $column;
    $GLOBALS['display_calls'] = $calls;
    $GLOBALS['metrics'] = $metrics;
    $GLOBALS['stats'] = $stats;
    $GLOBALS['pc_stats'] = $around;
}

/**
 * @param array<string, array<string, int|float>> $xhprof_data
 *
 * @return list<string> the metrics of main(), in the order of xhprof_get_possible_metrics()
 */
function xhprof_get_metrics($xhprof_data)
{
    $main = $xhprof_data['main()'] ?? [];

    return array_values(array_filter(
        array_keys(xhprof_get_possible_metrics()),
        static fn (string $metric): bool => isset($main[$metric]),
    ));
}

/**
 * @param string $parent_child
 *
 * @return array{0: string|null, 1: string} caller (null for main()) and callee
 */
function xhprof_parse_parent_child($parent_child)
{
    return EdgeKey::parse((string) $parent_child);
}

/**
 * @param string|null $parent
 * @param string      $child
 *
 * @return string
 */
function xhprof_build_parent_child_key($parent, $child)
{
    return EdgeKey::build($parent === null || $parent === '' ? null : (string) $parent, (string) $child);
}

/**
 * Whether the data can be reported on: main() is there, with a wall time or samples, and no time is negative or over a day.
 *
 * @param string                                       $run_id   for the message
 * @param array<string, array<string, int|float>>|null $raw_data
 *
 * @return bool
 */
function xhprof_valid_run($run_id, $raw_data)
{
    $metric = isset($raw_data['main()']['wt']) ? 'wt' : 'samples';
    if (empty($raw_data['main()'])) {
        xhprof_error("XHProf: main() missing in raw data for Run ID: $run_id");

        return false;
    }
    if (!isset($raw_data['main()'][$metric])) {
        xhprof_error("XHProf: Wall Time information missing from Run ID: $run_id");

        return false;
    }
    foreach ($raw_data as $row) {
        $value = $row[$metric] ?? 0;
        if ($value < 0) {
            xhprof_error("XHProf: $metric should not be negative: Run ID: $run_id");

            return false;
        }
        if ($value > 86400000000) {
            xhprof_error("XHProf: $metric > 1 day found in Run ID: $run_id");

            return false;
        }
    }

    return true;
}

/**
 * @param array<string, array<string, int|float>> $raw_data
 * @param list<string>                            $functions_to_keep main() is always kept
 *
 * @return array<string, array<string, int|float>> the edges from and to these functions
 */
function xhprof_trim_run($raw_data, $functions_to_keep)
{
    $keep = array_fill_keys($functions_to_keep, true) + ['main()' => true];

    return array_filter($raw_data, static function (string $key) use ($keep): bool {
        [$caller, $callee] = EdgeKey::parse($key);

        return isset($keep[$callee]) || ($caller !== null && isset($keep[$caller]));
    }, ARRAY_FILTER_USE_KEY);
}

/**
 * @param array<string, array<string, int|float>>|null $raw_data
 * @param int|float                                    $num_runs
 *
 * @return array<string, array<string, int|float>>|null every figure divided by the number of runs
 */
function xhprof_normalize_metrics($raw_data, $num_runs)
{
    if (empty($raw_data) || $num_runs == 0) {
        return $raw_data;
    }

    return array_map(
        static fn (array $row): array => array_map(static fn ($value) => $value / $num_runs, $row),
        $raw_data,
    );
}

/**
 * The weighted mean of several runs. Bad runs are left out of it, with their weights.
 *
 * @param iXHProfRuns           $xhprof_runs_impl
 * @param array<string>         $runs
 * @param array<int|float|string>|null $wts      one per run; none = all alike
 * @param string                $source
 * @param bool                  $use_script_name put a function "__script::DESCRIPTION" between main() and its callees
 *
 * @return array{description: string, raw: array<string, array<string, int|float>>|null, bad_runs?: list<string>}
 */
function xhprof_aggregate_runs($xhprof_runs_impl, $runs, $wts, $source = 'phprof', $use_script_name = false)
{
    $wts = array_values($wts ?? []);
    if ($runs === [] || ($wts !== [] && count($runs) !== count($wts))) {
        return ['description' => 'Invalid input..', 'raw' => null];
    }
    $profiles = [];
    $weights = [];
    $bad = [];
    foreach (array_values($runs) as $i => $run) {
        $description = '';
        $raw = $xhprof_runs_impl->get_run($run, $source, $description);
        if (!is_array($raw) || !xhprof_valid_run($run, $raw)) {
            $bad[] = $run;
            continue;
        }
        try {
            $raw = $use_script_name && $description !== '' ? xhprof_insert_script($raw, (string) $description) : $raw;
            $profiles[] = Profile::fromEdges($raw);
            $weight = $wts[$i] ?? 1;
            $weights[] = is_numeric($weight) ? $weight + 0 : 0;
        } catch (InvalidProfile $e) {
            xhprof_error("XHProf: Run ID $run: " . $e->getMessage());
            $bad[] = $run;
        }
    }
    try {
        $mean = $profiles === [] ? null : ProfileMean::compute($profiles, $weights)->edges();
    } catch (InvalidProfile $e) {
        xhprof_error('XHProf: ' . $e->getMessage());
        $mean = null;
    }
    $ratio = $wts === [] ? '' : ' in the ratio (' . implode(':', $wts) . ')';

    return [
        'description' => 'Aggregated Report for ' . count($profiles) . ' runs: ' . implode(',', $runs) . "$ratio\n",
        'raw' => $mean,
        'bad_runs' => $bad,
    ];
}

/**
 * @internal
 *
 * @param array<string, array<string, int|float>> $raw
 *
 * @return array<string, array<string, int|float>> with "__script::PAGE" between main() and its callees
 */
function xhprof_insert_script(array $raw, string $page): array
{
    $script = '__script::' . $page;
    $changed = ['main()' => $raw['main()'], EdgeKey::build('main()', $script) => $raw['main()']];
    foreach ($raw as $key => $row) {
        [$caller, $callee] = EdgeKey::parse($key);
        if ($caller !== null) {
            $changed[EdgeKey::build($caller === 'main()' ? $script : $caller, $callee)] = $row;
        }
    }

    return $changed;
}

/**
 * @internal
 *
 * @return int|float without the rest that sums of fractions leave
 */
function xhprof_rounded(int|float $figure): int|float
{
    return is_int($figure) ? $figure : round($figure, 6) + 0;
}

/**
 * Inclusive and exclusive values per function, and the totals that are 100 %.
 *
 * @param array<string, array<string, int|float>> $raw_data
 * @param mixed                                   $overall_totals set to array<string, int|float>: every known metric, and "ct"
 *
 * @return array<string, array<string, int|float>> function => [ct, wt, ..., excl_wt, ...]; fractions of a mean
 */
function xhprof_compute_flat_info($raw_data, &$overall_totals)
{
    $overall_totals = ['ct' => 0] + array_fill_keys(array_keys(xhprof_get_possible_metrics()), 0);
    try {
        $report = FlatReport::compute(Profile::fromEdges($raw_data, fractions: true));
    } catch (InvalidProfile $e) {
        xhprof_error('XHProf: ' . $e->getMessage());

        return [];
    }
    // In a difference of runs main() has 0 calls, and is the total whatever its sign.
    $isDelta = ($raw_data['main()']['ct'] ?? null) == 0 && isset($raw_data['main()']['ct']);
    $totals = $report->totals();
    foreach ($totals as $metric => $total) {
        if ($metric !== 'ct' || ($GLOBALS['display_calls'] ?? true)) {
            $overall_totals[$metric] = xhprof_rounded($isDelta && $metric !== 'ct' ? $report->rows()['main()'][$metric] : $total);
        }
    }

    return array_map(static fn (array $row): array => array_map(xhprof_rounded(...), $row), $report->rows());
}

/**
 * @param array<string, array<string, int|float>> $xhprof_data1
 * @param array<string, array<string, int|float>> $xhprof_data2
 *
 * @return array<string, array<string, int|float>> second minus first, per edge, over the metrics of the second
 */
function xhprof_compute_diff($xhprof_data1, $xhprof_data2)
{
    $columns = xhprof_get_metrics($xhprof_data2);
    if ($GLOBALS['display_calls'] ?? true) {
        array_unshift($columns, 'ct');
    }
    $delta = [];
    foreach ($xhprof_data2 + $xhprof_data1 as $key => $_) {
        foreach ($columns as $column) {
            $delta[$key][$column] = ($xhprof_data2[$key][$column] ?? 0) - ($xhprof_data1[$key][$column] ?? 0);
        }
    }

    return $delta;
}

/**
 * @param array<string, array<string, int|float>> $raw_data
 *
 * @return array<string, array<string, int|float>> function => [ct, wt, ...]
 */
function xhprof_compute_inclusive_times($raw_data)
{
    $totals = null;

    return array_map(
        static fn (array $row): array
            => array_filter($row, static fn (string $column) => !str_starts_with($column, 'excl_'), ARRAY_FILTER_USE_KEY),
        xhprof_compute_flat_info($raw_data, $totals),
    );
}

/**
 * Drops functions below a share of main(). Callees of a dropped function get the caller "__pruned__()".
 *
 * @param array<string, array<string, int|float>> $raw_data
 * @param int|float                               $prune_percent
 *
 * @return array<string, array<string, int|float>>|false false if main() has no value to compare with
 */
function xhprof_prune_run($raw_data, $prune_percent)
{
    $main = $raw_data['main()'] ?? [];
    $metric = isset($main['wt']) ? 'wt' : 'samples';
    if (!isset($main[$metric])) {
        xhprof_error('XHProf: for main() we must have either wt or samples attribute set');

        return false;
    }
    $least = $main[$metric] * $prune_percent / 100;
    init_metrics($raw_data, null, null, false);
    $flat = xhprof_compute_inclusive_times($raw_data);
    $kept = [];
    foreach ($raw_data as $key => $row) {
        [$caller, $callee] = EdgeKey::parse($key);
        if (($flat[$callee][$metric] ?? 0) < $least) {
            continue;
        }
        if ($caller !== null && ($flat[$caller][$metric] ?? 0) < $least) {
            $key = EdgeKey::build('__pruned__()', $callee);
        }
        foreach ($row as $column => $value) {
            $kept[$key][$column] = ($kept[$key][$column] ?? 0) + $value;
        }
    }

    return $kept;
}

/**
 * @param array<mixed>     $arr
 * @param int|string       $k
 * @param mixed            $v
 *
 * @return array<mixed> the array with that element set
 */
function xhprof_array_set($arr, $k, $v)
{
    $arr[$k] = $v;

    return $arr;
}

/**
 * @param array<mixed> $arr
 * @param int|string   $k
 *
 * @return array<mixed> the array without that element
 */
function xhprof_array_unset($arr, $k)
{
    unset($arr[$k]);

    return $arr;
}

/**
 * @param string                                  $q           part of a name, in any case
 * @param array<string, array<string, int|float>> $xhprof_data
 *
 * @return list<string> functions with it in their name, sorted
 */
function xhprof_get_matching_functions($q, $xhprof_data)
{
    $found = [];
    foreach ($xhprof_data as $key => $_) {
        foreach (EdgeKey::parse((string) $key) as $symbol) {
            if ($symbol !== null && stripos($symbol, (string) $q) !== false) {
                $found[$symbol] = true;
            }
        }
    }
    $names = array_keys($found);
    sort($names, SORT_STRING);

    return $names;
}
