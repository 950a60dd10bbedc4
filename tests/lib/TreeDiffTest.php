<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Compare\TreeDiff;
use XHProf\Exception\UnknownMetric;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** The call paths of two sides: which are new or gone, and which changed most, below their callers. */
final class TreeDiffTest extends TestCase
{
    use TemporaryFolder;

    /** depth, name, calls, own microseconds */
    private const BEFORE = [
        [0, 'main()', 1, 1], [1, 'f', 2, 10], [2, 'g', 2, 20], [2, 'f', 1, 20], [3, 'g', 1, 10], [1, 'x', 1, 4], [2, 'g', 1, 5],
    ];
    private const AFTER = [
        [0, 'main()', 1, 1], [1, 'f', 2, 10], [2, 'g', 4, 45], [2, 'f', 1, 20], [3, 'g', 1, 10], [3, 'f', 1, 8],
        [1, 'new', 1, 2], [2, 'g', 3, 9],
    ];

    public function testPathsByTheirChangeBelowTheirCallers(): void
    {
        $diff = $this->diff($this->saved('a', self::BEFORE), $this->saved('b', self::AFTER));
        self::assertSame([
            'main() 70 105 +35 own 0',
            '  f 60 93 +33 own 0',
            '    g 20 45 +25 own 25',
            '    f 30 38 +8 own 0',
            '      f 0 8 +8 own 8 new',
            '  new 0 11 +11 own 2 new',
            '    g 0 9 +9 own 9 new',
            '  x 9 0 -9 own -4 gone',
            '    g 5 0 -5 own -5 gone',
        ], array_values(array_filter(self::lines($diff), static fn (string $line): bool => !str_contains($line, '+0'))));
    }

    public function testALimitKeepsTheLargestChangesWithTheirCallers(): void
    {
        [$a, $b] = [$this->saved('a', self::BEFORE), $this->saved('b', self::AFTER)];
        self::assertSame(
            ['main() 70 105 +35 own 0', '  f 60 93 +33 own 0', '    g 20 45 +25 own 25'],
            self::lines($this->diff($a, $b, null, 3)),
        );
        self::assertSame(
            ['main() 70 105 +35 own 0', '  new 0 11 +11 own 2 new', '    g 0 9 +9 own 9 new'],
            array_values(array_diff(self::lines($this->diff($a, $b, 'excl_wt', 5)), [
                '  f 60 93 +33 own 0', '    g 20 45 +25 own 25',
            ])),
            'by their own change, callers too',
        );
        self::assertSame([], self::lines($this->diff($a, $a, null, 5)));
        self::assertSame(['No call path changed.'], array_column($this->diff($a, $a, null, 5)->report()->tables, 'none'));
    }

    public function testSidesOfSeveralRunsAreTheirMeans(): void
    {
        $run = fn (string $id, int $time): \Closure => fn (): Run => $this->saved($id, [[0, 'main()', 1, 1], [1, 'f', 2, $time]]);
        $before = new MeanRun([$run('a1', 10), $run('a2', 20), $run('a3', 30)]);
        $after = new MeanRun([$run('b1', 30), $run('b2', 50)]);
        self::assertSame(
            ['main() 21 41 +20 own 0', '  f 20 40 +20 own 20'],
            self::lines($this->diff($before, $after, null, 9)),
        );
    }

    public function testNamesAreKeptAsTheyAre(): void
    {
        $bad = "<b>\x1b[31m\u{202e}x";
        [$a, $b] = [$this->saved('a', [[0, 'main()', 1, 1]]), $this->saved('b', [[0, 'main()', 1, 1], [1, $bad, 1, 9]])];
        $report = $this->diff($a, $b, null, 5)->report();
        self::assertSame([$bad], array_column(array_slice($report->tables[0]->rows, 1), 'name'));
        self::assertSame(['metric' => 'wt', 'unit' => 'ns', 'paths_total' => 2, 'paths_changed' => 2], array_intersect_key(
            $report->facts,
            ['metric' => 1, 'unit' => 1, 'paths_total' => 1, 'paths_changed' => 1],
        ));
    }

    public function testAMetricOfOneSideIsRefused(): void
    {
        $this->expectException(UnknownMetric::class);
        $this->expectExceptionMessage('a metric that both have (wt; excl_... is a function\'s own), not by "cpu"');
        $this->diff($this->saved('a', self::BEFORE), $this->saved('b', self::AFTER), 'cpu');
    }

    private function diff(Run $a, Run $b, ?string $sort = null, int $limit = 0): TreeDiff
    {
        [$before, $after] = [$a->tree(), $b->tree()];
        self::assertNotNull($before);
        self::assertNotNull($after);

        return new TreeDiff($a, $b, $before, $after, $sort, $limit);
    }

    /** @return list<string> in microseconds */
    private static function lines(TreeDiff $diff): array
    {
        return array_map(static fn (array $row): string => rtrim(sprintf(
            '%s%s %d %d %+d own %d %s',
            str_repeat('  ', (int) $row['depth']),
            $row['name'],
            $row['a'] / 1000,
            $row['b'] / 1000,
            $row['change'] / 1000,
            $row['excl_change'] / 1000,
            $row['what'],
        )), $diff->report()->tables[0]->rows);
    }

    /** @param list<array{int, string, int, int}> $nodes */
    private function saved(string $id, array $nodes): Run
    {
        $names = array_values(array_unique(array_column($nodes, 1)));
        RunFiles::write($this->folder, "$id.cli", ['tree' => [
            'v' => 1, 'kind' => 'tree', 'order' => 'preorder', 'n' => count($nodes), 'names' => $names,
            'fn' => array_map(static fn (array $node): int => (int) array_search($node[1], $names, true), $nodes),
            'depth' => array_column($nodes, 0), 'ct' => array_column($nodes, 2),
            'self' => ['wt' => array_map(static fn (array $node): int => 1000 * $node[3], $nodes)],
        ]]);

        return (new RunFolder($this->folder))->named("$this->folder/$id.cli.run");
    }
}
