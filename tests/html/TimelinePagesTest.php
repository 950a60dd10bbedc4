<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Profile\CallTree;
use XHProf\Run\RunFile;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Api\TreeDocument;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** The timeline of a run that has the times of its calls. */
final class TimelinePagesTest extends PagesTestCase
{
    private const RUN = 'run=timed&source=shop';

    private const TIMELINE = [
        'duration' => 3000000, 'threshold' => 50000, 't' => [1000], 'd' => [2000000], 'node' => [1],
    ];

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        $tree = CallTree::fromArray([
            'names' => ['main()', 'work'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1],
            'self' => ['wt' => [1000000, 2000000]],
        ]);
        $store = new RunFolder(self::$runs);
        foreach (['timed', 'other'] as $id) {
            $store->save($tree->toEdges(), 'shop', $id, [], $tree);
        }
        RunFiles::put(self::$runs, 'timed.shop', ['timeline' => self::TIMELINE]);
    }

    public function testTheViewIsOfferedAndNamesItsData(): void
    {
        $page = self::open('index.php?' . self::RUN . '&view=timeline');
        self::assertContains('Timeline', $page->texts('//nav/a'));
        self::assertSame(['api.php?get=columns&run=timed&source=shop'], $page->attributes('//div[@data-view]', 'data-columns'));
        self::assertSame([''], $page->attributes('//div[@data-view]', 'data-none'));
        $other = self::open('index.php?run=other&source=shop');
        self::assertNotContains('Timeline', $other->texts('//nav/a'));
        self::assertStringContainsString(
            'run --timeline',
            self::open('index.php?run=other&source=shop&view=timeline', 404)->text('//p[@class="empty"]'),
        );
    }

    /** work() runs from 1 µs to 2001 µs of 3000 µs. */
    public function testEveryViewShowsTheRangeThatIsSelected(): void
    {
        $range = '&x0=1501&x1=2501';
        $note = 'Only 1.50 ms to 2.50 ms of 3.00 ms · Calls that ran in this time; those shorter than 50 µs are part of their '
            . 'callers’ self time · Show the whole run';
        foreach (['', '&symbol=work', '&view=graph', '&view=flame', '&view=sandwich', '&view=calltree'] as $view) {
            $page = self::open('index.php?' . self::RUN . $view . $range);
            self::assertSame($note, $page->text('//p[contains(@class, "range-note")]'), $view);
            [$whole] = $page->attributes('//p[contains(@class, "range-note")]/a', 'href');
            self::assertStringEndsWith(self::RUN . $view, $whole);
            foreach ($page->attributes('//nav[contains(@class, "tabs")]/a', 'href') as $url) {
                self::assertStringContainsString($range, $url);
            }
            self::assertSame([], self::open('index.php?' . self::RUN . $view)->texts('//p[contains(@class, "range-note")]'));
        }
        $functions = self::open('index.php?' . self::RUN . $range);
        self::assertSame(['1.00 ms', '2', '2'], $functions->texts('//dl[@class="tiles"]//dd'), 'wall time, calls, functions');
        $answer = self::json("api.php?get=functions&" . self::RUN . $range);
        self::assertSame(['work', 'main()'], $answer['names']);
        ['ct' => $calls, 'wt' => $total, 'excl_wt' => $self] = $answer['m'];
        self::assertSame([[1, 1], [500, 1000], [500, 500]], [$calls, $total, $self]);
        $tree = self::json('api.php?get=tree&' . self::RUN . $range);
        self::assertSame([[500000, 500000], [1, 1]], [$tree['self']['wt'], $tree['ct']]);
        $graph = self::json('api.php?get=graph&' . self::RUN . $range);
        self::assertSame([1000, 500], array_column($graph['graph']['nodes'], 'incl'));
        $symbol = self::json('api.php?get=symbol&symbol=work&' . self::RUN . $range);
        self::assertSame([500, 1], [$symbol['row']['wt'], $symbol['row']['ct']]);
        $sandwich = self::open('index.php?' . self::RUN . '&view=sandwich' . $range);
        [$source] = $sandwich->attributes('//*[@data-view="sandwich"]', 'data-tree');
        self::assertStringContainsString($range, $source);
        // After the call there is main() alone.
        self::assertSame(['main()'], self::json('api.php?get=functions&' . self::RUN . '&x0=2500&x1=9000')['names']);
        self::open('index.php?' . self::RUN . '&symbol=work&x0=2500&x1=9000', 404);
    }

    public function testViewsWithoutTimesShowTheWholeRunAndSaySo(): void
    {
        $page = self::open('index.php?' . self::RUN . '&view=export&x0=1501&x1=2501');
        self::assertSame(
            'The whole run, not only 1.50 ms to 2.50 ms of 3.00 ms · This view does not follow the range · Drop the range',
            $page->text('//p[contains(@class, "range-note")]'),
        );
        $csv = static fn (string $range): string => self::$server->get('api.php?get=export&format=csv&' . self::RUN . $range)->body;
        self::assertSame($csv(''), $csv('&x0=1501&x1=2501'));
        $timeline = self::open('index.php?' . self::RUN . '&view=timeline&x0=1501&x1=2501');
        $columns = $timeline->attributes('//div[@data-view]', 'data-columns');
        self::assertSame(['api.php?get=columns&run=timed&source=shop'], $columns);
    }

    /** @return array<string, mixed> */
    private static function json(string $url): array
    {
        $answer = self::$server->get($url);
        self::assertSame(200, $answer->status, $answer->body);
        $data = json_decode($answer->body, true, 64, JSON_THROW_ON_ERROR);
        self::assertIsArray($data);

        return $data;
    }

    #[DataProvider('wrongRanges')]
    public function testOtherRangesAreRefused(string $run, string $range): void
    {
        $pages = ['index.php?', 'index.php?view=flame&', 'index.php?view=graph&', 'api.php?get=tree&', 'api.php?get=functions&'];
        foreach ($pages as $page) {
            self::assertSame(400, self::$server->get("$page$run&$range")->status, "$page$run&$range");
        }
    }

    /** @return iterable<array{string, string}> */
    public static function wrongRanges(): iterable
    {
        $wrong = ['x0=5', 'x1=5', 'x0=5&x1=5', 'x0=9&x1=5', 'x0=-1&x1=5', 'x0=a&x1=b', 'x0=1.5&x1=9', 'x0=3000&x1=4000'];
        foreach ([...$wrong, 'x0=0&x1=99999999999999'] as $range) {
            yield $range => [self::RUN, $range];
        }
        yield 'no times' => ['run=other&source=shop', 'x0=0&x1=5'];
        yield 'several runs' => ['run=timed,other&source=shop', 'x0=0&x1=5'];
    }

    public function testOfATreeThatIsTooLargeThePathsOfTheTimelineAreThere(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'large', 'small', 'deep'], 'fn' => [0, ...array_fill(0, 20, 1), 2, 3, 3, 2],
            'depth' => [0, ...array_fill(0, 20, 1), 1, 2, 3, 1], 'ct' => array_fill(0, 25, 1),
            'self' => ['wt' => [1, ...array_fill(0, 20, 5000000), 1, 1, 1, 1]],
        ]);
        (new RunFolder(self::$runs))->save($tree->toEdges(), 'shop', 'cut', [], $tree);
        RunFiles::put(self::$runs, 'cut.shop', ['timeline' => ['node' => [23]] + self::TIMELINE]);
        putenv(TreeDocument::MOST . '=12');
        $server = new PageServer(self::ROOT, self::$runs);
        putenv(TreeDocument::MOST);
        $origins = static fn (string $more): array => json_decode(
            $server->get("api.php?get=tree&run=cut&source=shop$more")->body,
            true,
            16,
            JSON_THROW_ON_ERROR,
        )['pruned']['origin'];
        // The first eleven callees of main(), and the others together.
        self::assertSame([0, 12, -1, 1], $origins(''));
        self::assertSame([0, 9, -1, 1, 21, 3], $origins('&timeline=1'));
        RunFiles::put(self::$runs, 'cut.shop', ['timeline' => ['t' => [1]]]);
        self::assertSame(500, $server->get('api.php?get=tree&run=cut&source=shop&timeline=1')->status);
    }

    public function testTheApiHasNoTimelineOfOtherRuns(): void
    {
        self::assertSame(404, self::$server->get('api.php?get=timeline&run=other&source=shop')->status);
        self::assertSame(404, self::$server->get('api.php?get=timeline&run=none&source=shop')->status);
        self::assertSame(400, self::$server->get('api.php?get=timeline&run=timed,other&source=shop')->status);
    }

    public function testOperationsArePassedOnWhereThereAreAny(): void
    {
        $url = 'api.php?get=operations&' . self::RUN;
        $columns = 'api.php?get=columns&documents=timeline,operations&' . self::RUN;
        $sent = static fn (): RunFile => RunFile::fromBytes(self::$server->get($columns)->body, 'answer');
        self::assertSame(['timeline'], $sent()->documents());
        self::assertSame(404, self::$server->get($url)->status);
        OperationsRun::save(new RunFolder(self::$runs), RunId::fromStrings('timed', 'shop'), [['sql', 'SELECT 1', 1, 1, 5, 5, 1]]);
        $operations = RunFiles::document(self::$runs, 'timed.shop', 'operations') ?? [];
        self::assertSame($operations, $sent()->document('operations'));
        $answer = self::$server->get($url);
        self::assertEquals(['v' => 1, 'kind' => 'operations'] + $operations, json_decode($answer->body, true));
        self::assertSame(404, self::$server->get('api.php?get=operations&run=none&source=shop')->status);
        self::assertSame(400, self::$server->get('api.php?get=operations&run=timed,other&source=shop')->status);
    }

    public function testExportsHaveTheTrueTimes(): void
    {
        $trace = self::$server->get('api.php?get=export&format=chrome&' . self::RUN)->body;
        self::assertStringContainsString('"name":"work","ts":1}', $trace);
        self::assertStringContainsString('"name":"work","ts":2001}', $trace);
        $damaged = ['duration' => 1, 't' => [2, 1], 'd' => [1, 1], 'node' => [1, 1]] + self::TIMELINE;
        RunFiles::put(self::$runs, 'timed.shop', ['timeline' => $damaged]);
        self::assertSame(500, self::$server->get('api.php?get=export&format=chrome&' . self::RUN)->status);
        self::open('index.php?' . self::RUN);
        RunFiles::put(self::$runs, 'timed.shop', ['timeline' => self::TIMELINE]);
    }

    /** A finding is lit in the timeline and in the flame graph; its state is in the address, which the tabs keep. */
    public function testAFindingIsLitInThePictures(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', "list\xff", 'PDOStatement::execute', 'other'],
            'fn' => [0, 1, 2, 3, 2], 'depth' => [0, 1, 2, 1, 2], 'ct' => [1, 1, 150, 1, 3],
            'self' => ['wt' => [1000000, 2000000, 150000, 0, 3000]],
        ]);
        (new RunFolder(self::$runs))->save($tree->toEdges(), 'shop', 'lit', [], $tree);
        RunFiles::put(self::$runs, 'lit.shop', ['timeline' => self::TIMELINE]);
        $page = self::open('index.php?run=lit&source=shop');
        $item = '//section[@aria-labelledby="findings"]//li[contains(., "150 queries")]';
        $urls = $page->attributes("$item//span[@class='lit-in']/a", 'href');
        self::assertSame(['timeline', 'flame graph'], $page->texts("$item//span[@class='lit-in']/a"));
        self::assertSame([$urls[0]], $page->attributes("$item/a[strong]", 'href'), 'the finding itself leads to the first one');
        foreach (['timeline', 'flame'] as $at => $view) {
            self::assertStringContainsString("view=$view&lit=n-plus-one-", $urls[$at]);
            $picture = self::open($urls[$at]);
            $lit = json_decode($picture->attributes("//div[@data-view='$view']", 'data-lit')[0], true);
            self::assertSame(['PDOStatement::execute'], $lit['functions']);
            self::assertSame('list\xFF', $lit['below'], 'as the scripts have the name');
            self::assertStringContainsString('&lit=' . $lit['id'] . '&', $urls[$at]);
            self::assertStringStartsWith('150 queries', $picture->text('//p[contains(@class, "lit-note")]'));
            [, $other, $off] = $picture->attributes('//p[contains(@class, "lit-note")]/a', 'href');
            self::assertStringContainsString($at === 0 ? 'view=flame' : 'view=timeline', $other);
            self::assertStringContainsString($lit['id'], $other);
            self::assertStringNotContainsString('lit=', $off);
            foreach ($picture->attributes('//nav[contains(@class, "tabs")]/a', 'href') as $tab) {
                self::assertStringContainsString('lit=' . $lit['id'], $tab);
            }
            self::assertSame([], self::open($off)->texts('//p[contains(@class, "lit-note")]'));
            // A range of the time shows the whole run's finding.
            $part = self::open($urls[$at] . '&x0=10&x1=20');
            self::assertStringContainsString('150 queries', $part->text('//p[contains(@class, "lit-note")]'));
        }
    }

    public function testAFindingThatARunHasNotIsSaid(): void
    {
        foreach (['n-plus-one-00000000', '<script>'] as $id) {
            $page = self::open('index.php?' . self::RUN . '&view=timeline&lit=' . rawurlencode($id));
            $note = $page->text('//p[contains(@class, "lit-note")]');
            self::assertStringStartsWith('The finding that the address names is not one of this run.', $note);
            self::assertSame([''], $page->attributes('//div[@data-view]', 'data-lit'));
            foreach ($page->attributes('//nav[contains(@class, "tabs")]/a', 'href') as $tab) {
                self::assertSame($id[0] === 'n', str_contains($tab, 'lit='));
            }
        }
        $mean = self::open('index.php?run=timed,other&source=shop&view=flame&lit=n-plus-one-00000000');
        self::assertStringContainsString('the mean of several has none', $mean->text('//p[contains(@class, "lit-note")]'));
    }
}
