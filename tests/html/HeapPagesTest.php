<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\Web\HeapPage;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Templates;

require_once __DIR__ . '/HeapTestCase.php';

/** index.php?view=heap&heap=…: the figures are the library's; all contents of a snapshot are shown as text. */
final class HeapPagesTest extends HeapTestCase
{
    private const AFTER = self::LIST . '&heap=' . HeapFixtures::AFTER;
    private const HOSTILE = self::LIST . '&heap=' . HeapFixtures::HOSTILE;

    private static function index(string $name): HeapIndex
    {
        return HeapIndex::open(self::$runs . "/$name.heap.jsonl");
    }

    /** @return list<list<int>> exact figures of a table's rows, from left to right */
    private static function figuresOf(Page $page, string $table): array
    {
        $rows = [];
        foreach ($page->find("$table/tbody/tr") as $row) {
            $figures = [];
            foreach ($page->find('td[contains(@class, "num")]', $row) as $cell) {
                $text = $cell->getAttribute('title') ?: $cell->textContent;
                $figures[] = (int) preg_replace('/,.*|[^0-9]/u', '', $text);
            }
            $rows[] = $figures;
        }

        return $rows;
    }

    /**
     * @param array<array-key, HeapGroup> $groups
     * @return list<list<int>>
     */
    private static function expected(array $groups): array
    {
        return array_map(static fn (HeapGroup $group): array
            => [$group->count, $group->bytes, $group->retained], array_values($groups));
    }

    private static function shown(string $name): string
    {
        return trim((string) preg_replace('/\s+/u', ' ', VisibleName::text($name, 240)));
    }

    public function testTheOverview(): void
    {
        $page = self::open(self::AFTER);
        $index = self::index(HeapFixtures::AFTER);
        $summary = $index->summary();
        $widths = array_map(floatval(...), $page->attributes('//figure[@class="tiers"]/svg/rect', 'width'));
        self::assertEqualsWithDelta(100.0, array_sum($widths), 0.01);
        self::assertEqualsWithDelta(100 * $summary['native']['bytes'] / $summary['usage'], $widths[1], 0.01);
        self::assertSame(
            self::expected($index->types()),
            self::figuresOf($page, '//section[@aria-labelledby="types"]//table'),
        );
        $classes = $index->classes();
        usort($classes, static fn (HeapGroup $a, HeapGroup $b): int => $b->retained <=> $a->retained);
        self::assertSame(self::expected($classes), self::figuresOf($page, '//section[@aria-labelledby="classes"]//table'));
    }

    public function testTheTreemapIsMadeOfATable(): void
    {
        $page = self::open(self::AFTER);
        $index = self::index(HeapFixtures::AFTER);
        $table = '//table[@data-treemap-table]';
        $bytes = [];
        foreach ($page->find("$table/tbody") as $body) {
            $rows = $page->find('tr', $body);
            $type = $rows[0]->getAttribute('data-name');
            $bytes[$type] = (int) $rows[0]->getAttribute('data-bytes');
            $own = static fn (\DOMElement $row): int => (int) $row->getAttribute('data-bytes');
            $parts = array_sum(array_map($own, array_slice($rows, 1)));
            self::assertLessThanOrEqual($bytes[$type], $parts, $type);
            if (in_array($type, ['object', 'native', 'closure'], true)) {
                self::assertSame($bytes[$type], $parts, "$type consists of its parts");
            }
        }
        self::assertSame($index->summary()['usage'], array_sum($bytes));
        self::assertArrayNotHasKey('root', $bytes);
        $cache = $page->find("$table//tr[@class='part'][contains(@data-name, '->cache->entries[*]')]")[0] ?? null;
        self::assertNotNull($cache, 'strings by who holds them');
        $cached = HeapFixtures::CACHED[HeapFixtures::AFTER] * HeapFixtures::CACHED_BYTES;
        self::assertSame((string) $cached, $cache->getAttribute('data-bytes'));
    }

