<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/AutomaticRunsTestCase.php';

/** What a run does not have, and what is not there at all: each says why, and leads on. */
final class MissingPartsTest extends AutomaticRunsTestCase
{
    private const MISSING = '//nav[@aria-label="Views of this run"]/span[@class="missing"]/a';

    /** @return array<string, array{string, string, array<string, string>}> run, source, missing view => part of its reason */
    public static function runs(): array
    {
        return [
            'without call paths' => [AutomaticRuns::TRIGGERED, 'live', [
                'Call tree' => 'no call paths',
                'Flame graph' => 'no call paths',
                'Sandwich' => 'no call paths',
                'Timeline' => 'xhprof run --timeline',
                'Operations' => 'xhprof.collect_additional_info',
                'Memory' => 'xhprof run --alloc',
            ]],
            'sampled' => [AutomaticRuns::SAMPLED, 'live', ['Operations' => 'was sampled', 'Memory' => 'xhprof run --alloc']],
            'a window' => [AutomaticRuns::window(9), 'traffic', [
                'Timeline' => 'merges the samples of many requests',
                'Operations' => 'XHPROF_TRIGGER',
                'Memory' => 'xhprof.alloc_sample_bytes',
            ]],
        ];
    }

    /** @param array<string, string> $missing */
    #[DataProvider('runs')]
    public function testTabsThatARunHasNotSayWhy(string $run, string $source, array $missing): void
    {
        $page = self::open(self::runUrl($run, '', $source));
        self::assertSame(array_keys($missing), $page->texts(self::MISSING));
        $links = $page->attributes(self::MISSING, 'href');
        foreach ($page->attributes(self::MISSING, 'title') as $at => $title) {
            $why = array_values($missing)[$at];
            self::assertStringContainsString($why, $title);
            self::assertStringNotContainsString('`', $title);
            $view = self::open($links[$at], 404);
            self::assertStringContainsString($why, $view->text('//p[@class="empty"]'));
            self::assertStringNotContainsString('`', $view->text('//main'));
            $home = html_entity_decode(self::runUrl($run, '', $source));
            $tabs = $view->attributes('//nav[@aria-label="Views of this run"]/a', 'href');
            self::assertContains($home, $tabs, 'it leads to the run');
        }
        self::assertSame([], array_intersect($page->texts('//nav[@aria-label="Views of this run"]/a'), array_keys($missing)));
    }

    public function testTheMeanOfSeveralRunsNamesNone(): void
    {
        $page = self::open(self::runUrl(AutomaticRuns::TRIGGERED . ',' . AutomaticRuns::SPAN));
        self::assertSame([], $page->texts(self::MISSING));
    }

    public function testAFunctionThatIsNotThereLeadsToItsRun(): void
    {
        $page = self::open(self::runUrl(AutomaticRuns::HOSTILE, '&symbol=nothing'), 404);
        self::assertContains(self::runUrl(AutomaticRuns::HOSTILE), $page->attributes('//main//a', 'href'));
        self::assertSame([], $page->find('//main//img'));
    }

    /** @return array<string, array{string, list<string>}> parameters; runs that are offered first */
    public static function unknown(): array
    {
        $id = AutomaticRuns::TRIGGERED;

        return [
            'another source' => ["run=$id&source=liv", ["$id.live"]],
            'a mistyped letter' => ['run=b' . substr($id, 1) . '&source=live', ["$id.live"]],
            'letters that changed places' => ['run=' . '1a' . substr($id, 2) . '&source=live', ["$id.live"]],
            'nothing like it' => ['run=zzzz&source=live', []],
            'no id at all' => ['run=..%2F..%2Fetc&source=live', []],
        ];
    }

    /** @param list<string> $offered */
    #[DataProvider('unknown')]
    public function testARunThatIsNotThereLeadsToTheListAndToSimilarOnes(string $parameters, array $offered): void
    {
        $page = self::open("index.php?$parameters", str_contains($parameters, '..') ? 400 : 404);
        self::assertContains('index.php', $page->attributes('//main//a', 'href'));
        $similar = $page->texts('//p[starts-with(., "Runs of similar names")]/a');
        self::assertSame($offered, array_slice($similar, 0, count($offered)));
        self::assertSame($offered === [], $similar === []);
    }

    public function testAComparisonOfOneThatIsNotThereLeadsToTheOther(): void
    {
        $page = self::open('index.php?run1=' . AutomaticRuns::TRIGGERED . '&run2=zzzz&source=live', 404);
        self::assertContains(self::runUrl(AutomaticRuns::TRIGGERED), $page->attributes('//main//a', 'href'));
    }
}
