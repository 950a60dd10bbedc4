<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/**
 * Which hosts have sent what, and what never arrived from them.
 *
 * @phpstan-type Loss array{reported: int, sent: int, dropped: int, rejected: int, damaged: int, others: int, waiting: int}
 */
final class Ingestion extends Question
{
    public const LOSSES = ['sent', 'dropped', 'rejected', 'damaged', 'others', 'waiting'];

    /**
     * A host's clock may be off: its runs end then, and the store's clock says when they came.
     *
     * @param string $service '' for all
     * @param int    $now     seconds since 1970
     *
     * @return list<array{service: string, host: string, runs: int, late_us: int, arrived_us: int, ahead_us: int}> the latest first:
     *     how long ago its newest run ended and its last one came, and how far its clock is ahead of the store's, 0 where it is not
     */
    public function hosts(string $service, int $now): array
    {
        $which = new Selection($service);
        $rows = $this->client->rows(
            'SELECT service, host, uniqExact(key), least(max(ts), max(at)) AS newest, toUnixTimestamp(newest),'
                . ' toUnixTimestamp(max(at)), argMax(toInt64(toUnixTimestamp(ts)) - toInt64(toUnixTimestamp(at)), (at, ts))'
                . " FROM shipped {$which->where()}"
                . ' GROUP BY service, host ORDER BY newest, service, host',
            $which->parameters(),
        );

        return array_map(static fn (array $row): array => [
            'service' => RowValues::text($row, 0),
            'host' => RowValues::text($row, 1),
            'runs' => RowValues::int($row, 2),
            'late_us' => 1000000 * max(0, $now - RowValues::int($row, 4)),
            'arrived_us' => 1000000 * max(0, $now - RowValues::int($row, 5)),
            'ahead_us' => 1000000 * max(0, RowValues::int($row, 6)),
        ], $rows);
    }

    /**
     * What never arrived, as the shippers of each host reported last.
     *
     * @return array<string, Loss> by host, marked by a NUL; "reported": when the first of its shippers did so last
     */
    public function losses(): array
    {
        $sums = implode(', ', array_map(static fn (string $name): string => "sum($name)", self::LOSSES));
        $rows = $this->client->rows("SELECT host, toUnixTimestamp(min(at)), $sums FROM shippers FINAL GROUP BY host");
        $hosts = [];
        foreach ($rows as $row) {
            $hosts["\0" . RowValues::text($row, 0)] = [
                'reported' => RowValues::int($row, 1), 'sent' => RowValues::int($row, 2), 'dropped' => RowValues::int($row, 3),
                'rejected' => RowValues::int($row, 4), 'damaged' => RowValues::int($row, 5), 'others' => RowValues::int($row, 6),
                'waiting' => RowValues::int($row, 7),
            ];
        }

        return $hosts;
    }
}
