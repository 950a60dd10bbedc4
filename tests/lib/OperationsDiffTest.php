<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\DiffTables;
use XHProf\Compare\MemoryDiff;
use XHProf\Compare\OperationsDiff;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/MemoryRun.php';
require_once __DIR__ . '/Support/OperationsRun.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Operations and memory of two sides: what is new, gone, done more often, slower; held by which path. */
final class OperationsDiffTest extends TestCase
{
    use TemporaryFolder;

    public function testWhatBecameOfEachTextIsTold(): void
    {
        $before = $this->waiting('a', [
            'SELECT kept' => [10, 10_000_000],
            'SELECT gone' => [3, 2_000_000],
            'SELECT often' => [2, 1_000_000],
            'SELECT slow' => [1, 4_000_000],
            'SELECT fast' => [1, 9_000_000],
        ]);
        $after = $this->waiting('b', [
            'SELECT kept' => [10, 10_100_000],
            'SELECT new' => [1, 500_000],
            'SELECT often' => [150, 70_000_000],
            'SELECT slow' => [1, 40_000_000],
            'SELECT fast' => [1, 1_000_000],
        ]);
        $diff = OperationsDiff::between($before, $after);
        self::assertInstanceOf(OperationsDiff::class, $diff);
        self::assertSame([
            'SELECT often' => 'more often', 'SELECT slow' => 'slower', 'SELECT fast' => 'faster', 'SELECT gone' => 'gone',
            'SELECT new' => 'new', 'SELECT kept' => '',
        ], array_column($diff->rows, 'what', 'text'));
        self::assertSame(
            'Operations by text: 1 new, 1 gone, 1 done more often, 1 slower, 1 faster, 1 the same.',
            $diff->sentence(),
        );
        self::assertSame(69_000_000, $diff->rows[0]['change_ns']);
        self::assertSame(['ct' => 150, 'total_ns' => 70_000_000], $diff->rows[0]['b']);
        $other = OperationsDiff::between($after, $before);
        self::assertInstanceOf(OperationsDiff::class, $other);
        self::assertSame('less often', $other->rows[0]['what']);
    }

    public function testSidesOfSeveralRunsAreMeansAndChanceIsNoChange(): void
    {
        $side = fn (string $name, array $times): MeanRun => new MeanRun(array_map(
            fn (int $i): \Closure => fn (): Run => $this->waiting($name . $i, ['SELECT x' => [1, $times[$i]]]
                + ($i === 0 && $name === 'b' ? ['SELECT once' => [3, 300]] : [])),
            [0, 1, 2],
        ));
        $diff = OperationsDiff::between($side('a', [10_000, 90_000, 50_000]), $side('b', [20_000, 130_000, 60_000]));
        self::assertInstanceOf(OperationsDiff::class, $diff);
        $rows = array_column($diff->rows, null, 'text');
        self::assertSame(50_000, $rows['SELECT x']['a']['total_ns']);
        self::assertSame(70_000, $rows['SELECT x']['b']['total_ns']);
        self::assertSame('', $rows['SELECT x']['what'], 'it varies so much by itself');
        self::assertGreaterThan(0.05, $rows['SELECT x']['p']);
        self::assertSame(['new', 1], [$rows['SELECT once']['what'], $rows['SELECT once']['b']['ct']]);
        $diff = OperationsDiff::between($side('c', [10_000, 10_001, 10_002]), $side('d', [20_000, 20_001, 20_002]));
        self::assertInstanceOf(OperationsDiff::class, $diff);
        self::assertSame('slower', $diff->rows[0]['what']);
    }

    public function testARunWithoutOperationsIsNamed(): void
    {
        $with = $this->waiting('a', ['SELECT 1' => [1, 1000]]);
        $imported = $this->waiting('b', null);
        self::assertSame(['B'], OperationsDiff::between($with, $imported));
        self::assertSame(['A', 'B'], OperationsDiff::between($imported, $imported));
        self::assertSame(['A', 'B'], MemoryDiff::between($with, $imported));
        $report = DiffTables::of('operations', $with, $imported);
        self::assertSame([], $report->tables);
        self::assertSame(
            ['No operations of B: exact profiles record them unless xhprof.collect_additional_info is off, and imported runs have'
                . ' none.'],
            $report->notes,
        );
    }

    public function testMemoryIsComparedByCallPath(): void
    {
        $before = $this->memory('a', ['keep' => 1000, 'both' => 64]);
        $after = $this->memory('b', ['leak' => 500_000, 'both' => 96]);
        $report = DiffTables::of('memory', $before, $after);
        self::assertSame([
            [['leak', 'main()'], 'new', 0, 500_000],
            [['keep', 'main()'], 'gone', 1000, 0],
            [['both', 'main()'], '', 64, 96],
        ], array_map(static fn (array $row): array
            => [$row['path'], $row['what'], $row['live_a'], $row['live_b']], array_slice($report->tables[0]->rows, 0, 3)));
        self::assertStringStartsWith('Live at the end: 393 KB before, 880 KB after (+124.0 %)', $report->notes[0]);
        $mean = new MeanRun([static fn (): Run => $before, static fn (): Run => $after]);
        $rows = DiffTables::of('memory', $before, $mean)->tables[0]->rows;
        self::assertSame([['leak', 'main()'], 250_000], [$rows[0]['path'], $rows[0]['live_b']]);
    }

    /** @param array<string, array{int, int}>|null $operations text => calls, ns */
    private function waiting(string $id, ?array $operations): Run
    {
        $rows = [];
        foreach ($operations ?? [] as $text => [$ct, $total]) {
            $rows[] = ['sql', $text, 3, $ct, $total, $total, $ct];
        }
        $documents = ['tree' => OperationsRun::TREE] + ($operations === null ? [] : ['operations' => OperationsRun::data($rows)]);

        return $this->saved($id, $documents);
    }

    /** @param array<string, int> $live function => bytes */
    private function memory(string $id, array $live): Run
    {
        $rows = array_map(static fn (string $name, int $bytes): array
            => [[$name], 'string', 0, 1, $bytes], array_keys($live), $live);

        return $this->saved($id, MemoryRun::data($rows));
    }

    /** @param array<string, array<string, mixed>> $documents */
    private function saved(string $id, array $documents): Run
    {
        $name = str_pad(bin2hex($id), 32, '0') . '.shop';
        RunFiles::put($this->folder, $name, $documents);

        return (new RunFolder($this->folder))->named("$this->folder/$name.run");
    }
}