    public function testClassesAreSorted(): void
    {
        $classes = self::index(HeapFixtures::AFTER)->classes();
        usort($classes, static fn (HeapGroup $a, HeapGroup $b): int => $a->count <=> $b->count);
        $page = self::open(self::AFTER . '&show=classes&sort=count&dir=asc');
        self::assertSame(self::expected($classes), self::figuresOf($page, '//table'));
        self::assertSame(['ascending'], $page->attributes('//th[@aria-sort]', 'aria-sort'));
    }

    public function testClassesAreFiltered(): void
    {
        $page = self::open(self::AFTER . '&show=classes&q=entity');
        self::assertCount(3, $page->find('//table/tbody/tr'));
        self::assertStringStartsWith('3 of 10 rows match entity', $page->text('//p[@class="count"]'));
        $owners = self::open(self::AFTER . '&show=classes&of=owners');
        $names = $owners->texts('//table/tbody/tr/th/a');
        sort($names);
        self::assertSame(['PDOStatement', 'libxml2.so.2', 'stream'], $names);
        self::assertSame('No name matches.', self::open(self::AFTER . '&show=classes&q=nope')->text('//p[@class="empty"]'));
    }

    public function testTheClassPageShowsRetainersAndObjects(): void
    {
        $index = self::index(HeapFixtures::AFTER);
        $group = $index->group(HeapFixtures::ORDER);
        self::assertNotNull($group);
        $page = self::open(self::AFTER . '&class=' . rawurlencode(HeapFixtures::ORDER));
        $retainers = $index->retainers($group);
        self::assertSame(
            array_map(static fn (array $retainer): string => self::shown($retainer['text']), $retainers),
            $page->texts('//section[@aria-labelledby="holders"]//tbody/tr/th'),
        );
        $objects = '//section[@aria-labelledby="objects"]';
        $expected = array_map(static fn (HeapNode $node): string => $node->hex(), $index->members($group));
        self::assertSame($expected, $page->texts("$objects//tbody//td[last()]"));
        $last = self::open(self::AFTER . '&class=' . rawurlencode(HeapFixtures::ORDER) . '&page=99');
        self::assertStringContainsString('351–400 of 400', $last->text("$objects//nav"));
    }

    public function testTheNodePageShowsSizesAndPaths(): void
    {
        $index = self::index(HeapFixtures::AFTER);
        $group = $index->group(HeapFixtures::CACHE);
        self::assertNotNull($group);
        $node = $index->members($group)[0];
        $page = self::open(self::AFTER . '&node=' . $node->hex());
        self::assertStringStartsWith(HeapFixtures::CACHE, $page->text('//h1'));
        self::assertSame(
            [
                '->entries', 'array (260)', '->template', '"App\Template: {{ row }}" string', '->hits', '17',
                '->log', 'array (26)',
            ],
            $page->texts('//section[@aria-labelledby="references"]//tbody/tr/*[contains(@class, "text")]'),
        );
        self::assertSame(
            VisibleName::text($index->path($node)->text),
            $page->text('//p[@class="heap-expression"]'),
        );
        self::assertCount(count($index->path($node)->steps), $page->find('//details[@class="steps"]//li'));
        self::assertCount(2, $page->find('//section[@aria-labelledby="referrers"]//tbody/tr'));
        self::assertCount($node->dominated, $page->find('//section[@aria-labelledby="dominated"]//tbody/tr'));
        self::assertStringContainsString('OrderWorker', $page->text('//section[@aria-labelledby="dominators"]//li'));
        $allocation = $page->text('//section[@aria-labelledby="allocation"]//div');
        self::assertStringStartsWith('App\Worker\OrderWorker::consume', $allocation);
        $string = $index->references($node)[1]->node;
        self::assertNotNull($string);
        $page = self::open(self::AFTER . '&node=' . $string->hex());
        self::assertSame('App\Template: {{ row }}', $page->text('//pre'));
    }

    public function testTheRetainedTree(): void
    {
        $index = self::index(HeapFixtures::AFTER);
        $page = self::open(self::AFTER . '&show=tree');
        $lines = $page->find('//ul[@data-tree]/li');
        $top = $index->dominated(null);
        self::assertCount(count($top), $lines);
        $link = $page->attributes('//ul[@data-tree]//details[@data-children]', 'data-children')[0];
        $inner = self::open($link);
        self::assertNotSame([], $inner->find('//ul[@data-tree]/li'));
        self::assertNotSame([], $inner->find('//p[@class="heap-above"]/a'));
    }

