<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\BackupGlobals;
use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\ErrorLog;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../../xhprof_lib/display/xhprof.php';
require_once __DIR__ . '/Support/ErrorLog.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * The classic report pages: right figures, nothing unescaped.
 */
#[BackupGlobals(true)]
final class ClassicDisplayTest extends TestCase
{
    use ErrorLog;
    use TemporaryFolder;

    private \XHProfRuns_Default $runs;

    protected function setUp(): void
    {
        $GLOBALS['base_path'] = '/x';
        $GLOBALS['sort_col'] = 'wt';
        $this->runs = new \XHProfRuns_Default($this->folder);
        $this->runs->save_run(Runs::small(), 's', 'small');
        $this->runs->save_run(Runs::changed(), 's', 'changed');
        $this->runs->save_run(Runs::nasty(), 's', 'nasty');
    }

    public function testRun(): void
    {
        $html = $this->page(['run' => 'small', 'source' => 's']);
        $rows = self::rows($html);
        self::assertSame(
            ['main()', '1', '7.7%', '1,000', '100.0%', '250', '25.0%', '900', '100.0%', '260', '28.9%'],
            array_slice($rows['main()'], 0, 11),
        );
        self::assertSame(['b', '5', '38.5%', '350', '35.0%', '260', '26.0%'], array_slice($rows['b'], 0, 7));
        self::assertSame(['main()', 'a', 'b', 'c', 'b@1'], array_keys($rows));
        self::assertStringContainsString('Total Incl. Wall Time (microsecs):</th><td>1,000 microsecs', $html);
        self::assertStringContainsString('Number of Function Calls:</th><td>13<', $html);
        self::assertStringContainsString('href="/x/?run=small&amp;source=s&amp;symbol=a"', $html);
        self::assertStringContainsString('href="/x/?run=small&amp;source=s&amp;sort=excl_wt"', $html);
        self::assertStringContainsString('href="/x/callgraph.php?run=small&amp;source=s"', $html);
        self::assertSame('', $this->logged());
    }

    public function testSorted(): void
    {
        $html = $this->page(['run' => 'small', 'source' => 's'], '', 'excl_wt');
        self::assertSame(['a', 'b', 'main()', 'c', 'b@1'], array_keys(self::rows($html)));
        $html = $this->page(['run' => 'small', 'source' => 's'], '', 'fn');
        self::assertSame(['a', 'b', 'b@1', 'c', 'main()'], array_keys(self::rows($html)));
    }

    public function testFunction(): void
    {
        $html = $this->page(['run' => 'small', 'source' => 's'], 'b');
        $rows = self::rows($html);
        self::assertSame(['b', '5', '38.5%', '350', '35.0%'], array_slice($rows['b'], 0, 5));
        self::assertSame(['260', '74.3%'], array_slice($rows['Exclusive Metrics for Current Function'], 3, 2));
        self::assertSame(['a', '4', '80.0%', '200', '57.1%'], array_slice($rows['a'], 0, 5));
        self::assertSame(['b@1', '1', '100.0%', '90', '25.7%'], array_slice($rows['b@1'], 0, 5));
        self::assertStringContainsString('>Parent functions<', $html);
        self::assertStringContainsString('>Child function<', $html);
        self::assertStringContainsString('type="Parent" metric="wt"', $html);
        self::assertStringContainsString('callgraph.php?run=small&amp;source=s&amp;func=b"', $html);
    }

    public function testDifference(): void
    {
        $html = $this->page(['run1' => 'small', 'run2' => 'changed', 'source' => 's'], '', 'excl_wt');
        $rows = self::rows($html);
        self::assertSame(['c', '-4', '-133.3%', '-160', '-1600.0%', '-160', '-1600.0%'], array_slice($rows['c'], 0, 7));
        self::assertSame(['a', '0', '0.0%', '50', '500.0%', '100', '1000.0%'], array_slice($rows['a'], 0, 7));
        self::assertSame('c', array_key_first(array_diff_key($rows, array_flip(self::TOTALS))));
        self::assertSame(['1,000', '1,010', '10', '1.0%'], array_slice($rows['Incl. Wall Time (microsecs)'], 1));
        self::assertMatchesRegularExpression('~class="vgbar">-160<~', $html);
        self::assertMatchesRegularExpression('~class="vrbar">100<~', $html);
        self::assertStringContainsString('run1=changed&amp;run2=small', $html);
    }

