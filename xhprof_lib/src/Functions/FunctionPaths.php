<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;

/**
 * The call paths of a function, the heaviest first. A function that calls itself has the paths of its outermost calls only,
 * whose values include the inner ones; "f@2" has those on which two other calls of f are running.
 *
 * @phpstan-type Path array{node: int, callers: list<string>, ct: int, inclusive: int, exclusive: int}
 */
final class FunctionPaths
{
    /**
     * @param list<Path> $paths     callers from the outermost to the one that calls
     * @param int        $count     of paths, also those left out
     * @param int        $inclusive of all paths
     */
    private function __construct(
        public readonly array $paths,
        public readonly int $count,
        public readonly int $inclusive,
    ) {
    }

    /**
     * @param string $symbol name of a function, with "@N" for a level of recursion; bytes that are not UTF-8 are U+FFFD in a tree
     * @param string $metric of the tree
     * @param int    $limit  number of paths
     *
     * @throws \XHProf\Exception\UnknownMetric
     */
    public static function find(CallTree $tree, string $symbol, string $metric, int $limit): self
    {
        $symbol = (string) json_decode((string) json_encode($symbol, JSON_INVALID_UTF8_SUBSTITUTE));
        // A function's own name may be "f@1", too.
        $name = in_array($symbol, $tree->names, true) ? $symbol : EdgeKey::stripRecursion($symbol);
        $wanted = $name === $symbol ? 0 : (int) substr($symbol, strlen($name) + 1);
        $inclusive = $tree->inclusive($metric);
        $found = [];
        foreach (self::nodes($tree, $name, $wanted) as $node) {
            $found[$node] = $inclusive[$node];
        }
        arsort($found);
        $exclusive = $tree->exclusive($metric);
        $parents = $tree->parents();
        $paths = [];
        foreach (array_slice($found, 0, $limit, true) as $node => $value) {
            $callers = [];
            for ($at = $parents[$node]; $at >= 0; $at = $parents[$at]) {
                $callers[] = $tree->names[$tree->fn[$at]];
            }
            $paths[] = [
                'node' => $node,
                'callers' => array_reverse($callers),
                'ct' => $tree->ct[$node],
                'inclusive' => $value,
                'exclusive' => $exclusive[$node],
            ];
        }

        return new self($paths, count($found), array_sum($found));
    }

    /** @return iterable<int> nodes of a function below exactly this number of others of it */
    private static function nodes(CallTree $tree, string $name, int $wanted): iterable
    {
        $isSymbol = array_map(static fn (string $other): bool => $other === $name, $tree->names);
        // Depths of the open nodes of the function.
        $open = [];
        foreach ($tree->fn as $node => $fn) {
            if (!$isSymbol[$fn] && $open === []) {
                continue;
            }
            while ($open !== [] && $open[count($open) - 1] >= $tree->depth[$node]) {
                array_pop($open);
            }
            if ($isSymbol[$fn]) {
                if (count($open) === $wanted) {
                    yield $node;
                }
                $open[] = $tree->depth[$node];
            }
        }
    }
}
