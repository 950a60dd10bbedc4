<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;

/**
 * The call paths that lead to a function, the heaviest first. Of a function that calls itself only the paths of its outermost
 * calls are listed, whose values include the inner calls; "f@2" asks for the paths on which two other calls of f are running.
 *
 * @phpstan-type Path array{node: int, callers: list<string>, ct: int, inclusive: int, exclusive: int}
 */
final class FunctionPaths
{
    /**
     * @param list<Path> $paths     each with its callers, from the outermost to the direct one
     * @param int        $count     number of all paths, with those left out
     * @param int        $inclusive sum of the inclusive values of all paths
     */
    private function __construct(
        public readonly array $paths,
        public readonly int $count,
        public readonly int $inclusive,
    ) {
    }

    /**
     * @param string $symbol name of a function, with "@N" for a level of recursion; as in a tree, bytes that are not UTF-8 stand
     *     for U+FFFD
     * @param string $metric a metric of the tree
     * @param int    $limit  most paths that are listed
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

    /** @return iterable<int> nodes of a function that have exactly $wanted calls of the same function among their callers */
    private static function nodes(CallTree $tree, string $name, int $wanted): iterable
    {
        $isSymbol = array_map(static fn (string $other): bool => $other === $name, $tree->names);
        // Depths of the function's nodes on the path to the current node.
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
