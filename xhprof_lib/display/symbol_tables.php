<?php

/**
 * The report of one function in the classic pages. Included by xhprof.php.
 */

declare(strict_types=1);

use XHProf\Profile\EdgeKey;

/**
 * Prints the cells of a caller or callee.
 *
 * @param array<string, mixed>     $info      a row with "fn"
 * @param int|float                $base_ct   100 % of the calls
 * @param array<string, int|float> $base_info 100 % of each metric
 * @param bool                     $parent    a caller
 *
 * @return void
 */
function pc_info($info, $base_ct, $base_info, $parent)
{
    $type = $parent ? 'Parent' : 'Child';
    $columns = ($GLOBALS['display_calls'] ? ['ct'] : []);
    foreach ([...$columns, ...($GLOBALS['metrics'] ?? [])] as $column) {
        $figure = is_int($info[$column] ?? null) || is_float($info[$column] ?? null) ? $info[$column] : 0;
        $whole = $column === 'ct' ? $base_ct : ($base_info[$column] ?? 0);
        $bold = $GLOBALS['sort_col'] === $column;
        $attributes = get_tooltip_attributes($type, $column);
        print_td_num($figure, $GLOBALS['format_cbk'][$column] ?? 'number_format', $bold, $attributes);
        print_td_pct($figure, $whole, $bold, $attributes);
    }
}

/**
 * Prints the rows of the callers or callees.
 *
 * @param array<string, mixed>       $url_params
 * @param list<array<string, mixed>> $results    rows with "fn", sorted
 * @param int|float                  $base_ct
 * @param array<string, int|float>   $base_info
 * @param bool                       $parent
 * @param string|int                 $run1
 * @param string|int                 $run2
 *
 * @return void
 */
function print_pc_array($url_params, $results, $base_ct, $base_info, $parent, $run1, $run2)
{
    $title = ($parent ? 'Parent function' : 'Child function') . (count($results) === 1 ? '' : 's');
    xhprof_print_section($title);
    foreach ($results as $info) {
        $name = (string) $info['fn'];
        $link = xhprof_render_link(xhprof_escape($name), xhprof_url(xhprof_array_set($url_params, 'symbol', $name)));
        echo '<tr><td>', $link;
        print_source_link($info);
        echo "</td>\n";
        pc_info($info, $base_ct, $base_info, $parent);
        echo "</tr>\n";
    }
}

/** @internal */
function xhprof_print_section(string $title): void
{
    echo '<tr class="xhprof_section"><th colspan="', count($GLOBALS['pc_stats']), "\">$title</th></tr>\n";
}

/**
 * Prints two cells: a value, and its share.
 *
 * @param array<string, int|float> $symbol_info
 * @param string                   $stat
 * @param array<string, int|float> $base
 *
 * @return void
 */
function print_symbol_summary($symbol_info, $stat, $base)
{
    $figure = $symbol_info[$stat] ?? 0;
    $metric = str_replace('excl_', '', $stat);
    print_td_num($figure, $GLOBALS['format_cbk'][$stat] ?? 'number_format');
    print_td_pct($figure, $base[$metric] ?? 0);
}

/**
 * Prints one function with its callers and callees.
 *
 * @param array<string, mixed>                    $url_params
 * @param array<string, array<string, int|float>> $run_data     raw profile, in a diff the difference
 * @param array<string, int|float>                $symbol_info  its row of xhprof_compute_flat_info()
 * @param string                                  $sort
 * @param string                                  $rep_symbol
 * @param string|int                              $run1
 * @param array<string, int|float>|null           $symbol_info1 its row in the first run
 * @param string|int                              $run2
 * @param array<string, int|float>|null           $symbol_info2 its row in the second run
 *
 * @return void
 */
