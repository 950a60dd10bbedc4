<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Report\DiffReport;
use XHProf\Store\RunStore;

require_once __DIR__ . '/PagesTestCase.php';

/** index.php?run1=A&run2=B. */
final class DiffTest extends PagesTestCase
{
    private const TABLE = '//table[contains(@class, "functions")]';
    private const DIFF = 'index.php?run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop';
    private const COLUMNS = ['ct', 'excl_wt', 'wt', 'excl_cpu', 'cpu', 'excl_mu', 'mu', 'excl_pmu', 'pmu'];

    private static function report(): DiffReport
    {
        return DiffReport::of(self::profile(Fixtures::BEFORE), self::profile(Fixtures::AFTER));
    }

    public function testEveryChangeIsTheLibrarysAndTheLargestIsFirst(): void
    {
        $page = self::open(self::DIFF . '&sort=excl_wt&all=1');
        $shown = self::changes($page);
        $rows = self::report()->rows();
        self::assertCount(count($rows), $shown);
        foreach ($rows as $name => $row) {
            self::assertSame(self::cells($row, self::COLUMNS), $shown[$name], $name);
        }
        $sizes = array_map(abs(...), array_column($shown, 1));
        $sorted = $sizes;
        rsort($sorted);
        self::assertSame($sorted, $sizes);
        self::assertGreaterThan(0, $sizes[0]);
    }

    public function testTotalsOfBothRuns(): void
    {
        $page = self::open(self::DIFF);
        $totals = self::report()->totals();
        $wall = $page->attributes('//table[contains(@class, "own")]/tbody/tr[th="Wall time"]/td', 'title');
        self::assertSame(self::number($totals['a']['wt']) . ' µs', $wall[0]);
        self::assertSame(self::number($totals['b']['wt']) . ' µs', $wall[1]);
        self::assertStringContainsString('+' . self::number($totals['delta']['wt']) . ' µs', $wall[2]);
    }

    public function testGrowthIsSaidBySignArrowAndColour(): void
    {
        $page = self::open(self::DIFF . '&sort=excl_wt');
        $slower = $page->find(self::TABLE . '//tr[th[contains(., "PDOStatement::execute")]]/td[contains(@class, "main")]')[0];
        self::assertStringContainsString('up', $slower->getAttribute('class'));
        self::assertMatchesRegularExpression('/^▲\+.* ms\+200\.0 %$/u', trim($slower->textContent));
        $faster = $page->find(self::TABLE . '//tr[th[contains(., "json_decode")]]/td[contains(@class, "main")]')[0];
        self::assertStringContainsString('down', $faster->getAttribute('class'));
        self::assertMatchesRegularExpression('/^▼-.* ms-80\.0 %$/u', trim($faster->textContent));
    }

    public function testNewAndGoneFunctionsAreMarked(): void
    {
        $page = self::open(self::DIFF . '&all=1&q=Logger::format');
        $badges = [];
        foreach ($page->find(self::TABLE . '/tbody/tr') as $row) {
            $badges[$page->texts('th//*[@class="fn"]', $row)[0]] = $page->texts('th/span', $row);
        }
        self::assertSame(['gone'], $badges[Fixtures::GONE]);
        self::assertSame(['new'], $badges[Fixtures::ADDED]);
        self::assertSame([], self::open(self::DIFF . '&q=json_decode')->find(self::TABLE . '//*[contains(@class, "badge")]'));
    }

    public function testSwapTurnsEverySign(): void
    {
        $page = self::open(self::DIFF . '&sort=excl_wt');
        $swapped = self::open($page->attributes('//a[text()="Swap the two"]', 'href')[0]);
        $forth = self::changes($page);
        $back = self::changes($swapped);
        self::assertSame(-$forth['PDOStatement::execute'][1], $back['PDOStatement::execute'][1]);
        self::assertNotSame(0, $back['PDOStatement::execute'][1]);
    }

    public function testOneFunctionCompared(): void
    {
        $diff = self::report()->symbol('PDOStatement::execute');
        $page = self::open(self::DIFF . '&symbol=PDOStatement::execute');
        $callers = self::changes($page, '//section[@aria-labelledby="callers"]//table');
        self::assertCount(count($diff->parents()), $callers);
        foreach ($diff->parents() as $name => $row) {
            self::assertSame($row['delta']['wt'], $callers[$name][1], $name);
        }
        $gone = self::open(self::DIFF . '&symbol=' . urlencode(Fixtures::GONE));
        self::assertSame('gone', $gone->text('//h1//*[@class="badge gone"]'));
    }

