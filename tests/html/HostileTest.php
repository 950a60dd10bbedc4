<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Web\Url;
use XHProf\Web\VisibleName;

require_once __DIR__ . '/PagesTestCase.php';

/** Names and URLs made to break the pages. */
final class HostileTest extends PagesTestCase
{
    private const RUN = 'index.php?run=' . Fixtures::HOSTILE . '&source=hostile';

    public function testEveryNameIsTextAndItsLinkOpensItsPage(): void
    {
        $page = self::open(self::RUN);
        $names = [...Fixtures::HOSTILE_NAMES, Fixtures::longName()];
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
        foreach (Fixtures::HOSTILE_NAMES as $name) {
            $page = self::open("$diff&symbol=" . rawurlencode($name));
            self::assertSame(self::collapsed(VisibleName::text($name)), $page->text('//h1'));
            // What the form of narrow screens sends leads to the same page.
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
        foreach ([...Fixtures::HOSTILE_NAMES, Fixtures::longName()] as $name) {
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
            'half a comparison' => ["index.php?run1=$run&source=shop", 400, 'A comparison takes two runs'],
            'neither has it' => ["index.php?run1=$run&run2=$run&source=shop&symbol=nope", 404, 'Neither run has a function'],
            'bad weights' => ["index.php?run=$run,$run&wts=1,x&source=shop", 400, 'The weights (wts) must be whole numbers'],
            'too few weights' => ["index.php?run=$run,$run&wts=1&source=shop", 400, 'There must be one weight (wts)'],
            'too many runs' => ['index.php?run=a' . str_repeat(',a', 100), 400, 'An aggregate takes at most 100 runs.'],
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
        // A stand-in for a run of more than the 512 MB that the pages allow themselves.
        $greedy = self::$runs . '/greedy.php';
        file_put_contents($greedy, '<?php namespace XHProf\Report;
            final class FlatReport { public static function of(): string { return str_repeat("x", 600 << 20); } }');
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
            $said = self::$runs . '/said.txt';
            $prepend = self::$runs . '/limit.php';
            file_put_contents($prepend, '<?php register_shutdown_function(static fn (): int
                => file_put_contents(' . var_export($said, true) . ', ini_get("memory_limit")));');
            $server = new PageServer(self::ROOT, self::$runs, ["memory_limit=$set", "auto_prepend_file=$prepend"]);
            $server->get('typeahead.php?run=nosuchrun');
            self::assertSame($used, file_get_contents($said));
            unlink($said);
            unlink($prepend);
        }
    }

    public function testNothingWentWrongUnseen(): void
    {
        self::open(self::RUN);
        self::assertDoesNotMatchRegularExpression('/PHP (Warning|Notice|Deprecated|Fatal)|xhprof_html:/', self::$server->log());
    }

    private static function collapsed(string $text): string
    {
        return trim((string) preg_replace('/\s+/u', ' ', $text));
    }
}
