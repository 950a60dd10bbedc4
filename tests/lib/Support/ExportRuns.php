<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\App\Pages;
use XHProf\File\Sink;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Run\MadeRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Share\AllFormats;

/**
 * Runs that are written in every format.
 */
final class ExportRuns
{
    /** Names that are special in one format or another. */
    public const HOSTILE = [
        "line\nbreak\r\n",
        'semi;colon',
        'quo"te \'s',
        "bad\xFF\xC3\x28utf-8",
        "control\0\x07\x1B[31m",
        '=cmd|"/c calc"!A1',
        "\tTab",
        '(12) fn=x calls=3',
        '</script><b>&amp;',
        "App\\\u{00C9}t\u{00E9}::\u{65E5}\u{672C}\u{202E}",
        'PDO::query#SELECT a, b FROM "t" WHERE c ==> d',
        ' spaces  123',
    ];

    private const ROWS = [
        // depth, name, calls, wall ns, CPU ns, memory, peak, allocated bytes, blocks
        [0, 'main()', 1, 250000, 200000, 1000, 500, 640, 4],
        [1, 'App\Shop::order', 2, 280500, 270250, 300, 200, 320, 2],
        [2, 'App\Price::sum', 4, 200125, 150125, 100, 50, 96, 3],
        [2, 'array_map', 3, 120000, 110000, -4096, 0, 0, 0],
        [3, '{closure:src/Shop.php:12}', 30, 75375, 75000, 16, 16, 480, 30],
        [1, 'App\Price::sum', 1, 60000, 55000, -50, 0, 32, 1],
        [2, 'App\Price::sum', 1, 50000, 45000, 10, 0, 32, 1],
        [3, 'App\Price::sum', 2, 40000, 35000, 5, 0, 64, 2],
        [1, 'json_encode', 1, 0, 0, 0, 0, 0, 0],
    ];

    public static function tree(): CallTree
    {
        return self::treeOf(self::ROWS);
    }

    public static function small(): Run
    {
        return self::run(self::tree(), 'php bin/console "orders:close"');
    }

    public static function hostile(): Run
    {
        $rows = [[0, 'main()', 1, 1000000, 900000, 100, 100, 8, 1]];
        foreach (self::HOSTILE as $i => $name) {
            $rows[] = [1, $name, $i + 1, 10000 * ($i + 1), 9000 * ($i + 1), 10 - 4 * $i, 0, 16, 1];
            $rows[] = [2, self::HOSTILE[($i + 5) % count(self::HOSTILE)], 1, 1000 * ($i + 1), 1000, 0, 0, 16, 1];
        }

        return self::run(self::treeOf($rows), "php \"x\" <b>\n\xFF");
    }

    /** @param non-empty-list<string> $names of functions that the first one calls, and of their files */
    public static function named(array $names, string $title): Run
    {
        $tree = ['n' => count($names), 'names' => $names, 'files' => $names];
        $tree += ['fn' => array_keys($names), 'file' => array_keys($names), 'ct' => array_fill(0, count($names), 1)];
        $tree['line'] = $tree['last_line'] = $tree['ct'];
        $tree['depth'] = [0, ...array_fill(0, count($names) - 1, 1)];
        $tree['self'] = ['wt' => array_fill(0, count($names), 1000)];

        return self::run(CallTree::fromArray($tree), $title, ['url' => $title, 'method' => $title]);
    }

    public static function edgesOnly(): Run
    {
        $meta = RunMeta::fromArray(['ts' => 1763680000.5, 'name' => 'edges only']);
        $id = RunId::fromStrings('e0000000000000000000000000000009', 'edges');

        return new MadeRun($id, 'edges only', $meta, null, Profile::fromEdges(Runs::small()));
    }

    public static function sampled(): Run
    {
        $samples = SampleColumns::fromSamples([
            '1763680000.000000' => 'main()==>a',
            '1763680000.100000' => 'main()==>a==>b',
            '1763680000.200000' => 'main()==>a==>b==>c',
            '1763680000.350000' => 'main()==>d==>b',
            '1763680000.400000' => 'main()==>d==>b==>d@1',
        ]);
        $tree = $samples->tree();
        $id = RunId::fromStrings('e0000000000000000000000000000008', 'samples');

        $meta = RunMeta::fromArray(['ts' => 1763680000, 'name' => 'sampled']);

        return new MadeRun($id, 'sampled', $meta, $tree, log: $samples);
    }

    /**
     * A tree of that many nodes, about 20 deep, of 2000 functions.
     */
    public static function large(int $nodes): Run
    {
        $rows = [[0, 'main()', 1, 1000, 900, 10, 10, 8, 1]];
        $seed = 42;
        $depth = 0;
        for ($i = 1; $i < $nodes; $i++) {
            $seed = ($seed * 1103515245 + 12345) & 0x7FFFFFFF;
            $depth = max(1, min(40, $depth + ($seed % 7 < 4 ? 1 : -($seed % 5))));
            $depth = min($depth, end($rows)[0] + 1);
            $name = 'App\Space' . ($seed >> 8) % 50 . '\Service' . ($seed >> 4) % 2000 . '::handle';
            $rows[] = [$depth, $name, 1 + $seed % 3, 500 + $seed % 5000, 400 + $seed % 4000, $seed % 64 - 16, $seed % 8, 32, 1];
        }

        return self::run(self::treeOf($rows), 'large');
    }

    public static function written(string $format, Run $run, ?string $metric = null): string
    {
        $text = '';
        $out = Sink::toText($text);
        AllFormats::named($format, Pages::all())->write($run, $out, $metric);
        $out->end();

        return $text;
    }

    /** @param array<string, mixed> $more metadata */
    private static function run(CallTree $tree, string $title, array $more = []): Run
    {
        $profile = $tree->toProfile();
        $meta = RunMeta::fromArray($more + [
            'id' => 'e0000000000000000000000000000007',
            'source' => 'shop',
            'ts' => 1763680000.25,
            'duration_us' => 1076,
            'pid' => 4242,
            'php' => '8.2.35',
            'command' => $title,
        ]);
        $id = RunId::fromStrings('e0000000000000000000000000000007', 'shop');

        return new MadeRun($id, $title, $meta, $tree, CorrectedTimes::join($profile, $tree) ?? $profile);
    }

    /**
     * @param list<array{int, string, int, int, int, int, int, int, int}> $rows
     */
    private static function treeOf(array $rows): CallTree
    {
        $numbers = [];
        $data = ['names' => [], 'fn' => [], 'depth' => [], 'ct' => [], 'self' => [], 'corrected' => []];
        foreach ($rows as [$depth, $name, $calls, $wall, $cpu, $memory, $peak, $bytes, $blocks]) {
            if (!isset($numbers[$name])) {
                $numbers[$name] = count($data['names']);
                $data['names'][] = $name;
            }
            $data['fn'][] = $numbers[$name];
            $data['depth'][] = $depth;
            $data['ct'][] = $calls;
            $figures = ['wt' => $wall, 'cpu' => $cpu, 'mu' => $memory, 'pmu' => $peak];
            foreach ($figures + ['allocated_bytes' => $bytes, 'allocated_blocks' => $blocks] as $metric => $figure) {
                $data['self'][$metric][] = $figure;
            }
            $data['corrected']['wt'][] = max(0, $wall - 20 * $calls);
        }

        return CallTree::fromArray($data);
    }
}
