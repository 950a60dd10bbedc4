<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Functions\FlatReport;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Profile;
use XHProf\Run\ChangedRun;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Run\RunOpener;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** index.php?run=ID and its function pages as they are served: the figures are the library's, in the natural order of a column. */
final class RunReportTest extends PagesTestCase
{
    private const TABLE = '//table[contains(@class, "functions")]';
    private const RUN = 'index.php?run=' . Fixtures::BEFORE . '&source=shop';
    private const COLUMNS = ['ct', 'excl_wt', 'wt', 'excl_cpu', 'cpu', 'excl_mu', 'mu', 'excl_pmu', 'pmu'];

    public function testEveryFigureIsTheLibrarys(): void
    {
        $rows = FlatReport::compute(self::profile(Fixtures::BEFORE), true)->rows();
        $shown = [];
        // The first hundred by enough columns are all functions.
        foreach (['fn', ...self::COLUMNS] as $column) {
            $shown += self::open(self::RUN . "&sort=$column")->figures(self::TABLE);
        }
        self::assertGreaterThan(150, count($shown));
        foreach ($shown as $name => $figures) {
            self::assertSame(self::cells($rows[$name], self::COLUMNS), $figures, $name);
        }
    }

    public function testWhatToLookAtIsOnTopWithLinks(): void
    {
        (new RunFolder(self::$runs))->save([
            'main()' => ['ct' => 1, 'wt' => 1000],
            "main()==>show<b>\xff" => ['ct' => 1, 'wt' => 900],
            "show<b>\xff==>PDOStatement::execute" => ['ct' => 300, 'wt' => 600],
        ], 'shop', 'findings');
        $page = self::open('index.php?run=findings&source=shop');
        $items = $page->texts('//section[@aria-labelledby="findings"]//li');
        self::assertCount(2, $items);
        self::assertStringStartsWith('300 queries, 60.0 % of the wall time show<b>\xFF. Each turn of a loop', $items[0]);
        self::assertStringStartsWith('30.0 % of the wall time in itself show<b>\xFF', $items[1]);
        $link = $page->attributes('//section[@aria-labelledby="findings"]//li[1]/a', 'href')[0];
        self::assertStringContainsString('show<b>', self::open($link)->text('//h1'));
        $mean = self::open('index.php?run=findings,' . Fixtures::BEFORE . '&source=shop');
        self::assertSame([], $mean->find('//*[@id="findings"]'));
    }

    public function testTheSummaryIsTheLibrarys(): void
    {
        $page = self::open(self::RUN);
        $totals = self::profile(Fixtures::BEFORE)->totals();
        $symbols = self::profile(Fixtures::BEFORE)->symbols();
        $functions = count(array_unique((array) preg_replace('/@\d+$/', '', $symbols)));
        self::assertLessThan(307, $functions);
        $exact = array_combine($page->texts('//dl[@class="tiles"]//dt'), $page->attributes('//dl[@class="tiles"]//dd', 'title'));
        self::assertSame([
            'Wall time' => self::number($totals['wt']) . ' µs',
            'CPU time' => self::number($totals['cpu']) . ' µs',
            'Peak growth' => self::number($totals['pmu']) . ' bytes',
            'Process peak' => '31 639 194 bytes',
            'Calls' => self::number($totals['ct']),
            'Functions' => "$functions; 307 with each level of recursion (f@1) as one",
        ], $exact);
        self::assertSame('GET /orders?page=2&sort=date', $page->text('//h1'));
        self::assertStringStartsWith('thread_cputime: the system, at both ends', $page->text('//dl/div[dt="CPU clock"]/dd'));
        self::assertSame([], $page->find('//dl/div[dt="Overhead"]'));
    }

    /** @return iterable<string, array{string, int}> */
    public static function columns(): iterable
    {
        foreach (self::COLUMNS as $index => $column) {
            yield $column => [$column, $index];
        }
    }

