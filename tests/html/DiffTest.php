<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Compare\ProfileDiff;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/PagesTestCase.php';

/** index.php?run1=A&run2=B as it is served; scripts order the rows (tests/js/compare.test.mjs). */
final class DiffTest extends PagesTestCase
{
    private const TABLE = '//table[contains(@class, "functions")]';
    private const DIFF = 'index.php?run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop';

    private static function report(): ProfileDiff
    {
        return ProfileDiff::between(self::profile(Fixtures::BEFORE), self::profile(Fixtures::AFTER), true);
    }

    public function testEveryFigureIsTheLibrarysAndTheLargestChangeIsFirst(): void
    {
        $report = self::report();
        foreach (['wt', 'cpu', 'mu', 'pmu'] as $metric) {
            foreach (['', "&sort=$metric", "&sort=p_excl_$metric&dir=asc&all=1&page=2"] as $index => $sort) {
                $page = self::open(self::DIFF . "&metric=$metric$sort");
                $shown = self::changes($page);
                self::assertCount(100, $shown);
                foreach ($shown as $name => $changes) {
                    self::assertSame(self::cells($report->rows()[$name], ['ct', "excl_$metric", $metric]), $changes, $name);
                }
                $sizes = array_map(abs(...), array_column($shown, $index === 1 ? 2 : 1));
                $sorted = $sizes;
                rsort($sorted);
                self::assertSame($sorted, $sizes, $metric);
                self::assertSame(['other'], $page->attributes(self::TABLE . '//th[@aria-sort]', 'aria-sort'));
            }
            $count = $page->text('//div[@id="results"]/p[@class="count"]');
            self::assertStringStartsWith('Top 100 of ' . count($report->rows()), $count);
        }
    }

    public function testAnotherMetricKeepsTheOrderAndTheFilter(): void
    {
        $page = self::open(self::DIFF . '&sort=p_excl_wt&dir=asc&q=pdo&changed=1');
        $tabs = '//nav[@aria-label="Metric"]/a';
        $links = array_combine($page->texts($tabs), $page->attributes($tabs, 'href'));
        self::assertStringEndsWith('&metric=cpu&sort=p_excl_cpu&dir=asc&q=pdo&changed=1', $links['CPU time']);
        self::assertSame(['pdo'], $page->attributes('//input[@name="q"]', 'value'));
        self::assertSame(['changed'], $page->attributes('//input[@type="checkbox"][@checked]', 'name'));
    }

    public function testGrowthIsSaidBySignArrowAndColour(): void
    {
        $page = self::open(self::DIFF . '&sort=excl_wt');
        $cell = static function (string $name) use ($page): \DOMElement {
            $row = self::TABLE . "//tr[th[contains(., '$name')]]";

            return $page->find("{$row}/td[contains(@class, 'delta') and contains(@class, 'main')]")[0];
        };
        self::assertStringContainsString('up', $cell('PDOStatement::execute')->getAttribute('class'));
        self::assertMatchesRegularExpression('/^▲\+.* ms$/u', trim($cell('PDOStatement::execute')->textContent));
        self::assertStringContainsString('down', $cell('json_decode')->getAttribute('class'));
        self::assertMatchesRegularExpression('/^▼-.* ms$/u', trim($cell('json_decode')->textContent));
    }

    public function testWhatIsUnderOnePercentIsGreyAndLast(): void
    {
        $least = self::report()->totals()['b']['wt'] / 100;
        $page = self::open(self::DIFF);
        $classes = $page->attributes(self::TABLE . '/tbody/tr', 'class');
        $isGrey = array_map(static fn (string $class): bool => $class === 'faint', $classes);
        $expected = array_map(static fn (array $row): bool => abs($row[1]) < $least, array_values(self::changes($page)));
        self::assertSame($expected, $isGrey);
        self::assertContains(false, $isGrey);
        self::assertStringContainsString('Grey: under 1 % of the total', $page->text('//div[@id="results"]/p[last()]'));
    }

    public function testNewAndGoneFunctionsAreMarked(): void
    {
        $page = self::open(self::DIFF . '&sort=ct');
        $badges = [];
        foreach ($page->find(self::TABLE . '/tbody/tr') as $row) {
            $badges[$page->texts('th//*[@class="fn"]', $row)[0]] = $page->texts('th/span', $row);
        }
        self::assertSame([Fixtures::GONE => ['gone'], Fixtures::ADDED => ['new']], array_filter($badges));
    }

