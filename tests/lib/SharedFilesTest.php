<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\App\Pages;
use XHProf\Exception\ExportTooLarge;
use XHProf\Heap\HeapIndex;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Share\FileLinks;
use XHProf\Share\Html;
use XHProf\Share\SharedSnapshot;
use XHProf\Share\SizedFile;
use XHProf\Store\RunFolder;
use XHProf\Tests\Html\HeapFixtures;
use XHProf\Tests\Html\Page;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../html/Workload.php';
require_once __DIR__ . '/../html/Fixtures.php';
require_once __DIR__ . '/../html/HeapFixtures.php';
require_once __DIR__ . '/../html/Page.php';
require_once __DIR__ . '/Support/OperationsRun.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Files to send: what they have of runs, comparisons and snapshots, and that nothing in them leads to a server. */
final class SharedFilesTest extends TestCase
{
    use TemporaryFolder;

    public function testARunHasItsFindingsOperationsAndPlaces(): void
    {
        $page = self::page((new Html(Pages::all()))->file($this->saved('1')));
        self::assertSame(
            ['Functions', 'Call tree', 'Flame graph', 'Sandwich', 'Operations'],
            $page->texts('//nav[@class="tabs"]/a[@data-tab]'),
        );
        $texts = $page->text('//*[@data-pane="operations"]//table');
        self::assertStringContainsString('SELECT name FROM author WHERE id = ?', $texts);
        self::assertStringContainsString('src/author.php:7', $page->text('//*[@data-pane="functions"]//table'));
        self::assertStringContainsString('What to look at', $page->text('//*[@data-pane="functions"]'));
        self::assertStringContainsString('Wall time', $page->text('//*[@data-pane="functions"]//dl'));
        self::assertNotSame([], $page->find('//*[@data-pane="calltree"]//ul[@class="paths"]'), 'as text without scripts');
        self::leadsNowhere($page);
    }

    public function testAComparisonHasBothSidesAndTheirOperations(): void
    {
        $before = $this->saved('1');
        $after = $this->saved('2', [...OperationsRun::ROWS, ['sql', 'SELECT new', 4, 9, 90_000_000, 20_000_000, 9]]);
        $file = (new Html(Pages::all()))->file($before, $after);
        $page = self::page($file);
        $tabs = $page->texts('//nav[@class="tabs"]/a[@data-tab]');
        self::assertSame(['Functions', 'Call tree', 'Flame graph', 'Sandwich', 'Operations'], $tabs);
        self::assertStringContainsString('SELECT new', $page->text('//*[@data-pane="operations"]//table/tbody/tr[1]/th'));
        self::assertStringContainsString('1 new', $page->text('//*[@data-pane="operations"]'));
        self::assertCount(1, $page->find('//h1'));
        $asked = array_map(
            static fn (object $answer): string => (string) preg_replace('/^.*get=(\w+).*$/', '$1', $answer->address),
            $file->document->answers
        );
        self::assertSame(['diff', 'columns', 'columns', 'names'], $asked);
        self::leadsNowhere($page);
        $mean = new MeanRun([static fn (): Run => $before, static fn (): Run => $after]);
        $page = self::page((new Html(Pages::all()))->file($before, $mean));
        self::assertStringContainsString('SELECT new', $page->text('//*[@data-pane="operations"]'));
        self::leadsNowhere($page);
    }

    public function testAComparisonWithARunThatHasNoOperationsHasNoTabOfThem(): void
    {
        $page = self::page((new Html(Pages::all()))->file($this->saved('1'), $this->saved('3', null)));
        self::assertSame(['Functions', 'Call tree', 'Flame graph', 'Sandwich'], $page->texts('//nav[@class="tabs"]/a[@data-tab]'));
        self::leadsNowhere($page);
    }

    public function testSourceLinesAreThereOnlyWhereTheyAreAskedFor(): void
    {
        $code = "<?php\n\n\n\n\n\nfunction author() {\n    return '<i>secret word</i>';\n}\n";
        mkdir("$this->folder/src");
        file_put_contents("$this->folder/src/author.php", $code);
        $run = $this->saved('1');
        self::assertStringNotContainsString('secret word', (new Html(Pages::all()))->file($run)->html);
        $page = self::page((new Html(Pages::all(), roots: $this->folder))->file($run));
        self::assertStringContainsString("return '<i>secret word</i>';", $page->text('//*[@data-pane="source"]//table'));
        self::assertSame([], $page->find('//i'));
        self::leadsNowhere($page);
        mkdir("$this->folder/other");
        $page = self::page((new Html(Pages::all(), roots: "$this->folder/other"))->file($run));
        self::assertStringNotContainsString('secret word', $page->text('//main'), 'only below the roots');
    }

