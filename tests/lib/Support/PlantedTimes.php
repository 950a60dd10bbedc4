<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Profile\CallTree;
use XHProf\Profile\TimeParts;
use XHProf\Run\MadeRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/RunFiles.php';

/** Runs whose times are planted, in ms. The class has a `folder`. */
trait PlantedTimes
{
    /** @return int ns within a function, by walking the tree */
    private static function below(CallTree $tree, string $name): int
    {
        $sum = 0;
        $open = null;
        foreach ($tree->depth as $node => $depth) {
            $open = $open !== null && $depth > $open ? $open : null;
            $open ??= $tree->names[$tree->fn[$node]] === $name ? $depth : null;
            $sum += $open === null ? 0 : $tree->exclusive('wt')[$node];
        }

        return $sum;
    }

    /**
     * @param list<array{string, int, int, int}> $nodes
     * @param int $unit ns
     */
    private static function tree(array $nodes, int $unit = 1_000_000): CallTree
    {
        $names = array_values(array_unique(array_column($nodes, 0)));
        $numbers = array_flip($names);
        $wall = array_map(static fn (array $node): int => $node[2] * $unit, $nodes);
        $cpu = array_map(static fn (array $node): int => $node[3] * $unit, $nodes);

        return CallTree::fromArray([
            'names' => $names,
            'fn' => array_map(static fn (array $node): int => $numbers[$node[0]], $nodes),
            'depth' => array_column($nodes, 1),
            'ct' => array_fill(0, count($nodes), 1),
            'self' => ['wt' => $wall, 'cpu' => $cpu],
        ]);
    }

    /** @param array<string, mixed> $meta */
    private static function made(CallTree $tree, array $meta = []): Run
    {
        return new MadeRun(null, 'made', RunMeta::fromArray($meta), $tree);
    }

    /**
     * @param array<string, mixed> $meta
     * @param array<int, array<string, int>>|null $waits per node and kind ms of operations; null: not recorded
     * @param array<string, mixed> $damage
     */
    private function saved(CallTree $tree, array $meta = [], ?array $waits = null, array $damage = []): Run
    {
        static $number = 0;
        $id = sprintf('%08x', ++$number);
        $rows = [];
        $kinds = [];
        foreach ($waits ?? [] as $node => $ofNode) {
            foreach ($ofNode as $kind => $ms) {
                $kinds[] = $kind;
                $rows[] = [$node, $ms * 1_000_000];
            }
        }
        $texts = array_map(static fn (int $i): string => "text $i", array_keys($rows));
        $operations = $damage + [
            'lost' => 0, 'kinds' => $kinds, 'texts' => $texts, 'kind_of_text' => array_keys($rows), 'text' => array_keys($rows),
            'distinct_of_text' => array_fill(0, count($rows), 1), 'node' => array_column($rows, 0),
            'ct' => array_fill(0, count($rows), 1), 'total' => array_column($rows, 1), 'max' => array_column($rows, 1),
            'distinct' => array_fill(0, count($rows), 1), 'bounds' => [0], 'bucket' => ['row' => [], 'number' => [], 'ct' => []],
        ];
        RunFiles::write($this->folder, "$id.test", ['meta' => $meta, 'tree' => $tree->toArray()]
            + ($waits === null ? [] : ['operations' => $operations]));

        return (new RunFolder($this->folder))->open(RunId::fromStrings($id, 'test'));
    }

    /** @return array<string, int|float> by part */
    private static function ms(?TimeParts $times): array
    {
        $ms = [];
        foreach ($times->ns ?? [] as $part => $ns) {
            $ms[$part] = $ns / 1_000_000;
        }

        return $ms;
    }
}
