<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Operations\OperationReport;
use XHProf\Operations\Operations;
use XHProf\Operations\WaitReport;
use XHProf\Profile\CallTree;
use XHProf\Report\Order;
use XHProf\Tests\Lib\Support\OperationsRun;

require_once __DIR__ . '/Support/OperationsRun.php';

/** What `xhprof operations` and the page of operations have in common. */
final class WaitReportTest extends TestCase
{
    /** @param list<array{string, string, int, int, int, int, int}> $rows */
    private static function report(
        ?string $kind = null,
        ?Order $order = null,
        int $whole = 5214,
        array $rows = OperationsRun::ROWS,
        bool $isSampled = false,
    ): WaitReport {
        $data = OperationsRun::data($rows, ['lost' => 1] + ($isSampled ? ['sampled' => true] : []));
        $tree = CallTree::fromArray(OperationsRun::TREE);
        $operations = new OperationReport(Operations::fromArray($data, $tree->count()), $tree);

        return new WaitReport($operations, $kind, $order ?? new Order(WaitReport::USUAL), $whole);
    }

    public function testSeveralKindsStandBelowAllOfThem(): void
    {
        $rows = self::report()->kinds()->rows;
        self::assertSame(['All', 'HTTP', 'SQL', 'Files'], array_column($rows, 'label'));
        self::assertSame([5231000, 5051000, 150000, 30000], array_column($rows, 'total'));
        // More than the whole is no share of it.
        self::assertSame(['', '96.9 %', '2.9 %', '0.6 %'], array_column($rows, 'share'));
        self::assertSame(['label', 'total', 'ct', 'texts'], array_column(self::report(whole: 0)->kinds()->columns, 'key'));
        self::assertSame(['SQL'], array_column(self::report(rows: [OperationsRun::ROWS[2]])->kinds()->rows, 'label'));
    }

    public function testRowsHaveTheOrderAskedForInBothDirections(): void
    {
        foreach (OperationReport::SORTS as $by) {
            [$down, $up] = [self::report(order: new Order($by, true))->all, self::report(order: new Order($by, false))->all];
            $property = static fn (array $rows): array => array_map(static fn ($row): int|string|null => $row->$by, $rows);
            self::assertSame($property($down), array_reverse($property($up)), $by);
            $usual = self::report(order: new Order($by))->all;
            self::assertEquals($by === 'text' ? $up : $down, $usual);
        }
        self::assertCount(2, self::report('sql')->all);
    }

    public function testWhatIsRepeatedMostIsFirst(): void
    {
        $rows = self::report()->repeated()->rows;
        self::assertSame([['ct' => 20, 'total' => 90000, 'loop' => 'page']], array_map(
            static fn (array $row): array => array_slice($row, 0, 3),
            $rows,
        ));
        self::assertSame([1, 15], [$rows[0]['loops'], $rows[0]['duplicates']]);
        $many = [];
        foreach (range(1, 7) as $i) {
            $many[] = ['sql', "SELECT $i", 3, 20, $i * 1000, 1000, 20];
        }
        self::assertSame([7000, 6000, 5000, 4000, 3000], array_column(self::report(rows: $many)->repeated()->rows, 'total'));
    }

    public function testASamplingHasFewerColumns(): void
    {
        $columns = static fn (bool $isSampled): array
            => array_column(self::report(isSampled: $isSampled)->report(0, false)->tables[1]->columns, 'label', 'key');
        self::assertSame(['text', 'total_ns', 'ct', 'kind', 'operation'], array_keys($columns(true)));
        self::assertSame(['Samples', 'Calls'], [$columns(true)['ct'], $columns(false)['ct']]);
        self::assertSame(['1 operation could not be recorded.'], self::report()->notes());
        self::assertStringStartsWith('By samples of functions', self::report(isSampled: true)->notes()[0]);
    }

    public function testCallersAreForThoseWhoAsk(): void
    {
        $json = self::report()->report(1, true)->json();
        self::assertSame(['sampled', 'kinds', 'operations_total', 'operations'], array_keys($json));
        self::assertSame(['main()', 'page', 'curl_exec'], $json['operations'][0]['callers'][0]['path']);
        $brief = self::report()->report(1, false);
        self::assertSame('1 of 4 operations; --limit=0 shows all', $brief->tables[1]->below);
        self::assertSame(
            ['kind', 'text', 'ct', 'total_ns', 'max_ns', 'median_ns', 'p95_ns', 'duplicates', 'repeated_in', 'callers_total'],
            array_keys($brief->json()['operations'][0]),
        );
        self::assertSame('This run has no operations.', self::report(rows: [])->report(0, false)->tables[0]->none);
    }
}
