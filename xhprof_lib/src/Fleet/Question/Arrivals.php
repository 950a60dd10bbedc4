<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;

/** Which hosts have sent what. */
final class Arrivals
{
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * @param string $service '' for all
     * @param int    $now     seconds since 1970
     *
     * @return list<array{service: string, host: string, runs: int, late_us: int}> the latest first
     */
    public function hosts(string $service, int $now): array
    {
        $which = new Selection($service);
        $rows = $this->client->rows(
            'SELECT service, host, uniqExact(key), toUnixTimestamp(max(ts)) AS last FROM shipped ' . $which->where()
                . ' GROUP BY service, host ORDER BY last, service, host',
            $which->parameters(),
        );

        return array_map(static fn (array $row): array => [
            'service' => Cells::text($row, 0),
            'host' => Cells::text($row, 1),
            'runs' => Cells::int($row, 2),
            // A host's clock may be ahead.
            'late_us' => 1000000 * max(0, $now - Cells::int($row, 3)),
        ], $rows);
    }
}