    public function testAFunctionThatMovedIsOneFunctionUnlessExactNamesAreWanted(): void
    {
        $store = new RunFolder(self::$runs);
        foreach (['moved-1' => ['r1', 5], 'moved-2' => ['r2', 12]] as $id => [$folder, $line]) {
            $closure = "{closure:$folder/shop.php:$line}";
            $store->save([
                'main()' => ['ct' => 1, 'wt' => 1000 + $line],
                "main()==>$closure" => ['ct' => 1, 'wt' => 500 + $line],
                "$closure==>md5" => ['ct' => 9, 'wt' => 100],
            ], 'shop', $id);
        }
        $diff = 'index.php?run1=moved-1&run2=moved-2&source=shop';
        $page = self::open($diff);
        self::assertSame([], $page->find(self::TABLE . '//*[@class="badge new" or @class="badge gone"]'));
        self::assertSame(['Before: {closure:r1/shop.php:5}'], $page->attributes(self::TABLE . '//*[@class="badge was"]', 'title'));
        $link = '//a[contains(@href, "names=exact")]';
        self::assertSame('By exact name (1 moved)', $page->text($link));

        $exact = self::open($page->attributes($link, 'href')[0]);
        self::assertCount(1, $exact->find(self::TABLE . '//*[@class="badge new"]'));
        self::assertSame(['Match functions that moved'], $exact->texts('//a[contains(., "Match functions")]'));
        $symbol = self::open("$diff&symbol=" . urlencode('{closure:r1/shop.php:5}'));
        self::assertStringContainsString('{closure:r2/shop.php:12}', $symbol->text('//h1'));
        self::assertStringContainsString('Before: {closure:r1/shop.php:5}', $symbol->text('//main'));

        $json = json_decode(self::$server->get('api.php?get=names&run1=moved-1&run2=moved-2&source=shop')->body, true);
        self::assertSame(['{closure:r1/shop.php:5}' => '{closure:r2/shop.php:12}'], $json['after']);
        $json = json_decode(self::$server->get('api.php?get=diff&run1=moved-1&run2=moved-2&source=shop')->body, true);
        self::assertSame([0, 0, 0], $json['only']);
        self::assertSame(['{closure:r1/shop.php:5}'], array_values($json['before']));
        $csv = self::$server->get('api.php?get=export&format=csv&run1=moved-1&run2=moved-2&source=shop')->body;
        self::assertStringContainsString(',{closure:r1/shop.php:5}', $csv);
    }

    public function testSwapTurnsEverySign(): void
    {
        $page = self::open(self::DIFF . '&sort=excl_wt');
        $swapped = self::open($page->attributes('//a[@class="swap"]', 'href')[0]);
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
        self::assertCount(count($diff->parents), $callers);
        foreach ($diff->parents as $name => $row) {
            self::assertSame($row['delta']['wt'], $callers[$name][1], $name);
        }
        $gone = self::open(self::DIFF . '&symbol=' . urlencode(Fixtures::GONE));
        self::assertSame('gone', $gone->text('//h1//*[@class="badge gone"]'));
    }

    public function testRunsOfTwoSourcesAndMeans(): void
    {
        $sources = '&source1=xhprof&source2=shop';
        $page = self::open('index.php?run1=' . Fixtures::FOREIGN . '&run2=' . Fixtures::AFTER . $sources);
        self::assertSame([], $page->find('//nav[@aria-label="Metric"]'), 'the one metric both have');
        self::assertCount(13, $page->find(self::TABLE . '/thead//th[not(@colspan)]'));
        $lists = 'index.php?run1=' . Fixtures::BEFORE . ',' . Fixtures::AFTER . '&run2=' . Fixtures::AFTER . '&source=shop';
        $page = self::open($lists);
        self::assertStringContainsString('Mean of 2 runs of GET /orders?page=2', $page->text('//div[@class="versus"]/p[1]'));
        self::assertSame('Note: One run is on both sides.', $page->text('//p[@class="warning"]'));
    }