    public function testDifferenceOfAFunction(): void
    {
        $html = $this->page(['run1' => 'small', 'run2' => 'changed', 'source' => 's'], 'a');
        $rows = self::rows($html);
        self::assertSame(['280', '380', '100', '35.7%'], array_slice($rows['Excl. Wall Time (microsecs)'], 1));
        self::assertSame(['c', '-3'], array_slice($rows['c'], 0, 2));
        self::assertSame(['d', '7'], array_slice($rows['d'], 0, 2));
        // Functions that only one run has.
        self::assertStringContainsString('<b>c</b>', $this->page(['run1' => 'small', 'run2' => 'changed', 'source' => 's'], 'c'));
        self::assertStringContainsString('<b>d</b>', $this->page(['run1' => 'small', 'run2' => 'changed', 'source' => 's'], 'd'));
    }

    public function testSeveralRuns(): void
    {
        $html = $this->page(['run' => 'small,changed', 'wts' => '3,1', 'source' => 's']);
        self::assertSame('1,003', self::rows($html)['main()'][3]);
        self::assertStringContainsString('Aggregated Report for 2 runs: small,changed in the ratio (3:1)', $html);
        $html = $this->page(['run' => 'small,changed', 'wts' => '1,<b>', 'source' => 's']);
        self::assertStringContainsString('the weights are not whole numbers', $html);
    }

    public function testAHundredRowsUnlessAll(): void
    {
        $this->runs->save_run(Runs::large(2000), 's', 'large');
        self::assertCount(100, self::rows($html = $this->page(['run' => 'large', 'source' => 's'])));
        self::assertStringContainsString('Displaying top 100 functions', $html);
        self::assertStringContainsString('all=1">display all</a>', $html);
        self::assertGreaterThan(500, count(self::rows($this->page(['run' => 'large', 'source' => 's', 'all' => 1]))));
    }

    public function testNothingToReport(): void
    {
        $html = $this->page(['run' => 'none', 'source' => 's']);
        self::assertStringContainsString('There is nothing to report: Invalid Run Id = none', $html);
        $html = $this->page(['run1' => 'none', 'run2' => 'small', 'source' => 's']);
        self::assertStringContainsString('There is nothing to compare', $html);
        $html = $this->page(['source' => 's']);
        self::assertStringContainsString('No XHProf runs specified', $html);
        self::assertStringContainsString('small.s.xhprof', $html);
        $html = $this->page(['run' => 'small', 'source' => 's'], '<b>none</b>');
        self::assertStringContainsString('Symbol <b>&lt;b&gt;none&lt;/b&gt;</b> not found', $html);
    }

    public function testNothingComesOutUnescaped(): void
    {
        $evil = '"><script>alert(1)</script>';
        $pages = [
            $this->page(['run' => 'nasty', 'source' => 's', 'sort' => $evil, $evil => $evil], '', $evil),
            $this->page(['run' => 'nasty', 'source' => 's'], Runs::NASTY),
            $this->page(['run1' => 'nasty', 'run2' => 'nasty', 'source' => 's', 'x' => $evil], Runs::NASTY),
            $this->page(['run' => $evil, 'source' => 's']),
            $this->page(['run' => "small,$evil", 'source' => 's', 'wts' => $evil]),
            $this->page(['run' => 'small', 'source' => $evil]),
            $this->page(['run' => 'small', 'source' => 's'], $evil),
        ];
        foreach ($pages as $i => $html) {
            self::assertStringNotContainsString('<script', $html, "page $i");
            self::assertStringNotContainsString('<img', $html, "page $i");
            self::assertSame(1, preg_match('//u', $html), "page $i is not UTF-8");
        }
        $shown = '&lt;img src=x onerror=alert(1)&gt;&quot;&#039;\\\\xFF\\xFE\\x00&amp;amp;';
        self::assertStringContainsString(str_replace('\\\\', '\\', $shown), str_replace('\\\\', '\\', $pages[0]));
        // The link leads to exactly these bytes.
        self::assertStringContainsString('symbol=' . rawurlencode('<img') . '+src%3Dx', $pages[0]);
        self::assertStringContainsString('%FF%FE%00%26amp%3B', $pages[0]);
    }

