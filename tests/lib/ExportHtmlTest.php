<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use LogicException;
use PHPUnit\Framework\TestCase;
use XHProf\App\Pages;
use XHProf\Exception\ExportTooLarge;
use XHProf\Profile\PrunedTree;
use XHProf\Run\RunFile;
use XHProf\Share\Html;
use XHProf\Share\ModuleGraph;
use XHProf\Share\SizedFile;
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
            $policy = html_entity_decode($policy, ENT_QUOTES);
            foreach (['style-src' => 'style', 'script-src' => 'script'] as $source => $tag) {
                $hash = base64_encode(hash('sha256', self::first("~<$tag>(.*?)</$tag>~s", $html), true));
                self::assertStringContainsString("$source 'sha256-$hash'", $policy);
            }
            self::assertStringStartsWith("default-src 'none';", $policy);
            self::assertDoesNotMatchRegularExpression('~https?:|unsafe~', $policy);
            self::assertSame(0, preg_match('~(?:src|href)="(?!\?|#)~', $html));
            $answers = $run->tree() === null ? ['functions', 'calls'] : ['functions', 'columns', 'kinds', 'calls'];
            self::assertEqualsCanonicalizing($answers, array_keys(self::answers($html)));
            // Those, the modules and what starts them.
            self::assertSame(count($answers) + 2, substr_count($html, '<script'));
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
        $json = json_decode(self::answers($html)['functions'], true);
        self::assertContains('</script><b>&amp;', $json['names']);
        $tree = RunFile::fromBytes(self::answers($html)['columns'], 'hostile')->document('tree');
        self::assertSame(ExportRuns::hostile()->tree()?->fn, $tree['fn']);
        self::assertContains('</script><b>&amp;', $tree['names']);
    }

    public function testTemplateStringsAndLineSeparatorsAreText(): void
    {
        $names = ['main()', '${alert(1)}', "line\u{2028}para\u{2029}", '<!--style-->', '<!--data--></main>', '{{ 7 * 7 }}', "'\"`"];
        $run = ExportRuns::named($names, '</title><script>alert(2)</script><!--panes-->');
        $html = ExportRuns::written('html', $run);
        $shown = json_decode(self::answers($html)['functions'], true)['names'];
        self::assertSame([], array_diff($names, $shown));
        $page = self::page($html);
        $functions = $page->find('//table//tbody/tr/th//*[@class="fn"]');
        $heads = array_map(static fn (\DOMNode $node): string => $node->textContent, $functions);
        self::assertContains('${alert(1)}', $heads);
        self::assertContains('<!--data--></main>', $heads);
        self::assertContains('{{ 7 * 7 }}', $heads);
        self::assertCount(1, $page->find('//main'));
        self::assertStringContainsString('</title><script>', $page->text('//h1'));
        self::assertCount(1, $page->find('//head/title'));
        self::assertSame([], $page->find('//script[contains(text(), "alert(2)") and not(@type)]'));
    }

    public function testWithoutJavaScriptThereIsATable(): void
    {
        $page = self::page(ExportRuns::written('html', ExportRuns::small()));
        self::assertCount(6, $page->find('//table//tbody/tr'));
        self::assertSame('App\Price::sum', $page->text('//table//tbody/tr/th'));
        self::assertStringContainsString('UTC', $page->text('//p[@class="sub"]'));
        self::assertCount(3, $page->find('//*[contains(@class, "island")]'));
        $page = self::page(ExportRuns::written('html', ExportRuns::edgesOnly()));
        self::assertSame([], $page->find('//*[contains(@class, "island")]'));
        self::assertSame([], $page->find('//*[@data-tab="flame"]'));
    }

    public function testALargeRunIsPackedAndComesBack(): void
    {
        $run = ExportRuns::large(6000);
        $html = ExportRuns::written('html', $run);
        $answers = self::answers($html);
        self::assertMatchesRegularExpression('~data-answer="[^"]*get=columns[^"]*" data-packed>~', $html);
        $json = json_decode($answers['functions'], true);
        self::assertSame(count($json['names']), count($json['m']['ct']));
        $tree = RunFile::fromBytes($answers['columns'], 'large')->document('tree');
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
        $workers = ['paths/tree-worker.js', 'profile/match-worker.js', 'timeline/samples-worker.js', 'timeline/worker.js'];
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

    public function testALargeRunFitsIntoTheSizeAndSaysWhatIsMissing(): void
    {
        $run = ExportRuns::large(60000);
        $most = 1_200_000;
        $made = (new Html(Pages::all(), $most))->file($run);
        self::assertLessThanOrEqual($most, strlen($made->html));
        self::assertGreaterThan($most / 2, strlen($made->html));
        self::assertMatchesRegularExpression(
            '/^[\d ]+ of the smallest call paths are merged into \(small paths\)/',
            $made->document->leftOut[0] ?? '',
        );
        $page = self::page($made->html);
        self::assertSame($made->document->leftOut[0], $page->text('//*[@data-left-out]'));
        $tree = RunFile::fromBytes(self::answers($made->html)['columns'], 'less')->document('tree');
        self::assertLessThan(60000, count($tree['fn']));
        self::assertSame(array_sum($run->tree()->self['wt'] ?? []), array_sum($tree['self']['wt']), 'times add up');
        $functions = json_decode(self::answers($made->html)['functions'], true);
        self::assertCount(count(array_unique($run->tree()->fn ?? [])), $functions['names'], 'all functions are there');
        // All of it fits into more, and nothing is missing then.
        $whole = (new Html(Pages::all(), SizedFile::USUAL * 10))->file($run);
        self::assertSame([], $whole->document->leftOut);
        self::assertCount(60000, RunFile::fromBytes(self::answers($whole->html)['columns'], 'all')->document('tree')['fn']);
    }

    public function testWhatDoesNotFitAtAllIsRefused(): void
    {
        $this->expectException(ExportTooLarge::class);
        $this->expectExceptionMessageMatches('/^this file would have at least \d+ KB, more than 97\.7 KB$/');
        (new Html(Pages::all(), 100_000))->file(ExportRuns::small());
    }

    /** @return array<string, string> what the file answers, by "get" */
    private static function answers(string $html): array
    {
        $pattern = '~<script type="[^"]*" data-answer="[^"]*get=(\w+)[^"]*"( data-packed)?>([^<]*)</script>~';
        preg_match_all($pattern, $html, $found, PREG_SET_ORDER);
        $answers = [];
        foreach ($found as [, $get, $packed, $text]) {
            $answers[$get] = match (true) {
                $packed !== '' => (string) gzdecode((string) base64_decode($text, true)),
                $get === 'columns' => (string) base64_decode($text, true),
                default => $text,
            };
        }

        return $answers;
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
