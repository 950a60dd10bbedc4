<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Profile\CallTree;
use XHProf\Store\RunId;
use XHProf\Store\RunStore;
use XHProf\Web\Api\TreeEndpoint;
use XHProf\Tests\Lib\Support\OperationsRun;

require_once __DIR__ . '/PagesTestCase.php';

/** The timeline of a run that has the times of its calls. */
final class TimelinePagesTest extends PagesTestCase
{
    private const RUN = 'run=timed&source=shop';

    private const TIMELINE = '{"v":1,"kind":"timeline","duration":3000000,"threshold":50000,'
        . '"t":[1000],"d":[2000000],"node":[1]}';

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        $tree = CallTree::fromArray([
            'names' => ['main()', 'work'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1],
            'self' => ['wt' => [1000000, 2000000]],
        ]);
        $store = new RunStore(self::$runs);
        foreach (['timed', 'other'] as $id) {
            $store->save($tree->toEdges(), 'shop', $id, [], $tree);
        }
        file_put_contents(self::$runs . '/timed.shop.timeline.json', self::TIMELINE);
    }

    public function testTheViewIsOfferedAndNamesItsData(): void
    {
        $page = self::open('index.php?' . self::RUN . '&view=timeline');
        self::assertContains('Timeline', $page->texts('//nav//a'));
        self::assertSame(['api.php?get=timeline&run=timed&source=shop'], $page->attributes('//div[@data-view]', 'data-timeline'));
        $trees = $page->attributes('//div[@data-view]', 'data-tree');
        self::assertSame(['api.php?get=tree&run=timed&source=shop&timeline=1'], $trees);
        self::assertSame([''], $page->attributes('//div[@data-view]', 'data-samples'));
        foreach (['flame', 'calltree', 'sandwich'] as $view) {
            $urls = $page->attributes('//div[@data-view]', 'data-timeline');
            $with = self::open('index.php?' . self::RUN . "&view=$view");
            self::assertSame($urls, $with->attributes('//div[@data-view]', 'data-timeline'));
            $without = self::open("index.php?run=other&source=shop&view=$view");
            self::assertSame([''], $without->attributes('//div[@data-view]', 'data-timeline'));
        }
        $other = self::open('index.php?run=other&source=shop');
        self::assertNotContains('Timeline', $other->texts('//nav//a'));
        self::assertStringContainsString(
            'run --timeline',
            self::open('index.php?run=other&source=shop&view=timeline', 404)->text('//p[@class="empty"]'),
        );
    }

    public function testOfATreeThatIsTooLargeThePathsOfTheTimelineAreThere(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'large', 'small', 'deep'], 'fn' => [0, ...array_fill(0, 20, 1), 2, 3, 3, 2],
            'depth' => [0, ...array_fill(0, 20, 1), 1, 2, 3, 1], 'ct' => array_fill(0, 25, 1),
            'self' => ['wt' => [1, ...array_fill(0, 20, 5000000), 1, 1, 1, 1]],
        ]);
        (new RunStore(self::$runs))->save($tree->toEdges(), 'shop', 'cut', [], $tree);
        file_put_contents(self::$runs . '/cut.shop.timeline.json', str_replace('"node":[1]', '"node":[23]', self::TIMELINE));
        putenv(TreeEndpoint::MOST . '=12');
        $server = new PageServer(self::ROOT, self::$runs);
        putenv(TreeEndpoint::MOST);
        $origins = static fn (string $more): array => json_decode(
            $server->get("api.php?get=tree&run=cut&source=shop$more")->body,
            true,
            16,
            JSON_THROW_ON_ERROR,
        )['pruned']['origin'];
        // The first eleven callees of main(), and the others together.
        self::assertSame([0, 12, -1, 1], $origins(''));
        self::assertSame([0, 9, -1, 1, 21, 3], $origins('&timeline=1'));
        file_put_contents(self::$runs . '/cut.shop.timeline.json', '{"v":1,"kind":"timeline","t":[1]}');
        self::assertSame(500, $server->get('api.php?get=tree&run=cut&source=shop&timeline=1')->status);
    }

    public function testTheApiPassesItOn(): void
    {
        $answer = self::$server->get('api.php?get=timeline&' . self::RUN);
        self::assertSame(200, $answer->status);
        self::assertSame(self::TIMELINE, $answer->body);
        self::assertSame(404, self::$server->get('api.php?get=timeline&run=other&source=shop')->status);
        self::assertSame(404, self::$server->get('api.php?get=timeline&run=none&source=shop')->status);
        self::assertSame(400, self::$server->get('api.php?get=timeline&run=timed,other&source=shop')->status);
    }

    public function testOperationsAreATrackWhereThereAreAny(): void
    {
        $url = 'api.php?get=operations&' . self::RUN;
        $named = static fn (): array => self::open('index.php?' . self::RUN . '&view=timeline')
            ->attributes('//div[@data-view]', 'data-operations');
        self::assertSame([''], $named());
        self::assertSame(404, self::$server->get($url)->status);
        OperationsRun::save(new RunStore(self::$runs), RunId::fromStrings('timed', 'shop'), [['sql', 'SELECT 1', 1, 1, 5, 5, 1]]);
        self::assertSame([$url], $named());
        $answer = self::$server->get($url);
        self::assertSame(file_get_contents(self::$runs . '/timed.shop.operations.json'), $answer->body);
        self::assertSame(404, self::$server->get('api.php?get=operations&run=none&source=shop')->status);
        self::assertSame(400, self::$server->get('api.php?get=operations&run=timed,other&source=shop')->status);
    }

    public function testExportsHaveTheTrueTimes(): void
    {
        $trace = self::$server->get('api.php?get=export&format=chrome&' . self::RUN)->body;
        self::assertStringContainsString('"name":"work","ts":1}', $trace);
        self::assertStringContainsString('"name":"work","ts":2001}', $trace);
        $damaged = '{"v":1,"kind":"timeline","duration":1,"t":[2,1],"d":[1,1],"node":[1,1]}';
        file_put_contents(self::$runs . '/timed.shop.timeline.json', $damaged);
        self::assertSame(500, self::$server->get('api.php?get=export&format=chrome&' . self::RUN)->status);
        self::open('index.php?' . self::RUN);
        file_put_contents(self::$runs . '/timed.shop.timeline.json', self::TIMELINE);
    }
}
