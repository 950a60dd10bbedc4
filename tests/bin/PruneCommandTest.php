<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** `xhprof prune`: deletes the oldest, keeps pinned ones, touches nothing else. */
final class PruneCommandTest extends CliTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        // r0 is the newest, each is a day older than the one before.
        for ($day = 0; $day < 6; $day++) {
            $edges = ['main()' => ['ct' => 1, 'wt' => 9], 'main()==>' . str_repeat('f', 1000) => ['ct' => 1, 'wt' => 1]];
            $source = $day % 2 === 0 ? 'even' : 'odd';
            $meta = ['ts' => microtime(true) - $day * 86400 - 60, 'command' => "php day$day.php"];
            $this->store()->save($edges, $source, "r$day", $meta);
        }
        $this->store()->setLabel(RunId::fromStrings('r4', 'even'), Label::fromInput(true, [], ''));
        file_put_contents("$this->folder/runs/other.txt", 'not a run');
    }

    public function testByAge(): void
    {
        $result = $this->xhprof(['prune', '--keep-days=2']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertMatchesRegularExpression('/\ADeleted 3 runs of 6 \([0-9.]+ K?B\); 3 left, 1 of them pinned\n\z/', $result->out);
        $files = [];
        foreach (['r0.even', 'r1.odd', 'r4.even'] as $run) {
            $files[] = RunFiles::file($run);
        }
        $files = [...$files, 'other.txt', 'r4.even.label.json'];
        sort($files);
        $left = array_filter(scandir("$this->folder/runs") ?: [], static fn (string $name): bool => $name[0] !== '.');
        self::assertSame($files, array_values($left));
        self::assertStringStartsWith('Deleted 0 runs of 3', $this->xhprof(['prune', '--keep-days=2'])->out);
        self::assertStringStartsWith('Deleted 2 runs of 3', $this->xhprof(['prune', '--keep-days=0', '--yes'])->out);
    }

    public function testByNumber(): void
    {
        self::assertSame('r0 r1 r4', $this->leftBy('--max-runs=3'), 'the pinned one counts');
        self::assertSame('r4', $this->leftBy('--max-runs=0', '--yes'));
    }

    public function testARunThatWasReplacedGoesToo(): void
    {
        $this->xhprof(['list']);
        $runs = "$this->folder/runs";
        copy("$runs/" . RunFiles::file('r0.even'), "$runs/" . RunFiles::file('r2.even'));
        self::assertStringContainsString('5 runs', $this->xhprof(['prune', '--max-runs=0', '--yes'])->out);
        self::assertFileDoesNotExist("$runs/" . RunFiles::file('r2.even'));
    }

    public function testDeletingAllRunsNeedsYes(): void
    {
        foreach (['--keep-days=0', '--max-runs=0', '--max-runs=00', '--max-bytes=0', '--max-bytes=0K'] as $limit) {
            self::assertUsageError('--yes is missing: a limit of 0 deletes all runs (5)', $this->xhprof(['prune', $limit]));
            self::assertCount(6, $this->store()->list(), $limit);
        }
        self::assertStringStartsWith('Would delete 5 runs', $this->xhprof(['prune', '--max-runs=0', '--dry-run'])->out);
        foreach (["n\n" => 6, "\n" => 6, "y\n" => 1] as $answer => $left) {
            $ends = [['pty'], ['file', "$this->folder/stdout", 'w'], ['file', "$this->folder/stderr", 'w']];
            $command = [PHP_BINARY, self::program(), 'prune', '--max-runs=0'];
            $process = @proc_open($command, $ends, $pipes, null, $this->environment());
            if (!is_resource($process)) {
                self::markTestSkipped('PHP has no pseudo terminals');
            }
            fwrite($pipes[0], $answer);
            self::assertSame($left === 1 ? 0 : 1, proc_close($process));
            $asked = (string) file_get_contents("$this->folder/stderr");
            self::assertStringEndsWith("Delete 5 runs of $this->folder/runs? [y/N] ", $asked);
            self::assertCount($left, $this->store()->list());
        }
    }

    public function testBySize(): void
    {
        $size = $this->store()->catalog()->entry(RunId::fromStrings('r0', 'even'))->size ?? 0;
        self::assertGreaterThan(100, $size);
        self::assertSame('r0 r1 r4', $this->leftBy('--max-bytes=' . ($size * 3 + intdiv($size, 2))));
        self::assertSame('r0 r1 r4', $this->leftBy('--max-bytes=1M'));
    }

    public function testOfOneSource(): void
    {
        self::assertSame('r0 r1 r2 r4', $this->leftBy('--max-runs=1', '--source=odd'));
    }

    public function testDryRunDeletesNothingAndNamesThem(): void
    {
        $out = $this->xhprof(['prune', '--keep-days=2', '--dry-run', '-v'])->out;
        $lines = '/^r5\.odd  \d{4}-.*  php day5\.php\nr3\.odd .*\nr2\.even .*\nWould delete 3 runs of 6 /';
        self::assertMatchesRegularExpression($lines, $out);
        self::assertCount(6, $this->store()->list());
    }

    public function testALabelThatCannotBeReadKeepsTheRun(): void
    {
        file_put_contents("$this->folder/runs/r5.odd.label.json", 'not a label');
        self::assertSame('r0 r4 r5', $this->leftBy('--max-runs=3'));
    }

    public function testARunThatIsALinkGoesAndNotWhatItLeadsTo(): void
    {
        file_put_contents("$this->folder/precious", 'keep');
        touch("$this->folder/precious", 1000);
        symlink("$this->folder/precious", RunFiles::path("$this->folder/runs", 'link.odd'));
        self::assertSame('r0 r1 r2 r3 r4', $this->leftBy('--keep-days=4'));
        self::assertSame('keep', file_get_contents("$this->folder/precious"));
    }

    public function testWhatCannotBeDeletedIsSaid(): void
    {
        $name = RunFiles::file('r5.odd');
        unlink("$this->folder/runs/$name");
        mkdir("$this->folder/runs/$name");
        $result = $this->xhprof(['prune', '--keep-days=2']);
        self::assertSame(1, $result->exitCode);
        self::assertStringStartsWith('Deleted 2 runs of 6', $result->out);
        self::assertStringContainsString('1 run could not be deleted: ', $result->err);
        self::assertStringContainsString("$name cannot be removed", $result->err);
    }

    public function testWrongOptions(): void
    {
        self::assertUsageError('a limit is missing: --keep-days', $this->xhprof(['prune']));
        self::assertUsageError('--max-bytes takes a size like 500M', $this->xhprof(['prune', '--max-bytes=much']));
        self::assertUsageError('--keep-days takes a number', $this->xhprof(['prune', '--keep-days=-1']));
        self::assertUsageError('--max-runs takes a number', $this->xhprof(['prune', '--max-runs=1e3']));
        self::assertCount(6, $this->store()->list());
    }

    private function leftBy(string ...$options): string
    {
        $result = $this->xhprof(['prune', ...array_values($options)]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $ids = array_map(static fn ($run): string => $run->id->id, $this->store()->list());
        sort($ids);

        return implode(' ', $ids);
    }
}
