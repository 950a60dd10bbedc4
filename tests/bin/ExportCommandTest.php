<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Export\Formats;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/Runs.php';
require_once __DIR__ . '/../lib/Support/ExportRuns.php';

final class ExportCommandTest extends CliTestCase
{
    public function testEveryFormatIsWrittenUnderItsName(): void
    {
        $this->saved();
        foreach (Formats::all() as $name => $format) {
            $file = "$this->folder/out." . $format->extension();
            $result = $this->xhprof(['export', 'latest', "--format=$name", '-o', $file]);
            self::assertSame([0, ''], [$result->exitCode, $result->err], $name);
            self::assertMatchesRegularExpression('~\AWrote ' . preg_quote($file, '~') . ', [\d.]+ [KM]?B\n\z~', $result->out);
            self::assertGreaterThan(100, filesize($file), $name);
        }
    }

    public function testDashIsStandardOutput(): void
    {
        $this->saved();
        foreach ([['-o', '-'], ['--output', '-'], ['-o-'], ['--output=-']] as $option) {
            $result = $this->xhprof(['export', 'latest', '-f', 'folded', ...$option]);
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::assertStringStartsWith("main() 250000\nmain();App\\Shop::order 280500\n", $result->out);
        }
        $result = $this->xhprof(['export', 'latest', '-f', 'csv', '--metric=cpu', '-o', '-']);
        self::assertStringStartsWith("function,ct,cpu_us,excl_cpu_us\r\n", $result->out);
    }

    public function testWhatCannotBeIsOneLine(): void
    {
        $id = $this->store()->save(Runs::small(), 'edges', 'edges1');
        self::assertUsageError('--format is missing: html, speedscope, pprof', $this->xhprof(['export', 'latest']));
        self::assertOneLineError('there is no format "pdf", but', $this->xhprof(['export', 'latest', '-f', 'pdf']));
        $file = "$this->folder/none.json";
        $result = $this->xhprof(['export', (string) $id, '-f', 'speedscope', '-o', $file]);
        self::assertOneLineError('this run has no call paths', $result);
        self::assertFileDoesNotExist($file);
        $result = $this->xhprof(['export', 'latest', '-f', 'csv', '-o', "$this->folder/no/where"]);
        self::assertOneLineError("cannot write to $this->folder/no/where: No such file or directory", $result);
        self::assertOneLineError('there is no run', $this->xhprof(['export', 'ffff', '-f', 'csv']));
        self::assertOneLineError('no metric "xx"', $this->xhprof(['export', 'latest', '-f', 'csv', '-m', 'xx', '-o', '-']));
    }

    public function testSmallPathsAreLeftOutWhereThatCanBe(): void
    {
        $this->saved();
        $export = fn (string $format, string ...$more): ProcessResult
            => $this->xhprof(['export', 'latest', '-f', $format, '-o', '-', ...array_values($more)]);
        $folded = $export('folded', '--min=10%');
        self::assertSame([0, ''], [$folded->exitCode, $folded->err]);
        $sum = static fn (string $text): int => (int) array_sum(array_map(
            static fn (string $line): int => (int) substr((string) strrchr($line, ' '), 1),
            explode("\n", $text),
        ));
        self::assertSame($sum($export('folded')->out), $sum($folded->out));
        self::assertStringContainsString('array_map', $folded->out);
        self::assertStringNotContainsString('{closure', $folded->out);
        foreach (array_keys(Formats::all()) as $format) {
            if (!in_array($format, Formats::prunable(), true)) {
                self::assertUsageError("not $format", $export($format, '--min=1%'));
            }
        }
        foreach (['0.1', '0%', '101%', '-1%', 'x'] as $wrong) {
            self::assertUsageError('--min takes a percentage like "0.1%"', $export('folded', "--min=$wrong"));
        }
        $this->store()->save(Runs::small(), 'edges', 'edges1');
        self::assertOneLineError('this run has no call paths', $this->xhprof(['export', 'edges1', '-f', 'callgrind', '--min=1%']));
    }

    public function testAFileOfEdgesIsARunToo(): void
    {
        file_put_contents("$this->folder/old.data", serialize(Runs::small()));
        $result = $this->xhprof(['export', "$this->folder/old.data", '-f', 'callgrind', '-o', '-']);
        self::assertStringContainsString("\nevents: Time_(us) CPU_(us) Memory_(bytes) Peak_Growth_(bytes)\n", $result->out);
        self::assertStringContainsString("\ntotals: 1000 900 ", $result->out);
    }

    private function saved(): void
    {
        $run = ExportRuns::small();
        $id = $this->store()->save($run->profile, 'shop', 'e0000000000000000000000000000007', ['command' => 'php x.php']);
        $tree = json_decode(ExportRuns::written('json', $run), true)['tree'];
        file_put_contents($this->store()->directory() . '/' . $id->fileName('tree.json'), json_encode($tree));
    }
}
