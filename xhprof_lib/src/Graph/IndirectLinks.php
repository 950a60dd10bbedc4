<?php

declare(strict_types=1);

namespace XHProf\Graph;

/**
 * Links functions that no drawn call reaches from the start of the graph to the nearest drawn function that leads to them.
 *
 * @internal
 */
final class IndirectLinks
{
    /**
     * @param array<string, GraphNode> $nodes those drawn, heaviest first
     * @param Calls                    $calls all there are
     * @param list<GraphEdge>          $drawn
     *
     * @return list<array{string, string}> the drawn function, and the one it leads to
     */
    public static function find(array $nodes, Calls $calls, array $drawn): array
    {
        $callees = [];
        foreach ($drawn as $edge) {
            $callees[$edge->from][] = $edge->to;
        }
        $drawnCallees = static fn (string $name): array => $callees[$name] ?? [];
        $reached = [];
        foreach (array_keys($nodes) as $name) {
            if (!$calls->isCalled($name)) {
                $reached += array_fill_keys([...self::reachable($name, $drawnCallees)], true);
            }
        }
        $vias = [];
        foreach (array_keys($nodes) as $name) {
            if (isset($reached[$name])) {
                continue;
            }
            foreach (self::reachable($name, $calls->callers(...)) as $target) {
                if (isset($nodes[$target], $reached[$target])) {
                    $vias[] = [$target, $name];
                    break;
                }
            }
            $reached += array_fill_keys([...self::reachable($name, $drawnCallees)], true);
        }

        return $vias;
    }

    /**
     * @param \Closure(string): list<string> $next
     *
     * @return \Generator<int, string> all that can be reached, the nearest first
     */
    private static function reachable(string $name, \Closure $next): \Generator
    {
        $seen = [$name => true];
        $queue = [$name];
        for ($at = 0; isset($queue[$at]); $at++) {
            yield $queue[$at];
            foreach ($next($queue[$at]) as $other) {
                if (!isset($seen[$other])) {
                    $seen[$other] = true;
                    $queue[] = $other;
                }
            }
        }
    }
}
