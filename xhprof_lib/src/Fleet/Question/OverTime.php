<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Run\RouteFigures;

/**
 * What requests took, step after step.
 *
 * @phpstan-type Step array{at: int, release: string, figures: RouteFigures}
 */
final class OverTime extends Question
{
    /** @return list<Step> those with requests: the oldest first, releases by name */
    public function requests(Steps $steps): array
    {
        return array_map(static fn (array $row): array => [
            'at' => Cells::int($row, 0),
            'release' => Cells::text($row, 1),
            'figures' => Cells::figures($row, 2),
        ], $this->rows($steps, 'release'));
    }

    /** @return list<array{at: int, service: string, env: string, figures: RouteFigures}> those with requests: the oldest first */
    public function services(Steps $steps): array
    {
        return array_map(static fn (array $row): array => [
            'at' => Cells::int($row, 0),
            'service' => Cells::text($row, 1),
            'env' => Cells::text($row, 2),
            'figures' => Cells::figures($row, 3),
        ], $this->rows($steps, 'service, env'));
    }

    /**
     * @param string $columns of SQL, by which the requests of a step are divided
     *
     * @return list<list<mixed>> when the step began, these columns, and Cells::REQUESTS
     */
    private function rows(Steps $steps, string $columns): array
    {
        $which = $steps->which;

        return $this->client->rows(
            "SELECT {$steps->begin()} AS at, $columns, " . Cells::REQUESTS . " FROM {$which->table('requests')} {$which->where()}"
                . " GROUP BY at, $columns ORDER BY at, $columns",
            $steps->parameters(),
        );
    }
}
