<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Format\Text;
use XHProf\Profile\CallTree;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/../lib/Support/MemoryRun.php';
require_once __DIR__ . '/../lib/Support/OperationsRun.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Fills a folder with runs of every kind that the pages must show. */
final class Fixtures
{
    public const BEFORE = 'a0000000000000000000000000000001';
    public const AFTER = 'a0000000000000000000000000000002';
    public const LARGE = 'b0000000000000000000000000000001';
    public const HOSTILE = 'c0000000000000000000000000000001';
    public const FOREIGN = '65ba1c0ffee01';
    public const CUT_OFF = 'd0000000000000000000000000000001';
    public const EMPTY_FILE = 'd0000000000000000000000000000002';
    public const BAD_META = 'd0000000000000000000000000000003';
    public const GONE = 'Monolog\Logger::format';
    public const ADDED = 'Monolog\Logger::formatRecord';
    public const DROPPED = 'e0000000000000000000000000000001';
    public const CORRECTED = 'e0000000000000000000000000000002';

    public const MEMORY = 'e0000000000000000000000000000003';
    public const HOSTILE_MEMORY = 'c0000000000000000000000000000002';

    /** What every run says of its request and its process, as `xhprof_save()` writes it. */
    public const REQUEST = [
        'sapi' => 'fpm-fcgi',
        'url' => '/orders?page=2&sort=date',
        'method' => 'GET',
        'host' => 'web-1.shop.example',
        'php' => '8.2.35',
        'zts' => false,
        'version' => '3.0.0',
        'pid' => 4242,
        'git' => '0d1e2f3a0d1e2f3a0d1e2f3a0d1e2f3a0d1e2f3a',
    ];

    /** Functions whose names attack the page that shows them. */
    public const HOSTILE_NAMES = [
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(2)>',
        "{{ 7 * 7 }}{% include 'base.html.twig' %}",
        "bad\xFFutf\xC3\x28-8\xE2\x82",
        "control\x00\x07\x1B[31m\ttab\nline",
        "right\u{202E}ot-left\u{2066}isolate\u{200B}zero\u{FEFF}",
        "\u{05E9}\u{05DC}\u{05D5}\u{05DD}::\u{0645}\u{0631}\u{062D}\u{0628}\u{0627}",
        "App\\\u{00C9}t\u{00E9}\\Caf\u{00E9}::\u{65E5}\u{672C}\u{8A9E}",
        '&amp;lt;b&amp;gt;&#60;u&#62;',
        'javascript:alert(3)//',
        '../../../etc/passwd',
        'a=b&run=evil#fragment?x=1%00%41 +',
        "PDO::query#SELECT * FROM `orders` WHERE `name` = 'O''Brien' AND note LIKE \"%<b>%\"",
    ];

    public const START = 1763680000;

    /** The folder that all are copied from, until the process ends. */
    private static ?string $made = null;

    /** @return list<string> those of HOSTILE_NAMES as a run of this folder has them: in UTF-8 */
    public static function hostileNames(): array
    {
        return array_map(Text::utf8(...), self::HOSTILE_NAMES);
    }

    public static function longName(): string
    {
        return 'App\VeryLong\\' . str_repeat('NamespaceWithoutAnyBreak', 400) . '::method';
    }

    /** Fills the folder with the runs that a process has made once: making them takes a third of a second. */
    public static function build(string $folder): void
    {
        if (self::$made === null) {
            self::$made = sys_get_temp_dir() . '/xhprof-fixtures-' . bin2hex(random_bytes(6));
            mkdir(self::$made, 0700);
            $made = self::$made;
            register_shutdown_function(static fn () => exec('rm -rf ' . escapeshellarg($made)));
            self::make(self::$made);
        }
        // With their times.
        exec('cp -a ' . escapeshellarg(self::$made . '/.') . ' ' . escapeshellarg($folder), $out, $code);
        $code === 0 || throw new \RuntimeException("the runs could not be copied to $folder");
    }

