<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/** The edges of a run without a call tree as columns: the document "edges" of its file. */
final class EdgeColumns
{
    /** Members that are no metric. Metrics of single edges may be missing: their places are here. */
    private const NAMES = 'names';
    private const CALLER = 'caller';
    private const CALLEE = 'callee';
    private const MISSING = 'missing';

    /**
     * @return array<string, mixed> {names, caller: index of names, -1 for none, callee, ct, METRIC..., missing?: {METRIC: places}};
     *     microseconds and bytes
     *
     * @throws InvalidProfile
     */
    public static function toArray(Profile $profile): array
    {
        $profile = $profile->recorded();
        $calls = $profile->calls();
        $data = [self::NAMES => $profile->symbols(), self::CALLER => $calls['caller'], self::CALLEE => $calls['callee']];
        foreach (['ct', ...$profile->metrics()] as $metric) {
            if (isset($data[$metric]) || $metric === self::MISSING) {
                throw new InvalidProfile("a metric cannot be called \"$metric\"");
            }
            $column = $missing = [];
            foreach ($profile->edges() as $row) {
                if (!isset($row[$metric])) {
                    $missing[] = count($column);
                }
                $column[] = $row[$metric] ?? 0;
            }
            $data[$metric] = $column;
            if ($missing !== []) {
                $data[self::MISSING][$metric] = $missing;
            }
        }

        return $data;
    }

    /**
     * @param array<mixed> $data
     *
     * @return array<string, array<string, int>> for Profile::fromEdges()
     *
     * @throws InvalidProfile
     */
    public static function toEdges(array $data): array
    {
        $names = SavedColumns::names($data[self::NAMES] ?? null, 'the run');
        $most = count($names) - 1;
        $callers = SavedColumns::integers($data[self::CALLER] ?? null, '"caller"', -1, null, $most);
        $callees = SavedColumns::integers($data[self::CALLEE] ?? null, '"callee"', 0, count($callers), $most);
        $missing = is_array($data[self::MISSING] ?? null) ? $data[self::MISSING] : [];
        $members = [self::NAMES => 0, self::CALLER => 0, self::CALLEE => 0, self::MISSING => 0];
        $columns = [];
        // Other members are of a later version.
        foreach (array_filter(array_diff_key($data, $members), is_array(...)) as $metric => $column) {
            $column = SavedColumns::integers($column, "\"$metric\"", PHP_INT_MIN, count($callers));
            $without = isset($missing[$metric]) ? SavedColumns::integers($missing[$metric], '"missing"', 0) : [];
            $columns[$metric] = array_diff_key($column, array_flip($without));
        }
        $edges = [];
        foreach ($callees as $i => $callee) {
            $key = EdgeKey::build($callers[$i] < 0 ? null : $names[$callers[$i]], $names[$callee]);
            foreach ($columns as $metric => $column) {
                if (isset($column[$i])) {
                    // Names that were not UTF-8 may have become the same.
                    $edges[$key][$metric] = ($edges[$key][$metric] ?? 0) + $column[$i];
                }
            }
        }

        return $edges;
    }
}
