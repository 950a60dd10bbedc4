<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use LogicException;
use PHPUnit\Framework\TestCase;
use XHProf\Export\Html;
use XHProf\Export\ModuleGraph;
use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Profile\PrunedTree;
use XHProf\Run\MadeRun;
use XHProf\Run\RunFile;
use XHProf\Tests\Html\Page;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../html/Page.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * The single HTML file. tests/html/browser/export.test.mjs tests that it works.
 */
final class ExportHtmlTest extends TestCase
{
    use TemporaryFolder;

    private const JS = __DIR__ . '/../../xhprof_html/assets/js';

    public function testThePolicyKnowsWhatIsInTheFileAndNothingElse(): void
    {
        foreach ([ExportRuns::small(), ExportRuns::hostile(), ExportRuns::edgesOnly()] as $run) {
            $html = ExportRuns::written('html', $run);
            $policy = self::first('~http-equiv="Content-Security-Policy" content="([^"]*)"~', $html);
            foreach (['style-src' => 'style', 'script-src' => 'script'] as $source => $tag) {
                $hash = base64_encode(hash('sha256', self::first("~<$tag>(.*?)</$tag>~s", $html), true));
                self::assertStringContainsString("$source 'sha256-$hash'", $policy);
            }
            self::assertStringStartsWith("default-src 'none';", $policy);
            self::assertDoesNotMatchRegularExpression('~https?:|unsafe~', $policy);
            self::assertSame(0, preg_match('~(?:src|href)="(?!\?|#)~', $html));
            self::assertSame($run->tree() === null ? 3 : 4, substr_count($html, '<script'));
            self::assertSame(substr_count($html, '<script'), substr_count($html, '</script>'));
        }
    }

    public function testHostileNamesAreTextEverywhere(): void
    {
        $html = ExportRuns::written('html', ExportRuns::hostile());
        self::assertSame(1, preg_match('//u', $html));
        self::assertStringNotContainsString('</script><b>', $html);
        $page = self::page($html);
        self::assertSame([], $page->find('//b'));
        $json = json_decode($page->find('//*[@id="xhprof-run"]')[0]->textContent, true);
        self::assertContains('</script><b>&amp;', $json['names']);
        $columns = (string) base64_decode($page->find('//*[@id="xhprof-columns"]')[0]->textContent, true);
        $tree = RunFile::fromBytes($columns, 'hostile')->document('tree');
        self::assertSame(ExportRuns::hostile()->tree()?->fn, $tree['fn']);
        self::assertContains('</script><b>&amp;', $tree['names']);
    }

    public function testWithoutJavaScriptThereIsATable(): void
    {
        $page = self::page(ExportRuns::written('html', ExportRuns::small()));
        self::assertCount(6, $page->find('//table//tbody/tr'));
        self::assertSame('App\Price::sum', $page->text('//table//tbody/tr/th'));
        self::assertStringContainsString('UTC', $page->text('//time'));
        self::assertCount(3, $page->find('//*[contains(@class, "island")]'));
        $page = self::page(ExportRuns::written('html', ExportRuns::edgesOnly()));
        self::assertSame([], $page->find('//*[contains(@class, "island")]'));
        self::assertStringContainsString('no call paths', $page->text('//*[@class="note"]'));
    }

    public function testALargeRunIsPackedAndComesBack(): void
    {
        $run = ExportRuns::large(6000);
        $html = ExportRuns::written('html', $run);
        $unpacked = static fn (string $id): string => (string) gzdecode((string) base64_decode(
            self::first("~id=\"$id\" data-packed>([A-Za-z0-9+/=]+)</script>~", $html),
            true,
        ));
        $json = json_decode($unpacked('xhprof-run'), true);
        self::assertSame(count($json['names']), count($json['m']['ct']));
        $tree = RunFile::fromBytes($unpacked('xhprof-columns'), 'large')->document('tree');
        self::assertSame($run->tree()?->self['wt'], $tree['self']['wt']);
        self::assertSame($run->tree()?->corrected, $tree['corrected']);
        self::assertStringContainsString('Top 100 of ', $html);
    }

