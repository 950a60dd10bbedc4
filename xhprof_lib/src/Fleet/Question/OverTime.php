<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Store\RouteFigures;

/**
 * What requests took, step after step.
 *
 * @phpstan-type Step array{at: int, release: string, figures: RouteFigures}
 */
final class OverTime
{
    public function __construct(private readonly Client $client)
    {
    }

    /** @return list<Step> those with requests: the oldest first, releases by name */
    public function requests(Steps $steps): array
    {
        $which = $steps->which;
        $rows = $this->client->rows(
            "SELECT {$steps->begin()} AS at, release, " . Cells::REQUESTS . " FROM {$which->table('requests')} {$which->where()}"
                . ' GROUP BY at, release ORDER BY at, release',
            $steps->parameters(),
        );

        return array_map(static fn (array $row): array => [
            'at' => Cells::int($row, 0),
            'release' => Cells::text($row, 1),
            'figures' => Cells::figures($row, 2),
        ], $rows);
    }
}
