<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/**
 * What was found before, in the store: a function of a route that a release has made slower has one verdict, the last one.
 *
 * @phpstan-type Verdict array{route: string, function: string, release: string, base: string, state: string, owner: string,
 *     note: string, growth_ns: float, false_rate: float, at: int}
 */
final class Verdicts extends Question
{
    public const SLOWER = 'slower';
    public const MUTED = 'muted';

    /** @return list<Verdict> the newest first */
    public function latest(Selection $which, int $most): array
    {
        $place = new Selection($which->service, $which->env, $which->route, $which->release);
        $rows = $this->client->rows(
            'SELECT route, fn, release, base, state, owner, note, growth, p, toUnixTimestamp(at) AS moment FROM verdicts FINAL '
                . $place->where() . ' ORDER BY moment DESC, growth DESC, route, fn LIMIT {most:UInt64}',
            $place->parameters() + ['most' => $most],
        );
        $functions = array_values(array_unique(array_map(static fn (array $row): int => RowValues::id($row, 1), $rows)));
        $names = FunctionNames::read($this->client, $place, $functions);

        return array_map(static fn (array $row): array => [
            'route' => RowValues::text($row, 0),
            'function' => $names->name(RowValues::id($row, 1)),
            'release' => RowValues::text($row, 2),
            'base' => RowValues::text($row, 3),
            'state' => RowValues::text($row, 4),
            'owner' => RowValues::text($row, 5),
            'note' => RowValues::text($row, 6),
            'growth_ns' => RowValues::float($row, 7),
            'false_rate' => RowValues::float($row, 8),
            'at' => RowValues::int($row, 9),
        ], $rows);
    }

    /** @return \Closure(Regression): bool whether it was saved before as one that is not muted */
    public function known(Selection $which, string $release): \Closure
    {
        $place = new Selection($which->service, $which->env, release: $release);
        $rows = $this->client->rows(
            "SELECT route, fn FROM verdicts FINAL {$place->where('state = {state:String}')}",
            $place->parameters() + ['state' => self::SLOWER],
        );
        $known = [];
        foreach ($rows as $row) {
            $known[RowValues::text($row, 0) . "\0" . RowValues::id($row, 1)] = true;
        }

        return static fn (Regression $one): bool => isset($known["$one->route\0$one->fn"]);
    }

    /** @param int $now seconds since 1970 */
    public function save(Selection $which, RegressionReport $report, RegressionRules $rules, int $now): void
    {
        $rows = [];
        foreach ($report->slower as $one) {
            $mute = $rules->mute($one->route, $one->name, $now);
            $rows[] = [
                $which->service, $which->env, $one->route, $report->new, $report->old, $one->fn,
                $mute === null ? self::SLOWER : self::MUTED, $rules->owner($one->file), $mute->reason ?? '', $one->growth(),
                $one->falseRate, $now,
            ];
        }
        $columns = [
            'service', 'env', 'route', 'release', 'base', 'fn', 'state', 'owner', 'note', 'growth', 'p', 'at',
        ];
        $this->client->insert('verdicts', $columns, $rows);
    }
}