    public function testASearchFindsStringsAndAddresses(): void
    {
        $page = self::open(self::AFTER . '&show=largest&q=' . urlencode('<html><body>page 1'));
        $found = $page->texts('//section[@aria-labelledby="found"]//tbody/tr/th');
        self::assertNotSame([], $found);
        foreach ($found as $title) {
            self::assertStringStartsWith('"<html><body>page 1', $title);
        }
        self::assertSame([], $page->find('//section[@aria-labelledby="strings"]'));
        $none = self::open(self::AFTER . '&show=largest&q=no+such+text');
        self::assertStringStartsWith('No string has it', $none->text('//section[@aria-labelledby="found"]//p'));
        $address = self::index(HeapFixtures::AFTER)->largest('string', 1)[0]->hex();
        $answer = self::$server->get(self::AFTER . '&show=largest&q=' . strtoupper(substr($address, 2)));
        self::assertSame(200, $answer->status, 'without 0x it is a text');
        $answer = self::$server->get(self::AFTER . "&show=largest&q=$address");
        self::assertSame([302, self::AFTER . "&node=$address"], [$answer->status, $answer->headers['location'] ?? '']);
    }

    public function testTheTreemapsDataAreTheLargestPartsOfTheDominatorTree(): void
    {
        $index = self::index(HeapFixtures::AFTER);
        $data = self::json(self::AFTER . '&show=map');
        self::assertSame($index->summary()['usage'], $data['usage']);
        self::assertSame([], $data['above']);
        $nodes = 0;
        $objects = 0;
        $check = static function (array $branch) use (&$check, &$nodes, &$objects, $index): void {
            $node = $index->node((int) hexdec($branch['at']));
            self::assertSame([$node?->retained, $node?->block, $node?->dominated], [
                $branch['retained'], $branch['own'], $branch['count'],
            ]);
            self::assertSame($branch['count'], count($branch['children']) + $branch['more']);
            $sum = array_sum(array_column($branch['children'], 'retained'));
            self::assertSame($branch['retained'], $branch['own'] + $sum + $branch['moreBytes'], $branch['name']);
            $nodes++;
            // What is not listed has the colour of its own kind, whatever holds it.
            $isOfObjects = str_contains($branch['kinds'][0] ?? '', '\\');
            self::assertSame($isOfObjects, $branch['moreFamily'] === 'objects', $branch['name']);
            $objects += $isOfObjects && $branch['family'] === 'data' ? 1 : 0;
            self::assertDoesNotMatchRegularExpression('/_table|_frames|_variables/', $branch['name']);
            array_map($check, $branch['children']);
        };
        array_map($check, $data['top']['children']);
        self::assertGreaterThan(0, $objects, 'an array of objects');
        self::assertGreaterThan(20, $nodes);
        self::assertLessThanOrEqual(300, $nodes);
        [$worker] = $data['top']['children'];
        [$cache] = $worker['children'];
        self::assertSame(['App\Worker\OrderWorker', '->cache', 'App\Cache\MemoryCache'], [
            $worker['name'], $cache['by'], $cache['name'],
        ]);
        $inner = self::json(self::AFTER . "&show=map&node={$cache['at']}");
        self::assertSame([$cache['at'], $cache['retained'], $cache['name']], [
            $inner['top']['at'], $inner['top']['retained'], $inner['top']['name'],
        ]);
        self::assertSame([['at' => $worker['at'], 'name' => $worker['name']]], $inner['above']);
        self::open(self::AFTER . '&show=map&node=0x123', 404);
        self::open(self::AFTER . '&show=map&node=x', 400);
        self::assertNotSame([], self::json(self::HOSTILE . '&show=map')['top']['children'], 'any bytes make JSON');
    }

    /** @return array<string, mixed> */
    private static function json(string $path): array
    {
        $page = self::$server->get($path);
        self::assertSame([200, 'application/json'], [$page->status, $page->headers['content-type'] ?? ''], $page->body);
        $data = json_decode($page->body, true, 64, JSON_THROW_ON_ERROR);

        return is_array($data) ? $data : self::fail();
    }

