<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;

/** What functions took per request, by release. */
final class Functions
{
    /** Functions in one statement: they stand in its address. */
    private const AT_ONCE = 200;

    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Those that took most time of their own.
     *
     * @param int $limit how many
     *
     * @return list<FunctionFigures> the most expensive first
     */
    public function top(Selection $which, Clock $clock, int $limit): array
    {
        $table = $which->table('functions');
        $rows = $this->client->rows(
            "SELECT fn, sum({$clock->self()}) AS own FROM $table {$which->where()}"
                . ' GROUP BY fn ORDER BY own DESC, fn LIMIT {most:UInt64}',
            $which->parameters() + ['most' => $limit],
        );

        return $this->figures($which, $clock, array_map(static fn (array $row): int => Cells::int($row, 0), $rows));
    }

    /**
     * @param list<int> $functions
     *
     * @return list<FunctionFigures> in the same order
     */
    public function figures(Selection $which, Clock $clock, array $functions): array
    {
        $names = $this->names($which, $functions);
        $requests = $this->requests($which);
        $table = $which->table('functions');
        $found = [];
        foreach (array_chunk($functions, self::AT_ONCE) as $some) {
            $rows = $this->client->rows(
                "SELECT fn, release, sum(samples), sum({$clock->self()}), sum({$clock->total()}) FROM $table "
                    . $which->where('fn IN ({fns:Array(UInt64)})') . ' GROUP BY fn, release ORDER BY fn, release',
                $which->parameters() + ['fns' => $some],
            );
            foreach ($rows as $row) {
                $found[Cells::int($row, 0)][Cells::text($row, 1)] = [Cells::int($row, 2), Cells::int($row, 3), Cells::int($row, 4)];
            }
        }
        $figures = [];
        foreach ($functions as $fn) {
            [$name, $file, $line] = $names[$fn] ?? ["(function $fn)", '', 0];
            $figures[] = new FunctionFigures($fn, $name, $file, $line, $found[$fn] ?? [], $requests);
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
            $requests[Cells::text($row, 0)] = Cells::int($row, 1);
        }

        return $requests;
    }

    /**
     * @param list<int>|null $functions null: all of the service, or of the route
     *
     * @return array<int, array{string, string, int}> name, file and line of each that has a name
     */
    public function names(Selection $which, ?array $functions = null): array
    {
        $place = new Selection($which->service, route: $which->route);
        $names = [];
        foreach ($functions === null ? [null] : array_chunk($functions, self::AT_ONCE) as $some) {
            $rows = $this->client->rows(
                'SELECT fn, argMax(name, seen), argMax(file, seen), argMax(line, seen) FROM functions '
                    . $place->where($some === null ? '' : 'fn IN ({fns:Array(UInt64)})') . ' GROUP BY fn',
                $place->parameters() + ($some === null ? [] : ['fns' => $some]),
            );
            foreach ($rows as $row) {
                $names[Cells::int($row, 0)] = [Cells::text($row, 1), Cells::text($row, 2), Cells::int($row, 3)];
            }
        }

        return $names;
    }
}
