<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\App\Site;
use XHProf\Heap\Snapshots;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Web\Http\Request;

require_once __DIR__ . '/HeapTestCase.php';

/** index.php?view=heap: the list of snapshots, its links, and their deletion. */
final class HeapListTest extends HeapTestCase
{
    public function testTheListIsLinkedWhereThereIsASnapshot(): void
    {
        foreach (['index.php', 'index.php?view=requests', self::LIST] as $path) {
            $link = '//nav[@aria-label="Lists"]/a[. = "Heap"]';
            self::assertSame([self::LIST], self::open($path)->attributes($link, 'href'), $path);
        }
        $folder = self::folder();
        try {
            $app = new Site(self::ROOT, new RunFolder($folder));
            $list = new Page(['HTTP/1.1 200 OK'], $app->index(new Request('GET', ['view' => 'requests']))->body);
            self::assertSame([], $list->find('//nav[@aria-label="Lists"]/a[. = "Heap"]'));
            $empty = new Page(['HTTP/1.1 200 OK'], $app->index(new Request('GET', ['view' => 'heap']))->body);
            self::assertSame('No heap snapshots yet', $empty->text('//h2'));
            $ways = implode("\n", $empty->texts('//pre'));
            foreach (['xhprof_heap_snapshot(', 'xhprof-inspect memory', 'xhprof.heap_on_limit=', 'xhprof.heap_if='] as $way) {
                self::assertStringContainsString($way, $ways);
            }
        } finally {
            self::remove($folder);
        }
    }

    public function testASnapshotOfAConditionIsNamedByItsRouteAndSaysWhyItWasTaken(): void
    {
        $folder = self::folder();
        try {
            $header = [
                'xhprof_heap' => 1, 'php' => '8.2.36', 'pid' => 7, 'command' => 'php worker.php', 'method' => 'GET',
                'url' => '/cart/7', 'route' => 'GET /cart/{id}', 'taken_if' => 'peak=256M',
                'reached' => 268_500_000, 'reader' => 'inside', 'stopped' => true,
            ];
            $lines = json_encode($header) . "\n" . '{"end":true,"summary":{"nodes":0,"edges":0,"usage":0}}' . "\n";
            file_put_contents("$folder/heap_if-GET_cart_id-7-1.heap.jsonl", $lines);
            $site = new Site(self::ROOT, new RunFolder($folder));
            $list = new Page(['HTTP/1.1 200 OK'], $site->index(new Request('GET', ['view' => 'heap', 'q' => 'peak=256']))->body);
            self::assertSame(['GET /cart/{id}'], $list->texts('//table//tbody//a'));
            self::assertStringContainsString('peak=256M, at 256 MB', $list->text('//table//tbody/tr'));
            self::assertStringContainsString('Condition', $list->text('//table//thead'));
            $url = $list->attributes('//table//tbody//a', 'href')[0];
            parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
            $page = new Page(['HTTP/1.1 200 OK'], $site->index(new Request('GET', $query))->body);
            self::assertSame('GET /cart/{id}', $page->text('//h1'));
            self::assertStringContainsString('taken by the process itself: peak=256M, at 256 MB', $page->text('//p[@class="sub"]'));

            // Others have no such column.
            file_put_contents("$folder/heap_if-GET_cart_id-7-1.heap.jsonl", str_replace('taken_if', 'other', $lines));
            $list = new Page(['HTTP/1.1 200 OK'], $site->index(new Request('GET', ['view' => 'heap']))->body);
            self::assertStringNotContainsString('Condition', $list->text('//table//thead'));
            self::assertSame(['php worker.php'], $list->texts('//table//tbody//a'));
        } finally {
            self::remove($folder);
        }
    }

    public function testAFolderOfSnapshotsAloneLeadsToThem(): void
    {
        $folder = self::folder();
        $links = static fn (): array => (new Page(
            ['HTTP/1.1 200 OK'],
            (new Site(self::ROOT, new RunFolder($folder)))->index(new Request('GET', []))->body,
        ))->attributes('//nav[@aria-label="Lists"]/a[. = "Heap"]', 'href');
        try {
            // Its name is not a snapshot's.
            touch("$folder/strange name.heap.jsonl");
            self::assertSame([], $links());
            touch("$folder/worker.heap.jsonl");
            self::assertSame([self::LIST], $links());
            unlink("$folder/worker.heap.jsonl");
            self::assertSame([], $links());
        } finally {
            self::remove($folder);
        }
    }

