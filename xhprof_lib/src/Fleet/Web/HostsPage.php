<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Report\HostsReport;
use XHProf\Web\Http\Response;

/** show=hosts: how slow each host is beside the others, and which stand out. */
final class HostsPage extends FleetPart
{
    public function respond(): Response
    {
        $query = $this->query->needsService();
        $top = $this->asked->top('hosts', 'Hosts');
        $report = HostsReport::report($this->client, $query->selection, $query->clock);
        if ($report->tables[0]->rows === []) {
            return $this->asked->page($top, [$this->asked->nothing('hosts', 'requests')]);
        }
        $table = $this->asked->table($report->tables[0], 'hosts', links: static fn (array $row): array => [
            'Compare' => $query->differenceUrl(['host' => FleetQuery::ALL], ['host' => $row['host']]),
            'Requests' => $query->url('requests', ['host' => $row['host']]),
        ]);

        return $this->asked->page($top, [
            ...array_map(FleetContext::notice(...), $report->notes),
            $this->asked->sortable($table, 'hosts'),
        ]);
    }
}
