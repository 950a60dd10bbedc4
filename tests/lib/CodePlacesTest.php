<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Functions\FunctionPlaces;
use XHProf\Import\ImportedRun;
use XHProf\Import\InputFile;
use XHProf\Import\SpeedscopeReader;
use XHProf\Profile\CallTree;
use XHProf\Profile\CodePlace;
use XHProf\Profile\PrunedTree;
use XHProf\Profile\TreeMean;
use XHProf\Run\MadeRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/PprofDecoder.php';

final class CodePlacesTest extends TestCase
{
    private const SHOP = '/app/Shop "1".php';

    /**
     * main() { order { strlen, price }, price }
     *
     * @return array<string, mixed>
     */
    private static function data(): array
    {
        return [
            'names' => ['main()', 'Shop::order', 'strlen', 'Shop::price', '(unknown)'],
            'files' => ['/app/index.php', self::SHOP, 'ext:Core'],
            'file' => [0, 1, 2, 1, -1],
            'line' => [1, 10, 0, 30, 0],
            'last_line' => [9, 20, 0, 34, 0],
            'fn' => [0, 1, 2, 3, 3],
            'depth' => [0, 1, 2, 2, 1],
            'ct' => [1, 2, 4, 2, 1],
            'call_line' => [0, 5, 12, 13, 6],
            'self' => ['wt' => [1000, 20000, 300, 4000, 50]],
        ];
    }

    private static function tree(): CallTree
    {
        return CallTree::fromArray(self::data());
    }

    private static function exported(CallTree $tree): Run
    {
        return new MadeRun(null, 'php index.php', RunMeta::fromArray(['ts' => 1763680000]), $tree, $tree->toEdges());
    }

    /** @return list<string> */
    private static function texts(CallTree $tree): array
    {
        $places = FunctionPlaces::ofTree($tree);

        return array_map(static fn (string $name): string => "$name " . $places->find($name)?->text(), $tree->names);
    }

    public function testATreeKeepsThem(): void
    {
        $tree = self::tree();
        self::assertEquals(new CodePlace(self::SHOP, 10, 20), $tree->places->at(1));
        self::assertNull($tree->places->at(4));
        self::assertSame([null, 'Core'], [$tree->places->at(0)?->extension(), $tree->places->at(2)?->extension()]);
        self::assertEquals($tree, CallTree::fromArray($tree->toArray()));
        self::assertSame([0, 5, 12, 13, 6], $tree->withoutMetrics()->callLine);
        $old = CallTree::fromArray(array_diff_key(self::data(), ['files' => 0, 'call_line' => 0]));
        self::assertSame([true, null, []], [$old->places->isEmpty(), $old->places->at(0), $old->callLine]);
        self::assertSame([], array_intersect_key($old->toArray(), ['files' => 0, 'file' => 0, 'line' => 0, 'call_line' => 0]));
    }

    /** @return iterable<string, array{array<string, mixed>}> */
    public static function damages(): iterable
    {
        yield 'no list' => [['files' => 'x']];
        yield 'no text' => [['files' => ['/a', 1, '/b']]];
        yield 'a file that is not there' => [['file' => [0, 1, 3, 1, -1]]];
        yield 'a file below -1' => [['file' => [0, 1, -2, 1, -1]]];
        yield 'too few files' => [['file' => [0]]];
        yield 'too few lines' => [['line' => [1]]];
        yield 'no lines' => [['last_line' => null]];
        yield 'a line below 0' => [['line' => [1, 10, 0, -30, 0]]];
        yield 'a line that is no number' => [['line' => [1, '10', 0, 30, 0]]];
        yield 'too few lines of calls' => [['call_line' => [0, 5]]];
        yield 'a line of a call below 0' => [['call_line' => [0, 5, -12, 13, 6]]];
    }

    /** @param array<string, mixed> $damage */
    #[DataProvider('damages')]
    public function testDamagedColumnsAreRefused(array $damage): void
    {
        $this->expectException(InvalidProfile::class);
        CallTree::fromArray($damage + self::data());
    }

    public function testMeansAndPrunedTreesHaveThem(): void
    {
        $other = CallTree::fromArray([
            'names' => ['main()', 'Shop::price', 'late'], 'files' => ['/late.php'], 'file' => [-1, -1, 0], 'line' => [0, 0, 3],
            'last_line' => [0, 0, 4], 'fn' => [0, 2], 'depth' => [0, 1], 'ct' => [1, 1], 'call_line' => [0, 7],
            'self' => ['wt' => [10, 20]],
        ]);
        $mean = TreeMean::compute([static fn (): CallTree => $other, self::tree(...)]);
        self::assertSame([
            'main() /app/index.php:1', 'Shop::price ' . self::SHOP . ':30', 'late /late.php:3', 'Shop::order ' . self::SHOP . ':10',
            'strlen ext:Core', '(unknown) ',
        ], self::texts($mean));
        self::assertSame([0, 7, 5, 12, 13, 6], $mean->callLine);

        $above = PrunedTree::above(self::tree(), 0.1)->tree;
        $shop = self::SHOP;
        self::assertSame(['main() /app/index.php:1', "Shop::order $shop:10", "Shop::price $shop:30"], self::texts($above));
        self::assertSame([0, 5, 13], $above->callLine);
        $largest = PrunedTree::largest(self::tree(), 2)->tree;
        self::assertSame([0, 5, 0, 0], $largest->callLine);
        self::assertContains(PrunedTree::NAME . ' ', self::texts($largest));
    }