    public function testHostileNames(): void
    {
        $both = 'run1=' . Fixtures::HOSTILE . '&run2=' . Fixtures::AFTER . '&source1=hostile&source2=shop';
        $page = self::open("index.php?$both&all=1");
        $script = '<script>alert(1)</script>';
        self::assertContains($script, $page->texts(self::TABLE . '//*[@class="fn"]'));
        foreach (Fixtures::hostileNames() as $name) {
            self::assertSame('gone', self::open("index.php?$both&symbol=" . rawurlencode($name))->text('//h1/span[2]'), $name);
        }
        self::open("index.php?$both&sort=%3Cb%3E&metric=..%2F&dir[]=1", 400);
        self::open("index.php?$both&sort=p_excl_wt&q=%FF%00&noise=mixed&changed=1");
    }

    /** CompareReportsTest has all that may be noted. */
    public function testRunsRecordedInOtherWaysAreSaidToBe(): void
    {
        $store = new RunFolder(self::$runs);
        $edges = ['main()' => ['ct' => 1, 'wt' => 1000, 'mu' => 5], 'main()==>f' => ['ct' => 1, 'wt' => 600, 'mu' => 5]];
        $with = array_map(static fn (array $row): array => $row + ['cpu' => 300], $edges);
        $store->save($with, 'ways', 'both', ['flags' => 6, 'flag_names' => ['CPU', 'MEMORY'], 'clock' => ['wall' => 'tsc']]);
        $store->save($edges, 'ways', 'memory', ['flags' => 4, 'flag_names' => ['MEMORY'], 'clock' => ['wall' => '<b>clock']]);
        $expected = [
            'Note: Recorded with different flags (CPU, MEMORY / MEMORY) and wall clocks (tsc / <b>clock):'
                . ' times are not comparable.',
            'Note: Left out: CPU time (only in A).',
        ];
        $notes = static fn (string $page): array => self::open("$page&source=ways")->texts('//p[@class="warning"]');
        foreach (['index.php?', 'callgraph.php?', 'index.php?symbol=f&'] as $page) {
            self::assertSame($expected, $notes("{$page}run1=both&run2=memory"), $page);
        }
        self::assertSame([], $notes('index.php?run1=both&run2=both'));
        array_map(unlink(...), glob(self::$runs . '/*.ways.*') ?: []);
    }

    /** One preemption of the first run; the page, the data of its table and the command line have one rule. */
    public function testWhatOnlyWallTimeShowsIsTheMachinesAndComesLast(): void
    {
        $store = new RunFolder(self::$runs);
        $calm = [3000, 900];
        $busy = [31000, 1400];
        foreach (['calm' => $calm, 'busy' => $busy, 'calm-2' => $calm, 'busy-2' => $busy] as $id => [$md5, $work]) {
            $store->save([
                'main()' => ['ct' => 1, 'wt' => $md5 + $work + 100, 'cpu' => 3000 + $work],
                'main()==>md5' => ['ct' => 9, 'wt' => $md5, 'cpu' => 3000],
                'main()==>work' => ['ct' => 1, 'wt' => $work, 'cpu' => $work],
                // Its change is small before it is the machine's.
                'main()==>tiny' => ['ct' => 1, 'wt' => $md5 > 9000 ? 40 : 10, 'cpu' => 10],
            ], 'alone', $id);
        }
        $page = self::open('index.php?run1=calm&run2=busy&source=alone');
        self::assertSame(['work', 'md5'], array_slice($page->texts(self::TABLE . '/tbody/tr/th//*[@class="fn"]'), 0, 2));
        self::assertSame('faint', $page->attributes(self::TABLE . '/tbody/tr', 'class')[1] ?? null);
        $sums = $page->texts('//p[@class="sum"]');
        self::assertStringStartsWith('▲+12.8 % (+500 µs) CPU time: 100 % of it in work', $sums[0]);
        $machine = 'Wall time: +712.5 % (+28.5 ms), not running +28.0 ms, CPU time +500 µs, calls the same: the machine was busy';
        self::assertStringStartsWith($machine, $sums[1]);
        self::assertStringContainsString('the machine was busy', $page->text('//p[@data-noise]'));
        $tile = '//dl[contains(@class, "totals")]/div[dt="Wall time"]/dd[contains(@class, "delta")]';
        self::assertSame(['delta same'], $page->attributes($tile, 'class'));

        $json = json_decode(self::$server->get('api.php?get=diff&run1=calm&run2=busy&source=alone')->body, true);
        self::assertSame([array_search('md5', $json['names'], true)], $json['machine']['rows']['excl_wt']);
        $symbol = self::open('index.php?run1=calm&run2=busy&source=alone&symbol=main()');
        $callees = $symbol->texts('//section[@aria-labelledby="callees"]//tr[td]/th//*[@class="fn"]');
        self::assertSame(['work', 'md5', 'tiny'], $callees);
        $this->assertTheMachinesPartInPicturesAndFiles('run1=calm&run2=busy&source=alone', $json['machine']['words']);
        self::assertSame(
            [['after' => [], 'chance' => []], false],
            [
                array_diff_key(self::api('names&run1=calm,calm-2&run2=busy,busy-2&source=alone'), ['v' => 0, 'kind' => 0]),
                isset(self::api('graph&run1=calm,calm-2&run2=busy,busy-2&source=alone')['machine']),
            ],
            'sets are tested',
        );
        array_map(unlink(...), glob(self::$runs . '/*.alone.*') ?: []);
    }

