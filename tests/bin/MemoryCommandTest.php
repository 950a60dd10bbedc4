<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/MemoryRun.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** `xhprof memory`, `xhprof leaks` and `xhprof run --alloc`: the live memory. */
final class MemoryCommandTest extends CliTestCase
{
    private const EVIL = "evil\e]0;owned\x07\r\n\x9b31m<error>x</error>";

    private function worker(): void
    {
        MemoryRun::save($this->store(), 'cli', 'aaaa1111', MemoryRun::worker(), 4, ['command' => 'php worker.php']);
    }

    /** @return array<string, mixed> */
    private function json(string ...$arguments): array
    {
        $result = $this->xhprof([...array_values($arguments), '--json']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);

        return json_decode($result->out, true, 64, JSON_THROW_ON_ERROR);
    }

    public function testFitsEveryWidthAndShowsTheInnermostFunction(): void
    {
        $this->worker();
        $commands = [['memory'], ['memory', '--by=type'], ['memory', '--by=function'], ['leaks'], ['memory', '-s', 'freed']];
        foreach ($commands as $command) {
            foreach ([40, 60, 80, 100, 160] as $width) {
                $out = $this->xhprof($command, '', ['COLUMNS' => (string) $width])->out;
                self::assertLessThanOrEqual($width, self::widestLine($out), $out);
                self::assertStringContainsString('str_repeat', $out);
            }
        }
        $wide = $this->xhprof(['memory'], '', ['COLUMNS' => '160'])->out;
        self::assertStringContainsString('str_repeat ← Log::write ← Job::handle ← Worker::run ← main()', $wide);
        self::assertStringContainsString('walk (rec.) ← Job::handle', $wide);
        $plain = $this->xhprof(['memory'], '', ['LC_ALL' => 'C', 'COLUMNS' => '80'])->out;
        self::assertStringContainsString('str_repeat <- Log::write <- Job::handle <- ...', $plain);
        self::assertDoesNotMatchRegularExpression('/[^\x20-\x7e\n]/', $plain);
    }

    public function testJson(): void
    {
        $this->worker();
        $json = $this->json('memory', '--limit=1');
        self::assertSame(['array' => 1048576], $json['rows'][0]['types']);
        $functions = array_column($this->json('memory', '--by=function', '--limit=0')['rows'], null, 'function');
        self::assertSame([160, 160], [$functions['walk']['live_bytes'], $functions['walk']['incl_bytes']]);
        $types = array_column($this->json('memory', '--by=type')['rows'], null, 'type');
        self::assertSame(['main()', 'Worker::boot', 'Pool::__construct'], $types['object:App\Pool']['path']);
    }

    public function testLeaksBetweenMarks(): void
    {
        $this->worker();
        $json = $this->json('leaks', '--after=2', '--before=3', '--by=type');
        self::assertSame([2, 3, 1, 51296], [$json['after'], $json['before'], $json['intervals'], $json['live_bytes']]);
        self::assertSame(['string', 'reference'], array_column($json['rows'], 'type'));
        self::assertSame(1728384, $this->json('leaks', '--after=0', '--before=5')['live_bytes']);
    }

    public function testLeaksOfARunWithFewMarksSuggestWhatToDo(): void
    {
        $rows = [[['f'], 'string', 0, 1, 8192]];
        MemoryRun::save($this->store(), 'x', 'none', $rows);
        $result = $this->xhprof(['leaks', 'none']);
        self::assertSame(0, $result->exitCode);
        self::assertStringContainsString('Live: 8.00 KB in 1 block, allocated since the tracking began', $result->out);
        self::assertStringContainsString('This run has no marks', $result->out);
        $words = (string) preg_replace('/\s+/', ' ', $result->out);
        self::assertStringContainsString('Run a worker as a whole, with bin/xhprof run --alloc: where its jobs are spans', $words);
        self::assertStringContainsString('xhprof_alloc_mark()', $words);
        MemoryRun::save($this->store(), 'x', 'one', [...$rows, [['g'], 'array', 1, 1, 320]], 1);
        $out = $this->xhprof(['leaks', 'one'])->out;
        self::assertStringContainsString('Live: 320 B in 1 block, allocated after mark 1', $out);
        self::assertStringContainsString('This run has one mark only', $out);
        self::assertSame(8192, $this->json('leaks', 'one', '--before=1')['live_bytes']);
    }