    /**
     * A page as programs make them: parameters become globals; those with default values are left out of links.
     */
    public function testAPageOfAnotherProgram(): void
    {
        $lib = var_export(dirname(__DIR__, 2) . '/xhprof_lib', true);
        $folder = var_export($this->folder, true);
        $code = "error_reporting(-1); ini_set('display_errors', '1'); \$_SERVER['SCRIPT_NAME'] = '/profiler/index.php';
            parse_str('run=small&source=s&sort=excl_wt&symbol=b&unknown=1', \$_GET);
            \$GLOBALS['XHPROF_LIB_ROOT'] = $lib;
            require_once \$GLOBALS['XHPROF_LIB_ROOT'] . '/display/xhprof.php';
            \$params = ['run' => [XHPROF_STRING_PARAM, ''], 'wts' => [XHPROF_STRING_PARAM, ''],
                'symbol' => [XHPROF_STRING_PARAM, ''], 'sort' => [XHPROF_STRING_PARAM, 'wt'],
                'run1' => [XHPROF_STRING_PARAM, ''], 'run2' => [XHPROF_STRING_PARAM, ''],
                'source' => [XHPROF_STRING_PARAM, 'xhprof'], 'all' => [XHPROF_UINT_PARAM, 0]];
            xhprof_param_init(\$params);
            foreach (\$params as \$k => \$v) {
                \$params[\$k] = \$\$k;
                if (\$params[\$k] == \$v[1]) { unset(\$params[\$k]); }
            }
            \$impl = new XHProfRuns_Default($folder);
            displayXHProfReport(\$impl, \$params, \$source, \$run, \$wts, \$symbol, \$sort, \$run1, \$run2);";
        $html = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-r', $code])));
        self::assertSame(['b', '5', '38.5%', '350'], array_slice(self::rows($html)['b'], 0, 4));
        $link = '/profiler/?run=small&amp;symbol=a&amp;sort=excl_wt&amp;source=s';
        self::assertStringContainsString("<a href=\"$link\">a</a>", $html);
        self::assertStringNotContainsString('Warning', $html);
        self::assertStringNotContainsString('Deprecated', $html);
    }

    /**
     * The four calls of PECL's xhprof_html/index.php: a run, a function, a difference, a mean. Null is what it passes for
     * what the URL does not have.
     */
    public function testThePagesOfPeclsIndex(): void
    {
        $page = fn (?string ...$arguments): array => self::rows(
            self::printed(fn () => displayXHProfReport($this->runs, [], 's', ...$arguments)),
        );
        self::assertSame('1,000', $page('small', null, null, 'wt', null, null)['main()'][3]);
        self::assertArrayHasKey('Exclusive Metrics for Current Function', $page('small', null, 'b', 'wt', null, null));
        self::assertSame(['-4'], array_slice($page(null, null, null, 'excl_wt', 'small', 'changed')['c'], 1, 1));
        self::assertSame('1,003', $page('small,changed', '3,1', null, 'wt', null, null)['main()'][3]);
    }

