<?php

/**
 * Pieces of HTML of the classic reports. Included by xhprof.php.
 */

declare(strict_types=1);

use XHProf\Format\Text;

/**
 * @internal
 *
 * @param string $text from a run or a request
 *
 * @return string HTML; bytes that are not UTF-8 as \xNN
 */
function xhprof_escape(string $text): string
{
    return htmlspecialchars(Text::printable($text), ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

/**
 * @internal
 *
 * @param array<string, mixed> $params
 *
 * @return string not escaped
 */
function xhprof_url(array $params, string $page = ''): string
{
    return $GLOBALS['base_path'] . "/$page?" . http_build_query($params);
}

/**
 * Prints the style sheet of the reports, inline: the web server needs no folder for it.
 *
 * @param string|null $ui_dir_url_path not used any more
 *
 * @return void
 */
function xhprof_include_js_css($ui_dir_url_path = null)
{
    echo "<style>\n";
    readfile(__DIR__ . '/xhprof.css');
    echo "</style>\n";
}

/**
 * @param int|float|string|null $num
 *
 * @return string "1,234" or "1,234.567"
 */
function xhprof_count_format($num)
{
    $num = round(is_numeric($num) ? $num + 0 : 0, 3);

    return number_format($num, $num == round($num) ? 0 : 3);
}

/**
 * @param int|float $s         a share, 1 = all
 * @param int       $precision digits after the point
 *
 * @return string "12.3%"
 */
function xhprof_percent_format($s, $precision = 1)
{
    return sprintf('%.' . $precision . 'f%%', 100 * $s);
}

/**
 * Prints a list of links.
 *
 * @param list<string> $actions HTML
 *
 * @return void
 */
function xhprof_render_actions($actions)
{
    if ($actions === []) {
        return;
    }
    echo "<ul class=\"xhprof_actions\">\n";
    foreach ($actions as $action) {
        echo "<li>$action</li>\n";
    }
    echo "</ul>\n";
}

/**
 * @param string $content HTML; everything else is text
 * @param string $href
 * @param string $class
 * @param string $id
 * @param string $title
 * @param string $target
 * @param string $onclick
 * @param string $style
 * @param string $access
 * @param string $onmouseover
 * @param string $onmouseout
 * @param string $onmousedown
 *
 * @return string HTML; '' without content
 */
function xhprof_render_link(
    $content,
    $href,
    $class = '',
    $id = '',
    $title = '',
    $target = '',
    $onclick = '',
    $style = '',
    $access = '',
    $onmouseover = '',
    $onmouseout = '',
    $onmousedown = ''
) {
    if (!$content) {
        return '';
    }
    $attributes = [
        'href' => $href,
        'class' => $class,
        'id' => $id,
        'title' => $title,
        'target' => $target,
        'onclick' => $onclick,
        'style' => $style,
        'accesskey' => $access,
        'onmouseover' => $onmouseover,
        'onmouseout' => $onmouseout,
        'onmousedown' => $onmousedown,
    ];
    $tag = $href ? 'a' : 'span';
    $html = "<$tag";
    foreach ($attributes as $name => $value) {
        if ($value) {
            $html .= " $name=\"" . xhprof_escape((string) $value) . '"';
        }
    }

    return "$html>$content</$tag>";
}

/**
 * @param int|float $a
 * @param int|float $b
 *
 * @return float|string per cent with one digit; "N/A" of nothing
 */
function pct($a, $b)
{
    return $b == 0 ? 'N/A' : round($a * 1000 / $b) / 10;
}

/**
 * @param int|float|string $num
 * @param bool             $bold the column the report is sorted by
 *
 * @return string a class attribute
 */
function get_print_class($num, $bold)
{
    if (!$bold) {
        return $GLOBALS['vbar'];
    }
    if (!$GLOBALS['diff_mode'] || !is_numeric($num) || $num == 0) {
        return $GLOBALS['vbbar'];
    }

    return $num < 0 ? $GLOBALS['vgbar'] : $GLOBALS['vrbar'];
}

/**
 * Prints a cell with a value.
 *
 * @param int|float|string $num
 * @param string|null      $fmt_func   formats it, if it is a number
 * @param bool             $bold
 * @param string|null      $attributes HTML
 *
 * @return void
 */
function print_td_num($num, $fmt_func, $bold = false, $attributes = null)
{
    $class = get_print_class($num, $bold);
    if (is_numeric($num) && is_string($fmt_func) && is_callable($fmt_func)) {
        $num = $fmt_func($num + 0);
    }
    echo "<td $attributes $class>", xhprof_escape(is_scalar($num) ? (string) $num : ''), "</td>\n";
}

/**
 * Prints a cell with a share.
 *
 * @param int|float   $numer
 * @param int|float   $denom
 * @param bool        $bold
 * @param string|null $attributes HTML
 *
 * @return void
 */
function print_td_pct($numer, $denom, $bold = false, $attributes = null)
{
    $text = $denom == 0 ? 'N/A%' : xhprof_percent_format($numer / abs($denom));
    echo "<td $attributes ", get_print_class($numer, $bold), ">$text</td>\n";
}

/**
 * @param string $type
 * @param string $metric
 *
 * @return string HTML attributes that describe a cell to scripts
 */
function get_tooltip_attributes($type, $metric)
{
    return 'type="' . xhprof_escape((string) $type) . '" metric="' . xhprof_escape((string) $metric) . '"';
}

/**
 * Prints a link to a function's source, if the program defines XHPROF_SYMBOL_LOOKUP_URL; "symbol" is added to that address.
 *
 * @param array<string, mixed> $info a row with "fn"
 *
 * @return void
 */
function print_source_link($info)
{
    $symbol = (string) ($info['fn'] ?? '');
    if (!defined('XHPROF_SYMBOL_LOOKUP_URL') || str_starts_with($symbol, 'run_init') || $symbol === 'main()') {
        return;
    }
    $address = constant('XHPROF_SYMBOL_LOOKUP_URL');
    if (is_string($address) && $address !== '') {
        $address .= (str_contains($address, '?') ? '&' : '?') . http_build_query(['symbol' => $symbol]);
        echo ' (', xhprof_render_link('source', $address), ')';
    }
}
