<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\BadRuns;
use XHProf\Tests\Lib\Support\Exchange;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/BadRuns.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/../lib/Support/Runs.php';
require_once __DIR__ . '/../lib/Support/Exchange.php';

/** The pages of a folder with every kind of damage, and one good run. */
final class BadFolderTest extends PagesTestCase
{
    private const SECRET = 'root:SECRET-HASH-OF-ROOT';

    /** @var list<string> */
    private static array $bad;

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        $edges = ['main()' => ['ct' => 1, 'wt' => 5000], 'main()==>f' => ['ct' => 1, 'wt' => 3000]];
        foreach (['good', 'fine'] as $id) {
            (new RunFolder(self::$runs))->save($edges, 'bad', $id, ['url' => "/$id", 'method' => 'GET', 'route' => '/good']);
        }
        self::$bad = BadRuns::into(self::$runs);
        self::$server = new PageServer(self::ROOT, self::$runs);
    }

    public function testEveryListShowsTheGoodRuns(): void
    {
        $lists = ['index.php', 'index.php?only=bad', 'index.php?view=requests', 'index.php?q=good', 'index.php?sort=wt',
            'index.php?view=trend&url=/good&source=bad', 'index.php?view=heap'];
        foreach ($lists as $path) {
            self::open($path);
        }
        self::assertStringContainsString('/good', self::open('index.php?q=good')->body);
        self::assertStringContainsString('?run=good', self::open('index.php?view=requests')->body);
        $answer = json_decode(self::$server->get('api.php?get=runs')->body, true, 64, JSON_THROW_ON_ERROR);
        self::assertSame(count(self::$bad) + 2, $answer['total']);
        self::open('index.php?run=good&source=bad');
        self::open('index.php?run=good,fine&source=bad');
        self::open('index.php?run1=good&run2=fine&source=bad');
    }

    public function testABadRunHasPagesOrASentence(): void
    {
        $views = ['&view=flame', '&view=memory', '&view=timeline', '&view=export', '&view=graph', '&symbol=f'];
        foreach (self::$bad as $i => $id) {
            foreach ([$i % 2 === 0 ? '' : '&view=label', $views[$i % 6]] as $view) {
                $page = self::$server->get("index.php?run=$id&source=bad$view");
                self::assertContains($page->status, [200, 404, 500], $id . $view);
                self::assertSound($page, $id . $view);
                self::assertStringNotContainsString('This page failed', $page->body, $id . $view);
            }
            if ($i % 8 !== 0) {
                continue;
            }
            $trend = self::$server->get("index.php?view=trend&runs=good,$id,fine&source=bad");
            self::assertContains($trend->status, [200, 400], $id);
            self::assertStringNotContainsString('This page failed', $trend->body, $id);
        }
    }

    /** @return array<string, array{string}> */
    public static function exchanged(): array
    {
        return ['a link' => ['link'], 'a second name' => ['hard'], 'a pipe' => ['pipe']];
    }

    /**
     * A user who may write into the folder swaps names while the pages read: no other file is ever sent.
     * tests/lib/OpenFileTest.php reads thousands of times; here each way to a file is shown to be that one.
     */
    #[DataProvider('exchanged')]
    public function testNamesThatAreExchangedMeanwhileLeadNowhere(string $kind): void
    {
        $secret = self::$runs . "/../xhprof-secret-$kind-" . getmypid();
        file_put_contents($secret, self::SECRET);
        $folder = self::folder();
        RunFiles::write($folder, 'a.b', [
            'meta' => ['v' => 1],
            'tree' => ['v' => 1, 'names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [1], 'self' => ['wt' => [1]]],
        ]);
        RunFiles::classic($folder, 'c.b', ['main()' => ['ct' => 1, 'wt' => 1]]);
        $names = [RunFiles::file('a.b'), RunFiles::classicFile('c.b'), 'h.heap.jsonl'];
        file_put_contents("$folder/h.heap.jsonl", '{"xhprof_heap":1}' . "\n");
        $server = new PageServer(self::ROOT, $folder);
        $exchanges = [];
        foreach ($names as $i => $name) {
            match ($kind) {
                'link' => symlink($secret, "$folder/other$i"),
                'hard' => link($secret, "$folder/other$i"),
                default => posix_mkfifo("$folder/other$i", 0600),
            };
        }
        foreach ($names as $i => $name) {
            $exchange = new Exchange("$folder/$name", "$folder/other$i");
            $run = $name === RunFiles::classicFile('c.b') ? 'run=c&source=b' : 'run=a&source=b';
            for ($request = 0; $request < 8; $request++) {
                $paths = ["api.php?get=tree&$run", "index.php?$run", 'index.php?view=heap&heap=h', "index.php?view=label&$run"];
                $path = $paths[$request % 4];
                $page = $server->get($path);
                self::assertContains($page->status, [200, 404, 500], $path);
                self::assertStringNotContainsString('SECRET', $page->body, $path);
            }
            self::assertGreaterThan(0, $exchange->end());
        }
        unset($server);
        unlink($secret);
        self::remove($folder);
    }

    public function testZAllBadRunsCanBeDeletedByTheForm(): void
    {
        $token = str_repeat('ab', 32);
        foreach (array_chunk(self::$bad, 40) as $some) {
            $fields = ['csrf' => $token, 'do' => 'delete', 'sure' => '1', 'pinned_too' => '1', 'back' => '',
                'pick' => array_map(static fn (string $id): string => "$id.bad", $some)];
            $answer = self::$server->post('index.php', http_build_query($fields), ["Cookie: xhprof_csrf=$token"]);
            self::assertSame(303, $answer->status, substr($answer->body, 0, 300));
        }
        self::assertSame([], glob(self::$runs . '/bad*'));
        self::assertStringContainsString('/good', self::open('index.php')->body);
    }
}
