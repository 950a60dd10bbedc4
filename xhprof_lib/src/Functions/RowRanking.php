<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Exception\UnknownMetric;

/**
 * Sorts rows of values. The order is the same on every machine: equal values go by name, byte by byte.
 *
 * @internal
 */
final class RowRanking
{
    /**
     * @param array<string, array<string, int|float>> $rows
     * @param bool                              $magnitude by the size of the figure, whatever its sign
     * @param bool|null                         $descending null: figures from the largest, names from A
     *
     * @return array<string, array<string, int|float>>
     *
     * @throws UnknownMetric
     */
    public static function rows(array $rows, string $metric, int $limit, bool $magnitude = false, ?bool $descending = null): array
    {
        $names = array_keys($rows);
        if ($metric === 'fn') {
            sort($names, SORT_STRING);
        } else {
            $values = [];
            foreach ($rows as $row) {
                $value = $row[$metric] ?? throw new UnknownMetric("the profile has no metric \"$metric\"");
                $values[] = $magnitude ? abs($value) : $value;
            }
            array_multisort($values, SORT_DESC, SORT_NUMERIC, $names, SORT_ASC, SORT_STRING);
        }
        if ($descending === ($metric === 'fn')) {
            $names = array_reverse($names);
        }
        if ($limit > 0) {
            $names = array_slice($names, 0, $limit);
        }
        $sorted = [];
        foreach ($names as $name) {
            $sorted[$name] = $rows[$name];
        }

        return $sorted;
    }
}
