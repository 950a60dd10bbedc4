<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Html\PageServer;
use XHProf\Tests\Lib\Support\ErrorLog;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../../xhprof_lib/utils/xhprof_runs.php';
require_once __DIR__ . '/../../xhprof_lib/utils/callgraph_utils.php';
require_once __DIR__ . '/Support/ErrorLog.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once __DIR__ . '/../html/Page.php';
require_once __DIR__ . '/../html/PageServer.php';

/**
 * The classic call graph functions, with a program "dot" that copies its input.
 */
final class ClassicCallgraphTest extends TestCase
{
    use ErrorLog;
    use TemporaryFolder;

    private string $path = '';
    private \XHProfRuns_Default $runs;

    protected function setUp(): void
    {
        mkdir("$this->folder/bin");
        file_put_contents("$this->folder/bin/dot", "#!/bin/sh\nPATH=/usr/bin:/bin; echo \"\$1\"; cat\n");
        chmod("$this->folder/bin/dot", 0755);
        $this->path = (string) getenv('PATH');
        putenv("PATH=$this->folder/bin");
        $this->runs = new \XHProfRuns_Default($this->folder);
        $this->runs->save_run(Runs::small(), 's', 'small');
        $this->runs->save_run(Runs::changed(), 's', 'changed');
    }

    protected function tearDown(): void
    {
        putenv("PATH=$this->path");
    }

    public function testScript(): void
    {
        $dot = xhprof_generate_dot_script(Runs::small(), '0.1', 's', null, '', true);
        self::assertStringStartsWith('digraph call_graph {', $dot);
        self::assertStringContainsString('"main()\nTotal: 1.00 ms (100.0 %)', $dot);
        $around = xhprof_generate_dot_script(Runs::small(), 0.01, 's', null, 'b@1', false);
        self::assertSame(3, preg_match_all('/^N\d+ \[/m', $around));
    }

    public function testScriptOfADifference(): void
    {
        $totals = null;
        $dot = xhprof_generate_dot_script(
            xhprof_compute_diff(Runs::small(), Runs::changed()),
            0.01,
            's',
            null,
            null,
            true,
            xhprof_compute_flat_info(Runs::small(), $totals),
            xhprof_compute_flat_info(Runs::changed(), $totals),
        );
        self::assertStringContainsString('"c\nTotal: -160 µs\nSelf: -160 µs\nCalls: -4"', $dot);
        self::assertStringContainsString('"a\nTotal: +50 µs\nSelf: +100 µs', $dot);
    }

    public function testImage(): void
    {
        $image = xhprof_get_content_by_run($this->runs, 'small', 'png', 0.01, '', 's', true);
        self::assertStringStartsWith("-Tpng\ndigraph call_graph {", $image);
        self::assertSame('', $this->logged());
        self::assertSame('', xhprof_get_content_by_run($this->runs, '', 'png', 0.01, '', 's', true));
        self::assertSame('', xhprof_get_content_by_run($this->runs, 'none', 'png', 0.01, '', 's', true));
        self::assertStringContainsString('this run has no data', $this->logged());
        self::assertSame('', xhprof_get_content_by_run($this->runs, 'small', 'png', 0.01, 'nowhere', 's', true));
        self::assertStringContainsString('no function "nowhere"', $this->logged());
    }

    public function testRender(): void
    {
        $this->expectOutputRegex('/\A-Tsvg\ndigraph call_graph.*a\\\\nTotal: \+50/s');
        xhprof_render_diff_image($this->runs, 'small', 'changed', 'svg', 0.01, 's');
    }

    public function testRenderWithoutDot(): void
    {
        putenv('PATH=/nowhere');
        $this->expectOutputRegex('/\AError: either there is no profile data for run_id small, or the threshold 0.01 is too small/');
        xhprof_render_image($this->runs, 'small', 'svg', 0.01, '', 's', true);
        self::assertStringContainsString('needs the program "dot" of Graphviz', $this->logged());
    }

    public function testErrorsAreEscaped(): void
    {
        $this->expectOutputRegex('/run_id &lt;script&gt;,small,/');
        xhprof_render_diff_image($this->runs, '<script>', 'small', 'svg', '<b>', 's');
    }

    public function testTypes(): void
    {
        self::assertSame(['jpg', 'gif', 'png', 'svg', 'ps'], array_keys($GLOBALS['xhprof_legal_image_types'] ?? []));
        self::assertSame('', xhprof_generate_image_by_dot('digraph {}', '../x'));
        self::assertStringContainsString('the type of the image', $this->logged());
        xhprof_http_header('', 'x');
        self::assertStringContainsString('needs a name and a value', $this->logged());
    }

    public function testHeaders(): void
    {
        $lib = var_export(dirname(__DIR__, 2) . '/xhprof_lib/utils/callgraph_utils.php', true);
        file_put_contents("$this->folder/page.php", "<?php require $lib; xhprof_generate_mime_header('svg', 12);
            xhprof_generate_mime_header('exe', 5); echo '<svg/>';");
        putenv("PATH=$this->path");
        $headers = (new PageServer($this->folder, $this->folder))->get('page.php')->headers;
        self::assertSame(['image/svg+xml', '12'], [$headers['content-type'], $headers['content-length']]);
    }

    public function testTypeahead(): void
    {
        $lib = var_export(dirname(__DIR__, 2) . '/xhprof_lib/display/typeahead_common.php', true);
        $folder = var_export($this->folder, true);
        $nasty = ['main()' => ['ct' => 1, 'wt' => 1], "main()==><b>\nz" => ['ct' => 1, 'wt' => 1]];
        $this->runs->save_run($nasty, 's', 'nasty');
        $ask = fn (string $query): string => (string) shell_exec(escapeshellarg(PHP_BINARY) . ' -r ' . escapeshellarg(
            "parse_str('$query', \$_GET); require_once dirname($lib) . '/../utils/xhprof_runs.php';
            \$xhprof_runs_impl = new XHProfRuns_Default($folder); include $lib;",
        ));
        putenv("PATH=$this->path");
        self::assertSame("b\nb@1\n", $ask('q=B&run=small&source=s'));
        self::assertSame("a\nb\nb@1\nc\nd\nmain()\n", $ask('q=&run1=small&run2=changed&source=s'));
        self::assertSame("<b>\\x0Az\n", $ask('q=Z&run=nasty&source=s'));
        self::assertSame('', $ask('q=a&run=../../etc/passwd&source=s'));
    }
}
