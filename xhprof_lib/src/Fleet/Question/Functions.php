<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/** What functions took per request, by release. */
final class Functions extends Question
{
    /**
     * Finds the functions with the most time of their own.
     *
     * @param int $limit how many
     *
     * @return list<ReleaseFigures> the most expensive first
     */
    public function top(Selection $which, SampledClock $clock, int $limit): array
    {
        $table = $which->table('functions');
        $rows = $this->client->rows(
            "SELECT fn, sum({$clock->self()}) AS own FROM $table {$which->whereRequests()}"
                . ' GROUP BY fn ORDER BY own DESC, fn LIMIT {most:UInt64}',
            $which->parameters() + ['most' => $limit],
        );

        return $this->figures($which, $clock, array_map(static fn (array $row): int => RowValues::id($row, 0), $rows));
    }

    /**
     * @param list<int> $functions
     *
     * @return list<ReleaseFigures> in the same order
     */
    public function figures(Selection $which, SampledClock $clock, array $functions): array
    {
        $names = FunctionNames::read($this->client, $which, $functions);
        $requests = $this->requests($which);
        $table = $which->table('functions');
        $found = [];
        foreach (array_chunk($functions, FunctionNames::AT_ONCE) as $some) {
            $rows = $this->client->rows(
                "SELECT fn, release, sum(samples), sum({$clock->self()}), sum({$clock->total()}) FROM $table "
                    . $which->whereRequests('fn IN ({fns:Array(UInt64)})') . ' GROUP BY fn, release ORDER BY fn, release',
                $which->parameters() + ['fns' => $some],
            );
            foreach ($rows as $row) {
                $found[RowValues::id($row, 0)][RowValues::text($row, 1)]
                    = [RowValues::int($row, 2), RowValues::int($row, 3), RowValues::int($row, 4)];
            }
        }
        $figures = [];
        foreach ($functions as $fn) {
            $place = $names->place($fn);
            $figures[] = new ReleaseFigures(
                $fn,
                $names->name($fn),
                $place->file ?? '',
                $place->line ?? 0,
                $found[$fn] ?? [],
                $requests,
            );
        }

        return $figures;
    }

    /** @return array<string, int> release => requests */
    public function requests(Selection $which): array
    {
        $rows = $this->client->rows(
            "SELECT release, sum(requests) FROM {$which->table('requests')} {$which->where()} GROUP BY release",
            $which->parameters(),
        );
        $requests = [];
        foreach ($rows as $row) {
            $requests[RowValues::text($row, 0)] = RowValues::int($row, 1);
        }

        return $requests;
    }
}
