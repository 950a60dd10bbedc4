<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\Requests;
use XHProf\Format\Units;
use XHProf\Web\Http\Response;

/** show=hosts: how slow each host is beside the others, and which stand out. */
final class HostsPage extends FleetPart
{
    public function respond(): Response
    {
        $query = $this->query->needsService();
        $top = $this->asked->top('hosts', 'Hosts');
        $hosts = (new Requests($this->client))->hosts($query->selection, $query->clock);
        if ($hosts === []) {
            return $this->asked->page($top, [$this->asked->nothing('hosts', 'requests')]);
        }
        $table = new FleetTable('hosts', '', 'Hosts, with how slow each is beside the others', [
            'host' => FleetTable::words('Host'),
            'slowness' => FleetTable::number('Slowness', '1.2: the same requests take a fifth longer than on the host in the middle'),
            'requests' => FleetTable::number('Requests'),
            'failed' => FleetTable::number('Failed', FleetTable::FAILED, FleetTable::MEDIUM),
            'total' => FleetTable::number('Total', 'Time of all requests together', FleetTable::MEDIUM),
            'links' => FleetTable::words('', 'Where to look'),
        ], '');
        $odd = 0;
        foreach ($hosts as $host) {
            $odd += $host['is_outlier'] ? 1 : 0;
            $own = ['host' => $host['host']];
            $table->add([
                FleetTable::name($host['host'], $query->url('routes', $own), '(no name)', '', $host['is_outlier'] ? 'stands out' : ''),
                FleetTable::ratio($host['slowness']),
                FleetTable::count($host['requests']),
                FleetTable::failed($host['failed'], $host['requests']),
                FleetTable::time($host['time']),
                FleetTable::links([
                    'Compare' => $query->differenceUrl(['host' => FleetQuery::ALL], $own),
                    'Requests' => $query->url('requests', $own),
                ], $host['host']),
            ]);
        }

        return $this->asked->page($top, [
            count($hosts) < HostFigures::LEAST_HOSTS
                ? FleetContext::notice('Not enough data: it takes ' . HostFigures::LEAST_HOSTS
                    . ' hosts to know whether one stands out.')
                : FleetContext::notice(sprintf(
                    '%s of %s hosts %s out: a modified z-score above 3.5, and a twentieth slower. Each route is compared with '
                        . 'itself on the other hosts.',
                    Units::count($odd),
                    Units::count(count($hosts)),
                    $odd === 1 ? 'stands' : 'stand',
                )),
            $this->asked->sortable($table, 'hosts'),
        ]);
    }
}
