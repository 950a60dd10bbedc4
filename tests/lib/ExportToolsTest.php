<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Run\Run;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * The target programs read the exports. tests/html/browser/export.test.mjs covers speedscope, which reads most formats.
 */
final class ExportToolsTest extends TestCase
{
    use TemporaryFolder;

    public function testCallgrindAnnotate(): void
    {
        $text = $this->tool('callgrind_annotate', '--threshold=100 --inclusive=no', 'callgrind', ExportRuns::small());
        $totals = '/^1,076,000 \(100\.0%\) +1,075,120 \(100\.0%\) +940,375 \(100\.0%\).*PROGRAM TOTALS$/m';
        self::assertMatchesRegularExpression($totals, $text);
        self::assertMatchesRegularExpression('/^ *280,500 \(26\.07%\).* php:App\\\\Shop::order$/m', $text);
        self::assertStringContainsString('php bin/console "orders:close" (PID 4242', $text);
        $text = $this->tool('callgrind_annotate', '--threshold=100 --inclusive=yes', 'callgrind', ExportRuns::small());
        self::assertMatchesRegularExpression('/^1,076,000 \(100\.0%\).* php:main\(\)$/m', $text);
        self::assertMatchesRegularExpression('/^ *676,000 \(62\.83%\).* php:App\\\\Shop::order$/m', $text);
        $text = $this->tool('callgrind_annotate', '--threshold=100 --tree=calling', 'callgrind', ExportRuns::small());
        self::assertMatchesRegularExpression('/>   php:array_map \(3x\)/', $text);
        foreach ([ExportRuns::hostile(), ExportRuns::edgesOnly(), ExportRuns::sampled()] as $run) {
            $text = $this->tool('callgrind_annotate', '--threshold=100', 'callgrind', $run);
            self::assertStringContainsString('PROGRAM TOTALS', $text);
        }
    }

    public function testGoToolPprof(): void
    {
        $text = $this->tool('go', 'tool pprof -top -nodecount=100', 'pprof', ExportRuns::small());
        self::assertStringContainsString('Showing nodes accounting for 1076us, 100% of 1076us total', $text);
        self::assertMatchesRegularExpression('/280\.50us 26\.07% +\S+ +676us 62\.83%  App\\\\Shop::order$/m', $text);
        $text = $this->tool('go', 'tool pprof -sample_index=calls -traces', 'pprof', ExportRuns::hostile());
        self::assertStringContainsString('(12) fn=x calls=3', $text);
    }

    public function testDot(): void
    {
        $text = $this->tool('dot', '-Tplain', 'dot', ExportRuns::hostile());
        self::assertStringStartsWith('graph ', $text);
    }

    private function tool(string $program, string $options, string $format, Run $run): string
    {
        if (trim((string) shell_exec('command -v ' . escapeshellarg($program))) === '') {
            self::markTestSkipped("$program is not installed");
        }
        $file = "$this->folder/run";
        file_put_contents($file, ExportRuns::written($format, $run));
        exec("$program $options " . escapeshellarg($file) . ' 2>&1', $lines, $status);
        self::assertSame(0, $status, implode("\n", $lines));

        return implode("\n", $lines);
    }
}