    #[DataProvider('columns')]
    public function testTheFirstByEachColumn(string $column, int $index): void
    {
        $sorted = array_column(FlatReport::compute(self::profile(Fixtures::BEFORE), true)->rows(), $column);
        rsort($sorted);
        $page = self::open(self::RUN . "&sort=$column");
        self::assertSame(array_slice($sorted, 0, 100), array_column($page->figures(self::TABLE), $index));
        self::assertCount(1, $page->find('//th[@aria-sort="descending"]'));
        // Scripts have all rows on one page; links with such parameters still open it.
        $classic = self::open(self::RUN . "&sort=$column&dir=asc&all=1&page=2&q=LOGGER");
        $rows = FlatReport::compute(self::profile(Fixtures::BEFORE), true)->rows();
        $named = array_filter($rows, static fn (string $name): bool => stripos($name, 'logger') !== false, ARRAY_FILTER_USE_KEY);
        $sorted = array_column($named, $column);
        sort($sorted);
        self::assertSame($sorted, array_column($classic->figures(self::TABLE), $index));
        self::assertCount(1, $classic->find('//th[@aria-sort="ascending"]'));
        $count = sprintf('%d of %d rows match LOGGER · Clear the filter', count($named), count($rows));
        self::assertSame($count, $classic->text('//p[@class="count"]'));
        self::assertSame(['LOGGER'], $classic->attributes('//input[@name="q"][@type="search"]', 'value'));
    }

    public function testSortsByNameAndFallsBackToSelfWallTime(): void
    {
        $names = array_keys(self::open(self::RUN . '&sort=fn')->figures(self::TABLE));
        $sorted = $names;
        sort($sorted, SORT_STRING);
        self::assertSame($sorted, $names);
        $byDefault = self::open(self::RUN)->figures(self::TABLE);
        self::assertSame($byDefault, self::open(self::RUN . '&sort=nonsense')->figures(self::TABLE));
        self::assertSame($byDefault, self::open(self::RUN . '&sort=excl_wt')->figures(self::TABLE));
        $byTotal = self::open(self::RUN . '&sort=wt')->figures(self::TABLE);
        self::assertNotSame($byDefault, $byTotal, 'by the time of the function itself');
    }

    public function testTheTopHundredOfMore(): void
    {
        $run = 'index.php?run=' . Fixtures::LARGE . '&source=shop-cli';
        $page = self::open($run);
        self::assertCount(100, $page->find(self::TABLE . '/tbody/tr'));
        self::assertSame('Top 100 of 1 370 rows; JavaScript shows the rest', $page->text('//p[@class="count"]'));
        $functions = (int) str_replace(' ', '', $page->text('//dl[@class="tiles"]/div[dt="Functions"]/dd'));
        self::assertSame(1370, $functions);
        self::assertStringContainsString('Top 100 of 1 417 rows', self::open("$run&levels=1")->text('//p[@class="count"]'));
        self::assertSame('86 rows', self::open('index.php?run=' . Fixtures::FOREIGN)->text('//p[@class="count"]'));
    }

    public function testAFunctionWithItsCallersAndCallees(): void
    {
        $report = SymbolReport::compute(self::profile(Fixtures::BEFORE), 'PDOStatement::execute', true);
        $page = self::open(self::RUN . '&symbol=PDOStatement::execute&sort=excl_wt&all=1');
        $columns = ['ct', 'wt', 'cpu', 'mu', 'pmu'];
        $figures = static fn (array $rows): array => array_map(
            static fn (array $row): array => self::cells($row, $columns),
            $rows,
        );
        $callers = $page->figures('//section[@aria-labelledby="callers"]//table');
        self::assertEqualsCanonicalizing($figures($report->parents()), $callers);
        self::assertEqualsCanonicalizing(array_keys($report->parents()), array_keys($callers));
        $callees = $page->figures('//section[@aria-labelledby="callees"]//table');
        self::assertSame($figures($report->children())['strlen'], $callees['strlen']);
        self::assertCount(count($report->children()), $callees);
        $walls = array_column($callers, 1);
        $sorted = $walls;
        rsort($sorted);
        self::assertSame($sorted, $walls);
        $values = $page->attributes('//section[@aria-labelledby="callers"]//tbody/tr/td[2]', 'data-v');
        self::assertSame($walls, array_map(intval(...), $values), 'what the scripts sort by');

        [$exclusive, $wall, $calls] = self::cells($report->self(), ['excl_wt', 'wt', 'ct']);
        $own = $page->attributes('//table[contains(@class, "own")]/tbody/tr[1]/td', 'title');
        self::assertStringStartsWith(self::number($exclusive) . ' µs', $own[0]);
        self::assertStringStartsWith(self::number($wall) . ' µs', $own[1]);
        self::assertSame(rtrim(rtrim(number_format($wall / $calls, 3, '.', ' '), '0'), '.') . ' µs', $own[2]);
    }

