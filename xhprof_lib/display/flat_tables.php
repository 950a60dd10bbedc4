<?php

/**
 * The table of all functions in the classic reports. Included by xhprof.php.
 */

declare(strict_types=1);

/**
 * Prints the row of one function.
 *
 * @param array<string, mixed> $url_params
 * @param array<string, mixed> $info       a row of xhprof_compute_flat_info() with its name as "fn"
 * @param string               $sort
 * @param string|int           $run1
 * @param string|int           $run2
 *
 * @return void
 */
function print_function_info($url_params, $info, $sort, $run1, $run2)
{
    $name = (string) $info['fn'];
    $link = xhprof_render_link(xhprof_escape($name), xhprof_url(xhprof_array_set($url_params, 'symbol', $name)));
    echo '<tr><td>', $link;
    print_source_link($info);
    echo "</td>\n";
    if ($GLOBALS['display_calls']) {
        xhprof_print_figure($info, 'ct', 'ct');
    }
    foreach ($GLOBALS['metrics'] ?? [] as $metric) {
        xhprof_print_figure($info, $metric, $metric);
        xhprof_print_figure($info, "excl_$metric", $metric);
    }
    echo "</tr>\n";
}

/**
 * Prints two cells: a value, and its share of the total.
 *
 * @internal
 *
 * @param array<string, mixed> $info
 * @param string               $metric names the total
 */
function xhprof_print_figure(array $info, string $column, string $metric): void
{
    $figure = is_int($info[$column] ?? null) || is_float($info[$column] ?? null) ? $info[$column] : 0;
    $bold = $GLOBALS['sort_col'] === $column;
    print_td_num($figure, $GLOBALS['format_cbk'][$column] ?? 'number_format', $bold);
    print_td_pct($figure, $GLOBALS['totals'][$metric] ?? 0, $bold);
}

/**
 * Prints the table of functions.
 *
 * @param array<string, mixed>       $url_params
 * @param string                     $title      HTML
 * @param list<array<string, mixed>> $flat_data  rows, sorted
 * @param string                     $sort
 * @param string|int                 $run1
 * @param string|int                 $run2
 * @param int                        $limit      0 = all; below 0 = that many of the last
 *
 * @return void
 */
function print_flat_data($url_params, $title, $flat_data, $sort, $run1, $run2, $limit)
{
    $rows = match (true) {
        $limit > 0 => array_slice($flat_data, 0, $limit),
        $limit < 0 => array_slice($flat_data, $limit),
        default => $flat_data,
    };
    $all = count($rows) < count($flat_data)
        ? ' [' . xhprof_render_link('display all', xhprof_url(xhprof_array_set($url_params, 'all', 1))) . ']'
        : '';
    echo "<h3>$title$all</h3>\n<table class=\"xhprof_table\">\n<thead><tr>\n";
    foreach ($GLOBALS['stats'] as $stat) {
        $text = stat_description($stat);
        if (isset($GLOBALS['sortable_columns'][$stat])) {
            $text = xhprof_render_link($text, xhprof_url(xhprof_array_set($url_params, 'sort', $stat)));
        }
        echo '<th', $stat === 'fn' ? '' : $GLOBALS['vwbar'], ">$text</th>\n";
    }
    echo "</tr></thead>\n<tbody>\n";
    foreach ($rows as $row) {
        print_function_info($url_params, $row, $sort, $run1, $run2);
    }
    echo "</tbody>\n</table>\n";
}

/**
 * Prints the totals and the table of functions: the first 100, or all if the parameters have "all".
 *
 * @param array<string, mixed>                    $url_params
 * @param array<string, array<string, int|float>> $symbol_tab of xhprof_compute_flat_info()
 * @param string                                  $sort
 * @param string|int                              $run1
 * @param string|int                              $run2
 *
 * @return void
 */
function full_report($url_params, $symbol_tab, $sort, $run1, $run2)
{
    $GLOBALS['diff_mode'] ? xhprof_print_diff_totals() : xhprof_print_totals();
    $rows = [];
    foreach ($symbol_tab as $name => $row) {
        $rows[] = ['fn' => $name] + $row;
    }
    usort($rows, 'sort_cbk');
    $column = str_replace('<br>', ' ', stat_description($GLOBALS['sort_col']));
    $what = $GLOBALS['diff_mode'] ? 'functions that changed most' : 'functions';
    $limit = empty($url_params['all']) ? 100 : 0;
    $title = $limit > 0 && count($rows) > $limit
        ? "Displaying top $limit $what: Sorted by $column"
        : "Sorted by $column";
    print_flat_data($url_params, $title, $rows, $sort, $run1, $run2, $limit);
}

/** @internal */
function xhprof_print_totals(): void
{
    echo "<table class=\"xhprof_totals\">\n<caption>Overall Summary</caption>\n";
    foreach ($GLOBALS['metrics'] ?? [] as $metric) {
        $text = str_replace('<br>', ' ', stat_description($metric));
        $figure = number_format($GLOBALS['totals'][$metric] ?? 0);
        echo "<tr><th>Total $text:</th><td>$figure ", xhprof_get_possible_metrics()[$metric][1], "</td></tr>\n";
    }
    if ($GLOBALS['display_calls']) {
        $calls = xhprof_count_format($GLOBALS['totals']['ct'] ?? 0);
        echo "<tr><th>Number of Function Calls:</th><td>$calls</td></tr>\n";
    }
    echo "</table>\n";
}

/** @internal */
function xhprof_print_diff_totals(): void
{
    echo "<table class=\"xhprof_totals\">\n<caption>Overall Diff Summary</caption>\n";
    echo "<tr><th></th><th>Run #1</th><th>Run #2</th><th>Diff</th><th>Diff%</th></tr>\n";
    $rows = $GLOBALS['display_calls'] ? ['ct' => 'Number of Function Calls'] : [];
    foreach ($GLOBALS['metrics'] ?? [] as $metric) {
        $rows[$metric] = str_replace('<br>', ' ', $GLOBALS['descriptions'][$metric]);
    }
    foreach ($rows as $metric => $text) {
        $format = $GLOBALS['format_cbk'][$metric] ?? 'number_format';
        $before = $GLOBALS['totals_1'][$metric] ?? 0;
        $after = $GLOBALS['totals_2'][$metric] ?? 0;
        echo "<tr><th>$text</th>\n";
        print_td_num($before, $format);
        print_td_num($after, $format);
        print_td_num($after - $before, $format, true);
        print_td_pct($after - $before, $before, true);
        echo "</tr>\n";
    }
    echo "</table>\n";
}