    public function testTheListHasSnapshotsOfTheFolderOnlyAndLinksThoseThatCanBeRead(): void
    {
        symlink('/etc/passwd', self::$runs . '/elsewhere.heap.jsonl');
        try {
            $page = self::open(self::LIST);
        } finally {
            unlink(self::$runs . '/elsewhere.heap.jsonl');
        }
        $names = $page->attributes('//table//input[@type="checkbox"]', 'value');
        $usable = [HeapFixtures::AFTER, HeapFixtures::BEFORE, HeapFixtures::HOSTILE, HeapFixtures::CUT_OFF];
        self::assertSame([...$usable, HeapFixtures::GARBAGE, HeapFixtures::EMPTY_FILE, HeapFixtures::NEWER], $names);
        $link = fn (string $name): string => self::LIST . "&heap=$name";
        self::assertSame(array_map($link, $usable), $page->attributes('//table//th[@scope="row"]/a', 'href'));
        self::assertStringNotContainsString('.hidden', $page->body);
        self::assertStringNotContainsString('strange', $page->body);
    }

    public function testAWebRequestIsCalledByMethodAndUrl(): void
    {
        $file = self::$runs . '/web.heap.jsonl';
        $header = ['command' => '', 'method' => 'GET', 'url' => '/orders?<i>=1'];
        file_put_contents($file, (new HeapFixture($header))->text());
        try {
            self::assertSame(['GET /orders?<i>=1'], self::open(self::LIST)->texts('//table//th/a[contains(@href, "heap=web")]'));
            self::assertSame('GET /orders?<i>=1', self::open(self::LIST . '&heap=web')->text('//h1'));
        } finally {
            unlink($file);
        }
    }

    public function testTwoPickedAreComparedTheOlderFirst(): void
    {
        $pick = self::LIST . '&pick[]=' . HeapFixtures::AFTER . '&pick[]=' . HeapFixtures::BEFORE;
        $answer = self::$server->get($pick);
        self::assertSame([302, self::DIFF], [$answer->status, $answer->headers['location'] ?? '']);
        self::open(self::LIST . '&pick[]=' . HeapFixtures::AFTER, 400);
        $answer = self::send(['do' => 'compare', 'pick' => [HeapFixtures::AFTER, HeapFixtures::BEFORE]]);
        self::assertSame([302, self::DIFF], [$answer->status, $answer->headers['location'] ?? '']);
        self::assertSame(400, self::send(['do' => 'compare', 'pick' => [HeapFixtures::AFTER]])->status);
    }

    /** @return list<string> of the files that a deletion may touch */
    private static function files(): array
    {
        return array_map(basename(...), glob(self::$runs . '/*') ?: []);
    }

    /**
     * Sends the fields like the list's own form.
     *
     * @param array<string, mixed> $fields
     */
    private static function send(array $fields, string $cookie = 'xhprof_csrf'): Page
    {
        $token = str_repeat('0123456789abcdef', 4);

        return self::$server->post(self::LIST, http_build_query($fields + ['csrf' => $token]), ["Cookie: $cookie=$token"]);
    }