    public function testDuplicateStringsAndWhatHoldsThem(): void
    {
        $fixture = new HeapFixture();
        $list = $fixture->add('array', '', 56, 56, ['n' => 60]);
        $fixture->refer($fixture->root('global_variables'), '<list>', $list);
        for ($i = 0; $i < 60; $i++) {
            $more = ['n' => 24, 'h' => str_repeat('ab', 8), 'v' => '<b>twenty-four bytes</b>'];
            $fixture->refer($list, $i, $last = $fixture->add('string', '', 48, 64, $more));
        }
        file_put_contents(self::$runs . '/equal.heap.jsonl', $fixture->text());
        $page = self::open('index.php?view=heap&heap=equal&show=strings');
        self::assertSame(['"<b>twenty-four bytes</b>"'], $page->texts('//table//th/a'));
        self::assertSame(['60', '64 B', '3.69 KB96.9 %'], $page->texts('//table/tbody//td'));
        $group = self::open($page->attributes('//table//th/a', 'href')[0]);
        self::assertSame(["\$GLOBALS['<list>'][*]"], $group->texts('//section[@aria-labelledby="holders"]//th[@scope="row"]'));
        self::assertCount(50, $group->find('//section[@aria-labelledby="objects"]//tbody/tr'));
        self::assertStringContainsString('<b>twenty-four', $group->text('//pre'));
        $node = self::open(sprintf('index.php?view=heap&heap=equal&node=0x%x', $last));
        self::assertContains('59 other strings with this content', $node->texts('//p[@class="count"]/a'));
        self::open(sprintf('index.php?view=heap&heap=equal&show=strings&node=0x%x', $list), 404);
        $old = self::open(self::AFTER . '&show=strings');
        self::assertStringContainsString('Take a new one', $old->text('//p[@class="note"]'));
    }

    public function testCandidatesBelowOneListAreItsParts(): void
    {
        $fixture = new HeapFixture();
        $listeners = $fixture->add('array', '', 56, 56, ['n' => 25]);
        $fixture->refer($fixture->root('global_variables'), '<list>', $listeners);
        for ($i = 0; $i < 25; $i++) {
            $rows = $fixture->add('array', '', 56, 56, ['n' => 50]);
            $fixture->refer($listeners, $i, $rows);
            for ($row = 0; $row < 50 + $i; $row++) {
                $fixture->refer($rows, $row, $fixture->add('string', '', 400));
            }
        }
        file_put_contents(self::$runs . '/parts.heap.jsonl', $fixture->text());
        $page = self::open('index.php?view=heap&heap=parts&show=leaks');
        self::assertCount(1, $page->find('//section[@aria-labelledby="accumulates"]//tbody/tr'));
        $parts = $page->texts('//section[@aria-labelledby="accumulates"]//details//li');
        self::assertCount(21, $parts);
        self::assertSame(['...[24] 29.0 KB in 74 × string', '5 more'], [$parts[0], $parts[20]]);
        self::assertSame('25 parts', $page->text('//section[@aria-labelledby="accumulates"]//summary'));
    }

    public function testTheComparisonListsClassesByGrowth(): void
    {
        $more = HeapFixtures::CACHED[HeapFixtures::AFTER] - HeapFixtures::CACHED[HeapFixtures::BEFORE];
        $page = self::open(self::DIFF . '&by=type');
        $rows = [];
        foreach ($page->find('//table/tbody/tr') as $row) {
            $cells = $page->texts('td[contains(@class, "delta")]', $row);
            $rows[$page->texts('th/a', $row)[0]] = $cells;
        }
        self::assertStringContainsString("▲+$more", $rows['string'][0] ?? '');
        self::assertStringContainsString('▲+' . Units::bytes($more * HeapFixtures::CACHED_BYTES), $rows['string'][1] ?? '');
        self::assertArrayNotHasKey('opcodes', $rows, 'what is the same is left out');
        self::assertArrayHasKey('opcodes', $this->namesOf(self::open(self::DIFF . '&by=type&changed=0')));
        $classes = $this->namesOf(self::open(self::DIFF));
        self::assertArrayHasKey(HeapFixtures::CACHE, $classes, 'its retained bytes have changed');
        $swapped = self::open($page->attributes('//a[@class="swap"]', 'href')[0] . '&by=type');
        $less = '//table/tbody/tr[th/a = "string"]/td[contains(@class, "delta")]';
        self::assertStringContainsString("▼-$more", $swapped->text($less));
        $two = self::open(self::LIST . '&heap1=' . HeapFixtures::HOSTILE . '&heap2=' . HeapFixtures::AFTER);
        self::assertStringContainsString('different or unknown processes', $two->text('//p[@class="note"]'));
    }

