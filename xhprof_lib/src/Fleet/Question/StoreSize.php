<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\QueryFailed;
use XHProf\Fleet\ClickHouse\Schema;

/**
 * How much the store holds. Rows and bytes are those of the server that answers: in a cluster those of one shard.
 *
 * @phpstan-type TableVolume array{table: string, rows: int, bytes: int|null, host_days: int, rows_per_host_day: ?float,
 *     bytes_per_host_day: ?float}
 */
final class StoreSize extends Question
{
    /**
     * @return list<TableVolume> the largest first; bytes are null where the user may not see them. "host_days": days on which each
     *     host has sent requests, as far back as the table goes; 0 where it knows no time
     */
    public function tables(): array
    {
        $days = $this->hostDays();
        $parts = $this->parts();
        $found = [];
        foreach (Schema::tables() as $table) {
            $hasTime = isset($table->columns['ts']);
            $row = $this->client->rows(
                'SELECT count()' . ($hasTime ? ', toUnixTimestamp(toStartOfDay(min(ts)))' : '') . " FROM $table->name",
            )[0] ?? [];
            $since = RowValues::int($row, 1);
            $rows = $parts[$table->name][0] ?? RowValues::int($row, 0);
            $bytes = $parts === null ? null : $parts[$table->name][1] ?? 0;
            $hostDays = !$hasTime ? 0 : RowValues::sum(array_filter(
                $days,
                static fn (int $day): bool => $day >= $since,
                ARRAY_FILTER_USE_KEY,
            ));
            $found[] = [
                'table' => $table->name, 'rows' => $rows, 'bytes' => $bytes, 'host_days' => $hostDays,
                'rows_per_host_day' => $hostDays === 0 ? null : (float) ($rows / $hostDays),
                'bytes_per_host_day' => $bytes === null || $hostDays === 0 ? null : (float) ($bytes / $hostDays),
            ];
        }
        usort($found, static fn (array $a, array $b): int => [$b['bytes'], $b['rows']] <=> [$a['bytes'], $a['rows']]);

        return $found;
    }

    /** @return array<string, array{int, int}>|null table => rows and bytes on disk; null if the user may not read them */
    private function parts(): ?array
    {
        try {
            $rows = $this->client->rows(
                'SELECT table, sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase()'
                    . ' GROUP BY table',
            );
        } catch (QueryFailed $e) {
            if ($e->isDenied()) {
                return null;
            }
            throw $e;
        }
        $parts = [];
        foreach ($rows as $row) {
            $name = RowValues::text($row, 0);
            $name = str_ends_with($name, Schema::LOCAL) ? substr($name, 0, -strlen(Schema::LOCAL)) : $name;
            $parts[$name] = [RowValues::int($row, 1), RowValues::int($row, 2)];
        }

        return $parts;
    }

    /** @return array<int, int> start of a day, seconds since 1970 => hosts with requests on it */
    private function hostDays(): array
    {
        $rows = $this->client->rows(
            'SELECT toUnixTimestamp(toStartOfDay(ts)) AS day, uniqExact(host) FROM requests_10m GROUP BY day',
        );

        return array_combine(
            array_map(static fn (array $row): int => RowValues::int($row, 0), $rows),
            array_map(static fn (array $row): int => RowValues::int($row, 1), $rows),
        );
    }
}
