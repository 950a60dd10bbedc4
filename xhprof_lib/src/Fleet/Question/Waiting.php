<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Profile\CodePlace;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeSplit;
use XHProf\Run\RouteFigures;
use XHProf\Stats\Buckets;

/** What requests waited for, by samples of functions that wait. The store has no operations: their names say it. */
final class Waiting extends Question
{
    /** @return RouteFigures with nothing but "waits" and "met", in µs; nothing met where hosts sample by the CPU clock */
    public function of(Selection $which): RouteFigures
    {
        $place = new Selection($which->service, route: $which->route);
        $compiling = implode(' OR ', array_map(
            static fn (string $prefix): string => "startsWith(name, '$prefix')",
            TimeSplit::COMPILING,
        ));
        $sum = fn (string $name, string $more = ''): int => RowValues::int($this->client->rows(
            "SELECT sum(self_ns) AS $name FROM {$which->table('functions')} {$which->whereRequests($more)}",
            $which->parameters(),
        )[0] ?? [], 0);
        $met = $sum('met');
        $compiled = "(route, fn) IN (SELECT route, fn FROM functions {$place->where("($compiling)")})";
        $times = [TimePart::Compile->value => $met > 0 ? $sum('compiled', $compiled) : 0];
        $parts = $met > 0 ? $this->functions($place) : [];
        foreach (array_chunk(array_keys($parts), FunctionNames::AT_ONCE) as $some) {
            $rows = $this->client->rows(
                "SELECT fn, sum(self_ns) FROM {$which->table('functions')} "
                    . $which->whereRequests('fn IN ({fns:Array(UInt64)})') . ' GROUP BY fn ORDER BY fn',
                $which->parameters() + ['fns' => $some],
            );
            foreach ($rows as $row) {
                $part = $parts[RowValues::id($row, 0)] ?? null;
                if ($part !== null) {
                    $times[$part->value] = RowValues::sum([$times[$part->value] ?? 0, RowValues::int($row, 1)]);
                }
            }
        }
        $us = static fn (int $ns): int => (int) round($ns / 1000);
        $none = Buckets::none();

        return new RouteFigures(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            $none,
            $none,
            $none,
            waits: array_filter(array_map($us, $times), static fn (int $time): bool => $time > 0),
            met: $us($met),
        );
    }

    /** @return array<int, TimePart> PHP's own functions that wait or collect, which no program's file has */
    private function functions(Selection $place): array
    {
        $parts = [];
        $rows = $this->client->rows(
            'SELECT DISTINCT fn, name FROM functions '
                . $place->where("(file = '' OR startsWith(file, '" . CodePlace::EXTENSION . "'))"),
            $place->parameters(),
        );
        foreach ($rows as $row) {
            $name = RowValues::text($row, 1);
            $part = TimeSplit::isCompiling($name) ? null : TimeSplit::metAs($name);
            if ($part !== null) {
                $parts[RowValues::id($row, 0)] = $part;
            }
        }

        return $parts;
    }
}
