<?php

/** The columns of the classic reports: their names, and the format of their values. Included by xhprof.php. */

declare(strict_types=1);

use XHProf\Profile\Metrics;

/**
 * @internal
 *
 * @return array<string, 1>
 */
function xhprof_sortable_columns(): array
{
    $columns = ['fn' => 1, 'ct' => 1];
    foreach (array_keys(xhprof_get_possible_metrics()) as $metric) {
        $columns[$metric] = $columns["excl_$metric"] = 1;
    }

    return $columns;
}

/**
 * @internal
 *
 * @return array<string, string> column => HTML
 */
function xhprof_column_descriptions(bool $diff): array
{
    $change = $diff ? '<br>Diff' : '';
    $texts = ['fn' => 'Function Name', 'ct' => $diff ? 'Calls Diff' : 'Calls', 'Calls%' => $diff ? 'Calls<br>Diff%' : 'Calls%'];
    foreach (xhprof_get_possible_metrics() as $metric => [$short, $unit]) {
        $unit = $unit === 'samples' ? '' : "<br>($unit)";
        $name = Metrics::of($metric)->classic['heading'] ?? $metric;
        $texts[$metric] = "Incl. $name$change$unit";
        $texts["I$short%"] = "I$short" . ($diff ? '<br>Diff%' : '%');
        $texts["excl_$metric"] = "Excl. $name$change$unit";
        $texts["E$short%"] = "E$short" . ($diff ? '<br>Diff%' : '%');
    }

    return $texts;
}

/**
 * @internal
 *
 * @return array<string, string> column => function that formats its figures
 */
function xhprof_column_formats(): array
{
    $formats = ['fn' => '', 'ct' => 'xhprof_count_format', 'Calls%' => 'xhprof_percent_format'];
    foreach (xhprof_get_possible_metrics() as $metric => [$short]) {
        $formats[$metric] = $formats["excl_$metric"] = 'number_format';
        $formats["I$short%"] = $formats["E$short%"] = 'xhprof_percent_format';
    }

    return $formats;
}

/**
 * @param string $stat a column
 *
 * @return string HTML
 */
function stat_description($stat)
{
    $texts = $GLOBALS['diff_mode'] ? $GLOBALS['diff_descriptions'] : $GLOBALS['descriptions'];

    return $texts[$stat] ?? xhprof_escape((string) $stat);
}

/**
 * Compares two rows by the column $sort_col: names ascending; values descending, in a diff by their size.
 *
 * @param array<string, mixed> $a
 * @param array<string, mixed> $b
 *
 * @return int
 */
function sort_cbk($a, $b)
{
    $column = $GLOBALS['sort_col'];
    if ($column === 'fn') {
        return strcasecmp((string) $a['fn'], (string) $b['fn']);
    }
    $left = $a[$column] ?? 0;
    $right = $b[$column] ?? 0;

    return $GLOBALS['diff_mode'] ? abs($right) <=> abs($left) : $right <=> $left;
}
