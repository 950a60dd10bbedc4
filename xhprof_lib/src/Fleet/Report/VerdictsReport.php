<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\Verdicts;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** What `xhprof fleet regressions --save` has found so far, the newest first. */
final class VerdictsReport
{
    private function __construct()
    {
    }

    public static function report(Client $client, Selection $which, int $most): Report
    {
        $rows = array_map(
            static fn (array $one): array => ['found' => $one['at']] + $one + ['releases' => "$one[base] → $one[release]"],
            (new Verdicts($client))->latest($which, $most),
        );

        return new Report([new Table('rows', [
            new Column('function', Unit::Name, 'function'),
            new Column('route', Unit::Name, 'route'),
            new Column('growth_ns', Unit::Nanoseconds, 'growth', help: 'Growth of own time per request', sort: 'growth'),
            new Column('release', Unit::Text, 'release', label: ''),
            Column::ofPage(
                'releases',
                Unit::Text,
                'Release',
                'The release, and the one that it was compared with',
                Column::PHONE,
                'release',
            ),
            new Column('state', Unit::Text, 'state', Column::PHONE, help: 'Whether it is muted'),
            new Column('owner', Unit::Text, 'owner', Column::NARROW + 1, help: 'Who owns the file'),
            new Column('note', Unit::Text, '', Column::NARROW, 'Why muted', 'Why it is muted'),
            new Column('found', Unit::Minute, 'found', Column::NARROW, help: 'When it was found last'),
        ], $rows, 'No regression of this selection was saved.', 'Found before', 'Regressions that were found and saved', 'by '
            . 'bin/xhprof fleet regressions --save', ['found', 'growth_ns', 'state', 'owner', 'release', 'route', 'function'])]);
    }
}
