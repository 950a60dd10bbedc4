<?php

/**
 * The classic report pages, for programs that include this file: displayXHProfReport() prints the body of a page. All output
 * from a run or from the request is escaped.
 *
 * The functions share state through global variables, as programs that call some of them rely on. They are set through
 * $GLOBALS because this file may be included inside a function.
 */

declare(strict_types=1);

$GLOBALS['XHPROF_LIB_ROOT'] ??= dirname(__DIR__);

require_once __DIR__ . '/../utils/xhprof_lib.php';
require_once __DIR__ . '/../utils/xhprof_runs.php';
require_once __DIR__ . '/../utils/callgraph_utils.php';
require_once __DIR__ . '/columns.php';
require_once __DIR__ . '/formatting.php';
require_once __DIR__ . '/flat_tables.php';
require_once __DIR__ . '/symbol_tables.php';

$GLOBALS['base_path'] ??= rtrim(dirname((string) ($_SERVER['SCRIPT_NAME'] ?? '')), '/\\.');
$GLOBALS['base_url'] ??= $GLOBALS['base_path'] . '/';
$GLOBALS['sort_col'] ??= 'wt';
$GLOBALS['diff_mode'] ??= false;
$GLOBALS['display_calls'] ??= true;
$GLOBALS['stats'] ??= [];
$GLOBALS['pc_stats'] ??= [];
$GLOBALS['metrics'] ??= null;
$GLOBALS['totals'] ??= 0;
$GLOBALS['totals_1'] ??= 0;
$GLOBALS['totals_2'] ??= 0;
$GLOBALS['vbar'] ??= ' class="vbar"';
$GLOBALS['vwbar'] ??= ' class="vwbar"';
$GLOBALS['vwlbar'] ??= ' class="vwlbar"';
$GLOBALS['vbbar'] ??= ' class="vbbar"';
$GLOBALS['vrbar'] ??= ' class="vrbar"';
$GLOBALS['vgbar'] ??= ' class="vgbar"';
$GLOBALS['sortable_columns'] ??= xhprof_sortable_columns();
$GLOBALS['descriptions'] ??= xhprof_column_descriptions(false);
$GLOBALS['diff_descriptions'] ??= xhprof_column_descriptions(true);
$GLOBALS['format_cbk'] ??= xhprof_column_formats();

/**
 * Prints the report of one run, or of the difference of two if $run2_data is given.
 *
 * @param array<string, mixed>                    $url_params
 * @param string|null                             $rep_symbol a function, or none for all
 * @param string                                  $sort       a column
 * @param string                                  $run1
 * @param string                                  $run1_desc
 * @param array<string, array<string, int|float>> $run1_data
 * @param string|int                              $run2
 * @param string                                  $run2_desc
 * @param array<string, array<string, int|float>> $run2_data
 *
 * @return void
 */
function profiler_report(
    $url_params,
    $rep_symbol,
    $sort,
    $run1,
    $run1_desc,
    $run1_data,
    $run2 = 0,
    $run2_desc = '',
    $run2_data = []
) {
    $rep_symbol = (string) $rep_symbol;
    $isDiff = (bool) $GLOBALS['diff_mode'];
    $table1 = null;
    $table2 = null;
    if ($isDiff) {
        $table1 = xhprof_compute_flat_info($run1_data, $GLOBALS['totals_1']);
        $table2 = xhprof_compute_flat_info($run2_data, $GLOBALS['totals_2']);
        $delta = xhprof_compute_diff($run1_data, $run2_data);
        $table = xhprof_compute_flat_info($delta, $GLOBALS['totals']);
        foreach (array_keys($GLOBALS['totals']) as $metric) {
            $GLOBALS['totals'][$metric] = $GLOBALS['totals_2'][$metric] - $GLOBALS['totals_1'][$metric];
        }
        $shown = $delta;
    } else {
        $table = xhprof_compute_flat_info($run1_data, $GLOBALS['totals']);
        $shown = $run1_data;
    }
    xhprof_print_heading((string) $run1_desc, $isDiff ? (string) $run2_desc : null);
    xhprof_render_actions(xhprof_report_links($url_params, $rep_symbol, (string) $run1, (string) $run2));
    if ($rep_symbol === '') {
        full_report($url_params, $table, $sort, $run1, $run2);
    } elseif (!isset($table[$rep_symbol])) {
        echo '<p>Symbol <b>', xhprof_escape($rep_symbol), "</b> not found in XHProf run</p>\n";
    } else {
        symbol_report(
            $url_params,
            $shown,
            $table[$rep_symbol],
            $sort,
            $rep_symbol,
            $run1,
            $table1[$rep_symbol] ?? null,
            $run2,
            $table2[$rep_symbol] ?? null,
        );
    }
}

/** @internal */
function xhprof_print_heading(string $description1, ?string $description2): void
{
    echo '<h3>', $description2 === null ? 'Hierarchical Profiler Report' : 'Hierarchical Profiler Diff Report', "</h3>\n";
    echo '<p><b>Run Report</b><br>', nl2br(xhprof_escape(trim($description1)));
    if ($description2 !== null) {
        echo '<br><b>compared to</b><br>', nl2br(xhprof_escape(trim($description2)));
    }
    echo "</p>\n";
}

/**
 * @internal
 *
 * @param array<string, mixed> $url_params
 *
 * @return list<string> HTML
 */
