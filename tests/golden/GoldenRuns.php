<?php

declare(strict_types=1);

namespace XHProf\Tests\Golden;

use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunFolder;
use XHProf\Tests\Html\CompareFixtures;
use XHProf\Tests\Html\Fixtures;
use XHProf\Tests\Html\HeapFixtures;
use XHProf\Tests\Html\Workload;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\HeapFixture;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/../html/CompareFixtures.php';
require_once __DIR__ . '/../html/Fixtures.php';
require_once __DIR__ . '/../html/HeapFixtures.php';
require_once __DIR__ . '/../html/Workload.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';
require_once __DIR__ . '/../lib/Support/Runs.php';

/**
 * The runs that the golden files are of: the same bytes on each machine. Ids begin with the kind: 51 small runs whose figures are
 * known, 52 a shop, 53 a call tree with CPU times, 54 a timeline with operations and live memory, 55 a worker's memory, 56 PECL's,
 * 57 hostile names, 58 a damaged run; ab a set of ten, a1, a2, a3 what settings started. Snapshots are those of HeapFixtures.
 */
final class GoldenRuns
{
    /** main() { order { query, price }, query }: with times of calls, places in code, operations and live memory. */
    private const TREE = [
        'names' => ['main()', 'App\Shop::order', 'PDO::query', 'App\Shop::price', 'App\Shop::{closure:/srv/app/Shop.php:40}'],
        'files' => ['/srv/app/index.php', '/srv/app/Shop.php', 'ext:PDO'],
        'file' => [0, 1, 2, 1, 1],
        'line' => [1, 10, 0, 30, 40],
        'last_line' => [9, 28, 0, 44, 42],
        'fn' => [0, 1, 2, 3, 4, 2],
        'depth' => [0, 1, 2, 2, 3, 1],
        'ct' => [1, 2, 4, 2, 6, 1],
        'call_line' => [0, 5, 12, 13, 41, 7],
        'self' => [
            'wt' => [1_000_000, 2_000_000, 5_000_000, 700_000, 600_000, 1_500_000],
            'cpu' => [900_000, 1_900_000, 400_000, 690_000, 600_000, 100_000],
            'mu' => [4096, 1024, -512, 64, 0, 128],
            'pmu' => [8192, 2048, 0, 64, 0, 0],
        ],
    ];

    private const TIMELINE = [
        'duration' => 10_800_000, 'threshold' => 50_000,
        't' => [100_000, 300_000, 5_500_000, 6_000_000, 9_000_000], 'd' => [8_000_000, 3_000_000, 1_000_000, 1_500_000, 1_500_000],
        'node' => [1, 2, 3, 2, 5],
    ];

    private const OPERATIONS = [
        ['sql', 'SELECT name FROM author WHERE id = ?', 2, 4, 4_500_000, 2_000_000, 2],
        ['sql', 'UPDATE stock SET n = n - ?', 5, 1, 1_500_000, 1_500_000, 1],
        ['file', 'fopen cache/{id}.txt', 3, 3, 300_000, 200_000, 1],
    ];

