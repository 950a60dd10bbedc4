<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\Shipment;

/**
 * Labels of requests: those that all have, and free ones. How many values each has decides how many rows the store has.
 *
 * @phpstan-type LabelRow array{label: string, is_free: bool, values: int, requests: int, other: int, hosts: int}
 */
final class LabelValues extends Question
{
    /** Labels that are columns. */
    private const FIXED = ['service', 'env', 'route', 'release', 'host'];

    /** @return list<LabelRow> those that all requests have, then free ones by name; "other": requests whose value had no room */
    public function names(Selection $which): array
    {
        $columns = array_map(static fn (string $name): string
            => "uniqExact($name), sumIf(requests, $name = {other:String})", self::FIXED);
        $parameters = $which->parameters() + ['other' => Shipment::OTHER];
        $fixed = $this->client->rows(
            'SELECT sum(requests), uniqExact(host), ' . implode(', ', $columns) . " FROM requests_10m {$which->where()}",
            $parameters,
        )[0] ?? [];
        if (RowValues::int($fixed, 0) === 0) {
            return [];
        }
        $found = [];
        foreach (self::FIXED as $i => $name) {
            $found[] = [
                'label' => $name, 'is_free' => false, 'values' => RowValues::int($fixed, 2 + 2 * $i),
                'requests' => RowValues::int($fixed, 0),
                'other' => RowValues::int($fixed, 3 + 2 * $i),
                'hosts' => RowValues::int($fixed, 1),
            ];
        }
        $free = $this->client->rows(
            'SELECT l.1 AS label, uniqExact(l.2), sum(requests), sumIf(requests, l.2 = {other:String}), uniqExact(host)'
                . " FROM requests_10m ARRAY JOIN labels AS l {$which->where()} GROUP BY label ORDER BY label",
            $parameters,
        );
        foreach ($free as $row) {
            $found[] = [
                'label' => RowValues::text($row, 0), 'is_free' => true, 'values' => RowValues::int($row, 1),
                'requests' => RowValues::int($row, 2), 'other' => RowValues::int($row, 3), 'hosts' => RowValues::int($row, 4),
            ];
        }

        return $found;
    }

    /** @return list<array{value: string, requests: int, hosts: int}> of one label, the most requests first */
    public function values(Selection $which, string $label, int $most): array
    {
        $isFixed = in_array($label, self::FIXED, true);
        $value = $isFixed ? $label : 'labels[{label:String}]';
        $has = $isFixed ? '' : 'mapContains(labels, {label:String})';
        $rows = $this->client->rows(
            "SELECT $value AS one, sum(requests) AS n, uniqExact(host) FROM requests_10m {$which->where($has)}"
                . ' GROUP BY one ORDER BY n DESC, one LIMIT {most:UInt64}',
            $which->parameters() + ['label' => $label, 'most' => $most],
        );

        return array_map(static fn (array $row): array => [
            'value' => RowValues::text($row, 0),
            'requests' => RowValues::int($row, 1),
            'hosts' => RowValues::int($row, 2),
        ], $rows);
    }
}
