<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Run\RouteFigures;

/**
 * What requests took, step after step.
 *
 * @phpstan-type Step array{at: int, release: string, figures: RouteFigures}
 */
final class RequestTrend extends Question
{
    /** @return list<Step> those with requests: the oldest first, releases by name */
    public function requests(TimeSteps $steps): array
    {
        return array_map(static fn (array $row): array => [
            'at' => RowValues::int($row, 0),
            'release' => RowValues::text($row, 1),
            'figures' => RowValues::figures($row, 2),
        ], $this->rows($steps, 'release'));
    }

    /** @return list<array{at: int, service: string, env: string, figures: RouteFigures}> those with requests: the oldest first */
    public function services(TimeSteps $steps): array
    {
        return array_map(static fn (array $row): array => [
            'at' => RowValues::int($row, 0),
            'service' => RowValues::text($row, 1),
            'env' => RowValues::text($row, 2),
            'figures' => RowValues::figures($row, 3),
        ], $this->rows($steps, 'service, env'));
    }

    /**
     * @param string $columns of SQL, by which the requests of a step are divided
     *
     * @return list<list<mixed>> when the step began, these columns, and RowValues::REQUESTS
     */
    private function rows(TimeSteps $steps, string $columns): array
    {
        $which = $steps->which;

        return $this->client->rows(
            "SELECT {$steps->begin()} AS at, $columns, " . RowValues::REQUESTS
                . " FROM {$which->table('requests')} {$which->whereRequests()} GROUP BY at, $columns ORDER BY at, $columns",
            $steps->parameters(),
        );
    }
}
