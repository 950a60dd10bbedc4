<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\Exemplars;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Run\Exemplars as Kept;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Http\Response;

/** show=requests: single requests that hosts have kept whole, the slowest first. symbol: a function to look at in them. */
final class KeptRequestsPage
{
    private const MOST = 200;

    private const KINDS = [Kept::SLOWEST => 'the slowest of a window', Kept::RANDOM => 'by chance'];

    public function __construct(private readonly Asked $asked)
    {
    }

    public function respond(): Response
    {
        $this->asked->query->needsService();
        $symbol = $this->asked->request->text('symbol');
        $table = $this->table('', self::MOST, $symbol);

        return $this->asked->page($this->asked->top('requests', 'Single requests'), [
            $this->asked->sortable($table, 'requests', ['symbol' => $symbol]),
        ]);
    }

    /**
     * @param string $symbol a function that is to be seen in them
     * @param string $route  where the selection has none: only requests of this one
     */
    public function table(string $title, int $most, string $symbol = '', string $route = ''): Table
    {
        $query = $this->asked->query;
        $which = $query->selection;
        $which = $which->route !== '' || $route === '' ? $which : $which->ofRoute($route);
        $hasRoute = $query->selection->route !== '';
        $table = new Table('kept', $title, 'Single requests, the slowest first', [
            'wall' => Table::words(Metrics::of('wt')->label),
            'cpu' => Table::number('CPU', Metrics::of('cpu')->label, Table::MEDIUM),
            ...($hasRoute ? [] : ['route' => Table::words('Route')]),
            'began' => Table::words('Time', 'When its window began', Table::MEDIUM),
            'host' => Table::words('Host'),
            'release' => Table::words('Release', 'Release', Table::WIDE),
            'kind' => Table::words('Kept as', 'Why it was kept', Table::WIDE),
        ], 'No request of this selection was kept: hosts that send windows keep the slowest request of each route and window.');
        foreach ((new Exemplars($this->asked->client))->slowest($which, $most) as $one) {
            $url = $query->url('requests', ['kept' => $one['run'], 'sel' => $symbol === '' ? null : $symbol]);
            $table->add([
                ['value' => $one['wall_us'], 'badge' => $one['failed'] ? 'failed' : '']
                    + Table::name(Units::us($one['wall_us']), $url),
                Table::time($one['cpu_us']),
                ...$hasRoute ? [] : [Table::name($one['route'], $query->url('routes', ['route' => $one['route']]), '(no route)')],
                Table::moment($one['at']),
                Table::text($one['host'], $query->url('routes', ['host' => $one['host']])),
                Table::text($one['release']),
                Table::text(self::KINDS[$one['kind']] ?? $one['kind']),
            ]);
        }

        return $table;
    }
}