    private static function make(string $folder): void
    {
        $store = new RunFolder($folder);
        self::pair($store);
        $store->save(Workload::edges(77, 20000, [], true, 12), 'shop-cli', self::LARGE, self::meta(-7200, [
            'sapi' => 'cli',
            'command' => 'php bin/console app:import:products --file=var/catalogue-2025-11.csv --batch=500 --verbose',
            'url' => null,
            'method' => null,
        ]));
        $store->save(self::hostileEdges(), 'hostile', self::HOSTILE, self::meta(-3600, [
            'url' => "/search?q=<script>alert(1)</script>\u{202E}&x=" . str_repeat('long', 200),
            'host' => '<b>host</b>',
            'git' => '<i>not-a-sha</i>',
            'release' => '<b>"1"</b>',
            'meta' => ['<u>key</u>' => '<img src=x onerror=alert(4)>', 'nested' => ['a' => [1, 2, "\u{2028}"]]],
        ]));
        $store->save(Workload::edges(5, 900), 'shop', self::DROPPED, self::meta(-1800, [
            'url' => '/report/yearly',
            'nodes' => 1000000,
            'nodes_dropped' => 12345,
        ]));
        self::corrected($store, $folder);
        self::memory($store);
        foreach (range(1, 56) as $i) {
            $id = sprintf('f%031x', $i);
            $url = ['/', '/orders?page=' . $i, '/cart', '/api/v2/products/' . $i * 7][$i % 4];
            $store->save(Workload::edges(1000 + $i, 20 + 3 * $i), 'shop', $id, self::meta(-10000 - 613 * $i, ['url' => $url]));
        }
        self::foreign($folder);
        self::damaged($store, $folder);
    }

    private static function pair(RunFolder $store): void
    {
        $before = Workload::edges(2024, 9000);
        $after = Workload::edges(2024, 9000, [
            'App\Service\Pricing::apply' => 9.0,
            'PDOStatement::execute' => 3.0,
            'json_decode' => 0.2,
            'Twig\Template::render' => 0.4,
        ]);
        // One function is renamed: it is gone under the old name and new under the other.
        $renamed = [];
        foreach ($after as $key => $figures) {
            $renamed[preg_replace('/' . preg_quote(self::GONE, '/') . '(?=$|@|==>)/', self::ADDED, $key)] = $figures;
        }
        $store->save($before, 'shop', self::BEFORE, self::meta(-600, ['git' => str_repeat('3f9a2c1d', 5), 'release' => '2.0-rc1']));
        $store->save($renamed, 'shop', self::AFTER, self::meta(0, ['git' => str_repeat('b81e07aa', 5)]));
    }

    /** A run with its call tree, which has corrected times. */
    private static function corrected(RunFolder $store, string $folder): void
    {
        $tree = Workload::tree(31, 1500);
        $run = $store->save(CallTree::fromArray($tree)->toEdges(), 'api', self::CORRECTED, self::meta(-2400, [
            'url' => '/orders/export',
            'clock' => ['wall' => 'tsc', 'cpu' => 'interpolate', 'cpu_refused' => ['rseq' => 'the kernel <b>registers</b> none']],
            'overhead' => ['user' => ['callee' => 9.1, 'caller' => 14.06], 'internal' => ['callee' => 7, 'caller' => 11.5]],
        ]));
        RunFiles::put($folder, $run, ['tree' => $tree]);
    }

    /** A worker with its live memory, with marks between its jobs; and one whose names attack the page. */
    private static function memory(RunFolder $store): void
    {
        $space = 'App\Warehouse\Import\\';
        $rows = [];
        foreach (MemoryRun::worker() as [$path, $type, $mark, $blocks, $bytes]) {
            $rows[] = [[$space . 'Worker::consume', ...$path], $type, $mark, $blocks, $bytes];
        }
        for ($i = 0; $i < 140; $i++) {
            $path = [$space . 'Worker::consume', $space . 'Job\\' . ['Stock', 'Price', 'Picture'][$i % 3] . 'Job::handle'];
            array_push($path, 'Doctrine\ORM\UnitOfWork::commit', 'Doctrine\ORM\Persister\Entity' . $i . '::hydrate');
            $type = $i % 2 === 0 ? 'array' : 'object:' . $space . 'Entity\Row' . $i;
            $rows[] = [$path, $type, $i % 4, 1 + $i % 9, 900000 >> intdiv($i, 10)];
            $rows[] = [$path, 'string', ($i + 1) % 4, 2, 65 + $i];
        }
        $deep = [$space . 'Worker::consume', 'Twig\Template::render'];
        for ($i = 0; $i < 30; $i++) {
            array_push($deep, 'Twig\Node\Node' . $i . '::compile', 'Twig\Compiler::subcompile');
        }
        $rows[] = [[...$deep, 'array_merge'], 'array', 2, 12, 700000];
        $worker = MemoryRun::save($store, 'worker', self::MEMORY, $rows, 4, self::meta(-2460, [
            'sapi' => 'cli',
            'command' => 'php bin/console messenger:consume warehouse --limit=4',
            'url' => null,
            'method' => null,
            'flag_names' => ['ALLOC'],
        ]));
        self::operations($store, $worker);
        $rows = [[[self::longName()], 'object:' . self::longName(), 0, 1, 90000]];
        foreach (self::HOSTILE_NAMES as $i => $name) {
            $rows[] = [[$name, 'strlen', $name], "object:$name", $i % 3, 1 + $i, 64000 - 1000 * $i];
        }
        $meta = self::meta(-3660, ['url' => '/<u>memory</u>']);
        $hostile = MemoryRun::save($store, 'hostile', self::HOSTILE_MEMORY, $rows, 3, $meta, [
            'sample_bytes' => 1024,
            'dropped' => ['blocks' => 1, 'bytes' => 4096],
            'allocators' => ['<b>heap</b>' => ['size' => 4096], "zero\0\u{202E}" => ['size' => 1, 'before_bytes' => 7]],
        ]);
        $rows = [];
        foreach ([...self::HOSTILE_NAMES, self::longName()] as $i => $name) {
            $rows[] = ['sql', $name, $i + 1, 1000 + $i, 5000000, 70000, 3];
        }
        OperationsRun::save($store, $hostile, $rows);
    }

