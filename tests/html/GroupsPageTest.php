<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Functions by package, plug-in, folder, namespace and owner on the pages of a run and of a comparison. */
final class GroupsPageTest extends PagesTestCase
{
    private const RUN = 'index.php?run=a1&source=wp';
    private const TABLE = '//table[contains(@class, "run-functions")]';

    /** A folder of a plug-in may have any name. */
    private const HOSTILE = "<img src=x onerror=alert(1)>\"'&\u{202E}==>@2";

    private const TREE = [
        'names' => ['main()', 'wp', 'shop', 'usleep', 'search', 'evil', 'twice', 'twice'],
        'files' => [
            '/w/wp-includes/a.php', '/w/wp-content/plugins/shop/a.php', '/w/wp-content/plugins/search/a.php', 'ext:standard',
            '/w/wp-content/plugins/' . self::HOSTILE . '/a.php',
        ],
        'file' => [0, 0, 1, 3, 2, 4, 1, 2], 'line' => [1, 1, 1, 0, 1, 1, 1, 1], 'last_line' => [1, 1, 1, 0, 1, 1, 1, 1],
        'fn' => [0, 1, 2, 3, 4, 3, 5, 6, 7],
        'depth' => [0, 1, 2, 3, 3, 4, 1, 1, 1],
        'ct' => [1, 1, 2, 4, 1, 1, 1, 1, 1],
        'self' => ['wt' => [1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000]],
    ];

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        foreach (['a1' => 1, 'a2' => 2] as $id => $times) {
            $tree = self::TREE;
            $tree['self']['wt'] = array_map(static fn (int $ns): int => $times * $ns, $tree['self']['wt']);
            RunFiles::write(self::$runs, "$id.wp", ['meta' => ['url' => '/', 'method' => 'GET'], 'tree' => $tree]);
        }
        RunFiles::write(self::$runs, 'edges.wp', ['meta' => ['url' => '/'], 'edges' => [
            'names' => ['main()', 'App\f', 'strlen'], 'caller' => [-1, 0, 1], 'callee' => [0, 1, 2], 'ct' => [1, 1, 1],
            'wt' => [9, 5, 2],
        ]]);
        $owners = self::$runs . '/owners.json';
        file_put_contents($owners, '{"owners": {"Team \u003cb\u003e": ["wp-content/plugins/s*"]}, "rest": "Others"}');
        self::$server = new PageServer(self::ROOT, self::$runs, [], ['XHPROF_OWNERS' => $owners]);
    }

    public function testPluginsAddUpToTheRun(): void
    {
        $page = self::open(self::RUN . '&groups=plugin');
        self::assertSame('Plug-in', $page->texts(self::TABLE . '//th')[0]);
        $figures = $page->figures(self::TABLE);
        self::assertCount(4, $figures);
        // All of them, in µs.
        self::assertSame(511, $figures['WordPress'][2]);
        self::assertSame(511, array_sum(array_column($figures, 1)));
        // Two functions of one name belong to two plug-ins.
        self::assertSame([304, 140, 64, 3], array_column(array_values($figures), 1));
        $link = $page->attributes(self::TABLE . '//tbody/tr[2]/th/a', 'href')[0];
        self::assertStringContainsString('groups=plugin&sort=excl_wt&group=shop', $link);
        $one = self::open($link);
        self::assertSame(['(elsewhere)', 'twice', 'usleep', 'shop'], array_keys($one->figures(self::TABLE)));
        self::assertStringContainsString('Functions of the plug-in shop', $one->text('//*[@id="results"]/preceding-sibling::p[1]'));
    }

    public function testHostileNamesAreEscaped(): void
    {
        $page = self::open(self::RUN . '&groups=plugin');
        $names = array_keys($page->figures(self::TABLE));
        $evil = array_values(preg_grep('/img src/', $names) ?: [''])[0];
        self::assertStringContainsString('<img src=x onerror=alert(1)>', $evil);
        self::assertSame([], $page->find('//img'));
        foreach (['', '&view=flame', '&view=calltree', '&view=sandwich', '&view=graph'] as $view) {
            self::open(self::RUN . "&groups=plugin$view");
        }
        self::open(self::RUN . '&groups=plugin&symbol=' . rawurlencode('<img src=x onerror=alert(1)>'), 404);
        self::open(self::RUN . '&groups=plugin&group=' . rawurlencode('<img src=x onerror=alert(1)>'));
    }

    public function testOwnersOfTheTable(): void
    {
        $page = self::open(self::RUN . '&groups=owner');
        self::assertSame(['Team <b>' => 444, 'Others' => 67], array_map(
            static fn (array $row): int|float|null => $row[1],
            $page->figures(self::TABLE),
        ));
        self::assertContains('Owner', $page->texts('//nav[@aria-label="Add up by"]/a'));
    }

    public function testAComparisonOfGroups(): void
    {
        $page = self::open('index.php?run1=a1&run2=a2&source=wp&groups=package');
        self::assertSame('Package', $page->texts('//table[contains(@class, "compare")]//th')[0]);
        self::assertStringContainsString('100.0 %', $page->text('//dl[contains(@class, "totals")]'));
        self::open('index.php?run1=a1&run2=a2&source=wp&groups=package&symbol=shop');
        self::open('index.php?run1=a1&run2=a2&source=wp&groups=package&view=flame');
    }

    public function testARunWithoutCallPathsSaysWhatItCannotKnow(): void
    {
        $page = self::open('index.php?run=edges&source=wp&groups=namespace');
        self::assertSame(['App' => 5, '(global)' => 4], array_map(
            static fn (array $row): int|float|null => $row[1],
            $page->figures(self::TABLE),
        ));
        self::assertStringContainsString('no call paths', implode(' ', $page->texts('//p[@class="note"]')));
    }

    public function testWrongGroupsAreRefused(): void
    {
        self::assertStringContainsString('did you mean plugin', self::open(self::RUN . '&groups=plugn', 400)->body);
        // A group that this run does not have is a page without its functions.
        self::assertSame(['(elsewhere)'], array_keys(self::open(self::RUN . '&groups=plugin&group=none')->figures(self::TABLE)));
        // Views of whole runs do not know groups.
        self::open(self::RUN . '&groups=plugin&view=export');
    }
}