    public static function build(string $folder): void
    {
        $store = new RunFolder($folder);
        self::edges($store, 1, 'unit', Runs::small(), ['url' => '/small']);
        self::edges($store, 1, 'unit', Runs::changed(), ['url' => '/small', 'release' => '2.0-rc1'], 2);
        self::edges($store, 2, 'shop', Workload::edges(2024, 500), ['peak_memory' => 31639194]);
        $factors = ['App\Service\Pricing::apply' => 9.0, 'PDOStatement::execute' => 3.0, 'json_decode' => 0.2];
        self::edges($store, 2, 'shop', Workload::edges(2024, 500, $factors), ['release' => '2.0-rc1', 'nodes_dropped' => 7], 2);
        RunFiles::write($folder, self::id(3) . '.api', ['meta' => self::meta(self::id(3), 'api', 3, [
            'clock' => ['wall' => 'tsc', 'cpu' => 'interpolate'],
            'overhead' => ['user' => ['callee' => 9.1, 'caller' => 14.06], 'internal' => ['callee' => 7, 'caller' => 11.5]],
            'totals' => ['wt' => 30145, 'cpu' => 23000, 'mu' => 900, 'pmu' => 1500],
        ]), 'tree' => Workload::tree(31, 150)]);
        $memory = MemoryRun::data([[['App\Shop::order', 'App\Shop::price'], 'array', 1, 3, 4096]], 2);
        RunFiles::write($folder, self::id(4) . '.timed', [
            'meta' => self::meta(self::id(4), 'timed', 4, [
                'totals' => ['wt' => 10800, 'cpu' => 4590, 'mu' => 4800, 'pmu' => 10304],
            ]),
            'tree' => self::TREE,
            'timeline' => self::TIMELINE,
            'operations' => OperationsRun::data(self::OPERATIONS),
            'memory' => ['rows' => ['node' => [-1, 3]] + $memory['memory']['rows']] + $memory['memory'],
        ]);
        $more = self::meta(self::id(5), 'worker', 5, ['sapi' => 'cli', 'command' => 'php worker.php', 'url' => null]);
        OperationsRun::save($store, MemoryRun::save($store, 'worker', self::id(5), MemoryRun::worker(), 4, $more));
        RunFiles::classic($folder, self::id(6) . '.pecl', Workload::edges(9, 60, [], false));
        self::edges($store, 7, 'hostile', self::hostile(), ['url' => "/?q=<script>\u{202E}", 'host' => '<b>host</b>']);
        self::edges($store, 8, 'shop', Runs::large(40), []);
        RunFiles::cut($folder, self::id(8) . '.shop', 100);
        CompareFixtures::build($folder);
        AutomaticRuns::build($folder);
        foreach (RunFiles::runs($folder) as $i => $run) {
            foreach (RunId::KINDS as $kind) {
                is_file("$folder/$run.$kind") && touch("$folder/$run.$kind", Fixtures::START - 60 * $i);
            }
        }
        $label = Label::fromInput(true, ['slow one'], "after <b>lunch</b>\nand a nap");
        $store->setLabel(RunId::fromStrings(self::id(1, 2), 'unit'), $label);
        HeapFixtures::build($folder);
        file_put_contents("$folder/copies.heap.jsonl", self::copies());
        touch("$folder/copies.heap.jsonl", Fixtures::START - 3600);
        touch($folder, Fixtures::START);
    }

    public static function id(int $kind, int $number = 1): string
    {
        return sprintf('5%d%030x', $kind, $number);
    }

    /**
     * @param array<string, array<string, int>> $edges
     * @param array<string, mixed> $meta
     */
    private static function edges(RunFolder $store, int $kind, string $source, array $edges, array $meta, int $number = 1): void
    {
        $id = self::id($kind, $number);
        $store->save($edges, $source, $id, self::meta($id, $source, 10 * $kind - $number, $meta));
    }

    /** Strings with equal contents, which only newer snapshots show. */
    private static function copies(): string
    {
        $heap = new HeapFixture(['pid' => 7, 'time' => Fixtures::START - 3600]);
        foreach (['hash one', 'hash one', 'hash two', 'hash one', 'hash two'] as $i => $hash) {
            $value = ['n' => 100, 'r' => 1, 'v' => $hash, 'h' => substr(md5($hash), 0, 16)];
            $heap->refer(2, "copy$i", $heap->add('string', '', 124, 128, $value), '');
        }

        return $heap->text();
    }

    /** @return array<string, array<string, int>> */
    private static function hostile(): array
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 100000, 'cpu' => 90000, 'mu' => 5000, 'pmu' => 9000]];
        foreach ([...Fixtures::HOSTILE_NAMES, Runs::NASTY] as $i => $name) {
            $edges["main()==>$name"] = ['ct' => $i, 'wt' => 4000 - 100 * $i, 'cpu' => 3000, 'mu' => 100 - 50 * $i, 'pmu' => 0];
            $edges["$name==>strlen"] = ['ct' => 1, 'wt' => 10, 'cpu' => 10, 'mu' => 0, 'pmu' => 0];
        }

        return $edges;
    }

    /**
     * @param array<string, mixed> $own
     * @return array<string, mixed>
     */
    private static function meta(string $id, string $source, int $minutes, array $own): array
    {
        return $own + [
            'id' => $id,
            'source' => $source,
            'ts' => Fixtures::START - 60.0 * $minutes,
            ...Fixtures::REQUEST,
            'flags' => 6,
            'flag_names' => ['CPU', 'MEMORY'],
        ];
    }
}
