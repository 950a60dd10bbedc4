<?php

/**
 * The classic functions that draw call graphs. Included by callgraph_utils.php.
 */

declare(strict_types=1);

require_once __DIR__ . '/raw_profiles.php';

use XHProf\Exception\GraphError;
use XHProf\Exception\XHProfException;
use XHProf\Graph\CallGraph;
use XHProf\Graph\DotWriter;
use XHProf\Graph\GraphOptions;
use XHProf\Graph\Graphviz;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/** Set through $GLOBALS, because this file may be included inside a function. */
$GLOBALS['xhprof_legal_image_types'] = ['jpg' => 1, 'gif' => 1, 'png' => 1, 'svg' => 1, 'ps' => 1];

/**
 * @param string $name
 * @param string $value
 *
 * @return void
 */
function xhprof_http_header($name, $value)
{
    if ($name === '' || $value === '') {
        xhprof_error('xhprof_http_header: a header needs a name and a value');

        return;
    }
    header("$name: $value", true);
}

/**
 * Sends the headers for an image; none for a type that is not in $xhprof_legal_image_types.
 *
 * @param string $type
 * @param int    $length bytes
 *
 * @return void
 */
function xhprof_generate_mime_header($type, $length)
{
    $mime = [
        'jpg' => 'image/jpeg',
        'gif' => 'image/gif',
        'png' => 'image/png',
        'svg' => 'image/svg+xml',
        'ps' => 'application/postscript',
    ][$type] ?? null;
    if ($mime !== null) {
        xhprof_http_header('Content-type', $mime);
        xhprof_http_header('Content-length', (string) $length);
    }
}

/**
 * @param string $dot_script
 * @param string $type       one of $xhprof_legal_image_types
 *
 * @return string the image; '' (and an xhprof_error) if dot is missing, fails, or takes more than 15 seconds
 */
function xhprof_generate_image_by_dot($dot_script, $type)
{
    try {
        return (new Graphviz())->render($dot_script, $type);
    } catch (GraphError $e) {
        xhprof_error('XHProf: ' . $e->getMessage());

        return '';
    }
}

/**
 * @param array<string, array<string, int|float>> $raw_data
 *
 * @return array<string, list<string>> caller => callees
 */
function xhprof_get_children_table($raw_data)
{
    $table = [];
    foreach ($raw_data as $key => $_) {
        [$caller, $callee] = EdgeKey::parse($key);
        if ($caller !== null) {
            $table[$caller][] = $callee;
        }
    }

    return $table;
}

/**
 * @param array<string, array<string, int|float>> $raw_data      with $right and $left: the difference, second minus first
 * @param int|float|string                        $threshold     least share of the total, 0 to 1
 * @param string                                  $source        not used
 * @param string|null                             $page          not used
 * @param string|null                             $func          only this function, its callers and callees
 * @param bool                                    $critical_path
 * @param array<string, array<string, int|float>>|null $right    functions of the first run (xhprof_compute_flat_info)
 * @param array<string, array<string, int|float>>|null $left     functions of the second run
 *
 * @return string
 *
 * @throws XHProfException
 */
function xhprof_generate_dot_script(
    $raw_data,
    $threshold,
    $source,
    $page,
    $func,
    $critical_path,
    $right = null,
    $left = null
) {
    $options = new GraphOptions(
        threshold: max(0.0, (float) $threshold),
        func: $func === null || $func === '' ? null : $func,
        criticalPath: (bool) $critical_path,
    );
    $delta = Profile::fromEdges($raw_data, fractions: true);
    if ($right === null || $left === null) {
        return DotWriter::write(CallGraph::ofProfile($delta, $options));
    }
    $metric = $delta->metrics()[0] ?? 'wt';
    $heaviest = 1;
    foreach ([$right, $left] as $table) {
        $heaviest = max([$heaviest, ...array_column($table, $metric)]);
    }

    return DotWriter::write(CallGraph::ofTables($right, $left, $delta->edges(), $metric, $heaviest, $options));
}

/**
 * Sends the graph of the changes from the first run to the second: orange for slower, blue for faster.
 *
 * @param iXHProfRuns      $xhprof_runs_impl
 * @param string           $run1
 * @param string           $run2
 * @param string           $type      one of $xhprof_legal_image_types
 * @param int|float|string $threshold
 * @param string           $source
 *
 * @return void
 */
function xhprof_render_diff_image($xhprof_runs_impl, $run1, $run2, $type, $threshold, $source)
{
    $description = '';
    $first = $xhprof_runs_impl->get_run($run1, $source, $description);
    $second = $xhprof_runs_impl->get_run($run2, $source, $description);
    $image = '';
    if ($first !== null && $second !== null) {
        try {
            $graph = CallGraph::ofDiff(
                Profile::fromEdges($first, fractions: true),
                Profile::fromEdges($second, fractions: true),
                new GraphOptions(threshold: max(0.0, (float) $threshold)),
            );
            $image = xhprof_generate_image_by_dot(DotWriter::write($graph), $type);
        } catch (XHProfException $e) {
            xhprof_error('XHProf: ' . $e->getMessage());
        }
    }
    xhprof_send_image($image, (string) $type, "$run1,$run2", $threshold);
}

/**
 * @param iXHProfRuns      $xhprof_runs_impl
 * @param string           $run_id
 * @param string           $type             one of $xhprof_legal_image_types
 * @param int|float|string $threshold
 * @param string|null      $func
 * @param string           $source
 * @param bool             $critical_path
 *
 * @return string the image; '' (and an xhprof_error) if there is none
 */
function xhprof_get_content_by_run($xhprof_runs_impl, $run_id, $type, $threshold, $func, $source, $critical_path)
{
    if (empty($run_id)) {
        return '';
    }
    $description = '';
    $raw = $xhprof_runs_impl->get_run($run_id, $source, $description);
    if (empty($raw)) {
        xhprof_error('XHProf: this run has no data');

        return '';
    }
    try {
        $script = xhprof_generate_dot_script($raw, $threshold, $source, $description, $func, $critical_path);
    } catch (XHProfException $e) {
        xhprof_error('XHProf: ' . $e->getMessage());

        return '';
    }

    return xhprof_generate_image_by_dot($script, $type);
}

/**
 * Sends the graph of a run.
 *
 * @param iXHProfRuns      $xhprof_runs_impl
 * @param string           $run_id
 * @param string           $type             one of $xhprof_legal_image_types
 * @param int|float|string $threshold
 * @param string|null      $func
 * @param string           $source
 * @param bool             $critical_path
 *
 * @return void
 */
function xhprof_render_image($xhprof_runs_impl, $run_id, $type, $threshold, $func, $source, $critical_path)
{
    $image = xhprof_get_content_by_run($xhprof_runs_impl, $run_id, $type, $threshold, $func, $source, $critical_path);
    xhprof_send_image($image, (string) $type, (string) $run_id, $threshold);
}

/** @internal */
function xhprof_send_image(string $image, string $type, string $run_id, int|float|string $threshold): void
{
    if ($image === '') {
        $text = "Error: either there is no profile data for run_id $run_id, or the threshold $threshold is too small,"
            . " or Graphviz's program 'dot' is missing or too slow. The error log says which.";
        echo htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE);

        return;
    }
    xhprof_generate_mime_header($type, strlen($image));
    echo $image;
}