    public function testSampledAndDroppedAreSaid(): void
    {
        $memory = ['sample_bytes' => 524288, 'dropped' => ['blocks' => 1234, 'bytes' => 1 << 21]];
        MemoryRun::save($this->store(), 'x', 'a', MemoryRun::worker(), 4, [], $memory);
        $out = (string) preg_replace('/\s+/', ' ', $this->xhprof(['memory'])->out);
        self::assertStringContainsString('Sampled: about one allocation every 512 KB was recorded', $out);
        self::assertStringContainsString('Not recorded, as the register was full: 1 234 allocations of 2.00 MB.', $out);
    }

    public function testNothingHeld(): void
    {
        MemoryRun::save($this->store(), 'x', 'a', []);
        $result = $this->xhprof(['memory']);
        self::assertSame(0, $result->exitCode);
        self::assertStringContainsString("\nNo memory is held.\n", $result->out);
    }

    public function testNamesCannotSpeakToTheTerminal(): void
    {
        $rows = [[[self::EVIL, 'f'], 'object:' . self::EVIL, 1, 1, 640], [[self::EVIL], 'string', 2, 1, 320]];
        MemoryRun::save($this->store(), 'x', 'a', $rows, 3);
        foreach ([['memory'], ['memory', '--full'], ['leaks', '--by=type'], ['memory', '--by=function', '--ansi']] as $arguments) {
            $result = $this->xhprof($arguments, '', ['COLUMNS' => '200']);
            self::assertSame(0, $result->exitCode, $result->err);
            $all = (string) preg_replace('/\e\[[0-9;]*m/', '', $result->out . $result->err);
            self::assertDoesNotMatchRegularExpression('/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/', $all);
            self::assertStringContainsString('<error>x</error>', $all);
        }
        self::assertStringContainsString('evil', $this->json('memory')['rows'][0]['path'][1]);
    }

    /** @return iterable<string, array{list<string>, string}> */
    public static function mistakes(): iterable
    {
        yield 'by' => [['memory', '--by=line'], '--by takes one of path, function, type, not "line"'];
        yield 'sort' => [['memory', '--sort=wt'], 'there is no column "wt" by path; take live, blocks, allocated, freed', 1];
        yield 'sort of types' => [['memory', '--by=type', '--sort=freed'], 'there is no column "freed" by type', 1];
        yield 'sort between marks' => [['leaks', '--sort=freed'], 'there is no column "freed" by path between marks', 1];
        yield 'limit' => [['memory', '--limit=-1'], '--limit takes a number'];
        yield 'mark' => [['leaks', '--after=x'], '--after takes a number'];
        yield 'mark not made' => [['leaks', '--after=9'], '4 marks were made: after takes 0 to 4, before takes 1 to 5', 1];
        yield 'marks in the wrong order' => [['leaks', '--after=3', '--before=2'], 'mark 3 is not before mark 2', 1];
        yield 'no such run' => [['memory', 'zzzz'], 'there is no run zzzz', 1];
        yield 'no such source' => [['memory', '--source=other'], 'there is no run of the source other', 1];
    }

    /** @param list<string> $arguments */
    #[DataProvider('mistakes')]
    public function testMistakesAreOneLine(array $arguments, string $message, int $exitCode = 2): void
    {
        $this->worker();
        self::assertOneLineError($message, $this->xhprof($arguments), $exitCode);
    }