    public function testASnapshotHasItsPagesAndTreemap(): void
    {
        HeapFixtures::build($this->folder);
        $path = "$this->folder/worker-after.heap.jsonl";
        $shared = SharedSnapshot::ofFile($path, HeapIndex::open($path, static fn () => null));
        $file = $shared->file();
        self::assertLessThan(SizedFile::USUAL, strlen($file->html));
        $page = self::page($file);
        self::assertSame(
            ['Overview', 'Classes', 'Strings and arrays', 'Duplicate strings', 'Retained tree', 'Leak candidates'],
            $page->texts('//nav[@class="tabs"]/a[@data-tab]'),
        );
        self::assertStringContainsString('App\Entity\Order', $page->text('//*[@data-pane="classes"]//table'));
        self::assertStringContainsString('beginnings of strings', $page->text('//*[@data-left-out]'));
        $map = json_decode($file->document->answers[0]->body, true, 512, JSON_THROW_ON_ERROR);
        self::assertSame('The heap', $map['top']['name']);
        self::assertGreaterThan(3, count($file->document->answers), 'the largest values open');
        self::leadsNowhere($page);
        $this->expectException(ExportTooLarge::class);
        $shared->file(100_000);
    }

    public function testLinksLeadToViewsOfTheFile(): void
    {
        $links = new FileLinks(['functions', 'flame', 'operations'], 'run');
        foreach (
            [
            'index.php?run=1&source=s' => '?view=functions',
            'index.php?run=1&source=s&view=flame&sel=a%20b&root=x' => '?view=flame&sel=a%20b&root=x',
            'index.php?run=1&symbol=App%5CA' => '?symbol=App%5CA',
            'index.php?run=1&view=operations&operation=ab#operation' => '?view=operations&operation=ab',
            'index.php?run=1&view=memory' => null,
            'index.php?run=1&view=operations&kind=sql' => null,
            'index.php?run1=1&run2=2' => null,
            'index.php' => null,
            'api.php?get=export&run=1' => null,
            'vscode://file/srv/a.php:3' => null,
            'javascript:alert(1)' => null,
            ] as $address => $expected
        ) {
            self::assertSame($expected, $links->address($address), $address);
        }
        $html = '<a class="x" href="index.php?run=1&amp;view=flame" data-keep data-key="f">F &lt;</a> '
            . '<a href="index.php?view=trend" title="T">Trend</a><form method="get" action="index.php"><input></form>'
            . '<form method="dialog" data-f></form><a href="#here">here</a>';
        self::assertSame(
            '<a href="?view=flame" class="x">F &lt;</a> <span title="T">Trend</span><form method="dialog" data-f></form>'
                . '<a href="#here">here</a>',
            $links->rewritten($html),
        );
    }

    /** @param list<array{string, string, int, int, int, int, int}>|null $operations */
    private function saved(string $id, ?array $operations = OperationsRun::ROWS): Run
    {
        $name = str_pad($id, 32, '0') . '.shop';
        $slower = static fn (int $time): int => 20 * $time;
        $operations = $operations === null ? null : array_map(static fn (array $row): array
            => [$row[0], $row[1], $row[2], $row[3], $slower($row[4]), $slower($row[5]), $row[6]], $operations);
        $tree = ['self' => ['wt' => array_map($slower, OperationsRun::TREE['self']['wt'])]] + OperationsRun::TREE
            + ['files' => ["$this->folder/src/author.php"], 'file' => [-1, -1, 0, -1, -1, -1]]
            + ['line' => [0, 0, 7, 0, 0, 0], 'last_line' => [0, 0, 9, 0, 0, 0]];
        RunFiles::put($this->folder, $name, ['tree' => $tree]
            + ($operations === null ? [] : ['operations' => OperationsRun::data($operations)]));

        return (new RunFolder($this->folder))->named("$this->folder/$name.run");
    }

    private static function page(SizedFile $file): Page
    {
        return new Page(['HTTP/1.1 200 OK'], $file->html);
    }

    private static function leadsNowhere(Page $page): void
    {
        foreach (['href', 'src', 'action', 'data-children', 'data-lazy', 'data-link', 'data-function'] as $attribute) {
            foreach ($page->find("//*[@$attribute]") as $element) {
                self::assertInstanceOf(\DOMElement::class, $element);
                self::assertMatchesRegularExpression('/\A[?#]/', $element->getAttribute($attribute), $attribute);
            }
        }
        self::assertSame([], $page->find('//form[@method="get" or @method="post"]'));
        $ids = array_map(static fn (\DOMNode $node): string => $node->nodeValue ?? '', $page->find('//@id'));
        self::assertSame($ids, array_values(array_unique($ids)), 'an id names one element');
    }
}