function xhprof_report_links(array $url_params, string $rep_symbol, string $run1, string $run2): array
{
    $top = xhprof_array_unset(xhprof_array_unset($url_params, 'symbol'), 'all');
    $links = [];
    if ($rep_symbol !== '') {
        $what = $GLOBALS['diff_mode'] ? 'Diff' : 'Run';
        $links[] = xhprof_render_link("View Top Level $what Report", xhprof_url($top));
    }
    if ($GLOBALS['diff_mode']) {
        $one = xhprof_array_unset(xhprof_array_unset($url_params, 'run1'), 'run2');
        $links[] = xhprof_render_link('View Run #1 Report', xhprof_url(xhprof_array_set($one, 'run', $run1)));
        $links[] = xhprof_render_link('View Run #2 Report', xhprof_url(xhprof_array_set($one, 'run', $run2)));
        $inverted = xhprof_array_set(xhprof_array_set($url_params, 'run1', $run2), 'run2', $run1);
        $links[] = xhprof_render_link('Invert Diff Report', xhprof_url($inverted));
    }
    $graph = array_diff_key($url_params, ['sort' => 1, 'all' => 1, 'symbol' => 1, 'wts' => 1]);
    if ($rep_symbol !== '' && !$GLOBALS['diff_mode']) {
        $graph = xhprof_array_set($graph, 'func', $rep_symbol);
    }
    $links[] = xhprof_render_link('View Callgraph', xhprof_url($graph, 'callgraph.php'));

    return $links;
}

/**
 * @param array<string, mixed>                         $url_params
 * @param array<string, array<string, int|float>>|null $xhprof_data
 * @param string                                       $run_desc
 * @param string|null                                  $rep_symbol
 * @param string                                       $sort
 * @param string                                       $run
 *
 * @return void
 */
function profiler_single_run_report($url_params, $xhprof_data, $run_desc, $rep_symbol, $sort, $run)
{
    if (empty($xhprof_data)) {
        echo '<p>There is nothing to report: ', xhprof_escape((string) $run_desc), "</p>\n";

        return;
    }
    init_metrics($xhprof_data, $rep_symbol, $sort, false);
    profiler_report($url_params, $rep_symbol, $sort, $run, $run_desc, $xhprof_data);
}

/**
 * @param array<string, mixed>                         $url_params
 * @param array<string, array<string, int|float>>|null $xhprof_data1
 * @param string                                       $run1_desc
 * @param array<string, array<string, int|float>>|null $xhprof_data2
 * @param string                                       $run2_desc
 * @param string|null                                  $rep_symbol
 * @param string                                       $sort
 * @param string                                       $run1
 * @param string                                       $run2
 *
 * @return void
 */
function profiler_diff_report(
    $url_params,
    $xhprof_data1,
    $run1_desc,
    $xhprof_data2,
    $run2_desc,
    $rep_symbol,
    $sort,
    $run1,
    $run2
) {
    if (empty($xhprof_data1) || empty($xhprof_data2)) {
        echo '<p>There is nothing to compare: ', xhprof_escape("$run1_desc, $run2_desc"), "</p>\n";

        return;
    }
    init_metrics($xhprof_data2, $rep_symbol, $sort, true);
    profiler_report(
        $url_params,
        $rep_symbol,
        $sort,
        $run1,
        $run1_desc,
        $xhprof_data1,
        $run2,
        $run2_desc,
        $xhprof_data2,
    );
}

/**
 * Prints the report that the parameters select: of a run, of several runs together (ids with commas between them), of the
 * difference of two; with none of these, the list of runs.
 *
 * @param iXHProfRuns          $xhprof_runs_impl
 * @param array<string, mixed> $url_params       parameters of this page, for the links
 * @param string               $source
 * @param string|null          $run
 * @param string|null          $wts              weights of the runs, with commas between them
 * @param string|null          $symbol           only this function, its callers and callees
 * @param string               $sort
 * @param string|null          $run1
 * @param string|null          $run2
 *
 * @return void
 */
function displayXHProfReport($xhprof_runs_impl, $url_params, $source, $run, $wts, $symbol, $sort, $run1, $run2)
{
    if ($run) {
        [$data, $description] = xhprof_fetch_runs($xhprof_runs_impl, (string) $run, (string) $wts, $source);
        profiler_single_run_report($url_params, $data, $description, $symbol, $sort, $run);
    } elseif ($run1 && $run2) {
        [$data1, $description1] = xhprof_fetch_runs($xhprof_runs_impl, (string) $run1, '', $source);
        [$data2, $description2] = xhprof_fetch_runs($xhprof_runs_impl, (string) $run2, '', $source);
        profiler_diff_report(
            $url_params,
            $data1,
            $description1,
            $data2,
            $description2,
            $symbol,
            $sort,
            $run1,
            $run2,
        );
    } else {
        echo "<p>No XHProf runs specified in the URL.</p>\n";
        if (method_exists($xhprof_runs_impl, 'list_runs')) {
            $xhprof_runs_impl->list_runs();
        }
    }
}

/**
 * @internal
 *
 * @param iXHProfRuns $impl
 * @param string      $run    one id, or several with commas between them
 * @param string      $source
 *
 * @return array{0: array<string, array<string, int|float>>|null, 1: string} raw profile, description
 */
function xhprof_fetch_runs($impl, string $run, string $wts, $source): array
{
    $ids = explode(',', $run);
    if (count($ids) === 1) {
        $description = '';
        $data = $impl->get_run($ids[0], $source, $description);
        if ($data !== null && \XHProf\Run\ClassicFile::isSamples($data)) {
            return [null, 'the run holds samples: call stacks without figures'];
        }

        return [$data, is_string($description) ? $description : ''];
    }
    $weights = $wts === '' ? null : explode(',', $wts);
    foreach ($weights ?? [] as $weight) {
        if (preg_match('/\A[0-9]{1,6}\z/', $weight) !== 1) {
            return [null, 'the weights are not whole numbers with commas between them'];
        }
    }
    $mean = xhprof_aggregate_runs($impl, $ids, $weights, $source);

    return [$mean['raw'], $mean['description']];
}
