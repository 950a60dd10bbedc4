<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Export\Formats;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/../lib/Support/Runs.php';
require_once __DIR__ . '/../lib/Support/ExportRuns.php';
require_once __DIR__ . '/../lib/Support/MemoryRun.php';
require_once __DIR__ . '/../lib/Support/PprofDecoder.php';

final class ExportCommandTest extends CliTestCase
{
    /** A dump of the extension's own test. */
    private const DUMP = self::ROOT . '/extension/tests/unit/golden/memory.json';

    public function testEveryFormatIsWrittenUnderItsName(): void
    {
        $this->saved();
        foreach (Formats::all() as $name => $format) {
            $file = "$this->folder/out." . $format::EXTENSION;
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

    public function testAnImpossibleExportIsRefusedInOneLine(): void
    {
        $id = $this->store()->save(Runs::small(), 'edges', 'edges1');
        self::assertUsageError('--format is missing: html, speedscope, pprof', $this->xhprof(['export', 'latest']));
        self::assertUsageError('there is no format "pdf": --format takes html, ', $this->xhprof(['export', 'latest', '-f', 'pdf']));
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
        $whole = $export('html')->out;
        $html = $export('html', '--min=10%')->out;
        self::assertLessThan(strlen($whole), strlen($html));
        self::assertStringContainsString('(small paths)', $html);
        self::assertStringContainsString('{closure', $html, 'the functions stay whole');
        $this->store()->save(Runs::small(), 'edges', 'edges1');
        $ofEdges = $this->xhprof(['export', 'edges1', '-f', 'html', '--min=1%']);
        self::assertOneLineError('this run has no call paths', $ofEdges);
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
        $id = $this->store()->save($run->profile(), 'shop', 'e0000000000000000000000000000007', ['command' => 'php x.php']);
        $tree = json_decode(ExportRuns::written('json', $run), true)['tree'];
        RunFiles::put("$this->folder/runs", $id, ['tree' => $tree]);
    }

    public function testADumpOfMemoryIsWrittenInEveryFormat(): void
    {
        foreach (Formats::all() as $name => $format) {
            $file = "$this->folder/dump." . $format::EXTENSION;
            $result = $this->xhprof(['export', self::DUMP, "--format=$name", '-o', $file]);
            self::assertSame([0, ''], [$result->exitCode, $result->err], $name);
            self::assertGreaterThan(100, filesize($file), $name);
        }
        $folded = fn (string ...$more): string
            => $this->xhprof(['export', self::DUMP, '-ffolded', '-o-', ...array_values($more)])->out;
        self::assertStringContainsString("\nmain();f;[array] 2000\n", $folded());
        self::assertStringContainsString("\nmain();f 1\n", $folded('--no-types', '--metric=live_blocks'));
        self::assertSame("main();f;f;f;g;[string] 700\n", $folded('--after=2'));
        self::assertStringNotContainsString('(before)', $folded('--before=1'));
    }

    public function testTheMemoryOfARunIsWritten(): void
    {
        MemoryRun::save($this->store(), 'cli', 'aaaa1111', MemoryRun::worker(), 4);
        $folded = fn (string ...$more): string
            => $this->xhprof(['export', 'aaaa1111', '-ffolded', '-o-', '--memory', ...array_values($more)])->out;
        $path = 'main();Worker::run;Job::handle;Log::write;str_repeat';
        self::assertStringContainsString("$path;[string] 153600\n", $folded());
        self::assertStringContainsString("$path 51200\n", $folded('--no-types', '--after=2', '--before=3'));
        $result = $this->xhprof(['export', 'aaaa1111', '-fpprof', '--memory', '-o', "$this->folder/a.pb.gz"]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
    }

    public function testAnImpossibleExportOfMemoryIsRefusedInOneLine(): void
    {
        $this->saved();
        $export = fn (string ...$more): ProcessResult => $this->xhprof(['export', ...array_values($more), '-ffolded', '-o-']);
        self::assertUsageError('--after needs --memory, or a memory dump', $export('latest', '--after=1'));
        self::assertUsageError('--no-types needs --memory', $export('latest', '--no-types'));
        self::assertUsageError('--min is for calls, not for memory', $export(self::DUMP, '--min=1%'));
        self::assertUsageError('--stable-names is for runs', $export(self::DUMP, '--stable-names'));
        self::assertOneLineError('this run has no allocations: record them with', $export('latest', '--memory'));
        self::assertOneLineError('2 marks were made: after takes 0 to 2', $export(self::DUMP, '--after=3'));
        self::assertOneLineError('this run has no metric "wt", but live_bytes', $export(self::DUMP, '--metric=wt'));
        $cut = substr((string) file_get_contents(self::DUMP), 0, 900);
        file_put_contents("$this->folder/cut", $cut);
        json_decode($cut);
        self::assertOneLineError('cut: ' . json_last_error_msg(), $export("$this->folder/cut"));
        $post = $this->xhprof(['export', 'latest', '--to=http://127.0.0.1:1', '--memory']);
        self::assertUsageError('--to goes with none of --format, --output, --min, --memory and --stable-names', $post);
    }

    /** Every format has all contents of a program's dump. */
    public function testFormatsOfAProgramsDumpAgree(): void
    {
        self::needExtension();
        $program = $this->script(<<<'PHP'
            final class Kept { public static array $all = []; }
            function text(int $length): string { return str_repeat('x', $length); }
            function deep(int $depth): void { Kept::$all[] = text(3000); $depth > 0 && deep($depth - 1); }
            xhprof_enable(XHPROF_FLAGS_ALLOC);
            deep(5);
            Kept::$all[] = new Kept();
            Kept::$all["odd ;\n(3) 7\x01"] = (static fn () => pack('x4000'))();
            xhprof_alloc_dump(fopen($argv[1], 'w'), options: isset($argv[2]) ? ['threshold' => 3500] : []);
            PHP);
        $extension = realpath(self::ROOT . '/extension/modules/xhprof.so');
        $php = [PHP_BINARY, ...(function_exists('xhprof_save') ? [] : ['-d', "extension=$extension"]), $program];
        foreach ([[], ['threshold']] as $arguments) {
            $dump = "$this->folder/dump.json";
            $result = $this->process([...$php, $dump, ...$arguments]);
            self::assertSame([0, ''], [$result->exitCode, $result->out . $result->err]);
            $json = json_decode((string) file_get_contents($dump), true, 16, JSON_THROW_ON_ERROR);
            $bytes = array_sum($json['rows']['bytes']);
            $written = fn (string $format, string ...$more): string
                => $this->xhprof(['export', $dump, '-f', $format, '-o', '-', ...array_values($more)])->out;
            $folded = $written('folded');
            $sums = [
                'the heap' => $json['allocators']['zend_mm']['size'],
                'pprof' => array_sum(array_column(PprofDecoder::decode($written('pprof'))['samples'], 0)),
                'callgrind' => (int) (preg_match('/^summary: (\d+) /m', $written('callgrind'), $match) === 1 ? $match[1] : 0),
            ];
            foreach (['folded' => $folded, 'folded without types' => $written('folded', '--no-types')] as $name => $text) {
                $sums[$name] = array_sum(array_map(
                    static fn (string $line): int => (int) substr((string) strrchr($line, ' '), 1),
                    explode("\n", rtrim($text)),
                ));
            }
            $trace = json_decode($written('chrome'), true, 32, JSON_THROW_ON_ERROR);
            $heaps = $trace['traceEvents'][1]['args']['dumps']['heaps_v2']['allocators'];
            $sums['chrome'] = array_sum(array_merge(...array_column($heaps, 'sizes')));
            self::assertSame(array_fill_keys(array_keys($sums), $bytes), $sums);
            if ($arguments === []) {
                $path = 'main();deep;deep;deep;deep;deep;deep;text;str_repeat;[string]';
                self::assertSame(1, preg_match('/^' . preg_quote($path, '/') . ' 3072$/m', $folded), $folded);
                self::assertStringContainsString('[object:Kept]', $folded);
            } else {
                self::assertStringContainsString("\n(below threshold) ", $folded);
                self::assertStringNotContainsString('[object:Kept]', $folded);
            }
        }
    }
}