    public function testARunWithoutMemorySaysHowToRecordOne(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'x');
        foreach (['memory', 'leaks'] as $command) {
            $result = $this->xhprof([$command]);
            self::assertOneLineError('this run has no allocations: record them with `xhprof run --alloc', $result);
            self::assertStringContainsString('run --alloc', $result->err);
        }
    }

    public function testADamagedProfileIsNamed(): void
    {
        $this->worker();
        RunFiles::put("$this->folder/runs", 'aaaa1111.cli', ['memory' => ['marks' => 1]]);
        $file = RunFiles::path("$this->folder/runs", 'aaaa1111.cli');
        self::assertOneLineError("$file: ", $this->xhprof(['memory']));
        self::assertSame(0, $this->xhprof(['report'])->exitCode);
    }

    public function testTheTimeReportHasNoColumnsOfMemory(): void
    {
        $this->worker();
        $report = json_decode($this->xhprof(['report', '--json'])->out, true, 64, JSON_THROW_ON_ERROR);
        self::assertSame(['wt'], $report['metrics']);
        self::assertSame(0, $this->xhprof(['report', '--tree'])->exitCode);
    }

    private function needAllocations(): void
    {
        self::needExtension();
        $module = self::ROOT . '/extension/modules/xhprof.so';
        $load = is_file($module) && !extension_loaded('xhprof') ? ['-d', "extension=$module"] : [];
        if ($this->process([PHP_BINARY, ...$load, '-r', 'exit((int) defined("XHPROF_FLAGS_ALLOC"));'])->exitCode === 0) {
            self::markTestSkipped('this extension does not record allocations');
        }
    }

    /**
     * @param array<string, mixed> $row of the JSON
     * @return string "main();f;g", without the top-level code of files
     */
    private static function path(array $row): string
    {
        $isFunction = static fn (string $name): bool => !str_starts_with($name, 'run_init::');

        return implode(';', array_filter($row['path'], $isFunction));
    }

    private function leakyScript(): string
    {
        return $this->script(
            <<<'PHP'
            final class Kept { public string $name = ''; }
            final class Log { public static array $lines = []; public static array $kept = []; }
            function leak(int $i): void { Log::$lines[] = str_repeat((string) $i, 100000); }
            function keep(): void { for ($i = 0; $i < 1000; $i++) { Log::$kept[] = new Kept(); } }
            function churn(): int { return strlen(str_repeat('x', 500000)); }
            keep();
            xhprof_alloc_mark();
            for ($i = 0; $i < 20; $i++) { leak($i); churn(); xhprof_alloc_mark(); }
            PHP,
        );
    }

    /** A worker that knows no marks: its jobs are spans, and the command that the advice names is enough. */
    public function testSpansOfAWorkerAreItsMarks(): void
    {
        $this->needAllocations();
        $worker = $this->script(
            <<<'PHP'
            final class Log { public static array $lines = []; }
            function leak(int $i): void { Log::$lines[] = str_repeat((string) $i, 10000); }
            for ($i = 0; $i < 12; $i++) { $span = xhprof_span("job $i"); leak($i); unset($span); }
            var_dump(xhprof_begin_span('the last'), xhprof_end_span());
            PHP,
        );
        $result = $this->xhprof(['run', '--alloc', '-q', '--source=worker', '--', $worker]);
        self::assertSame([0, "bool(false)\nNULL\n"], [$result->exitCode, $result->out], $result->err);
        self::assertCount(1, RunFiles::runs("$this->folder/runs", 'worker'), 'one run');
        $leaks = $this->json('leaks', '--limit=1');
        self::assertSame([1, 13, 12], [$leaks['after'], $leaks['before'], $leaks['intervals']]);
        self::assertSame('main();leak;str_repeat', self::path($leaks['rows'][0]));
        self::assertSame([11, 11], [$leaks['rows'][0]['live_blocks'], $leaks['rows'][0]['intervals']]);

        $result = $this->xhprof(['run', '--timeline', '-q', '--source=timed', '--', $worker]);
        self::assertSame(0, $result->exitCode, $result->err);
        $timed = RunFiles::runs("$this->folder/runs", 'timed')[0];
        self::assertCount(13, RunFiles::document("$this->folder/runs", $timed, 'timeline')['spans']['t'] ?? []);
    }

    public function testRunRecordsWhoHoldsTheMemory(): void
    {
        $this->needAllocations();
        $result = $this->xhprof(['run', '--alloc', '--source=worker', '--', $this->leakyScript()], '', ['COLUMNS' => '120']);
        self::assertSame([0, ''], [$result->exitCode, $result->out], $result->err);
        self::assertMatchesRegularExpression('/^Live: [\d.]+ MB in [\d ]+ blocks?, allocated since/m', $result->err);
        self::assertMatchesRegularExpression('/ 20 .* string +str_repeat ← leak ← /m', $result->err);
        self::assertMatchesRegularExpression('/^    or: \S+ memory [0-9a-f]{8}$/m', $result->err);

        $json = $this->json('memory', '--limit=0');
        $rows = array_combine(array_map(self::path(...), $json['rows']), $json['rows']);
        $leak = $rows['main();leak;str_repeat'];
        self::assertSame(20, $leak['live_blocks']);
        self::assertGreaterThanOrEqual(2000000, $leak['live_bytes']);
        self::assertSame(['string'], array_keys($leak['types']));
        $zend = $json['allocators']['zend_mm'];
        self::assertSame($zend['size'], $json['live_bytes'] + $zend['before_bytes'], 'every byte of the heap is accounted for');

        $types = array_column($this->json('memory', '--by=type', '--limit=0')['rows'], null, 'type');
        self::assertSame(1000, $types['object:Kept']['live_blocks']);
        $garbage = $this->json('memory', '--sort=allocated', '--by=function', '--limit=1')['rows'][0];
        self::assertSame('str_repeat', $garbage['function']);
        self::assertGreaterThan(11000000, $garbage['allocated_bytes']);

        $leaks = $this->json('leaks', '--limit=1');
        self::assertSame([1, 21, 20], [$leaks['after'], $leaks['before'], $leaks['intervals']]);
        self::assertSame('main();leak;str_repeat', self::path($leaks['rows'][0]));
        self::assertSame([20, 20], [$leaks['rows'][0]['live_blocks'], $leaks['rows'][0]['intervals']]);
    }

    public function testRunAllocAsJsonAndUnsaved(): void
    {
        $this->needAllocations();
        $options = ['--alloc', '--json', '--no-save', "--report-to=$this->folder/report"];
        $result = $this->xhprof(['run', ...$options, '--', $this->leakyScript()]);
        self::assertSame([0, '', ''], [$result->exitCode, $result->out, $result->err]);
        $json = json_decode((string) file_get_contents("$this->folder/report"), true, 64, JSON_THROW_ON_ERROR);
        self::assertSame(['wt', 'cpu', 'mu', 'pmu'], $json['metrics']);
        self::assertSame('str_repeat', end($json['memory']['rows'][0]['path']));
        self::assertSame([], glob("$this->folder/runs/*"));
    }

    public function testRunWithNativeMemory(): void
    {
        $this->needAllocations();
        if (!is_file(self::ROOT . '/extension/modules/libxhprof_malloc.so')) {
            $result = $this->xhprof(['run', '--native', '--', $this->script('')]);
            self::assertOneLineError('there is no libxhprof_malloc.so in ', $result);

            return;
        }
        // the C library's opendir() allocates a buffer for names
        $script = $this->script('function hold() { return opendir("/"); } $kept = hold();');
        $result = $this->xhprof(['run', '--native', '--', $script]);
        self::assertSame(0, $result->exitCode, $result->err);
        $json = $this->json('memory', '--limit=0');
        self::assertArrayHasKey('allocated_bytes', $json['allocators']['malloc']);
        $native = array_filter($json['rows'], static fn (array $row): bool => isset($row['types']['malloc']));
        self::assertContains('main();hold;opendir', array_map(self::path(...), $native));
    }

    public function testHelpShowsHowToRecord(): void
    {
        foreach (['memory' => 'run --alloc', 'leaks' => 'xhprof_alloc_mark()'] as $command => $text) {
            self::assertStringContainsString($text, $this->xhprof([$command, '--help'])->out);
        }
        self::assertStringContainsString('  leaks ', $this->xhprof([])->out);
    }
}
