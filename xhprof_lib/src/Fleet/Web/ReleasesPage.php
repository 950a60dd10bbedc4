<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Report\ReleasesReport;
use XHProf\Web\Http\Response;

/** show=releases: which releases a service had, and when; each can be compared with the one before. */
final class ReleasesPage extends FleetPart
{
    public function respond(): Response
    {
        $query = $this->query->needsService();
        $top = $this->asked->top('releases', 'Releases');
        $note = 'the newest first; requests are those of ' . $query->period();
        $table = ReleasesReport::report($this->client, $query->selection->ofRelease(''), $note)->tables[0];
        if ($table->rows === []) {
            return $this->asked->page($top, [$this->asked->nothing('releases', 'releases')]);
        }
        $own = static fn (array $row): array => ['release' => $row['release'], 'env' => $row['env']];
        $shown = $this->asked->table(
            $table,
            'releases',
            static fn (array $row, string $key): array => $key === 'release'
                ? FleetContext::named((string) $row['release'], '(none)', $query->url('routes', $own($row)))
                : [],
            static fn (array $row): array => $row['before'] === null ? [] : [
                'Regressions' => $query->url('regressions', $own($row) + ['base_release' => $row['before']]),
                'Flame graphs' => $query->differenceUrl(['release' => $row['before']], $own($row)),
            ],
        );

        return $this->asked->page($top, [$this->asked->sortable($shown, 'releases')]);
    }
}
