<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\App\Pages;
use XHProf\Share\AllFormats;
use XHProf\Format\VisibleName;
use XHProf\Profile\CallTree;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Http\Url;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Names and URLs made to break the pages. */
final class HostileTest extends PagesTestCase
{
    private const RUN = 'index.php?run=' . Fixtures::HOSTILE . '&source=hostile';

    public function testEveryNameIsTextAndItsLinkOpensItsPage(): void
    {
        $page = self::open(self::RUN);
        $names = [...Fixtures::hostileNames(), Fixtures::longName()];
        $links = [];
        foreach ($page->find('//table[contains(@class, "functions")]/tbody/tr/th/a') as $link) {
            $links[$page->texts('span', $link)[0]] = $link->getAttribute('href');
        }
        foreach ($names as $name) {
            $shown = self::collapsed(VisibleName::text($name, 240));
            self::assertArrayHasKey($shown, $links);
            self::assertStringStartsWith('index.php?run=' . Fixtures::HOSTILE . '&source=hostile', $links[$shown]);
            $symbol = self::open($links[$shown]);
            self::assertSame(self::collapsed(VisibleName::text($name)), $symbol->text('//h1'));
            self::assertSame(['strlen'], array_keys($symbol->figures('//section[@aria-labelledby="callees"]//table')));
        }
        self::assertSame([], $page->find('//img | //b | //u | //i'));
    }