    public function testWhichObjectsAreNew(): void
    {
        $page = self::open(self::DIFF);
        $row = '//table/tbody/tr[th/a = "App\Event\PageCached"]';
        self::assertSame(['20', '0'], $page->texts("$row/td[position() > last() - 2]"));
        $list = self::open($page->attributes("$row/td//a", 'href')[0]);
        $link = $list->attributes('//table/tbody/tr/th/a', 'href')[0];
        self::assertStringStartsWith(self::AFTER . '&node=0x7f3ac', $link, 'in the later snapshot');
        $none = self::open(self::DIFF . '&class=' . rawurlencode(HeapFixtures::ORDER));
        self::assertSame('No object of this class is new.', $none->text('//p[@class="empty"]'));
    }

    /** @return array<string, true> */
    private function namesOf(Page $page): array
    {
        return array_fill_keys($page->texts('//table/tbody/tr/th/a'), true);
    }

    /** @return array<string, array{string, int, string}> */
    public static function wrongUrls(): array
    {
        $after = self::AFTER;

        return [
            'unknown' => [self::LIST . '&heap=nope', 404, 'There is no heap snapshot nope.'],
            'traversal' => [self::LIST . '&heap=../../etc/passwd', 400, 'This is not a heap snapshot: the name (heap)'],
            'zero byte' => [self::LIST . '&heap=' . HeapFixtures::AFTER . '%00', 400, 'This is not a heap snapshot'],
            'hidden' => [self::LIST . '&heap=.hidden', 400, 'This is not a heap snapshot'],
            'array' => [self::LIST . '&heap[]=a', 400, 'The parameter "heap" must be given once, as text.'],
            'garbage' => [self::LIST . '&heap=garbage', 500, 'cannot be read: this is not a heap snapshot.'],
            'empty' => [self::LIST . '&heap=empty', 500, 'cannot be read: the file is empty.'],
            'newer' => [self::LIST . '&heap=newer-format', 500, 'has a newer format'],
            'no class' => ["$after&class=Nope%5CNope", 404, 'This snapshot has no object of a class Nope\Nope.'],
            'no owner' => ["$after&owner=nope", 404, 'This snapshot has no native memory of nope.'],
            'no type' => ["$after&type=nope", 404, 'This snapshot has nothing of the type nope.'],
            'no hash' => ["$after&class_hash=nope", 404, 'There is no name with this hash'],
            'no address' => ["$after&node=12", 400, 'This is not an address'],
            'nothing there' => ["$after&node=0x7fffffff", 404, 'There is nothing at 0x7fffffff'],
            'half a comparison' => [self::LIST . '&heap1=' . HeapFixtures::AFTER, 400, 'A comparison needs two heap snapshots'],
            'with a run' => [self::LIST . '&heap1=a&heap2=..', 404, 'There is no heap snapshot a.'],
        ];
    }

    #[DataProvider('wrongUrls')]
    public function testAWrongUrlIsExplained(string $url, int $status, string $sentence): void
    {
        self::assertStringContainsString($sentence, self::open($url, $status)->text('//p[@class="empty"]'));
    }