function symbol_report(
    $url_params,
    $run_data,
    $symbol_info,
    $sort,
    $rep_symbol,
    $run1,
    $symbol_info1 = null,
    $run2 = 0,
    $symbol_info2 = null
) {
    $callers = [];
    $callees = [];
    $made = 0;
    foreach ($run_data as $key => $row) {
        [$caller, $callee] = EdgeKey::parse($key);
        if ($callee === $rep_symbol && $caller !== null) {
            $callers[] = ['fn' => $caller] + $row;
        }
        if ($caller === $rep_symbol) {
            $callees[] = ['fn' => $callee] + $row;
            $made += $row['ct'] ?? 0;
        }
    }
    usort($callers, 'sort_cbk');
    usort($callees, 'sort_cbk');

    $rep_symbol = (string) $rep_symbol;
    $name = xhprof_escape($rep_symbol);
    if ($GLOBALS['diff_mode']) {
        xhprof_print_symbol_change($name, $symbol_info1 ?? [], $symbol_info2 ?? []);
    }
    $kind = $GLOBALS['diff_mode'] ? 'Parent/Child regression report' : 'Parent/Child report';
    echo "<h3>$kind for <b>$name</b></h3>\n<table class=\"xhprof_table\">\n<thead><tr>\n";
    foreach ($GLOBALS['pc_stats'] as $stat) {
        $text = stat_description($stat);
        if (isset($GLOBALS['sortable_columns'][$stat])) {
            $text = xhprof_render_link($text, xhprof_url(xhprof_array_set($url_params, 'sort', $stat)));
        }
        echo '<th', $stat === 'fn' ? '' : $GLOBALS['vwbar'], ">$text</th>\n";
    }
    echo "</tr></thead>\n<tbody>\n";
    xhprof_print_section('Current Function');
    xhprof_print_current($url_params, $symbol_info, $rep_symbol);
    if ($callers !== []) {
        print_pc_array($url_params, $callers, $symbol_info['ct'] ?? 0, $symbol_info, true, $run1, $run2);
    }
    if ($callees !== []) {
        print_pc_array($url_params, $callees, $made, $symbol_info, false, $run1, $run2);
    }
    echo "</tbody>\n</table>\n";
}

/**
 * Prints the rows of the function itself: inclusive with the share of the run, exclusive with the share of the inclusive.
 *
 * @internal
 *
 * @param array<string, mixed>     $url_params
 * @param array<string, int|float> $info
 */
function xhprof_print_current(array $url_params, array $info, string $rep_symbol): void
{
    $link = xhprof_render_link(xhprof_escape($rep_symbol), xhprof_url(xhprof_array_set($url_params, 'symbol', $rep_symbol)));
    echo '<tr><td>', $link;
    print_source_link(['fn' => $rep_symbol]);
    echo "</td>\n";
    if ($GLOBALS['display_calls']) {
        print_symbol_summary($info, 'ct', $GLOBALS['totals']);
    }
    foreach ($GLOBALS['metrics'] ?? [] as $metric) {
        print_symbol_summary($info, $metric, $GLOBALS['totals']);
    }
    echo "</tr>\n<tr><td>Exclusive Metrics", $GLOBALS['diff_mode'] ? ' Diff' : '', " for Current Function</td>\n";
    if ($GLOBALS['display_calls']) {
        echo '<td', $GLOBALS['vbar'], '></td><td', $GLOBALS['vbar'], "></td>\n";
    }
    foreach ($GLOBALS['metrics'] ?? [] as $metric) {
        print_symbol_summary($info, "excl_$metric", $info);
    }
    echo "</tr>\n";
}

/**
 * @internal
 *
 * @param string                   $name HTML
 * @param array<string, int|float> $before
 * @param array<string, int|float> $after
 */
function xhprof_print_symbol_change(string $name, array $before, array $after): void
{
    echo "<h3>Regression/Improvement of <b>$name</b></h3>\n<table class=\"xhprof_totals\">\n";
    echo "<tr><th></th><th>Run #1</th><th>Run #2</th><th>Diff</th><th>Diff%</th></tr>\n";
    $columns = $GLOBALS['display_calls'] ? ['ct'] : [];
    foreach ($GLOBALS['metrics'] ?? [] as $metric) {
        array_push($columns, $metric, "excl_$metric");
    }
    foreach ($columns as $column) {
        $format = $GLOBALS['format_cbk'][$column] ?? 'number_format';
        $first = $before[$column] ?? 0;
        $second = $after[$column] ?? 0;
        echo '<tr><th>', str_replace('<br>', ' ', $GLOBALS['descriptions'][$column]), "</th>\n";
        print_td_num($first, $format);
        print_td_num($second, $format);
        print_td_num($second - $first, $format, true);
        print_td_pct($second - $first, $first, true);
        echo "</tr>\n";
    }
    echo "</table>\n";
}