    public function testEveryModuleHasWhatItImportsBeforeIt(): void
    {
        $graph = ModuleGraph::read(self::JS, 'pages/standalone.js');
        $seen = [];
        foreach ($graph['modules'] as [$path, $source]) {
            preg_match_all('/"@@([^"]+)@@"/', $source, $references);
            self::assertSame([], array_diff($references[1], $seen), $path);
            self::assertDoesNotMatchRegularExpression('~(?:from|import)\s*\(?\s*[\'"]\.|import\.meta|/\*\*~', $source, $path);
            $seen[] = $path;
        }
        self::assertContains('pages/standalone.js', $seen);
        $workers = ['paths/tree-worker.js', 'profile/match-worker.js', 'timeline/worker.js'];
        self::assertEqualsCanonicalizing($workers, array_keys($graph['workers']));
        self::assertSame([], array_diff($graph['workers']['paths/tree-worker.js'], $seen));
        self::assertContains('core/api.js', $graph['workers']['paths/tree-worker.js']);
        self::assertNotContains('core/dom.js', array_diff($graph['workers']['paths/tree-worker.js'], $seen));
        // vendor/ and the call graph stay out: the file would be three times as large.
        self::assertSame([], preg_grep('~^(?:vendor|graph)/~', $seen));
    }

    public function testCircularAndMissingModulesAreErrors(): void
    {
        file_put_contents("$this->folder/a.js", "import { b } from './b.js';\n");
        file_put_contents("$this->folder/b.js", "import { a } from './a.js';\n");
        file_put_contents("$this->folder/c.js", "import './none.js';\n");
        foreach (['a.js' => 'a.js imports itself', 'c.js' => 'none.js is missing'] as $entry => $why) {
            try {
                ModuleGraph::read($this->folder, $entry);
                self::fail();
            } catch (LogicException $e) {
                self::assertStringContainsString($why, $e->getMessage());
            }
        }
    }

    public function testThePrunedTreeHasTheSameTotals(): void
    {
        $tree = ExportRuns::large(5000)->tree();
        self::assertNotNull($tree);
        self::assertSame($tree, PrunedTree::largest($tree, 5000)->tree);
        $pruned = PrunedTree::largest($tree, 500)->tree;
        self::assertGreaterThan(400, $pruned->count());
        self::assertLessThan(1500, $pruned->count());
        self::assertSame(array_sum($tree->ct), array_sum($pruned->ct));
        foreach ($tree->self + $tree->allocations as $metric => $column) {
            self::assertSame(array_sum($column), array_sum($pruned->self[$metric] ?? $pruned->allocations[$metric]), $metric);
        }
        self::assertSame(array_sum($tree->corrected['wt']), array_sum($pruned->corrected['wt']));
        // Paths that are kept have the same inclusive cost.
        $before = $tree->inclusive('wt');
        $after = $pruned->inclusive('wt');
        self::assertSame($before[0], $after[0]);
        self::assertContains(PrunedTree::NAME, array_map(static fn (int $fn): string => $pruned->names[$fn], $pruned->fn));
        $own = array_filter($after, static fn (int $node): bool => $pruned->names[$pruned->fn[$node]] !== PrunedTree::NAME, 2);
        self::assertSame(self::heaviest($before), self::heaviest($own));
    }

    public function testOmittedFunctionsAndPathsAreCounted(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f'],
            'fn' => [0, ...array_fill(0, Html::MAX_NODES + 10, 1)],
            'depth' => [0, ...array_fill(0, Html::MAX_NODES + 10, 1)],
            'ct' => array_fill(0, Html::MAX_NODES + 11, 1),
            'self' => ['wt' => [0, ...range(1, Html::MAX_NODES + 10)]],
        ]);
        $small = ExportRuns::edgesOnly();
        $run = new MadeRun(null, 'many', $small->meta(), $tree, $small->profile());
        $html = '';
        $out = new Sink(static function (string $piece) use (&$html): void {
            $html .= strlen($html) < 200000 ? $piece : '';
        });
        (new Html())->write($run, $out);
        $out->end();
        self::assertStringContainsString('of the smallest call paths are merged into', $html);
    }

    /**
     * @param array<int, int> $figures
     *
     * @return list<int> the 50 largest
     */
    private static function heaviest(array $figures): array
    {
        rsort($figures);

        return array_slice($figures, 0, 50);
    }

    private static function page(string $html): Page
    {
        return new Page(['HTTP/1.1 200 OK'], $html);
    }

    /** The match of the pattern's group. */
    private static function first(string $pattern, string $text): string
    {
        self::assertSame(1, preg_match($pattern, $text, $match));

        return $match[1] ?? '';
    }
}