    public function testEveryNameIsTextAndItsLinkOpensItsPage(): void
    {
        $classes = self::open(self::HOSTILE . '&show=classes');
        self::assertSame([], $classes->find('//img | //b | //u | //i | //s'));
        $links = $classes->attributes('//table/tbody/tr/th/a', 'href');
        self::assertCount(count(Fixtures::HOSTILE_NAMES) + 1, $links);
        foreach ($links as $i => $link) {
            $page = self::open($link);
            self::assertSame([], $page->find('//img | //b | //u | //i | //s'));
            $object = $page->attributes('//section[@aria-labelledby="objects"]//tbody/tr/th/a', 'href')[0];
            self::assertSame([], self::open($object)->find('//img | //b | //u | //i | //s'), "$i");
        }
        $dump = (string) file_get_contents(self::$runs . '/' . HeapFixtures::HOSTILE . '.heap.jsonl');
        self::assertStringContainsString('onerror=alert(2)', $dump);
    }

    public function testEveryPageThatALinkLeadsToIsSound(): void
    {
        foreach ([self::AFTER, self::HOSTILE, self::DIFF] as $start) {
            $todo = [$start];
            $seen = [$start => true];
            for ($opened = 0; $opened < 40 && $todo !== []; $opened++) {
                $page = self::open((string) array_shift($todo));
                $links = $page->attributes('//main//a[@href]', 'href');
                // The first row of a table, and the last, which is the most unusual.
                foreach ([...array_slice($links, 0, 25), ...array_slice($links, -8)] as $link) {
                    $link = explode('#', $link)[0];
                    if (str_starts_with($link, 'api.php?get=export')) {
                        continue; // a file to save, no page
                    }
                    if ($link !== '' && !isset($seen[$link])) {
                        $seen[$link] = true;
                        $todo[] = $link;
                    }
                }
            }
            self::assertGreaterThan(10, $opened);
        }
    }

    public function testALargeSnapshotIsReadAfterAPageThatSaysSo(): void
    {
        $lines = explode("\n", trim(HeapFixtures::worker(1, 1763600000)), 2);
        $text = str_repeat('x', 4000);
        $filler = str_repeat("{\"a\":9000000000000000,\"t\":\"string\",\"s\":40,\"b\":0,\"v\":\"$text\"}\n", 3300);
        $distinct = (string) preg_replace_callback('/9000000000000000/', static function (): string {
            static $next = 9000000000000000;

            return (string) $next++;
        }, $filler);
        $file = self::$runs . '/large.heap.jsonl';
        file_put_contents($file, "$lines[0]\n$distinct$lines[1]\n");
        try {
            $page = self::open(self::LIST . '&heap=large&show=tree');
            self::assertSame('Reading the snapshot', $page->text('//h1'));
            // The page's script sends its form; no URL that another site can link to starts that work.
            $form = '//form[@data-send][@method="post"][@action="index.php?view=heap"]';
            $fields = array_combine($page->attributes("$form//input", 'name'), $page->attributes("$form//input", 'value'));
            self::assertSame(['csrf', 'do', 'back'], array_keys($fields));
            $same = self::open(self::LIST . '&heap=large&show=tree&build=1');
            self::assertSame('Reading the snapshot', $same->text('//h1'));
            self::assertSame(403, self::$server->get('index.php?view=heap', 'POST')->status);
            // Longer than a page may take.
            $late = (new HeapPage(new RunOpener(new RunFolder(self::$runs)), new Templates(self::ROOT)))->within(0.0)
                ->respond(new Request('POST', [], post: ['do' => 'build', 'back' => 'view=heap&heap=large']));
            self::assertSame(503, $late->status);
            $refused = new Page(['HTTP/1.1 503'], $late->body);
            self::assertSame('bin/xhprof heap summary large.heap.jsonl', $refused->text('//pre'));
            self::assertSame([], $refused->find('//form[@data-send]'));
            $cookie = 'Cookie: ' . explode(';', $page->headers['set-cookie'])[0];
            $sent = self::$server->post('index.php?view=heap', http_build_query($fields), [$cookie]);
            self::assertSame([303, 'index.php?view=heap&heap=large&show=tree'], [$sent->status, $sent->headers['location'] ?? '']);
            self::assertSame('Retained tree', self::open($sent->headers['location'])->text('//nav/a[@aria-current]'));
            self::assertSame([], self::open(self::LIST . '&heap=large')->find('//form[@data-send]'), 'the index is there now');
        } finally {
            HeapIndex::discard($file);
            unlink($file);
        }
    }
}