    public function testRunsOfTwoSourcesAndMeans(): void
    {
        $sources = '&source1=xhprof&source2=shop';
        $page = self::open('index.php?run1=' . Fixtures::FOREIGN . '&run2=' . Fixtures::AFTER . $sources);
        self::assertCount(4, $page->find(self::TABLE . '/thead//a'), 'the one metric both have');
        $lists = 'index.php?run1=' . Fixtures::BEFORE . ',' . Fixtures::AFTER . '&run2=' . Fixtures::AFTER . '&source=shop';
        self::assertStringContainsString('Mean of 2 runs', self::open($lists)->text('//div[@class="versus"]/p[1]'));
    }

    public function testRunsRecordedInOtherWaysAreSaidToBe(): void
    {
        $store = new RunStore(self::$runs);
        $edges = ['main()' => ['ct' => 1, 'wt' => 1000, 'mu' => 5], 'main()==>f' => ['ct' => 1, 'wt' => 600, 'mu' => 5]];
        $wall = array_map(static fn (array $row): array => array_diff_key($row, ['mu' => 0]), $edges);
        $with = array_map(static fn (array $row): array => $row + ['cpu' => 300], $edges);
        $meta = static fn (int $flags, array $names, string $clock, string $cpu = 'getrusage'): array
            => ['flags' => $flags, 'flag_names' => $names, 'clock' => ['wall' => $clock, 'cpu' => $cpu]];
        $store->save($with, 'ways', 'both', $meta(6, ['CPU', 'MEMORY'], 'tsc'));
        $store->save($edges, 'ways', 'memory', $meta(4, ['MEMORY'], 'tsc'));
        $store->save($wall, 'ways', 'wall', $meta(0, [], '<b>clock'));
        $store->save($with, 'ways', 'thread', $meta(6, ['CPU', 'MEMORY'], 'tsc', 'thread_cputime'));
        $store->save($wall, 'ways', 'foreign');
        $notes = static fn (string $a, string $b, string $page = 'index.php', string $more = ''): array
            => self::open("$page?run1=$a&run2=$b&source=ways$more")->texts('//p[@class="warning"]');
        $expected = [
            'Mind: Recorded with different flags (CPU, MEMORY / MEMORY): their times do not compare.',
            'Mind: Left out, because only one side has it: CPU time.',
        ];
        self::assertSame($expected, $notes('both', 'memory'));
        self::assertSame($expected, $notes('both', 'memory', 'callgraph.php'));
        self::assertSame($expected, $notes('both', 'memory', 'index.php', '&symbol=f'));
        self::assertSame([
            'Mind: Recorded with different flags (none / MEMORY) and wall clocks (<b>clock / tsc): their times do not compare.',
            'Mind: Left out, because only one side has it: Memory.',
        ], $notes('wall', 'memory'));
        self::assertSame([], $notes('both', 'thread'), 'CPU clocks all tell the same');
        self::assertSame(['Mind: Left out, because only one side has it: CPU time, Memory.'], $notes('both', 'foreign'));
        self::assertSame([], $notes('both', 'both'));
        self::assertSame([], $notes('wall', 'foreign'), 'nothing is known of the other');
        array_map(unlink(...), glob(self::$runs . '/*.ways.*') ?: []);
    }

    /** @return array<string, list<int>> displayed name => changes from left to right, read from the exact values */
    private static function changes(Page $page, string $table = self::TABLE): array
    {
        $rows = [];
        foreach ($page->find("$table/tbody/tr") as $row) {
            $changes = [];
            foreach ($page->find('td', $row) as $cell) {
                self::assertSame(1, preg_match('/, change ([+-]?[0-9 ]+)/', $cell->getAttribute('title'), $match));
                $changes[] = (int) str_replace(' ', '', $match[1] ?? '');
            }
            $rows[$page->texts('th//*[@class="fn"]', $row)[0]] = $changes;
        }

        return $rows;
    }
}
