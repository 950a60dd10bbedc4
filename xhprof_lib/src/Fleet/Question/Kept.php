<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\QueryFailed;
use XHProf\Fleet\ClickHouse\Schema;
use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Memory\KeptPaths;

/** What the requests of a selection keep, by call path and window. */
final class Kept extends Question
{
    /** Rows that are read: the paths that kept most. */
    private const MOST = 50000;

    private const FIGURES = 'sum(requests), sum(kept_bytes) AS kept_sum, sum(released_bytes), sum(blocks), max(sampled),'
        . ' sum(unfollowed)';

    public function paths(Selection $which): KeptPaths
    {
        $paths = new KeptPaths();
        try {
            $rows = $this->client->rows(
                'SELECT toUnixTimestamp(ts) AS at, route, stack, toUnixTimestamp(max(until)), ' . self::FIGURES . ' FROM '
                    . Schema::KEPT . " FINAL {$which->where()} GROUP BY at, route, stack"
                    . ' ORDER BY stack = {none:UInt64} DESC, kept_sum DESC, at, route, stack LIMIT {most:UInt64}',
                $which->parameters() + ['most' => self::MOST, 'none' => StableNumbers::noStack()],
            );
        } catch (QueryFailed $e) {
            if ($e->isOfUnknownTable()) {
                return $paths;
            }
            throw $e;
        }
        [$frames, $names] = $rows === [] ? [[], null] : [$this->frames($which), FunctionNames::read($this->client, $which)];
        foreach ($rows as $row) {
            [$at, $route, $stack] = [RowValues::int($row, 0), RowValues::text($row, 1), RowValues::id($row, 2)];
            // Windows begin at other seconds on other hosts.
            $from = intdiv($at, 60) * 60;
            $paths->addWindow($from, RowValues::int($row, 3), RowValues::int($row, 8), RowValues::int($row, 9));
            $paths->addRequests($from, FunctionNames::ofRoute($route), RowValues::int($row, 4));
            [$kept, $released, $blocks] = [RowValues::int($row, 5), RowValues::int($row, 6), RowValues::int($row, 7)];
            $figures = ['kept' => $kept, 'released' => $released, 'blocks' => $blocks];
            if ($figures['kept'] > 0 || $figures['released'] > 0) {
                $functions = array_map(
                    static fn (int $fn): string => $names === null ? '' : $names->name($fn),
                    $frames["\0$route"][$stack] ?? [],
                );
                $paths->add($from, FunctionNames::ofRoute($route), $functions, $figures);
            }
        }

        return $paths;
    }

    /** @return array<string, array<int, list<int>>> route => call path => functions */
    private function frames(Selection $which): array
    {
        $place = new Selection($which->service, route: $which->route);
        $rows = $this->client->rows(
            'SELECT route, stack, any(frames) FROM stacks '
                . $place->where('(route, stack) IN (SELECT route, stack FROM ' . Schema::KEPT . " {$which->where()})")
                . ' GROUP BY route, stack',
            $which->parameters(),
        );
        $frames = [];
        foreach ($rows as $row) {
            $list = is_array($row[2] ?? null) ? array_filter($row[2], is_int(...)) : [];
            $frames["\0" . RowValues::text($row, 0)][RowValues::id($row, 1)] = array_values($list);
        }

        return $frames;
    }
}
