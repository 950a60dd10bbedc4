<?php

declare(strict_types=1);

namespace XHProf\Fleet\Report;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Which releases a service had, and when each was seen. */
final class ReleasesReport
{
    private function __construct()
    {
    }

    public static function report(Client $client, Selection $which, string $note = ''): Report
    {
        $releases = (new Requests($client))->releases($which);
        $rows = [];
        foreach ($releases as $i => $one) {
            $rows[] = [
                'release' => $one['release'], 'env' => $one['env'], 'first' => $one['first'], 'last' => $one['last'],
                'requests' => $one['requests'], 'before' => self::before($releases, $i),
            ];
        }

        return new Report([new Table('rows', [
            new Column('release', Unit::Name, 'release'),
            new Column('env', Unit::Text, 'env', Column::NARROW, 'Environment'),
            new Column('first', Unit::Minute, 'first', 0, 'First seen'),
            new Column('last', Unit::Minute, 'last', Column::PHONE, 'Last seen'),
            FleetColumns::requests(1, 'Requests in the time that is asked for'),
            Column::ofPage('before', Unit::Text, ''),
        ], $rows, 'No release of this selection was seen.', caption: 'Releases, the newest first', note: $note)], [], [
            'releases_total' => count($releases),
        ]);
    }

    /**
     * @param list<array{release: string, env: string, first: int, last: int, requests: int}> $releases
     *
     * @return string|null the release before one, in the same environment
     */
    private static function before(array $releases, int $at): ?string
    {
        foreach (array_slice($releases, $at + 1) as $one) {
            if ($one['env'] === $releases[$at]['env'] && !in_array($one['release'], ['', $releases[$at]['release']], true)) {
                return $one['release'];
            }
        }

        return null;
    }
}
