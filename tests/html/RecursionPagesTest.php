<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Functions\Recursion;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\Profile;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Levels of recursion: one function on all pages and in the JSON, separate with levels=1. */
final class RecursionPagesTest extends PagesTestCase
{
    private const RUN = 'run=' . Fixtures::BEFORE . '&source=shop';
    private const TABLE = '//table[contains(@class, "functions")]';
    private const SHOW = '//a[.="Show levels of recursion"]';
    private const HIDE = '//a[.="Hide levels of recursion"]';

    /** @return array<string, mixed> */
    private static function json(string $query): array
    {
        $data = json_decode(self::$server->get("api.php?$query")->body, true, 64, JSON_THROW_ON_ERROR);
        self::assertIsArray($data);

        return $data;
    }

    /**
     * @param list<string> $names
     * @return list<string> those of levels
     */
    private static function levels(array $names): array
    {
        return array_values(array_filter($names, static fn (string $name): bool => Recursion::level($name) > 0));
    }

    public function testTheSwitchOfEveryTable(): void
    {
        $both = 'source=shop&run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER;
        $mean = 'source=shop&run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER;
        foreach ([self::RUN, $both, $mean] as $query) {
            $folded = self::open("index.php?$query&all=1");
            $names = $folded->texts(self::TABLE . '/tbody//*[@class="fn"]');
            self::assertSame([], self::levels($names), $query);
            self::assertSame([], $folded->find(self::HIDE));
            $apart = self::open($folded->attributes(self::SHOW, 'href')[0] . '&all=1');
            self::assertNotSame([], self::levels($apart->texts(self::TABLE . '/tbody//*[@class="fn"]')), $query);
            self::assertStringContainsString('levels=1', $apart->attributes('//nav//a[.="Call graph"]', 'href')[0]);
            self::assertMatchesRegularExpression('/name="levels" value="1"|data-diff="[^"]*levels=1/', $apart->body, 'it is kept');
            $back = self::open($apart->attributes(self::HIDE, 'href')[0] . '&all=1');
            self::assertEqualsCanonicalizing($names, $back->texts(self::TABLE . '/tbody//*[@class="fn"]'), $query);
        }
        $plain = self::open('index.php?source=shop&run=' . self::withoutLevels());
        self::assertSame([], $plain->find(self::SHOW . ' | ' . self::HIDE), 'where nothing calls itself');
    }

    public function testAFunctionSaysWhoCallsItWhileItRuns(): void
    {
        $report = SymbolReport::of(self::profile(Fixtures::BEFORE), 'strlen', true);
        $page = self::open('index.php?' . self::RUN . '&symbol=strlen');
        $calls = self::number(array_sum($report->recursion()));
        $note = $page->text('//p[@class="note"]');
        self::assertStringStartsWith("Recursive: $calls of its calls are nested, made by", $note);
        self::assertSame('outermost', $page->text('//span[@class="levels"]/a'));
        $outermost = self::open($page->attributes('//span[@class="levels"]/a', 'href')[0]);
        self::assertStringContainsString('Only its outermost calls.', $outermost->text('//p[@class="note"]'));
        $whole = self::open($outermost->attributes('//p[@class="note"]/a[.="Merge all levels"]', 'href')[0]);
        self::assertSame($note, $whole->text('//p[@class="note"]'));
        $inner = self::open('index.php?' . self::RUN . '&all=1&symbol=' . urlencode('strlen@1'));
        self::assertStringStartsWith('Only calls nested in one other call of it.', $inner->text('//p[@class="note"]'));
        $expected = SymbolReport::of(self::profile(Fixtures::BEFORE), 'strlen@1');
        $callers = array_keys($inner->figures('//section[@aria-labelledby="callers"]//table'));
        self::assertEqualsCanonicalizing(array_keys($expected->parents()), $callers);
    }

    public function testJson(): void
    {
        $apart = self::json('get=symbol&levels=1&symbol=strlen&' . self::RUN);
        self::assertSame(SymbolReport::of(self::profile(Fixtures::BEFORE), 'strlen')->self(), $apart['row']);
        self::assertSame([], $apart['recursion']);
        $both = 'get=diff&source=shop&run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER;
        self::assertSame([], self::levels(self::json($both)['names']));
        self::assertNotSame([], self::levels(self::json("$both&levels=1")['names']));
        $all = 'get=mean&source=shop&run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER;
        self::assertSame([], self::levels(self::json($all)['names']));
        self::assertNotSame([], self::levels(self::json("$all&levels=1")['names']));
    }

    public function testALevelInAComparison(): void
    {
        $both = 'index.php?source=shop&run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&symbol=';
        self::assertSame('strlen', self::open($both . 'strlen')->text('//h1/*[@class="fn"]'));
        self::assertSame('strlen@1', self::open($both . urlencode('strlen@1'))->text('//h1/*[@class="fn"]'));
    }

    /** @return string id of a run in which nothing calls itself */
    private static function withoutLevels(): string
    {
        $id = 'a00000000000000000000000000000ff';
        $edges = ['main()==>f' => ['ct' => 1, 'wt' => 2], 'main()' => ['ct' => 1, 'wt' => 3]];
        self::assertFalse(Recursion::in(Profile::fromEdges($edges)));
        RunFiles::classic(self::$runs, "$id.shop", $edges);

        return $id;
    }
}