    /** What the worker waited for: a query in a loop, others, requests, files. */
    private static function operations(RunFolder $store, RunId $worker): void
    {
        $rows = [['sql', 'SELECT p.name, p.price FROM product p WHERE p.id = ?', 4, 240, 48_000_000, 1_900_000, 60]];
        for ($i = 0; $i < 60; $i++) {
            $columns = implode(', ', array_map(static fn (int $n): string => "column_$n", range(1, 1 + $i)));
            $text = "SELECT $columns FROM stock_$i WHERE id IN (…)";
            $rows[] = ['sql', $text, 1 + $i, 1 + $i % 3, 900_000 * (1 + $i % 3), 900_000, 1];
        }
        $rows[] = ['http', 'GET prices.example.com/v1/products/{id}', 5, 12, 640_000_000, 90_000_000, 12];
        $rows[] = ['cache', 'Redis::get product:{id}', 6, 30, 9_000_000, 700_000, 2];
        $rows[] = ['file', 'file_put_contents import/{id}.csv', 7, 4, 2_000_000, 900_000, 4];
        OperationsRun::save($store, $worker, $rows);
    }

    /** @return array<string, array<string, int>> */
    private static function hostileEdges(): array
    {
        $names = [...self::HOSTILE_NAMES, self::longName()];
        $edges = ['main()' => ['ct' => 1, 'wt' => 100000, 'cpu' => 90000, 'mu' => 5000, 'pmu' => 9000]];
        foreach ($names as $i => $name) {
            $figures = ['ct' => $i, 'wt' => 4000 - 100 * $i, 'cpu' => 3000, 'mu' => 100 - 50 * $i, 'pmu' => 0];
            $edges["main()==>$name"] = $figures;
            $edges["$name==>strlen"] = ['ct' => 1, 'wt' => 10, 'cpu' => 10, 'mu' => 0, 'pmu' => 0];
        }

        return $edges;
    }

    /** A run of another tool: no metadata, wall time only. */
    private static function foreign(string $folder): void
    {
        RunFiles::classic($folder, self::FOREIGN . '.xhprof', Workload::edges(9, 300, [], false), self::START - 86400);
    }

    private static function damaged(RunFolder $store, string $folder): void
    {
        $store->save(Workload::edges(3, 50), 'shop', self::CUT_OFF);
        RunFiles::cut($folder, self::CUT_OFF . '.shop', 700);
        touch(RunFiles::path($folder, self::CUT_OFF . '.shop'), self::START - 4000);
        $empty = RunFiles::path($folder, self::EMPTY_FILE . '.shop');
        file_put_contents($empty, '');
        touch($empty, self::START - 4100);
        $store->save(Workload::edges(4, 200), 'shop', self::BAD_META, self::meta(-4200, []));
        RunFiles::damage($folder, self::BAD_META . '.shop', 'meta', '{"v":1,"ts":');
        touch(RunFiles::path($folder, self::BAD_META . '.shop'), self::START - 4200);
    }

    /**
     * @param int $offset seconds from the newest run
     * @param array<string, mixed> $own
     * @return array<string, mixed>
     */
    private static function meta(int $offset, array $own): array
    {
        return $own + [
            'ts' => self::START + $offset + 0.25,
            ...self::REQUEST,
            'peak_memory' => 31639194,
            'flags' => 6,
            'flag_names' => ['CPU', 'MEMORY'],
            'clock' => ['wall' => 'tsc', 'cpu' => 'thread_cputime'],
        ];
    }
}