    public function testFunctionsAreFoundWithoutTheirLevelOfRecursion(): void
    {
        $places = FunctionPlaces::ofTree(self::tree());
        self::assertSame(self::SHOP . ':10', $places->find('Shop::order@2')?->text());
        self::assertSame([12, 13, 6, 0], [
            $places->callLine('Shop::order', 'strlen'), $places->callLine('Shop::order@1', 'Shop::price@1'),
            $places->callLine('main()', 'Shop::price'), $places->callLine('main()', 'strlen'),
        ]);
        self::assertNull(FunctionPlaces::ofTree(null)->find('main()'));
    }

    public function testSpeedscopeHasThemAndTheyComeBack(): void
    {
        $text = ExportRuns::written('speedscope', self::exported(self::tree()));
        $frames = json_decode($text, true)['shared']['frames'];
        self::assertSame([
            ['name' => 'main()', 'file' => '/app/index.php', 'line' => 1],
            ['name' => 'Shop::order', 'file' => self::SHOP, 'line' => 10],
            ['name' => 'strlen', 'file' => 'ext:Core'], ['name' => 'Shop::price', 'file' => self::SHOP, 'line' => 30],
            ['name' => '(unknown)'],
        ], $frames);
        $file = (string) tempnam(sys_get_temp_dir(), 'xhprof');
        file_put_contents($file, $text);
        $runs = iterator_to_array((new SpeedscopeReader())->read(new InputFile($file, 'x')));
        unlink($file);
        self::assertInstanceOf(ImportedRun::class, $runs['']);
        self::assertSame(array_slice(self::texts(self::tree()), 0, 4), self::texts($runs['']->tree ?? self::tree()));
    }

    public function testChromeHasThem(): void
    {
        $events = json_decode(ExportRuns::written('chrome', self::exported(self::tree())), true)['traceEvents'];
        $places = [];
        foreach ($events as $event) {
            $places[$event['name']] = $event['args']['place'] ?? null;
        }
        self::assertSame(
            ['/app/index.php:1', self::SHOP . ':10', 'ext:Core'],
            [$places['main()'], $places['Shop::order'], $places['strlen']],
        );
    }

    public function testPprofHasFilesAndTheLinesOfCalls(): void
    {
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', self::exported(self::tree())));
        self::assertSame(self::SHOP . ':10', $pprof['functions']['Shop::order']);
        self::assertSame('ext:Core:0', $pprof['functions']['strlen']);
        self::assertSame('', $pprof['functions']['(unknown)']);
        self::assertContains('strlen < Shop::order:12 < main():5', $pprof['stacks']);
        self::assertContains('Shop::price < Shop::order:13 < main():5', $pprof['stacks']);
        self::assertContains('Shop::price < main():6', $pprof['stacks']);
    }

    public function testCallgrindHasFilesAndTheLinesOfCalls(): void
    {
        $text = ExportRuns::written('callgrind', self::exported(self::tree()));
        self::assertMatchesRegularExpression('~^fl=\(\d\) ' . preg_quote(self::SHOP, '~') . '$~m', $text);
        self::assertMatchesRegularExpression('~\nfn=\(\d+\) Shop::order\n10 20\n~', $text);
        // Called in line 12, and defined in none.
        self::assertMatchesRegularExpression('~\ncfi=\(\d+\)(?: ext:Core)?\ncfn=\(\d+\)(?: strlen)?\ncalls=4 0\n12 0\n~', $text);
        self::assertMatchesRegularExpression('~\ncfn=\(\d+\)(?: Shop::price)?\ncalls=2 30\n13 4\n~', $text);
        preg_match_all('~^(?:fl|cfi)=\((\d+)\) (.*)$~m', $text, $files);
        self::assertSame(array_unique($files[1]), $files[1], 'each file is named once');
    }

    public function testJsonAndAnHtmlFileHaveThem(): void
    {
        $json = json_decode(ExportRuns::written('json', self::exported(self::tree())), true)['tree'];
        self::assertSame(self::data()['files'], $json['files']);
        self::assertEquals(self::tree(), CallTree::fromArray($json));
        // Paths and lines, no code: that is for --source.
        $html = ExportRuns::written('html', self::exported(self::tree()));
        preg_match('~data-answer="[^"]*get=functions[^"]*">([^<]*)</script>~', $html, $found);
        $places = json_decode($found[1] ?? '', true)['places'];
        self::assertContains('A function of the extension Core', array_column($places['files'], 'title'));
        self::assertContains(self::SHOP, array_column($places['files'], 'title'));
        self::assertContains(10, $places['line']);
    }
}
