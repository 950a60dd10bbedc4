<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\UnknownMetric;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemoryReport;
use XHProf\Profile\CallTree;
use XHProf\Report\Order;
use XHProf\Tests\Lib\Support\MemoryRun;

require_once __DIR__ . '/Support/MemoryRun.php';

/** What `xhprof memory`, `xhprof leaks` and the page of memory have in common. */
final class LiveReportTest extends TestCase
{
    /** @param array<string, mixed> $more replaces members of the saved memory */
    private static function memory(array $more = []): MemoryProfile
    {
        $data = MemoryRun::data(MemoryRun::worker(), 4, $more);

        return MemoryProfile::fromArray($data['memory'], CallTree::fromArray($data['tree']));
    }

    public function testRowsAreThoseOfTheFiguresInTheOrderAskedFor(): void
    {
        foreach (MemoryReport::BY as $by) {
            $report = new LiveReport(self::memory(), $by);
            foreach ($report->orders() as $column) {
                foreach ([null, true, false] as $descending) {
                    $numbers = $report->numbers(new Order($column, $descending));
                    self::assertSame($report->held->table($by)->sorted($column, $descending ?? true), $numbers);
                    $rows = $report->rows(array_slice($numbers, 1, 2), new Order($column))->rows;
                    $key = match ($column) {
                        'blocks' => 'live_blocks',
                        default => "{$column}_bytes",
                    };
                    $value = static fn (int $number): ?int => $report->held->table($by)->value($number, $column);
                    self::assertSame(array_map($value, array_slice($numbers, 1, 2)), array_column($rows, $key));
                }
            }
        }
    }

    public function testTheColumnThatIsSortedByHasItsShareAndStaysOnPhones(): void
    {
        $report = new LiveReport(self::memory(), 'function');
        self::assertSame(['live', 'incl', 'blocks', 'allocated', 'freed'], $report->orders());
        foreach ($report->orders() as $by) {
            $table = $report->rows($report->numbers(new Order($by)), new Order($by));
            foreach ($report->orders() as $other) {
                $column = $table->column($other);
                self::assertSame([$other === $by, $other === $by], [$column?->share !== null, $column?->weight === 0], $other);
            }
            self::assertSame($table->column($by)?->key, $table->printed[0]);
        }
        $table = $report->rows($report->numbers(new Order('incl')), new Order('incl'));
        self::assertSame($report->held->liveBytes, $table->column('incl')?->share?->whole, 'callees are counted once');
    }

    public function testTypesOfARow(): void
    {
        $rows = [
            [['f'], 'object:App\Row', 0, 1, 1000], [['f'], 'string', 0, 1, 500], [['f'], 'array', 0, 1, 400],
            [['f'], 'reference', 0, 1, 1],
            [['g'], 'array', 0, 1, 10000], [['g'], 'string', 0, 1, 1],
        ];
        $data = MemoryRun::data($rows);
        $report = new LiveReport(MemoryProfile::fromArray($data['memory'], CallTree::fromArray($data['tree'])));
        $table = $report->rows($report->numbers(new Order('live')), new Order('live'));
        self::assertSame([
            // What is next to nothing is not named, and then what is left needs no share.
            ['named' => [['name' => 'array', 'share' => '']], 'more' => 0],
            ['named' => [['name' => 'App\Row', 'share' => '52.6 %'], ['name' => 'string', 'share' => '26.3 %']], 'more' => 1],
        ], array_column($table->rows, 'about'));
        $kind = array_column($table->columns, null, 'key')['kind'];
        self::assertSame(['array', 'App\Row 52.6 %'], array_map($kind->text(...), $table->rows));
        self::assertSame(['object:App\Row' => 1000, 'string' => 500, 'array' => 400, 'reference' => 1], $table->rows[1]['types']);
    }

    public function testBetweenMarks(): void
    {
        $report = new LiveReport(self::memory(), range: MarkRange::choose(4));
        self::assertStringEndsWith('after mark 1 and before mark 4; 396 KB from one mark to the next', $report->sentence());
        self::assertStringStartsWith('Marks: in how many of the 3 intervals', $report->marks());
        self::assertSame(['live', 'blocks'], $report->orders());
        $table = $report->rows($report->numbers(new Order('live')), new Order('live'));
        $marks = array_column($table->columns, null, 'key')['intervals'];
        self::assertSame(['1 of 3', '3 of 3', '1 of 3', '1 of 3', '1 of 3'], array_map($marks->text(...), $table->rows));
        self::assertSame([1, 3, 1, 1, 1], array_column($table->json(), 'intervals'));
        self::assertSame('', (new LiveReport(self::memory(), range: MarkRange::choose(4, 2, 3)))->marks(), 'one interval only');
        $this->expectException(UnknownMetric::class);
        $this->expectExceptionMessage('there is no column "freed" by path between marks; take live, blocks');
        $report->numbers(new Order('freed'));
    }

    public function testThePeak(): void
    {
        $memory = self::memory(['peak' => ['size' => 5 << 20, 'node' => [1, 3], 'bytes' => [1 << 20, 3 << 20]]])->atPeak();
        self::assertNotNull($memory);
        $report = new LiveReport($memory, isPeak: true);
        $rest = "4.00 MB live when PHP's heap had 5.00 MB; the other 1.00 MB are from before the tracking";
        self::assertSame([$rest, ['live', 'allocated', 'freed']], [$report->sentence(), $report->orders()]);
    }

    public function testProgramsGetTheFactsAndNothingThatIsForPeople(): void
    {
        $json = (new LiveReport(self::memory()))->report(new Order('live'), 1)->json();
        self::assertSame([
            'by', 'sort', 'live_bytes', 'live_blocks', 'before_bytes', 'sample_bytes', 'dropped', 'marks', 'allocators',
            'rows_total', 'rows',
        ], array_keys($json));
        self::assertArrayHasKey('zend_mm', $json['allocators']);
        self::assertSame(
            ['live_bytes', 'live_blocks', 'allocated_bytes', 'freed_bytes', 'allocated_blocks', 'freed_blocks', 'types', 'path'],
            array_keys($json['rows'][0]),
        );
        $brief = (new LiveReport(self::memory()))->report(new Order('live'), 1, isBrief: true);
        self::assertSame([$json, 1, []], [$brief->json(), count($brief->tables), $brief->headings]);
    }

    public function testEachAllocatorHasWhatIsKnownOfIt(): void
    {
        $rows = (new LiveReport(self::memory()))->allocators()->rows;
        self::assertSame(["PHP's heap", 'Native malloc', 'XHProf itself'], array_column($rows, 'allocator'));
        self::assertSame([1728384, MemoryRun::BEFORE], [$rows[0]['live'], $rows[0]['before']]);
        self::assertSame([3145728, null, null, null], [$rows[1]['size'], $rows[1]['peak'], $rows[1]['live'], $rows[1]['before']]);
    }
}
