<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\LabelValues;
use XHProf\Fleet\Question\Selection;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Which labels requests have, and how many values; the values of one. */
final class LabelsReport
{
    private const NAMES = 'Labels of requests, with how many values each has';

    private function __construct()
    {
    }

    public static function names(Client $client, Selection $which, string $note = ''): Report
    {
        $labels = (new LabelValues($client))->names($which);
        $rows = array_map(static fn (array $one): array => ['kind' => $one['is_free'] ? 'free' : ''] + $one, $labels);

        return new Report([new Table('rows', [
            new Column('label', Unit::Name, 'label'),
            new Column('values', Unit::Count, 'values', help: 'Different values'),
            FleetColumns::requests(Column::PHONE, 'Requests that have it'),
            new Column(
                'other',
                Unit::Count,
                '(other)',
                label: 'Without room',
                help: 'Requests whose value is (other): a host had too many before',
            ),
            self::hosts(Column::NARROW),
            new Column('kind', Unit::Mark, '', Column::NARROW + 1),
        ], $rows, 'No requests of this selection have arrived.', 'Labels', self::NAMES, $note)], [], [
            'labels_total' => count($labels),
        ]);
    }

    /**
     * @param string $label whose values are listed
     * @param string $words for it, on a page
     */
    public static function values(Client $client, Selection $which, string $label, int $most, string $words = ''): Report
    {
        return new Report([new Table(
            'rows',
            [
                new Column('value', Unit::Name, $label, label: $words),
                FleetColumns::requests(0),
                self::hosts(Column::PHONE),
            ],
            (new LabelValues($client))->values($which, $label, $most),
            'No request of this selection has this label.',
            'Values',
            'Values of a label, with their requests',
            'the most requests first',
        )], [], ['label' => $label]);
    }

    private static function hosts(int $weight): Column
    {
        return new Column('hosts', Unit::Count, 'hosts', $weight, help: 'Hosts that send it');
    }
}
