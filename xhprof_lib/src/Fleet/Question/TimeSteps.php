<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;

/** The steps of 10 minutes, an hour or a day (UTC) that a selection is divided into: some hundreds at most, unless it has years. */
final class TimeSteps
{
    /** Seconds of a step, and of the longest range that it divides. */
    private const LONGEST = [600 => Selection::FINE, 3600 => 14 * self::DAY];

    private const DAY = 86400;

    /** Rows of the coarsest table that is read for bounds are as long. */
    private const ROW = 3600;

    /**
     * @param Selection $which   with both ends
     * @param int       $seconds of a step
     */
    private function __construct(public readonly Selection $which, public readonly int $seconds)
    {
    }

    /** @return self|null null if there are no requests, and the selection has no ends of its own */
    public static function divide(Client $client, Selection $which): ?self
    {
        [$from, $to] = [$which->from, $which->to];
        if ($from === null || $to === null) {
            $row = $client->rows(
                'SELECT count(), toUnixTimestamp(min(ts)), toUnixTimestamp(max(ts))'
                    . " FROM {$which->table('requests')} {$which->where()}",
                $which->parameters(),
            )[0] ?? [];
            if (RowValues::int($row, 0) === 0) {
                return null;
            }
            $from ??= RowValues::int($row, 1);
            $to ??= RowValues::int($row, 2) + self::ROW;
        }

        return new self($which->during($from, $to), self::length($to - $from));
    }

    /** @return string of SQL: when the step of a row began, seconds since 1970. It needs parameters(). */
    public function begin(): string
    {
        return 'intDiv(toUnixTimestamp(ts), {step:UInt32}) * {step:UInt32}';
    }

    /** @return array<string, string|int> those of the selection too */
    public function parameters(): array
    {
        return $this->which->parameters() + ['step' => $this->seconds];
    }

    /** @return list<int> when each began, also those in which nothing was */
    public function all(): array
    {
        $all = [];
        for ($at = $this->startOf((int) $this->which->from); $at < (int) $this->which->to; $at += $this->seconds) {
            $all[] = $at;
        }

        return $all;
    }

    /**
     * @template T
     *
     * @param array<int, T> $steps by when each began
     *
     * @return list<non-empty-list<T>> as many as asked for at most, each of as many steps
     */
    public static function groups(array $steps, int $most): array
    {
        return $steps === [] ? [] : array_chunk($steps, max(1, (int) ceil(count($steps) / $most)));
    }

    /** Seconds of the step that began then which are within the selection. */
    public function secondsOf(int $at): int
    {
        return min($at + $this->seconds, (int) $this->which->to) - max($at, (int) $this->which->from);
    }

    private function startOf(int $time): int
    {
        return intdiv($time, $this->seconds) * $this->seconds;
    }

    private static function length(int $range): int
    {
        foreach (self::LONGEST as $seconds => $longest) {
            if ($range <= $longest) {
                return $seconds;
            }
        }

        return self::DAY;
    }
}
