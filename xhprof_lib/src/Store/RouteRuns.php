<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Run\RunId;
use XHProf\Stats\Distribution;

/** The runs of one route, or of one kind of job: their durations. */
final class RouteRuns
{
    public readonly Distribution $wall;

    /**
     * @param non-empty-list<int> $walls   of the runs whose time is known, µs
     * @param int                 $count   of all runs
     * @param int                 $failed  that answered with a status from 500, or that a signal ended
     * @param RunId               $slowest run
     */
    public function __construct(
        public readonly string $route,
        array $walls,
        public readonly int $count,
        public readonly int $failed,
        public readonly RunId $slowest,
    ) {
        $this->wall = new Distribution($walls);
    }

    /**
     * @param iterable<array<int, string|int|float|null>> $rows route, wall time, whether it failed, "id.source"; by route, the
     *                                                             slowest last
     *
     * @return list<self> in the order of the rows; without routes that have no run with a known time
     */
    public static function fromRows(iterable $rows): array
    {
        $groups = [];
        $open = null;
        foreach ($rows as [$route, $wall, $failed, $name]) {
            if ($open === null || $open['route'] !== (string) $route) {
                $groups[] = self::closed($open);
                $open = ['route' => (string) $route, 'walls' => [], 'count' => 0, 'failed' => 0, 'slowest' => (string) $name];
            }
            $open['count']++;
            $open['failed'] += (int) $failed;
            if ($wall !== null) {
                $open['walls'][] = (int) $wall;
                $open['slowest'] = (string) $name;
            }
        }
        $groups[] = self::closed($open);

        return array_values(array_filter($groups));
    }

    /** @param array{route: string, walls: list<int>, count: int, failed: int, slowest: string}|null $group */
    private static function closed(?array $group): ?self
    {
        return $group === null || $group['walls'] === []
            ? null
            : new self($group['route'], $group['walls'], $group['count'], $group['failed'], RunIndex::id($group['slowest']));
    }
}