    /** What the pictures and the file of a comparison get from the same rule as its table. */
    private function assertTheMachinesPartInPicturesAndFiles(string $runs, string $words): void
    {
        // What main() called took as long by the CPU's clock but for the 500 µs of work.
        $found = ['wt' => ['main()', 'md5'], 'excl_wt' => ['md5']];
        $machine = self::api("names&$runs")['machine'];
        $sorted = array_map(static function (array $names): array {
            sort($names);

            return $names;
        }, $machine['functions']);
        self::assertSame([$words, $found], [$machine['words'], $sorted]);

        foreach (['&threshold=0', '&threshold=0&levels=1', '&threshold=0&nodes=9'] as $how) {
            $answer = self::api("graph&$runs$how");
            self::assertSame($words, $answer['machine']);
            $nodes = array_column($answer['graph']['nodes'], null, 'name');
            self::assertSame(
                [['incl'], ['incl', 'excl'], null, null],
                array_map(static fn (string $name): ?array => $nodes[$name]['machine'] ?? null, ['main()', 'md5', 'work', 'tiny']),
            );
            $edges = [];
            foreach ($answer['graph']['edges'] as $edge) {
                $edges[$answer['graph']['nodes'][$edge['to']]['name']] = $edge['machine'] ?? false;
            }
            ksort($edges);
            self::assertSame(['md5' => true, 'tiny' => false, 'work' => false], $edges);
        }
        self::assertArrayNotHasKey('machine', self::api("graph&$runs&metric=cpu"), 'CPU time is not the machine\'s');
        $without = self::api("graph&$runs&internals=0");
        self::assertSame(['incl'], array_column($without['graph']['nodes'], null, 'name')['main()']['machine']);

        $lines = explode("\r\n", trim(self::$server->get("api.php?get=export&format=csv&$runs")->body));
        $head = str_getcsv(array_shift($lines), escape: '');
        $noise = [];
        foreach ($lines as $line) {
            $row = array_combine(array_map(strval(...), $head), str_getcsv($line, escape: ''));
            $noise[$row['function']] = [$row['wt_noise'], $row['excl_wt_noise'], $row['excl_cpu_noise']];
        }
        ksort($noise);
        self::assertSame(
            [
                'main()' => ['machine', 'small', ''],
                'md5' => ['machine', 'machine', ''],
                'tiny' => ['small', 'small', ''],
                'work' => ['', '', ''],
            ],
            $noise,
        );
    }

    /** @return array<string, mixed> */
    private static function api(string $question): array
    {
        return json_decode(self::$server->get("api.php?get=$question")->body, true, flags: JSON_THROW_ON_ERROR);
    }

    /** @return array<string, list<int>> displayed name => changes from left to right, read from the exact values */
    private static function changes(Page $page, string $table = self::TABLE): array
    {
        $rows = [];
        foreach ($page->find("$table/tbody/tr") as $row) {
            $changes = [];
            foreach ($page->find('td[contains(@class, "k-d")]', $row) as $cell) {
                self::assertSame(1, preg_match('/, change ([+-]?[0-9 ]+)/', $cell->getAttribute('title'), $match));
                $changes[] = (int) str_replace(' ', '', $match[1] ?? '');
            }
            $rows[$page->texts('th//*[@class="fn"]', $row)[0]] = $changes;
        }

        return $rows;
    }
}
