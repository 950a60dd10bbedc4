<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\UnknownMetric;
use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\CallersReport;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\Profile;
use XHProf\Run\MadeRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/** Which functions a report has, and in which order: the same for commands, pages and api.php. */
final class FunctionReportsTest extends TestCase
{
    private const TIMES = [
        'main()' => 100, 'main()==>b' => 30, 'main()==>a' => 30, 'main()==>C' => 30, 'C==>z' => 5, 'a==>z' => 5, 'b==>z' => 5,
    ];

    public function testEqualFunctionsAreInTheOrderOfTheirNames(): void
    {
        self::assertSame(['C', 'a', 'b', 'z', 'main()'], self::names(new FunctionsReport(self::made())));
        self::assertSame(['main()', 'C', 'a'], self::names(new FunctionsReport(self::made(), 'wt', 3)));
        self::assertSame(['C', 'a', 'b', 'main()', 'z'], self::names(new FunctionsReport(self::made(), 'fn')));
        self::assertSame(['main()', 'z', 'b', 'a', 'C'], self::names(new FunctionsReport(self::made(), descending: false)));
        self::assertSame(['z', 'main()'], self::names(new FunctionsReport(self::made(), 'fn', 2, descending: true)));
        $this->expectException(UnknownMetric::class);
        $this->expectExceptionMessage('this run has no "cpu" to sort by; it has ct, fn, wt, excl_wt');
        new FunctionsReport(self::made(), 'cpu');
    }

    public function testPartOfTheNameFilters(): void
    {
        $report = new FunctionsReport(self::made(), null, 1, query: 'A');
        self::assertSame(['a'], self::names($report));
        $json = $report->report()->json();
        self::assertSame([2, 'excl_wt', ['a']], [
            $json['functions_total'], $json['sort'], array_column($json['functions'], 'name'),
        ]);
        self::assertSame('1 of 2 functions, sorted by excl_wt; --limit=0 shows all', $report->report()->tables[0]->below);
        self::assertSame(
            ['100 µs wall', '7 calls of 5 functions'],
            $report->report()->headings[0]->parts,
        );
    }

    public function testCallersAndCalleesHaveTheSameOrder(): void
    {
        $run = self::made();
        $report = new CallersReport($run, SymbolReport::compute($run->profile(), 'z'), null, 2);
        self::assertSame(['C', 'a'], array_keys($report->callers()));
        self::assertSame([], $report->callees());
        $upwards = new CallersReport($run, SymbolReport::compute($run->profile(), 'z'), null, 2, descending: false);
        self::assertSame(['b', 'a'], array_keys($upwards->callers()));
        self::assertSame('2 of 3; --limit=0 shows all', $report->report()->tables[1]->below);
        self::assertSame('calls nothing', $report->report()->tables[2]->none);
        self::assertSame(['ct', 'wt'], $report->figures());
        self::assertSame(
            [['metric' => 'wt', 'exclusive' => 15, 'inclusive' => 15, 'per_call' => 5]],
            $report->own(),
        );
        $json = $report->report()->json();
        self::assertSame(['C', 'a'], array_column($json['parents'], 'name'));
        $this->expectException(UnknownMetric::class);
        new CallersReport($run, SymbolReport::compute($run->profile(), 'z'), 'excl_wt');
    }

    public function testAnUnknownFunctionIsAnsweredWithThoseOfLikeNames(): void
    {
        $this->expectException(UnknownSymbol::class);
        $this->expectExceptionMessage('the run has no function "AI"; it has main()');
        SymbolReport::compute(self::made()->profile(), 'AI');
    }

    /** @return list<string> */
    private static function names(FunctionsReport $report): array
    {
        return array_keys($report->rows);
    }

    private static function made(): Run
    {
        $edges = array_map(static fn (int $time): array => ['ct' => 1, 'wt' => $time], self::TIMES);

        return new MadeRun(null, 'made', RunMeta::fromArray([]), null, Profile::fromEdges($edges));
    }
}
