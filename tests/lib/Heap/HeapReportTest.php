<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Heap;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Heap\GroupsReport;
use XHProf\Heap\HeapDiffReport;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapRows;
use XHProf\Heap\Snapshots;
use XHProf\Heap\SnapshotsReport;
use XHProf\Report\Order;
use XHProf\Report\Table;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\HeapFolder;

require_once __DIR__ . '/../Support/HeapFixture.php';
require_once __DIR__ . '/../Support/HeapFolder.php';

/** What the reports of heap snapshots hold, which commands print and pages show. */
final class HeapReportTest extends TestCase
{
    use HeapFolder;

    private function worker(int $jobs, string $name = 'a', int $pid = 4711): HeapIndex
    {
        $fixture = new HeapFixture(['pid' => $pid]);
        $fixture->worker($jobs);

        return $this->open($fixture->text(), $name);
    }

    /** @return array<string, array{Order, \Closure(HeapGroup, HeapGroup): int}> */
    public static function orders(): array
    {
        return [
            'bytes' => [new Order('bytes'), static fn (HeapGroup $a, HeapGroup $b): int => $b->bytes <=> $a->bytes],
            'retained' => [new Order('retained'), static fn (HeapGroup $a, HeapGroup $b): int => $b->retained <=> $a->retained],
            'fewest' => [new Order('count', false), static fn (HeapGroup $a, HeapGroup $b): int => $a->count <=> $b->count],
            'names' => [new Order('fn'), static fn (HeapGroup $a, HeapGroup $b): int => strcasecmp($a->name, $b->name)],
        ];
    }

    /** @param \Closure(HeapGroup, HeapGroup): int $by */
    #[DataProvider('orders')]
    public function testClassesAreSorted(Order $order, \Closure $by): void
    {
        $index = $this->worker(20);
        $classes = $index->classes();
        usort($classes, $by);
        $report = new GroupsReport(new HeapRows($index));
        $table = $report->report('class', $order, '', 0)->tables[0];
        self::assertSame(array_map(HeapRows::group(...), $classes), $table->rows);
    }

    public function testClassesAreFilteredByAPartOfTheirNames(): void
    {
        $report = (new GroupsReport(new HeapRows($this->worker(20))))->report('class', new Order('bytes'), 'APP', 3);
        self::assertSame(['App\Job', 'App\Node', 'App\Cache'], array_column($report->tables[0]->rows, 'name'));
        self::assertSame('3 of 4 classes, sorted by bytes; --limit=0 shows all', $report->tables[0]->below);
        self::assertSame([$report->tables[0]->below], $report->facts['notes']);
        $groups = [new HeapGroup(0, 'object', "\xffA", 1, 1, 1, 1), new HeapGroup(1, 'array', '', 1, 1, 1, 1)];
        self::assertCount(1, GroupsReport::named($groups, 'RRA'), 'a type has no other name');
        self::assertCount(2, GroupsReport::named($groups, 'a'));
    }

    public function testAComparisonListsWhatHasChangedInAnyFigure(): void
    {
        $report = new HeapDiffReport($this->worker(20), $this->worker(30, 'b', 1));
        $names = static fn (Table $table): array => array_column($table->rows, 'name');
        $all = $report->table('class', null);
        self::assertSame(['App\Job', 'App\Node', 'App\Cache', 'App\Service', 'WeakReference'], $names($all));
        self::assertSame(['App\Job', 'App\Cache'], $names(HeapDiffReport::changed($all)), 'retained bytes alone, too');
        $types = array_column(HeapDiffReport::changed($report->table('type', null))->rows, 'type');
        self::assertNotContains('root', $types);
        self::assertSame('App\Cache', $names($report->table('class', new Order('retained')))[0]);
        $totals = $report->totals();
        $columns = array_column($totals->columns, null, 'key');
        self::assertSame(['+10', '+800 B'], [$columns['value']->text(['metric' => 'ct', 'value' => [5, 15]]), $columns['value']
            ->text(['metric' => 'mu', 'value' => [0, 800]])]);
        $after = array_map(static fn (array $row): int => $row['value'][1], $totals->rows);
        self::assertSame($after[0], $after[1] + $after[2] + $after[3]);
    }

    public function testTheListOpensOnlyWhatItShows(): void
    {
        foreach (['one' => 10, 'two' => 40, 'three' => 20] as $name => $jobs) {
            $fixture = new HeapFixture(['command' => "worker $name", 'time' => null]);
            $fixture->worker($jobs);
            file_put_contents($this->snapshot($name), $fixture->text());
            touch($this->snapshot($name), 1763600000 + strlen($name) + $jobs);
        }
        $report = new SnapshotsReport(new Snapshots(new RunFolder($this->folder)));
        $names = static fn (Order $order, string $filter = '', int $limit = 0, int $offset = 0): array
            => array_column($report->report($order, $filter, $limit, $offset)->tables[0]->rows, 'name');
        self::assertSame(['two', 'three', 'one'], $names(new Order('time')));
        self::assertSame(['one', 'three', 'two'], $names(new Order('time', false)));
        self::assertSame(['three'], $names(new Order('time'), '', 1, 1));
        self::assertSame(['three'], $names(new Order('nodes'), 'WORKER T', 1, 1));
        self::assertSame(['one', 'three', 'two'], $names(new Order('fn')));
        self::assertSame(['two', 'three', 'one'], $names(new Order('file')));
        self::assertSame(['found' => 2, 'total' => 3], $report->report(new Order('time'), 'worker t', 1)->facts);
    }
}
