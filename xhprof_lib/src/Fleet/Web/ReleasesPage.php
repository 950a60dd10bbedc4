<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\Requests;
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
        $table = new FleetTable('releases', '', 'Releases, the newest first', [
            'release' => FleetTable::words('Release'),
            'env' => FleetTable::words('Environment', 'Environment', FleetTable::WIDE),
            'first' => FleetTable::words('First seen'),
            'last' => FleetTable::words('Last seen', 'Last seen', FleetTable::MEDIUM),
            'requests' => FleetTable::number('Requests', 'Requests in the time that is asked for'),
            'links' => FleetTable::words('', 'Compared with the one before'),
        ], '', 'the newest first; requests are those of ' . $query->period());
        foreach ($releases as $i => $one) {
            $before = self::before($releases, $i);
            $own = ['release' => $one['release'], 'env' => $one['env']];
            $table->add([
                FleetTable::name($one['release'], $query->url('routes', $own), '(none)'),
                FleetTable::text($one['env']),
                FleetTable::moment($one['first']),
                FleetTable::moment($one['last']),
                FleetTable::count($one['requests']),
                FleetTable::links($before === null ? [] : [
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
