<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Edges of a call tree as columns: main() is the last one. Times are nanoseconds, or whole microseconds, as every XHProf has them.
 *
 * @internal
 */
final class FoldedEdges
{
    /**
     * @param list<string>             $labels  functions, also with a level of recursion: "f@1"; each once, callers first
     * @param list<int>                $caller  per edge, an index of labels; -1: none
     * @param list<int>                $callee  per edge, an index of labels
     * @param array<string, list<int>> $figures "ct" and metrics, per edge
     */
    public function __construct(
        public readonly array $labels,
        public readonly array $caller,
        public readonly array $callee,
        public readonly array $figures,
    ) {
    }

    /**
     * @return Profile of edges with times in whole microseconds
     *
     * @throws InvalidProfile
     */
    public function recorded(): Profile
    {
        return Profile::fromEdges($this->rows(), false);
    }

    /**
     * @param list<int>|null $edges null for all
     *
     * @return array<string, array<string, int>> by "caller==>callee", "ct" first
     */
    public function rows(?array $edges = null): array
    {
        $columns = $this->figures;
        $calls = $columns['ct'];
        unset($columns['ct']);
        $rows = [];
        foreach ($edges ?? array_keys($this->callee) as $edge) {
            $row = ['ct' => $calls[$edge]];
            foreach ($columns as $metric => $column) {
                $row[$metric] = $column[$edge];
            }
            $rows[$this->key($edge)] = $row;
        }

        return $rows;
    }

    /** @return list<string> */
    public function keys(): array
    {
        return array_map($this->key(...), array_keys($this->callee));
    }

    private function key(int $edge): string
    {
        $caller = $this->caller[$edge];

        return EdgeKey::build($caller < 0 ? null : $this->labels[$caller], $this->labels[$this->callee[$edge]]);
    }

    /**
     * Figures for a profile of the same calls: the same functions must have called each other. Calls are not compared: a run is
     * never refused for a figure that is counted in another way.
     *
     * @param array<string, list<int>> $columns in the order of the edges
     *
     * @return array<string, list<int>>|null the same in the order of the profile; null if it is one of other calls
     */
    public function inOrderOf(Profile $profile, array $columns): ?array
    {
        $keys = $profile->keys();
        $positions = array_flip($this->keys());
        if (count($positions) !== count($keys)) {
            return null;
        }
        $names = array_keys($columns);
        $ordered = array_fill_keys($names, []);
        foreach ($keys as $key) {
            if (!isset($positions[$key])) {
                return null;
            }
            foreach ($names as $metric) {
                $ordered[$metric][] = $columns[$metric][$positions[$key]];
            }
        }

        return $ordered;
    }
}