    public function testPieces(): void
    {
        self::assertSame('1,234', xhprof_count_format(1234));
        self::assertSame('1,234.568', xhprof_count_format(1234.56789));
        self::assertSame('12.3%', xhprof_percent_format(0.1234));
        self::assertSame('12.34%', xhprof_percent_format(0.1234, 2));
        self::assertSame(33.3, pct(1, 3));
        self::assertSame('N/A', pct(1, 0));
        self::assertSame('', xhprof_render_link('', '/x'));
        self::assertSame('<span class="c">t</span>', xhprof_render_link('t', '', 'c'));
        self::assertSame(
            '<a href="/?a&amp;b" class="c" id="i" title="&quot;" target="t" onclick="f()">t</a>',
            xhprof_render_link('t', '/?a&b', 'c', 'i', '"', 't', 'f()'),
        );
        self::assertSame('', self::printed(fn () => xhprof_render_actions([])));
        self::assertSame(
            "<ul class=\"xhprof_actions\">\n<li>a</li>\n</ul>\n",
            self::printed(fn () => xhprof_render_actions(['a'])),
        );
        $cell = self::printed(fn () => print_td_num('N/A<', 'number_format'));
        self::assertMatchesRegularExpression('~\A<td +class="vbar">N/A&lt;</td>\n\z~', $cell);
        self::assertStringContainsString('>N/A%<', self::printed(fn () => print_td_pct(1, 0)));
        self::assertStringContainsString('.vbar', self::printed(fn () => xhprof_include_js_css()));
    }

    public function testLastRows(): void
    {
        init_metrics(Runs::small(), null, 'wt');
        $totals = null;
        $rows = [];
        foreach (xhprof_compute_flat_info(Runs::small(), $totals) as $name => $row) {
            $rows[] = ['fn' => $name] + $row;
        }
        $GLOBALS['totals'] = $totals;
        usort($rows, 'sort_cbk');
        $html = self::printed(fn () => print_flat_data(['run' => 'r'], 'Title', $rows, 'wt', 'r', 0, -2));
        self::assertSame(['c', 'b@1'], array_keys(self::rows($html)));
    }

    public function testALinkToTheSource(): void
    {
        self::assertSame('', self::printed(fn () => print_source_link(['fn' => 'a'])));
        $lib = var_export(dirname(__DIR__, 2) . '/xhprof_lib/display/xhprof.php', true);
        $code = "define('XHPROF_SYMBOL_LOOKUP_URL', 'https://code/?p=1'); include $lib;"
            . "print_source_link(['fn' => 'A::b']); print_source_link(['fn' => 'main()']);";
        self::assertSame(
            ' (<a href="https://code/?p=1&amp;symbol=A%3A%3Ab">source</a>)',
            shell_exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-r', $code]))),
        );
    }

    private const TOTALS = [
        'Number of Function Calls', 'Incl. Wall Time (microsecs)', 'Incl. CPU (microsecs)', 'Incl. MemUse (bytes)',
        'Incl. PeakMemUse (bytes)',
    ];

    /**
     * @param array<string, mixed> $params
     */
    private function page(array $params, string $symbol = '', string $sort = 'wt'): string
    {
        $text = static fn (string $name): string => is_string($params[$name] ?? null) ? $params[$name] : '';

        return self::printed(fn () => displayXHProfReport(
            $this->runs,
            $params,
            $text('source'),
            $text('run'),
            $text('wts'),
            $symbol,
            $sort,
            $text('run1'),
            $text('run2'),
        ));
    }

    private static function printed(\Closure $call): string
    {
        ob_start();
        try {
            $call();
        } finally {
            $text = (string) ob_get_clean();
        }

        return $text;
    }

    /**
     * @return array<string, list<string>> first cell => texts of the cells, of the rows with more than two
     */
    private static function rows(string $html): array
    {
        $rows = [];
        foreach (explode('<tr>', $html) as $row) {
            $row = explode('</tr>', $row)[0];
            preg_match_all('~<t[dh][^>]*>(.*?)</t[dh]>~s', $row, $cells);
            $texts = array_map(static fn (string $cell): string => html_entity_decode(strip_tags($cell), ENT_QUOTES), $cells[1]);
            if (count($texts) > 2 && str_contains($row, '<td') && $texts[0] !== '') {
                $rows[$texts[0]] = $texts;
            }
        }

        return $rows;
    }
}
