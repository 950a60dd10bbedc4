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
     * @param list<GraphEdge>          $edges all there are, heaviest first
     * @param list<GraphEdge>          $drawn
     *
     * @return list<array{string, string}> the drawn function, and the one it leads to
     */
    public static function of(array $nodes, array $edges, array $drawn): array
    {
        $callers = [];
        foreach ($edges as $edge) {
            $callers[$edge->to][] = $edge->from;
        }
        $callees = [];
        foreach ($drawn as $edge) {
            $callees[$edge->from][] = $edge->to;
        }
        $reached = [];
        foreach (array_keys($nodes) as $name) {
            if (!isset($callers[$name])) {
                $reached += array_fill_keys([...self::reachable($name, $callees)], true);
            }
        }
        $vias = [];
        foreach (array_keys($nodes) as $name) {
            if (isset($reached[$name])) {
                continue;
            }
            foreach (self::reachable($name, $callers) as $target) {
                if (isset($nodes[$target], $reached[$target])) {
                    $vias[] = [$target, $name];
                    break;
                }
            }
            $reached += array_fill_keys([...self::reachable($name, $callees)], true);
        }

        return $vias;
    }

    /**
     * @param array<string, list<string>> $next
     *
     * @return \Generator<int, string> all that can be reached, the nearest first
     */
    private static function reachable(string $name, array $next): \Generator
    {
        $seen = [$name => true];
        $queue = [$name];
        for ($at = 0; isset($queue[$at]); $at++) {
            yield $queue[$at];
            foreach ($next[$queue[$at]] ?? [] as $other) {
                if (!isset($seen[$other])) {
                    $seen[$other] = true;
                    $queue[] = $other;
                }
            }
        }
    }
}
