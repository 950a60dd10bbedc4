<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidLabel;
use XHProf\Exception\RunNotFound;
use XHProf\Format\QuantityParser;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\Label;
use XHProf\Store\Retention;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Labels, the choice of runs to delete, and quantities in the form that people type. */
final class LabelTest extends TestCase
{
    use TemporaryFolder;

    public function testTagsAreKeptInOrderAndOnce(): void
    {
        $label = Label::fromInput(true, [' b', 'a', '', 'b', '10', "\u{e9}t\u{e9}", 'a b'], " x\r\ny ");
        self::assertSame(['10', 'a', 'a b', 'b', "\u{e9}t\u{e9}"], $label->tags);
        self::assertSame("x\ny", $label->note);
        self::assertEquals($label, Label::fromJson($label->toJson()));
        self::assertSame(['10', 'a', 'c'], $label->withTags(['c', 'a'], ['b', 'a b', "\u{e9}t\u{e9}"])->tags);
        self::assertFalse($label->withPinned(false)->isEmpty());
        self::assertTrue(Label::fromInput(false, [' '], "\n")->isEmpty());
        self::assertTrue(Label::none()->isEmpty());
    }

    /** @return array<string, array{string, bool}> */
    public static function tags(): array
    {
        return [
            'word' => ['release-42', true],
            'words' => ['two words', true],
            'URL' => ['feature/x:y@z#1+2=3', true],
            'other letters' => ["\u{65e5}\u{672c}", true],
            'longest' => [str_repeat("\u{e9}", 40), true],
            'too long' => [str_repeat("\u{e9}", 41), false],
            'comma' => ['a,b', false],
            'quote' => ['a"b', false],
            'markup' => ['<b>', false],
            'line break' => ["a\nb", false],
            'NUL' => ["a\0b", false],
            'turns the writing' => ["a\u{202e}b", false],
            'no width' => ["a\u{200b}b", false],
            'no UTF-8' => ["a\xff", false],
            'line separator' => ["a\u{2028}b", false],
        ];
    }

    #[DataProvider('tags')]
    public function testTags(string $tag, bool $isTag): void
    {
        self::assertSame($isTag, Label::isTag($tag));
        if (!$isTag) {
            $this->expectException(InvalidLabel::class);
        }
        self::assertSame([$tag], Label::fromInput(false, [$tag], '')->tags);
    }

