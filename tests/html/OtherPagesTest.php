<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphOptions;
use XHProf\Graph\Graphviz;

require_once __DIR__ . '/PagesTestCase.php';

/** typeahead.php, callgraph.php, and where the pages may live. */
final class OtherPagesTest extends PagesTestCase
{
    private const RUN = 'run=' . Fixtures::BEFORE . '&source=shop';

    public function testTypeaheadIsOnlyText(): void
    {
        $answer = self::$server->get('typeahead.php?q=pdo&' . self::RUN);
        self::assertSame('nosniff', $answer->headers['x-content-type-options']);
        self::assertStringContainsString("\nPDOStatement::execute\n", "\n$answer->body", 'in any case');
    }

    public function testTypeaheadOfAComparisonKnowsBothRuns(): void
    {
        $runs = 'run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop';
        $lines = explode("\n", self::$server->get("typeahead.php?q=Logger::format&$runs")->body);
        self::assertContains(Fixtures::GONE, $lines);
        self::assertContains(Fixtures::ADDED, $lines);
    }

    public function testAPhpWithoutMbstringIsNamed(): void
    {
        $php = escapeshellarg(PHP_BINARY) . ' -n ';
        if (trim((string) shell_exec("$php -r 'echo extension_loaded(\"mbstring\");'")) !== '') {
            self::markTestSkipped('this PHP has mbstring built in');
        }
        exec($php . escapeshellarg(dirname(__DIR__, 2) . '/xhprof_html/index.php'), $lines);
        self::assertStringStartsWith("PHP's extension mbstring is missing; its package is ", $lines[0] ?? '');
    }

    /** The header X-XHProf-Run has the id alone, which people copy. */
    public function testAnIdAloneOpensTheRunWhateverItsSource(): void
    {
        foreach (['index.php?run=', 'callgraph.php?run=', 'typeahead.php?q=a&run='] as $page) {
            self::assertSame(200, self::$server->get($page . Fixtures::BEFORE)->status, $page);
        }
        $named = self::$server->get('index.php?run=' . Fixtures::BEFORE . '&source=shop')->body;
        self::assertSame(
            substr_count($named, 'source=shop'),
            substr_count(self::$server->get('index.php?run=' . Fixtures::BEFORE)->body, 'source=shop'),
        );
        $beginning = substr(Fixtures::BEFORE, 0, -1);
        self::assertSame(404, self::$server->get("index.php?run=$beginning")->status, 'of ids only whole ones');
        self::assertSame(404, self::$server->get('index.php?run=' . Fixtures::BEFORE . '&source=other')->status);
    }

    public function testTypeaheadExplainsErrorsInPlainText(): void
    {
        foreach (['q=a' => 400, 'q=a&run=nope' => 404, 'q=a&run=../x' => 400, 'q[]=a&' . self::RUN => 400] as $query => $status) {
            $answer = self::$server->get("typeahead.php?$query");
            self::assertSame($status, $answer->status, $query);
            self::assertSame('text/plain; charset=utf-8', strtolower($answer->headers['content-type']));
            self::assertStringEndsWith(".\n", $answer->body);
        }
        $lines = explode("\n", self::$server->get('typeahead.php?run=' . Fixtures::HOSTILE . '&source=hostile')->body);
        self::assertCount(count(Fixtures::HOSTILE_NAMES) + 3, array_filter($lines), 'a line break in a name makes no line');
    }

    public function testTheCallGraphPageRanksTheCalls(): void
    {
        $graph = CallGraph::ofProfile(self::profile(Fixtures::BEFORE), new GraphOptions(foldRecursion: true));
        $page = self::open('callgraph.php?' . self::RUN);
        $rows = $page->find('//table[contains(@class, "edges")]/tbody/tr');
        self::assertCount(count($graph->edges), $rows);
        $kept = $page->find('//table[contains(@class, "edges")]//td[contains(@class, "m-wt")][not(contains(@class, "k-mid"))]');
        self::assertCount(count($rows), $kept, 'shown on a phone');
        self::assertSame($graph->edges[0]->from, $page->texts('td[1]', $rows[0])[0]);
        self::assertSame($graph->edges[0]->to, $page->texts('td[2]/a', $rows[0])[0]);
        foreach ($page->attributes('//table[contains(@class, "edges")]/tbody/tr[position() < 4]//a', 'href') as $link) {
            self::open($link);
        }
        $none = self::open('callgraph.php?threshold=1&critical=0&' . self::RUN);
        self::assertLessThan(count($rows), count($none->find('//table[contains(@class, "edges")]/tbody/tr')));
    }

    public function testTheCallGraphAroundAFunctionAndOfAComparison(): void
    {
        $page = self::open('callgraph.php?func=PDOStatement::execute&' . self::RUN);
        $focused = self::open('index.php?view=graph&focus=PDOStatement::execute&' . self::RUN);
        $rows = '//table[contains(@class, "edges")]/tbody/tr';
        self::assertSame($focused->texts($rows), $page->texts($rows));
        self::assertStringContainsString('PDOStatement::execute', $page->text('//noscript/p'));
        // The classic picture has callers and callees only.
        $dot = self::$server->get('callgraph.php?type=dot&func=PDOStatement::execute&' . self::RUN)->body;
        preg_match_all('/^(N[0-9]+) -> (N[0-9]+)/m', $dot, $edges, PREG_SET_ORDER);
        self::assertSame(1, preg_match('/^(N[0-9]+) \[label="PDOStatement::execute/m', $dot, $node));
        foreach ($edges as [, $from, $to]) {
            self::assertContains($node[1] ?? '', [$from, $to]);
        }
        self::assertNotSame([], $edges);
        $runs = 'run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop';
        self::assertNotSame([], self::open("callgraph.php?$runs")->find('//table[contains(@class, "edges")]/tbody/tr'));
    }

    public function testThePictureIsDrawnOrItsAbsenceExplained(): void
    {
        foreach (['' => self::RUN, ' hostile' => 'run=' . Fixtures::HOSTILE . '&source=hostile'] as $run) {
            $answer = self::$server->get("callgraph.php?type=svg&threshold=0&$run");
            if ((new Graphviz())->isInstalled()) {
                self::assertSame(200, $answer->status);
                self::assertSame('image/svg+xml', $answer->headers['content-type']);
                self::assertStringContainsString('sandbox', $answer->headers['content-security-policy']);
                self::assertStringContainsString('<svg', $answer->body);
                self::assertStringNotContainsString('<script', $answer->body);
            } else {
                self::assertSame(500, $answer->status);
                self::assertStringContainsString('needs the program', $answer->body);
            }
        }
    }

    public function testAllLinksAreRelativeAndWorkInASubfolder(): void
    {
        $server = new PageServer(dirname(self::ROOT), self::$runs);
        $page = $server->get('xhprof_html/index.php?' . self::RUN);
        self::assertSame(200, $page->status);
        $urls = [
            ...$page->attributes('//link | //a[not(starts-with(@href, "#"))]', 'href'),
            ...$page->attributes('//script', 'src'),
            ...$page->attributes('//form[@action]', 'action'),
        ];
        self::assertGreaterThan(100, count($urls));
        foreach ($urls as $url) {
            self::assertMatchesRegularExpression('#^(index\.php|callgraph\.php|api\.php|assets/)#', $url);
        }
        self::assertContains('api.php', array_map(static fn (string $url): string => strtok($url, '?') ?: '', $urls), 'Share');
        foreach (array_slice(array_unique($urls), 0, 12) as $url) {
            self::assertSame(200, $server->get("xhprof_html/$url")->status, $url);
        }
    }
}
