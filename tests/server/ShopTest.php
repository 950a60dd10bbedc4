<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use XHProf\Findings\Evidence;
use XHProf\Findings\Findings;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\Databases;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/ServerTestCase.php';

/** demo/shop/visit.php, with all databases that can be had: what is planted is found in each. */
final class ShopTest extends ServerTestCase
{
    /** Variable of a database => its name in the shop, and a text of what the checkout asks it. */
    private const DATABASES = [
        'SHOP_MYSQL' => ['mysql', null],
        'SHOP_POSTGRES' => ['postgres', null],
        'SHOP_REDIS' => [null, 'Redis::rPush cart:ada'],
        'SHOP_MEMCACHED' => [null, 'Memcached::get product:{id}'],
    ];

    public function testWhatIsPlantedIsFound(): void
    {
        self::needExtension();
        if (!extension_loaded('pdo_sqlite')) {
            self::markTestSkipped('this PHP has no pdo_sqlite');
        }
        $folder = new Folder();
        $visit = [PHP_BINARY, dirname(__DIR__, 2) . '/demo/shop/visit.php', "$folder->path/runs"];
        $process = new Daemon($visit, "$folder->path/visit.out");
        self::assertSame(0, $process->finish(300.0), $process->output());

        $store = new RunFolder("$folder->path/runs");
        $texts = [];
        [$drawn, $calls] = [[], 0];
        $found = [];
        foreach ($store->list() as $entry) {
            $meta = $store->open($entry->id)->meta();
            $title = $meta->origin->url ?? $meta->origin->command ?? '';
            $report = $store->open($entry->id)->operations();
            $rows = $report?->rows() ?? [];
            $texts[$title] = array_map(static fn(OperationRow $row): string => $row->text, $rows);
            $evidence = new Evidence(
                $store->open($entry->id)->profile(),
                $meta,
                static fn() => $store->open($entry->id)->memory(),
                static fn(): ?OperationReport => $report,
            );
            $tree = $title === '/reviews' ? $store->open($entry->id)->tree() : null;
            $timeline = $tree === null ? null : $store->open($entry->id)->timeline();
            if ($timeline !== null) {
                $drawn = array_map($timeline->name(...), array_keys($timeline->t));
                $calls = $store->open($entry->id)->profile()->totals()['ct'];
            }
            foreach (Findings::find($evidence) as $finding) {
                $found[$title][$finding->rule] = $finding->symbol;
            }
        }

        self::assertSame('Shop\Shelf::list', $found['/reviews']['n-plus-one'] ?? '');
        self::assertSame(151, array_count_values($drawn)['PDOStatement::execute'] ?? 0, 'the loop is in the timeline');
        self::assertCount((int) $calls - 1, $drawn, 'all calls but main()');
        self::assertArrayNotHasKey('n-plus-one', $found['/reviews?by=one-query'] ?? []);
        self::assertSame('Shop\Sales::bestsellers', $found['/bestsellers/sqlite']['slow-operation'] ?? '');
        self::assertSame('Shop\Duplicates::of', $found['/duplicates']['dominant-function'] ?? '');
        self::assertSame('Shop\History::record', $found['php demo/shop/import.php 40']['kept-memory'] ?? '');
        self::assertNotSame([], preg_grep('~^GET 127\.0\.0\.1:\d+/rates/~', $texts['/checkout']));
        foreach (array_diff_key(self::DATABASES, Databases::missing()) as [$name, $text]) {
            if ($name !== null) {
                self::assertSame('Shop\Sales::bestsellers', $found["/bestsellers/$name"]['slow-operation'] ?? '', $name);
            } else {
                self::assertContains($text, $texts['/checkout']);
            }
        }
        self::assertFileExists("$folder->path/runs/import-half.heap.jsonl");
        self::assertFileExists("$folder->path/runs/import.heap.jsonl");
    }
}