    public function testTheStartOfTheRunHasNoCallers(): void
    {
        $page = self::open(self::RUN . '&symbol=main()');
        self::assertStringContainsString('Nothing calls this function', $page->text('//section[@aria-labelledby="callers"]/p'));
    }

    public function testAMeanKeepsOneRunInMemory(): void
    {
        $store = new RunFolder(self::$runs);
        $edges = $store->open(RunId::fromStrings(Fixtures::LARGE, 'shop-cli'))->profile()->edges();
        $runs = new RunOpener($store);
        $ids = [];
        foreach (range(1, 12) as $i) {
            $ids[] = $store->save($edges, 'memory', sprintf('9%031x', $i))->id;
        }
        $peak = static function (int $count) use ($runs, $ids): int {
            memory_reset_peak_usage();
            $runs->open(implode(',', array_slice($ids, 0, $count)), 'memory');

            return memory_get_peak_usage();
        };
        $peak(2);
        self::assertLessThan($peak(2) * 1.1, $peak(12));
        array_map(unlink(...), glob(self::$runs . '/*.memory.*') ?: []);
    }

    private const WITH_TREE = 'index.php?run=' . Fixtures::CORRECTED . '&source=api';

    private static function corrected(): Profile
    {
        $run = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::CORRECTED, 'api'));
        $both = ChangedRun::corrected($run)?->profile();
        self::assertNotNull($both);

        return $both;
    }

    /** With the fraction that is there. */
    private static function exact(int|float $number): string
    {
        return self::number(floor($number)) . (strrchr((string) $number, '.') ?: '');
    }

    public function testCorrectedTimesBesideTheRawOnes(): void
    {
        $raw = self::open(self::WITH_TREE . '&sort=ct');
        self::assertStringNotContainsString('Corrected wall', $raw->body);
        $page = self::open($raw->attributes('//a[text()="Show corrected times"]', 'href')[0]);
        $columns = ['ct'];
        foreach (['wt', 'corrected_wt', 'cpu', 'corrected_cpu', 'mu', 'pmu'] as $metric) {
            array_push($columns, "excl_$metric", $metric);
        }
        $shown = $page->figures(self::TABLE);
        self::assertSame(array_keys($raw->figures(self::TABLE)), array_keys($shown), 'the order stays');
        $rows = FlatReport::compute(self::corrected(), true)->rows();
        foreach ($shown as $name => $figures) {
            self::assertSame(self::cells($rows[$name], $columns), $figures, $name);
        }
        self::assertStringContainsString('Corrected times: an estimate of the program', $page->body);
        $groups = $page->attributes('//th[contains(., "Corrected")]', 'title');
        self::assertCount(2, $groups);
        self::assertSame([ucfirst(CorrectedTimes::MEANING)], array_unique($groups));
        $tiles = array_combine($page->texts('//dl[@class="tiles"]//dt'), $page->attributes('//dl[@class="tiles"]//dd', 'title'));
        self::assertSame(self::exact(self::corrected()->totals()['corrected_wt']) . ' µs', $tiles['Corrected wall time']);
        $back = self::open($page->attributes('//a[text()="Hide corrected times"]', 'href')[0]);
        self::assertSame($raw->figures(self::TABLE), $back->figures(self::TABLE));
    }

    public function testTheMetricOfOtherViewsIsTheTablesToo(): void
    {
        $page = self::open(self::RUN . '&metric=cpu&sel=strlen');
        self::assertSame(self::open(self::RUN . '&sort=excl_cpu')->figures(self::TABLE), $page->figures(self::TABLE));
        $perCall = self::open(self::RUN . '&sort=per_cpu');
        self::assertSame($perCall->figures(self::TABLE), $page->figures(self::TABLE));
        self::assertSame(['per_cpu'], array_slice($perCall->attributes('//select[@name="sort"]/option[@selected]', 'value'), -1));
        foreach ($page->attributes('//nav[@aria-label="Views of this run"]/a', 'href') as $link) {
            self::assertStringContainsString('metric=cpu&sel=strlen', $link);
        }
        $tabs = self::open(self::RUN . '&sort=excl_cpu&dir=asc&sel=' . str_repeat('x', 1600) . '&q=a%FFb')
            ->attributes('//nav[@aria-label="Views of this run"]/a', 'href');
        self::assertStringContainsString('sort=excl_cpu&dir=asc', $tabs[1]);
        self::assertStringContainsString('sel_hash=' . hash('sha256', str_repeat('x', 1600)), $tabs[1]);
        self::assertStringContainsString('q=a%FFb', $tabs[1]);
        $hostile = self::open(self::RUN . '&metric=%3Cb%3E')->attributes('//nav//a[@data-key]', 'href');
        self::assertStringNotContainsString('metric', $hostile[1]);
    }

    public function testTheThemeIsTheCookies(): void
    {
        foreach (['dark' => ['dark'], 'light' => ['light'], '"><b>' => []] as $cookie => $expected) {
            $page = self::$server->get(self::RUN, headers: ['Cookie: xhprof_theme=' . rawurlencode((string) $cookie)]);
            self::assertSame($expected, array_values(array_filter($page->attributes('/html', 'data-theme'))));
        }
    }

    public function testCorrectedTimesSortAndStayInEveryLink(): void
    {
        $sorted = array_column(FlatReport::compute(self::corrected(), true)->rows(), 'excl_corrected_wt');
        rsort($sorted);
        $page = self::open(self::WITH_TREE . '&corrected=1&sort=excl_corrected_wt');
        self::assertSame(array_slice($sorted, 0, 100), array_column($page->figures(self::TABLE), 3));
        self::assertCount(1, $page->find('//th[@aria-sort="descending"]'));
        foreach ($page->attributes(self::TABLE . '//a', 'href') as $link) {
            self::assertStringContainsString('corrected=1', $link);
        }
        self::assertSame(['1'], $page->attributes('//form/input[@name="corrected"]', 'value'));

        $report = SymbolReport::compute(self::corrected(), 'strlen', true);
        $function = self::open(self::WITH_TREE . '&corrected=1&symbol=strlen&sort=excl_corrected_wt');
        $own = $function->attributes('//table[contains(@class, "own")]/tbody/tr[th="Corrected wall time"]/td', 'title');
        self::assertStringStartsWith(self::exact($report->self()['excl_corrected_wt'] ?? -1) . ' µs', $own[0]);
        self::assertStringStartsWith(self::exact($report->self()['corrected_wt'] ?? -1) . ' µs', $own[1]);
        $callers = array_column($function->figures('//section[@aria-labelledby="callers"]//table'), 2);
        $expected = array_column($report->parents(), 'corrected_wt');
        rsort($expected);
        self::assertSame(array_slice($expected, 0, 20), $callers);
        $raw = self::open($function->attributes('//a[text()="Hide corrected times"]', 'href')[0]);
        self::assertStringNotContainsString('Corrected wall', $raw->body);
        self::assertCount(1, $raw->find('//a[text()="Show corrected times"]'));
    }

    public function testClocksAndOverheadInWords(): void
    {
        $page = self::open(self::WITH_TREE);
        $facts = array_combine($page->texts('//details//dt'), $page->texts('//details//dd'));
        self::assertSame("tsc: the processor's time stamp counter", $facts['Wall clock']);
        self::assertStringStartsWith('interpolate: ', $facts['CPU clock']);
        self::assertStringEndsWith('; not rseq: the kernel <b>registers</b> none', $facts['CPU clock']);
        self::assertSame(
            'per call of a user function 9.1 ns in it, 14.1 ns in its caller; of an internal function 7.0 ns in it, '
                . '11.5 ns in its caller',
            $facts['Overhead'],
        );
    }

    public function testRunsWithoutCorrectedTimes(): void
    {
        self::assertStringNotContainsString('corrected', self::open(self::RUN)->body, 'none are offered');
        $page = self::open(self::RUN . '&corrected=1&sort=excl_corrected_wt');
        self::assertSame(self::open(self::RUN)->figures(self::TABLE), $page->figures(self::TABLE));
        self::assertSame(
            'Note: Corrected times cannot be shown: the run ' . Fixtures::BEFORE . ' has none.',
            $page->text('//p[@class="warning"]'),
        );
        $mean = self::open('index.php?run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER . '&source=shop&corrected=1');
        self::assertStringContainsString('cannot be shown: the run ' . Fixtures::BEFORE, $mean->text('//p[@class="warning"]'));
    }

    public function testAMeanOfCorrectedTimes(): void
    {
        $id = 'e' . str_repeat('0', 30) . '3';
        RunFiles::write(self::$runs, "$id.api", ['tree' => self::correctedTree()]);
        $mean = self::open('index.php?run=' . Fixtures::CORRECTED . ",$id&source=api&corrected=1");
        self::assertSame('Mean of 2 runs', $mean->text('//h1'));
        $tile = static fn (Page $page): string
            => $page->attributes('//dl[contains(@class, "tiles")]/div[dt="Corrected wall time"]/dd[1]', 'title')[0];
        self::assertStringContainsString('mean ' . $tile(self::open(self::WITH_TREE . '&corrected=1')) . ',', $tile($mean));
        RunFiles::delete(self::$runs, "$id.api");
    }

    /** @return array<mixed> */
    private static function correctedTree(): array
    {
        return RunFiles::document(self::$runs, Fixtures::CORRECTED . '.api', 'tree') ?? [];
    }

    public function testADamagedCallTreeIsExplained(): void
    {
        $run = Fixtures::CORRECTED . '.api';
        $good = RunFiles::documents(self::$runs, $run);
        $trees = [['depth' => [9]] + $good['tree'], ['self' => 5] + $good['tree'], []];
        foreach ($trees as $tree) {
            RunFiles::put(self::$runs, $run, ['tree' => $tree]);
            foreach (['', '&corrected=1', '&symbol=main()', '&view=graph'] as $more) {
                $message = self::open(self::WITH_TREE . $more, 500)->text('//p[@class="empty"]');
                self::assertStringStartsWith('This run cannot be read: ' . RunFiles::file($run) . ': ', $message);
            }
        }
        RunFiles::write(self::$runs, $run, $good);
    }

    public function testDroppedCallPathsAreSaid(): void
    {
        foreach (['index.php?', 'index.php?view=graph&', 'index.php?symbol=main()&'] as $address) {
            $page = self::open($address . 'run=' . Fixtures::DROPPED . '&source=shop');
            $warning = $page->text('//p[@class="warning"]');
            self::assertStringContainsString('12 345 calls of light call paths are folded', $warning, $address);
            self::assertStringContainsString('The calls of all functions are exact', $warning);
        }
        self::assertSame([], self::open(self::RUN)->find('//p[@class="warning"]'));
    }

    public function testARunOfWallTimesOnly(): void
    {
        $page = self::open('index.php?run=' . Fixtures::FOREIGN);
        self::assertSame(Fixtures::FOREIGN, $page->text('//h1'));
        self::assertSame(['Function', 'Calls', 'Self ▼', 'Total'], $page->texts(self::TABLE . '/thead//th[not(@colspan)]'));
        $byMissing = self::open('index.php?run=' . Fixtures::FOREIGN . '&sort=cpu');
        self::assertSame($page->figures(self::TABLE), $byMissing->figures(self::TABLE));
    }

    /** JavaScript puts a table of its own in the place of the results. */
    public function testNegativeMemoryIsExplainedBelowTheTable(): void
    {
        $id = (new RunFolder(self::$runs))->save([
            'main()' => ['ct' => 1, 'wt' => 100, 'mu' => 10],
            'main()==>caller' => ['ct' => 1, 'wt' => 90, 'mu' => 0],
            'caller==>local' => ['ct' => 1, 'wt' => 80, 'mu' => 5000],
        ], 'freed');
        $note = '//div[@id="results"]/following-sibling::p[@class="note"]';
        self::assertStringStartsWith('Negative memory: ', self::open("index.php?run=$id->id&source=freed")->text($note));
        $none = (new RunFolder(self::$runs))->save(['main()' => ['ct' => 1, 'wt' => 100, 'mu' => 10]], 'freed');
        self::assertSame([], self::open("index.php?run=$none->id&source=freed")->texts($note));
    }
}
