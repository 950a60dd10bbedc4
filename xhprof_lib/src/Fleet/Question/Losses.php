<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/**
 * What never reached the store, by host, as the shippers there reported last.
 *
 * @phpstan-type Loss array{reported: int, sent: int, dropped: int, rejected: int, damaged: int, others: int, waiting: int}
 */
final class Losses extends Question
{
    public const FIGURES = ['sent', 'dropped', 'rejected', 'damaged', 'others', 'waiting'];

    /** @return array<string, Loss> by host, marked by a NUL; "reported": when the first of its shippers did so last */
    public function hosts(): array
    {
        $sums = implode(', ', array_map(static fn (string $name): string => "sum($name)", self::FIGURES));
        $rows = $this->client->rows("SELECT host, toUnixTimestamp(min(at)), $sums FROM shippers FINAL GROUP BY host");
        $hosts = [];
        foreach ($rows as $row) {
            $hosts["\0" . Cells::text($row, 0)] = [
                'reported' => Cells::int($row, 1), 'sent' => Cells::int($row, 2), 'dropped' => Cells::int($row, 3),
                'rejected' => Cells::int($row, 4), 'damaged' => Cells::int($row, 5), 'others' => Cells::int($row, 6),
                'waiting' => Cells::int($row, 7),
            ];
        }

        return $hosts;
    }
}
