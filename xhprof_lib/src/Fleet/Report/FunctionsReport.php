<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\ReleaseFigures;
use XHProf\Fleet\Question\ReleasePair;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Which functions take most time per request; what that was in two releases. */
final class FunctionsReport
{
    /** Functions of two releases that are compared: the most expensive of both. */
    private const COMPARED = 2000;

    private const NONE = 'No samples of this selection have arrived.';

    private function __construct()
    {
    }

    /** @param bool $isByRelease whether each release has a line */
    public static function report(
        Client $client,
        Selection $which,
        SampledClock $clock,
        int $most,
        bool $isByRelease = false,
    ): Report {
        $rows = [];
        foreach ((new Functions($client))->top($which, $clock, $most) as $one) {
            foreach ($isByRelease ? $one->releases() : [null] as $release) {
                $rows[] = $one->toArray($release) + ['release' => $release];
            }
        }
        $columns = self::columns();

        return new Report([new Table('rows', $isByRelease ? [
            $columns[0], new Column('release', Unit::Text, 'release'), ...array_slice($columns, 1),
        ] : $columns, $rows, self::NONE)], ['Times are per request.']);
    }

    /**
     * Makes the report for a page, with the changes of the last release.
     *
     * @param ReleasePair|null $pair  null for no change
     * @param string           $title '' for the page of functions
     */
    public static function withChange(
        Client $client,
        Selection $which,
        SampledClock $clock,
        int $most,
        ?ReleasePair $pair,
        string $title = '',
    ): Table {
        $pair = $which->release === '' ? $pair : null;
        $rows = array_map(static function (ReleaseFigures $one) use ($pair): array {
            $before = $pair === null ? null : $one->selfPerRequest($pair->base);
            $after = $pair === null ? null : $one->selfPerRequest($pair->release);
            $change = $before === null || $after === null ? null : $after - $before;

            return $one->toArray() + ['before_ns' => $before, 'change_ns' => $change];
        }, (new Functions($client))->top($which, $clock, $most));
        $columns = self::columns();
        if ($pair !== null) {
            $help = "Own time per request: $pair->base, then $pair->release";
            $columns[] = Column::ofPage('change_ns', Unit::Nanoseconds, 'Change', $help, sort: 'change');
        }
        $note = 'times per request' . ($pair === null ? '' : "; the change is from $pair->base to $pair->release");

        return new Table('rows', $columns, $rows, self::NONE, $title, 'Functions, with their time per request', $note);
    }

    /** The largest change from one release to another first, whether chance explains it or not. */
    public static function ofTwo(Client $client, Selection $which, SampledClock $clock, ReleasePair $pair): Report
    {
        $functions = new Functions($client);
        $requests = $functions->requests($which);
        $rows = [];
        foreach ($functions->top($which, $clock, self::COMPARED) as $one) {
            [$before, $after] = [$one->selfPerRequest($pair->base), $one->selfPerRequest($pair->release)];
            if ($before !== null && $after !== null) {
                $rows[] = [
                    'function' => $one->name, 'file' => $one->file, 'line' => $one->line,
                    'before_ns' => $before, 'after_ns' => $after, 'change_ns' => $after - $before,
                    'total_before_ns' => $one->totalPerRequest($pair->base),
                    'total_after_ns' => $one->totalPerRequest($pair->release),
                ];
            }
        }
        usort($rows, static fn (array $a, array $b): int => abs($b['change_ns']) <=> abs($a['change_ns']));

        return new Report([new Table('rows', [
            new Column('function', Unit::Name, 'function'),
            new Column('change_ns', Unit::Nanoseconds, 'change', sort: 'change'),
            new Column('before_ns', Unit::Nanoseconds, 'before', 1, sort: 'before'),
            new Column('after_ns', Unit::Nanoseconds, 'after', 1, sort: 'after'),
            new Column('total_after_ns', Unit::Nanoseconds, 'with callees', 2, sort: 'total'),
        ], $rows, 'No samples of both releases have arrived.')], ["$pair->base -> $pair->release, own time per request"], [
            'base' => $pair->base,
            'release' => $pair->release,
            'requests' => ['base' => $requests[$pair->base] ?? 0, 'release' => $requests[$pair->release] ?? 0],
            'functions_total' => count($rows),
        ]);
    }

    /** @return list<Column> */
    private static function columns(): array
    {
        return [
            new Column('function', Unit::Name, 'function'),
            FleetColumns::self(),
            FleetColumns::total(),
            FleetColumns::samples(Column::NARROW),
        ];
    }
}