    public function testTheStoreKeepsLabelsInFilesOfTheirOwn(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'x', 'r');
        self::assertTrue($store->label($id)->isEmpty());
        $store->setLabel($id, Label::fromInput(true, ['a'], 'n'));
        self::assertFileExists("$this->folder/r.x.label.json");
        $store->save(['main()' => ['ct' => 1, 'wt' => 7]], 'x', 'r');
        self::assertSame(['a'], $store->label($id)->tags, 'it was given to the name');
        self::assertSame(['a'], $store->catalog()->find(new \XHProf\Store\RunQuery(), 1)->runs[0]->label->tags);
        $store->setLabel($id, Label::none());
        self::assertFileDoesNotExist("$this->folder/r.x.label.json");
        $store->setLabel($id, Label::none());
        $this->expectException(RunNotFound::class);
        $store->setLabel(RunId::fromStrings('other', 'x'), Label::fromInput(true, [], ''));
    }

    public function testALinkIsNoLabel(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'x', 'r');
        mkdir("$this->folder/else");
        file_put_contents("$this->folder/else/label", Label::fromInput(false, ['stolen'], '')->toJson());
        symlink("$this->folder/else/label", "$this->folder/r.x.label.json");
        self::assertSame([[], true], [$store->label($id)->tags, $store->label($id)->pinned]);
        $store->setLabel($id, Label::fromInput(false, ['mine'], ''));
        self::assertSame(['mine'], $store->label($id)->tags);
        self::assertStringContainsString('stolen', (string) file_get_contents("$this->folder/else/label"));
    }

    public function testDeleteTakesTheFilesOfTheRunAndNoOthers(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'x', 'r');
        $store->setLabel($id, Label::fromInput(true, [], ''));
        RunFiles::put($this->folder, $id, ['tree' => [], 'memory' => []]);
        $others = ['r.x.notes', RunFiles::file($id) . '.bak', RunFiles::file('r.x.y'), RunFiles::file('rr.x')];
        foreach ($others as $name) {
            file_put_contents("$this->folder/$name", '');
        }
        $store->delete($id);
        self::assertSame($others, self::names($this->folder));
        $this->expectException(RunNotFound::class);
        $store->delete($id);
    }

    public function testRetention(): void
    {
        $runs = [];
        foreach (['e' => 50, 'd' => 40, 'c' => 30, 'b' => 20, 'a' => 10] as $id => $time) {
            $label = Label::fromInput($id === 'b', [], '');
            $run = RunId::fromStrings($id, 'x');
            $runs[] = new RunEntry($run, (float) $time, '', 100, $id, RunMeta::fromArray([]), label: $label);
        }
        $expired = static fn (Retention $retention): string
            => implode('', array_map(static fn (RunEntry $run): string => $run->id->id, $retention->expired($runs)));
        self::assertSame('', $expired(new Retention()));
        self::assertSame('ac', $expired(new Retention(before: 40.0)));
        self::assertSame('acde', $expired(new Retention(before: 1e9)));
        self::assertSame('a', $expired(new Retention(maxRuns: 4)));
        self::assertSame('acd', $expired(new Retention(maxRuns: 2)));
        self::assertSame('', $expired(new Retention(maxBytes: 500)));
        self::assertSame('a', $expired(new Retention(maxBytes: 499)));
        self::assertSame('acde', $expired(new Retention(maxBytes: 0)));
        self::assertSame('acd', $expired(new Retention(before: 20.0, maxRuns: 4, maxBytes: 250)));
        self::assertSame([], (new Retention(maxRuns: 0))->expired([]));
    }

    public function testQuantities(): void
    {
        $times = ['200' => 200000, '200ms' => 200000, '1.5 s' => 1500000, '1,5s' => 1500000, '300us' => 300, "7\u{b5}s" => 7,
            '2min' => 120000000, '0' => 0, '-1' => null, 's' => null, '' => null, '1h' => null, '1e9' => null, "1\n" => 1000];
        foreach ($times as $text => $expected) {
            self::assertSame($expected, QuantityParser::time((string) $text), (string) $text);
        }
        $sizes = ['500' => 500, '1K' => 1024, '1.5 MB' => 1572864, '2gib' => 2 << 30, '1T' => 1 << 40, 'x' => null, '-1' => null,
            '999999999999T' => null, '7b' => 7];
        foreach ($sizes as $text => $expected) {
            self::assertSame($expected, QuantityParser::bytes((string) $text), (string) $text);
        }
        $moment = static fn (string $text, bool $end = false): ?string
            => ($time = QuantityParser::moment($text, $end)) === null ? null : date('Y-m-d H:i:s', (int) $time);
        self::assertSame('2026-11-21 00:00:00', $moment('2026-11-21'));
        self::assertSame('2026-11-22 00:00:00', $moment(' 2026-11-21 ', true));
        self::assertSame('2026-11-21 14:30:00', $moment('2026-11-21T14:30'));
        self::assertSame('2026-11-21 14:31:00', $moment('2026-11-21 14:30', true));
        self::assertSame('2026-11-21 14:30:06', $moment('2026-11-21 14:30:05', true));
        foreach (['2026-02-30', '2026-11-21 24:00', '21.11.2026', 'tomorrow', '', '2026-11-21 14'] as $text) {
            self::assertNull($moment($text), $text);
        }
    }

    /** @return list<string> without dotfiles */
    private static function names(string $folder): array
    {
        return array_values(array_filter(scandir($folder) ?: [], static fn (string $name): bool => $name[0] !== '.'));
    }
}
