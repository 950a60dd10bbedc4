<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\HostFigures;
use XHProf\Fleet\Question\Requests;
use XHProf\Format\Units;
use XHProf\Web\Fleet\FleetQuery;
use XHProf\Web\Fleet\FleetTable as Table;
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
        $table = new Table('hosts', '', 'Hosts, with how slow each is beside the others', [
            'host' => Table::words('Host'),
            'slowness' => Table::number('Slowness', '1.2: the same requests take a fifth longer than on the host in the middle'),
            'requests' => Table::number('Requests'),
            'failed' => Table::number('Failed', Table::FAILED, Table::MEDIUM),
            'total' => Table::number('Total', 'Time of all requests together', Table::MEDIUM),
            'links' => Table::words('', 'Where to look'),
        ], '');
        $odd = 0;
        foreach ($hosts as $host) {
            $odd += $host['is_outlier'] ? 1 : 0;
            $own = ['host' => $host['host']];
            $table->add([
                Table::name($host['host'], $query->url('routes', $own), '(no name)', '', $host['is_outlier'] ? 'stands out' : ''),
                Table::ratio($host['slowness']),
                Table::count($host['requests']),
                Table::failed($host['failed'], $host['requests']),
                Table::time($host['time']),
                Table::links([
                    'Compare' => $query->differenceUrl(['host' => FleetQuery::ALL], $own),
                    'Requests' => $query->url('requests', $own),
                ], $host['host']),
            ]);
        }

        return $this->asked->page($top, [
            count($hosts) < HostFigures::LEAST_HOSTS
                ? Asked::notice('Not enough data: it takes ' . HostFigures::LEAST_HOSTS . ' hosts to know whether one stands out.')
                : Asked::notice(sprintf(
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
