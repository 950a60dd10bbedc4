<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

require_once __DIR__ . '/PagesTestCase.php';

/** The call graph without scripts: its settings, its calls as a table, the data for the scripts, pictures. */
final class GraphPageTest extends PagesTestCase
{
    private const RUN = 'run=' . Fixtures::BEFORE . '&source=shop';
    private const ROWS = '//table[@data-graph-calls]/tbody/tr';
    private const ISLAND = '//section[@data-view="graph"]';

    public function testAViewOfARunOfAMeanAndOfAComparison(): void
    {
        $both = Fixtures::BEFORE . ',' . Fixtures::AFTER;
        $pair = 'run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop';
        foreach ([self::RUN => false, "run=$both&source=shop&wts=1,2" => false, $pair => true] as $runs => $isPair) {
            $page = self::open("index.php?$runs&view=graph");
            self::assertGreaterThan(20, count($page->find(self::ROWS)), $runs);
            self::assertSame('Call graph', $page->text('//nav[@class="tabs"]/a[@aria-current="page"]'));
            $url = $page->attributes(self::ISLAND, 'data-names')[0];
            $answer = self::$server->get($url);
            self::assertSame(200, $answer->status, $url);
            self::assertContains('main()', json_decode($answer->body, true)['names']);
            $drawn = self::$server->get($page->attributes(self::ISLAND, 'data-graph')[0]);
            ['graph' => $graph, 'metric' => $metric] = json_decode($drawn->body, true);
            self::assertSame('wt', $metric);
            self::assertCount(count($page->find(self::ROWS)), $graph['edges'], 'the table has the same calls');
            self::assertSame($isPair, isset($graph['nodes'][0]['before'], $graph['edges'][0]['before']));
            $link = $page->attributes(self::ISLAND, 'data-function-url')[0] . '&symbol=' . rawurlencode('main()');
            self::assertStringStartsWith('main()', self::open($link)->text('//h1'));
        }
    }

    public function testSettingsAreKeptAndNonsenseIsTheDefault(): void
    {
        $page = self::open('index.php?' . self::RUN . '&view=graph&threshold=0.03&nodes=77&critical=0&levels=1&metric=cpu');
        self::assertSame(['0.03', '77', 'cpu'], [
            self::selected($page, 'threshold'),
            self::selected($page, 'nodes'),
            self::selected($page, 'metric'),
        ]);
        self::assertCount(0, $page->find('//input[@name="critical"][@checked]'));
        self::assertCount(1, $page->find('//input[@name="levels"][@checked]'));
        self::assertCount(0, $page->find(self::ROWS . '//span[@class="badge"]'), 'no critical path');
        foreach (['threshold=x', 'threshold=-1', 'nodes=0', 'nodes=x', 'critical=x', 'metric=nope'] as $nonsense) {
            $page = self::open('index.php?' . self::RUN . "&view=graph&$nonsense");
            $state = [self::selected($page, 'threshold'), self::selected($page, 'nodes'), self::selected($page, 'metric')];
            self::assertSame(['0.01', '120', 'wt'], $state, $nonsense);
        }
        self::assertSame('1000', self::selected(self::open('index.php?' . self::RUN . '&view=graph&nodes=99999'), 'nodes'));
    }

    public function testFewerFunctionsAndAFocus(): void
    {
        $count = static fn (string $settings): int
            => count(self::open('index.php?' . self::RUN . "&view=graph&$settings")->find(self::ROWS));
        self::assertLessThan($count('threshold=0.01'), $count('threshold=0.2'));
        self::assertLessThan($count('threshold=0&nodes=60'), $count('threshold=0&nodes=30'));
        $page = self::open('index.php?' . self::RUN . '&view=graph&focus=' . rawurlencode('PDOStatement::execute'));
        self::assertSame('PDOStatement::execute', $page->text('//noscript//strong'));
        $names = $page->texts(self::ROWS . '/td[position() < 3]//*[@class="fn"]');
        self::assertSame([], array_diff(['main()', 'PDOStatement::execute'], $names), 'and what leads to it');
        self::assertLessThan($count('threshold=0.01'), count($page->find(self::ROWS)));
        $hidden = '&internals=0&focus=' . rawurlencode('PDOStatement::execute');
        self::assertSame(200, self::$server->get('index.php?' . self::RUN . "&view=graph$hidden")->status, 'hidden, not missing');
        self::assertSame(404, self::$server->get('index.php?' . self::RUN . '&view=graph&focus=nope')->status);
    }

    public function testGraphvizsLanguageAsAFile(): void
    {
        $answer = self::$server->get('callgraph.php?type=dot&threshold=0&run=' . Fixtures::HOSTILE . '&source=hostile');
        self::assertSame(200, $answer->status);
        self::assertSame('text/plain; charset=utf-8', strtolower($answer->headers['content-type']));
        self::assertStringContainsString('attachment', $answer->headers['content-disposition']);
        self::assertStringStartsWith('digraph call_graph {', $answer->body);
        self::assertSame(1, preg_match('//u', $answer->body));
        // A name cannot end a string: its quotes, backslashes and line breaks are escaped.
        foreach (explode("\n", trim($answer->body)) as $line) {
            self::assertSame(0, substr_count(str_replace('\\\\', '', $line), '"') % 2, $line);
        }
    }

    private static function selected(Page $page, string $field): string
    {
        return $page->attributes("//select[@name=\"$field\"]/option[@selected]", 'value')[0] ?? '';
    }
}
