<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/**
 * Single requests that are in the store as whole runs: of each route and window of a host the slowest one and one by chance, and
 * runs that a trigger or a condition has saved.
 *
 * @phpstan-type Exemplar array{run: string, kind: string, route: string, host: string, release: string, at: int, wall_us: int,
 *     cpu_us: int, failed: bool}
 */
final class KeptRequests extends Question
{
    /** @return list<Exemplar> the slowest first */
    public function slowest(Selection $which, int $most): array
    {
        $rows = $this->client->rows(
            'SELECT run, kind, route, host, release, toUnixTimestamp(ts), wall_us, cpu_us, failed FROM exemplars FINAL '
                . "{$which->where()} ORDER BY wall_us DESC, ts DESC, run LIMIT {most:UInt64}",
            $which->parameters() + ['most' => $most],
        );

        return array_map(static fn (array $row): array => [
            'run' => RowValues::text($row, 0),
            'kind' => RowValues::text($row, 1),
            'route' => RowValues::text($row, 2),
            'host' => RowValues::text($row, 3),
            'release' => RowValues::text($row, 4),
            'at' => RowValues::int($row, 5),
            'wall_us' => RowValues::int($row, 6),
            'cpu_us' => RowValues::int($row, 7),
            'failed' => RowValues::int($row, 8) !== 0,
        ], $rows);
    }

    /** @return string|null a file of Export\JsonRun; null if the selection has no such run */
    public function file(Selection $which, string $run): ?string
    {
        $rows = $this->client->rows(
            "SELECT body FROM exemplars FINAL {$which->where('run = {run:String}')} LIMIT 1",
            $which->parameters() + ['run' => $run],
        );

        return $rows === [] ? null : RowValues::text($rows[0], 0);
    }
}