    public function testSnapshotsAreDeletedWhenOneIsSure(): void
    {
        $whole = HeapFixtures::worker(5, 1763600000);
        file_put_contents(self::$runs . '/doomed.heap.jsonl', $whole);
        file_put_contents(self::$runs . '/doomed.heap.jsonl.bak', $whole);
        symlink('/etc/hostname', self::$runs . '/away.heap.jsonl');
        try {
            self::open(self::LIST . '&heap=doomed');
            $indexes = count(glob(self::$cache . '/xhprof/*.heap-index') ?: []);
            $before = self::files();
            $fields = ['do' => 'delete', 'pick' => ['doomed', HeapFixtures::GARBAGE, 'away', 'nobody'], 'back' => '2'];
            $asked = self::send($fields);
            self::assertSound($asked, 'the page that asks');
            self::assertSame([200, 'Delete these 2 heap snapshots?'], [$asked->status, $asked->text('//h1')]);
            self::assertSame(['doomed', HeapFixtures::GARBAGE], $asked->attributes('//input[@name="pick[]"]', 'value'));
            self::assertSame(self::LIST, $asked->attributes('//form[@class="label-form"]', 'action')[0]);
            self::assertSame([self::LIST . '&page=2'], $asked->attributes('//p[@class="buttons"]/a', 'href'));
            self::assertSame($before, self::files());
            self::assertSame(403, self::send($fields + ['sure' => '1'], 'no_such_cookie')->status);
            self::assertSame(403, self::send(['csrf' => str_repeat('0', 64), 'sure' => '1'] + $fields)->status);
            foreach (['../doomed', 'doomed.heap.jsonl/..', '.hidden', "doomed\0", 'strange name$'] as $name) {
                self::assertSame(400, self::send(['pick' => ['doomed', $name], 'sure' => '1'] + $fields)->status, $name);
            }
            self::assertSame(400, self::send(['pick' => [], 'sure' => '1'] + $fields)->status);
            self::assertSame(400, self::send(['do' => 'shred', 'sure' => '1'] + $fields)->status);
            self::assertSame($before, self::files());
            $answer = self::send(['pick' => ['doomed', 'away', 'nobody'], 'sure' => '1'] + $fields);
            self::assertSame([303, self::LIST . '&page=2'], [$answer->status, $answer->headers['location'] ?? '']);
            self::assertSame(['doomed.heap.jsonl'], array_values(array_diff($before, self::files())));
            self::assertCount($indexes - 1, glob(self::$cache . '/xhprof/*.heap-index') ?: [], 'its index too');
            self::open(self::LIST . '&heap=doomed', 404);
            $list = self::$server->get(self::LIST, 'GET', null, [
                'Cookie: xhprof_flash=removed.1.0; xhprof_csrf=' . str_repeat('0', 64),
            ]);
            self::assertSame('Deleted 1 heap snapshot.', $list->text('//p[@role="status"]'));
            self::assertStringStartsWith('xhprof_flash=;', $list->headers['set-cookie'] ?? '');
        } finally {
            array_map(static fn (string $end): bool => is_file(self::$runs . $end) && unlink(self::$runs . $end), [
                '/doomed.heap.jsonl', '/doomed.heap.jsonl.bak', '/away.heap.jsonl',
            ]);
        }
    }

    public function testAFolderThatCannotBeWrittenHasNoButtonToDelete(): void
    {
        $delete = '//button[@value="delete"]';
        self::assertCount(1, self::open(self::LIST)->find($delete));
        $folder = self::folder();
        $server = new PageServer(self::ROOT, $folder);
        file_put_contents("$folder/worker.heap.jsonl", HeapFixtures::worker(5, 1763600000));
        chmod($folder, 0555);
        // Root can write everywhere.
        self::assertCount(is_writable($folder) ? 1 : 0, $server->get(self::LIST)->find($delete));
        chmod($folder, 0755);
        self::remove($folder);
        $token = str_repeat('0123456789abcdef', 4);
        $body = http_build_query(['do' => 'delete', 'pick' => ['worker'], 'sure' => '1', 'csrf' => $token]);
        self::assertSame(403, $server->post(self::LIST, $body, ["Cookie: xhprof_csrf=$token"])->status);
    }

    public function testTheListIsFilteredAndSorted(): void
    {
        $names = static fn (string $parameters): array => array_map(
            static fn (string $href): string => (string) preg_replace('/.*[?&]heap=/', '', $href),
            self::open(self::LIST . $parameters)->attributes('//table//th[@scope="row"]/a', 'href'),
        );
        $all = $names('');
        self::assertGreaterThan(2, count($all));
        self::assertSame([HeapFixtures::AFTER], $names('&q=' . strtoupper(HeapFixtures::AFTER)));
        self::assertSame(array_reverse($all), $names('&dir=asc'));
        self::assertContains(HeapFixtures::BEFORE, $names('&q=messenger'));
        self::assertNotContains(HeapFixtures::HOSTILE, $names('&q=messenger'));
        foreach (['usage', 'peak', 'nodes', 'file', 'typed', 'fn'] as $key) {
            $sorted = $names("&sort=$key");
            self::assertEqualsCanonicalizing($all, $sorted, $key);
        }
        $snapshots = new Snapshots(new RunFolder(self::$runs));
        $usage = array_map(static fn (string $name): int => $snapshots->head($name)->number('usage') ?? 0, $names('&sort=usage'));
        $ordered = $usage;
        rsort($ordered);
        self::assertSame($ordered, $usage);
        $none = self::open(self::LIST . '&q=' . urlencode('<nothing>'));
        self::assertSame('No snapshot matches.', $none->text('//p[@class="empty"]'));
        self::assertSame([self::LIST], $none->attributes('//form[@role="search"]/a', 'href'));
        self::assertSame(['<nothing>'], $none->attributes('//input[@name="q"]', 'value'));
    }
}
