<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\Requests;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\Response;

/** show=releases: which releases a service had, and when; each can be compared with the one before. */
final class ReleasesPage extends FleetPart
{
    public function respond(): Response
    {
        $query = $this->query->needsService();
        $top = $this->asked->top('releases', 'Releases');
        $releases = (new Requests($this->client))->releases($query->selection->ofRelease(''));
        if ($releases === []) {
            return $this->asked->page($top, [$this->asked->nothing('releases', 'releases')]);
        }
        $table = new Table('releases', '', 'Releases, the newest first', [
            'release' => Table::words('Release'),
            'env' => Table::words('Environment', 'Environment', Table::WIDE),
            'first' => Table::words('First seen'),
            'last' => Table::words('Last seen', 'Last seen', Table::MEDIUM),
            'requests' => Table::number('Requests', 'Requests in the time that is asked for'),
            'links' => Table::words('', 'Compared with the one before'),
        ], '', 'the newest first; requests are those of ' . $query->period());
        foreach ($releases as $i => $one) {
            $before = self::before($releases, $i);
            $own = ['release' => $one['release'], 'env' => $one['env']];
            $table->add([
                Table::name($one['release'], $query->url('routes', $own), '(none)'),
                Table::text($one['env']),
                Table::moment($one['first']),
                Table::moment($one['last']),
                Table::count($one['requests']),
                Table::links($before === null ? [] : [
                    'Regressions' => $query->url('regressions', $own + ['base_release' => $before]),
                    'Flame graphs' => $query->differenceUrl(['release' => $before], $own),
                ], "$one[release] and " . ($before ?? '')),
            ]);
        }

        return $this->asked->page($top, [$this->asked->sortable($table, 'releases')]);
    }

    /**
     * @param list<array{release: string, env: string, first: int, last: int, requests: int}> $releases
     *
     * @return string|null the release before one, in the same environment
     */
    private static function before(array $releases, int $at): ?string
    {
        foreach (array_slice($releases, $at + 1) as $one) {
            if ($one['env'] === $releases[$at]['env'] && $one['release'] !== '' && $one['release'] !== $releases[$at]['release']) {
                return $one['release'];
            }
        }

        return null;
    }
}