    /** PECL's files have names of any bytes. */
    public function testBytesThatAreNoCharactersAreShownAsTextToo(): void
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 9000]];
        foreach (Fixtures::HOSTILE_NAMES as $name) {
            $edges["main()==>$name"] = ['ct' => 1, 'wt' => 40];
        }
        RunFiles::classic(self::$runs, 'bytes.hostile', $edges);
        foreach (Fixtures::HOSTILE_NAMES as $name) {
            $page = self::open('index.php?run=bytes&source=hostile&symbol=' . rawurlencode($name));
            self::assertSame(self::collapsed(VisibleName::text($name)), $page->text('//h1'));
            // A script has U+FFFD only.
            $shown = json_decode((string) json_encode($name, JSON_INVALID_UTF8_SUBSTITUTE));
            $answer = self::$server->get('api.php?get=symbol&run=bytes&source=hostile&symbol=' . rawurlencode($shown));
            self::assertSame($shown, json_decode($answer->body, true)['name'] ?? null);
        }
        RunFiles::delete(self::$runs, 'bytes.hostile');
    }

    public function testNoNameGrowsTheTable(): void
    {
        $shown = self::open(self::RUN)->texts('//table[contains(@class, "functions")]//*[@class="fn"]');
        self::assertLessThan(300, max([0, ...array_map(strlen(...), $shown)]));
        self::assertGreaterThan(9000, strlen(Fixtures::longName()));
    }

    public function testComparisonAndFormsCarryHostileNames(): void
    {
        $diff = 'index.php?run1=' . Fixtures::HOSTILE . '&run2=' . Fixtures::HOSTILE . '&source=hostile';
        self::open($diff);
        foreach (Fixtures::hostileNames() as $name) {
            $page = self::open("$diff&symbol=" . rawurlencode($name));
            self::assertSame(self::collapsed(VisibleName::text($name)), $page->text('//h1'));
            // The form of narrow screens leads to the same page.
            $page = self::open(self::RUN . '&symbol=' . rawurlencode($name));
            $fields = [];
            foreach ($page->find('//form[@class="sort-form"]//input') as $input) {
                $fields[$input->getAttribute('name')] = $input->getAttribute('value');
            }
            $again = self::open('index.php?' . http_build_query($fields + ['sort' => 'cpu']));
            self::assertSame($page->text('//h1'), $again->text('//h1'));
        }
    }

    public function testTheCallGraphsFormCarriesHostileNames(): void
    {
        foreach ([...Fixtures::hostileNames(), Fixtures::longName()] as $name) {
            $field = Url::symbolField($name, 'func');
            $page = self::open('callgraph.php?' . http_build_query(['run' => Fixtures::HOSTILE, 'source' => 'hostile'] + $field));
            $around = '//noscript//p[@class="note"]/strong';
            self::assertSame(self::collapsed(VisibleName::text($name, 240)), $page->text($around));
            $fields = ['threshold' => '0.05'];
            foreach ($page->find('//form[@data-graph-form]//input[@type="hidden"]') as $input) {
                $fields[$input->getAttribute('name')] = $input->getAttribute('value');
            }
            $again = self::open('index.php?' . http_build_query($fields));
            self::assertSame($page->text($around), $again->text($around));
        }
    }

    public function testTheQueryIsEchoedAsText(): void
    {
        $attack = '"><script>alert(1)</script>';
        foreach (['index.php?q=', self::RUN . '&q=', self::RUN . '&symbol='] as $url) {
            $page = self::$server->get($url . rawurlencode($attack));
            self::assertSound($page, $url);
            self::assertSame([], $page->find('//script[not(starts-with(@src, "assets/js/"))]'));
        }
    }

    /** @return array<string, array{string, int, string}> */
    public static function wrongUrls(): array
    {
        $run = Fixtures::BEFORE;

        return [
            'unknown run' => ['index.php?run=nosuchrun', 404, 'There is no run nosuchrun with the source xhprof.'],
            'unknown source' => ["index.php?run=$run&source=other", 404, "There is no run $run with the source other."],
            'traversal' => ['index.php?run=../../etc/passwd', 400, 'This is not a run: the run id is not 1 to 64'],
            'traversal in the source' => ["index.php?run=$run&source=../x", 400, 'This is not a run: the source'],
            'zero byte' => ["index.php?run=$run%00&source=shop", 400, 'This is not a run'],
            'one bad of two' => ["index.php?run=$run,&source=shop", 400, 'This is not a run'],
            'array' => ['index.php?run[]=a', 400, 'The parameter "run" must be given once, as text.'],
            'array as a function' => ["index.php?run=$run&source=shop&symbol[]=a", 400, 'The parameter "symbol"'],
            'unknown function' => ["index.php?run=$run&source=shop&symbol=nope", 404, 'This run has no function nope.'],
            'unknown hash' => ["index.php?run=$run&source=shop&symbol_hash=nope", 404, 'There is no function with this'],
            'half a comparison' => ["index.php?run1=$run&source=shop", 400, 'A comparison needs two runs'],
            'neither has it' => ["index.php?run1=$run&run2=$run&source=shop&symbol=nope", 404, 'Neither run has a function'],
            'bad weights' => ["index.php?run=$run,$run&wts=1,x&source=shop", 400, 'The weights (wts) must be whole numbers'],
            'too few weights' => ["index.php?run=$run,$run&wts=1&source=shop", 400, 'There must be one weight (wts)'],
            'too many runs' => ['index.php?run=a' . str_repeat(',a', 100), 400, 'A mean takes at most 100 runs.'],
            'cut off' => ['index.php?run=' . Fixtures::CUT_OFF . '&source=shop', 500, 'This run cannot be read: d000'],
            'empty file' => ['index.php?run=' . Fixtures::EMPTY_FILE . '&source=shop', 500, 'This run cannot be read: d000'],
            'path after the script' => ['index.php/foo', 404, 'There is no such page.'],
            'slash after the script' => ['index.php/', 404, 'There is no such page.'],
            'no such page' => ['foo/bar', 404, 'There is no such page.'],
            'call graph of nothing' => ['callgraph.php', 400, 'Say which run'],
            'call graph of an unknown run' => ['callgraph.php?run=nope', 404, 'There is no run nope'],
            'call graph, no function' => ["callgraph.php?run=$run&source=shop&func=nope", 404, 'This run has no function nope.'],
            'call graph, bad type' => ["callgraph.php?run=$run&source=shop&type=php", 400, 'The type of the picture is one of'],
        ];
    }

    #[DataProvider('wrongUrls')]
    public function testAWrongUrlIsExplained(string $url, int $status, string $sentence): void
    {
        self::assertStringContainsString($sentence, self::open($url, $status)->text('//p[@class="empty"]'));
    }

    /** @return iterable<string, array{string, string}> name of the file and bytes */
    public static function bombs(): iterable
    {
        foreach (self::runBombs() as $name => $bytes) {
            yield "PECL's file: $name" => [RunFiles::classicFile('bomb.bomb'), $bytes];
        }
        $tree = [
            'names' => Fixtures::HOSTILE_NAMES, 'fn' => range(0, 3), 'depth' => [0, 1, 1, 1], 'ct' => [1, 1, 1, 1],
            'self' => ['wt' => [1, 2, 3, 4]],
        ];
        $documents = ['meta' => ['v' => 1, 'ts' => 1763680000], 'tree' => $tree];
        $whole = RunFileWriter::bytes($documents);
        yield 'cut off' => [RunFiles::file('bomb.bomb'), substr($whole, 0, -8)];
        yield 'of the future' => [RunFiles::file('bomb.bomb'), str_replace('xhprof-run 1', 'xhprof-run 2', $whole)];
        $odd = '{"url":{"a":[1]},"totals":{"wt":1e999},"ts":"x"}';
        $bombs = ['{', str_repeat('[', 100000), $odd, "\0\0", str_repeat(' ', 2 << 20) . '{}', str_repeat('{"n":', 5000), '"<b>"'];
        foreach ($bombs as $json) {
            foreach (['meta', 'tree', 'edges', 'samples', 'memory', '<b>'] as $document) {
                $change = static fn (string $head): string => "{\"$document\":$json," . substr($head, 1);
                $bytes = RunFileWriter::bytes(array_diff_key($documents, [$document => 1]));
                yield "$document is " . substr($json, 0, 20) => [RunFiles::file('bomb.bomb'), RunFiles::withHead($bytes, $change)];
            }
        }
        $sections = [
            'a name of markup' => ['tree.<script>' => ['type' => 'u8', 'at' => 0, 'n' => 1]],
            'a metric of markup' => ['tree.self.<script>' => ['type' => 'same', 'value' => 0, 'n' => 4]],
            'a billion equal numbers' => ['tree.fn' => ['type' => 'same', 'value' => 0, 'n' => 1 << 30]],
            'equal numbers for each byte' => ['tree.fn' => ['type' => 'same', 'value' => 0, 'n' => 1 << 20]],
            'a place far behind the end' => ['tree.fn' => ['type' => 'u8', 'at' => PHP_INT_MAX - 7, 'n' => 4]],
            'a column within another' => ['tree.fn.x' => ['type' => 'same', 'value' => 0, 'n' => 4]],
            'numbers as texts' => ['tree.names' => ['type' => 'same', 'value' => 0, 'n' => 4]],
        ];
        foreach ($sections as $name => $other) {
            yield $name => [RunFiles::file('bomb.bomb'), RunFiles::withSections($whole, $other)];
        }
    }

    /** @return array<string, string> */
    private static function runBombs(): array
    {
        $samples = [];
        foreach (Fixtures::HOSTILE_NAMES as $i => $name) {
            $samples["176368000$i.5"] = 'main()==>' . str_replace('==>', '', $name);
        }

        return [
            'an array of a billion' => 'a:999999999:{',
            'arrays without end' => str_repeat('a:1:{i:0;', 20000) . 'i:1;' . str_repeat('}', 20000),
            'an object' => serialize(['main()' => new \ArrayObject([1])]),
            'a reference to itself' => 'a:1:{s:6:"main()";R:1;}',
            'a huge text' => 's:99999999999:"x";',
            'floats that are none' => 'a:1:{s:6:"main()";a:2:{s:2:"ct";d:INF;s:2:"wt";d:NAN;}}',
            'huge figures' => 'a:1:{s:6:"main()";a:2:{s:2:"ct";i:9223372036854775807;s:2:"wt";i:9223372036854775807;}}',
            'a metric of markup' => serialize(['main()' => ['ct' => 1, '<script>' => 5]]),
            'more metrics than anybody has' => serialize(['main()' => array_fill_keys(range(1, 5000), 1)]),
            'samples without a time' => 'a:1:{s:3:"...";s:6:"main()";}',
            'samples of all times' => serialize(['0.0' => 'main()', '999999999999.9' => 'main()']),
            'a deep sample' => serialize(['1.5' => str_repeat('f==>', 200000) . 'f']),
            'samples of hostile names' => serialize($samples),
            'code' => '<?php system("id");',
            'a tree of a run' => '{"v":1,"kind":"tree"}',
        ];
    }

    #[DataProvider('bombs')]
    public function testAHostileFileIsAnErrorOrARunAndNothingElse(string $file, string $bytes): void
    {
        file_put_contents(self::$runs . "/$file", $bytes);
        foreach (['index.php?q=bomb', 'index.php?view=label&run=bomb&source=bomb'] as $path) {
            self::open($path);
        }
        foreach (['', '&view=flame', '&view=graph', '&view=memory', '&symbol=main()'] as $view) {
            $page = self::$server->get("index.php?run=bomb&source=bomb$view");
            self::assertContains($page->status, [200, 404, 413, 500], $view);
            self::assertSound($page, $view);
            self::assertStringNotContainsString('This page failed', $page->body, $view);
        }
        foreach (['functions', 'edges', 'tree', 'samples', 'runs'] as $get) {
            $answer = self::$server->get("api.php?get=$get&run=bomb&source=bomb&q=bomb");
            self::assertContains($answer->status, [200, 404, 413, 500], $get);
            self::assertIsArray(json_decode($answer->body, true, 64, JSON_THROW_ON_ERROR));
            self::assertSame('nosniff', $answer->headers['x-content-type-options'] ?? '');
            self::assertStringNotContainsString(self::$runs, $answer->body);
        }
        RunFiles::delete(self::$runs, 'bomb.bomb');
    }

    /** @return array<string, array{string, int}> */
    public static function hostileLists(): array
    {
        $lists = [];
        $names = ['q', 'only', 'host', 'url', 'tag', 'pinned', 'from', 'to', 'min', 'sort', 'dir', 'page', 'with', 'view'];
        foreach ($names as $name) {
            $lists["$name as an array"] = ["index.php?{$name}[]=a", 400];
            $lists["$name as a map"] = ["index.php?{$name}[a][b]=a", 400];
        }

        return $lists + [
            'a huge search' => ['index.php?q=' . str_repeat('a+', 3000), 200],
            'a huge number' => ['index.php?page=99999999999999999999999', 200],
            'a page far away' => ['index.php?page=9223372036854775807', 200],
            'a negative page' => ['index.php?page=-5', 200],
            'bytes that are no text' => ['index.php?q=%FF%FE%00%1B&host=%FF&tag=%00&only=%FF&url=%C3%28&from=%FF&min=%FF', 200],
            'SQL' => ["index.php?q=%27%3BDROP+TABLE+runs%3B--&sort=wt%3BDROP&tag=%27)%20OR%201%3D1--", 200],
            'a pattern' => ['index.php?q=%25_%5C%25&url=%25&tag=%25', 200],
            'with nobody' => ['index.php?with=../../etc/passwd', 200],
            'a label of nothing' => ['index.php?view=label&run=nosuch', 404],
            'a label of a path' => ['index.php?view=label&run=..%2F..&source=x', 400],
            'a label of several' => ['index.php?view=label&run=a,b&source=x', 400],
            'a label with an odd way back' => [
                'index.php?view=label&run=' . Fixtures::BEFORE . '&source=shop&back=' . rawurlencode('"><script>&q[]=1&tag=%FF'),
                200,
            ],
        ];
    }

    #[DataProvider('hostileLists')]
    public function testAHostileListIsAListOrASentence(string $url, int $status): void
    {
        $page = self::open($url, $status);
        self::assertCount(1, $page->find('//main'));
        self::assertSame([], $page->find('//main//script'));
    }

    public function testWhatARunSaysOfItselfIsTextInTheList(): void
    {
        $name = implode(' ', Fixtures::hostileNames());
        $meta = ['v' => 1, 'url' => $name, 'method' => '<b>GET', 'host' => $name, 'git' => $name, 'ts' => 1e12,
            'totals' => ['wt' => PHP_INT_MAX], 'peak_memory' => -5, 'calls' => PHP_INT_MIN];
        RunFiles::write(self::$runs, 'selfmade.hostile', ['meta' => $meta]);
        $label = Label::fromInput(true, [], "note <img src=x onerror=alert(1)> \u{202E}turned");
        (new RunFolder(self::$runs))->setLabel(RunId::fromStrings('selfmade', 'hostile'), $label);
        $page = self::open('index.php?q=selfmade');
        self::assertCount(1, $page->find('//table[contains(@class, "runs")]/tbody/tr'));
        self::assertStringContainsString('\u{202E}turned', $page->text('//*[@class="remark"]'));
        self::assertSame([], $page->find('//main//img | //main//b | //main//u'));
        self::open('index.php?q=selfmade&sort=ct');
        self::open('index.php?view=label&run=selfmade&source=hostile');
        RunFiles::delete(self::$runs, 'selfmade.hostile');
    }

    public function testMetadataBeyondAllMeasureBreaksNoExport(): void
    {
        $tree = CallTree::fromArray(Workload::tree(31, 60));
        $id = (new RunFolder(self::$runs))->save($tree->toEdges(), 'beyond', 'beyond', [], $tree);
        foreach ([PHP_INT_MAX, PHP_INT_MIN, 1e308, -1, '<b>', [[]]] as $value) {
            $counts = ['duration_us', 'peak_memory', 'calls', 'nodes', 'samples', 'sample_interval_us', 'pid'];
            $meta = array_fill_keys($counts, $value);
            foreach ([253402300799, 9223372037, 1e-9, $value] as $time) {
                RunFiles::put(self::$runs, $id, ['meta' => ['v' => 1, 'ts' => $time] + $meta]);
                foreach (AllFormats::of(Pages::all()) as $name => $_) {
                    $answer = self::$server->get("api.php?get=export&format=$name&run=beyond&source=beyond");
                    self::assertSame(200, $answer->status, $name . json_encode($value));
                }
            }
            self::open('index.php?q=beyond');
            self::open('index.php?run=beyond&source=beyond');
        }
        (new RunFolder(self::$runs))->delete($id);
    }

    public function testOnlyReadingIsAllowed(): void
    {
        $page = self::$server->get('callgraph.php', 'POST');
        self::assertSame(405, $page->status);
        self::assertSame('GET, HEAD', $page->headers['allow']);
        self::assertSame(405, self::$server->get('index.php', 'DELETE')->status);
        self::assertSame(403, self::$server->get('index.php', 'POST')->status, 'a form without a token');
        $head = self::$server->get('index.php', 'HEAD');
        self::assertSame(200, $head->status);
        self::assertSame('', $head->body);
    }

    public function testTheLoaderIsNoPage(): void
    {
        $page = self::$server->get('bootstrap.php');
        self::assertSame(404, $page->status);
        self::assertSame("There is no such page.\n", $page->body);
    }

    public function testARunTooLargeForTheMemoryIsSaid(): void
    {
        // Stands for a run that needs more than the 512 MB that the pages use at most.
        $greedy = self::$runs . '/greedy.php';
        file_put_contents($greedy, '<?php namespace XHProf\Functions;
            final class FlatReport { public static function compute(): string { return str_repeat("x", 600 << 20); } }');
        $server = new PageServer(self::ROOT, self::$runs, ['memory_limit=6M', "auto_prepend_file=$greedy"]);
        $page = $server->get('index.php?run=' . Fixtures::LARGE . '&source=shop-cli');
        unlink($greedy);
        self::assertSame(500, $page->status);
        self::assertStringStartsWith('This page failed: the run is too large for PHP', $page->body);
        self::assertStringNotContainsString('Allowed memory', $page->body);
        self::assertArrayNotHasKey('x-powered-by', $page->headers);
    }

    public function testALowMemoryLimitIsRaised(): void
    {
        $server = new PageServer(self::ROOT, self::$runs, ['memory_limit=6M']);
        self::assertSame(200, $server->get('index.php?run=' . Fixtures::LARGE . '&source=shop-cli')->status);
    }

    public function testAHigherMemoryLimitStays(): void
    {
        foreach (['700M' => '700M', '-1' => '-1', '511M' => '512M'] as $set => $used) {
            $limitFile = self::$runs . '/said.txt';
            $prepend = self::$runs . '/limit.php';
            file_put_contents($prepend, '<?php register_shutdown_function(static fn (): int
                => file_put_contents(' . var_export($limitFile, true) . ', ini_get("memory_limit")));');
            $server = new PageServer(self::ROOT, self::$runs, ["memory_limit=$set", "auto_prepend_file=$prepend"]);
            $server->get('typeahead.php?run=nosuchrun');
            self::assertSame($used, file_get_contents($limitFile));
            // Other tools' files are always read with a limit.
            $token = str_repeat('ab', 32);
            $server->post('index.php?view=import', "csrf=$token", ["Cookie: xhprof_csrf=$token"]);
            self::assertSame($used === '-1' ? '4G' : $used, file_get_contents($limitFile));
            unlink($limitFile);
            unlink($prepend);
        }
    }

    public function testNoErrorOrWarningWasLogged(): void
    {
        self::open(self::RUN);
        self::assertDoesNotMatchRegularExpression('/PHP (Warning|Notice|Deprecated|Fatal)|xhprof_html:/', self::$server->log());
    }

    private static function collapsed(string $text): string
    {
        return trim((string) preg_replace('/\s+/u', ' ', $text));
    }
}
