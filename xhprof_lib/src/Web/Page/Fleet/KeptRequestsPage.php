<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\Exemplars;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Report\Counted;
use XHProf\Run\Exemplars as Kept;
use XHProf\Web\Fleet\FleetTable as Table;
use XHProf\Web\Fleet\KeptRequest;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Moment;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\View;

/** show=requests: single requests that hosts have kept whole, the slowest first. symbol: a function to look at in them. */
final class KeptRequestsPage extends FleetPart
{
    private const MOST = 200;

    private const KINDS = [Kept::SLOWEST => 'the slowest of a window', Kept::RANDOM => 'by chance'];

    public function respond(): Response
    {
        $this->query->needsService();
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
        $query = $this->query;
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
        foreach ((new Exemplars($this->client))->slowest($which, $most) as $one) {
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

    /** kept=RUN: one of them as a flame graph; a form makes a run of it, for all other views. */
    public function one(bool $isWritable): Response
    {
        $request = KeptRequest::of($this->client, $this->query, $this->asked->request);
        if ($request === null) {
            return $this->respond();
        }
        $meta = $request->meta;
        $title = $request->title();
        $own = ['kept' => $request->run];
        $tree = $request->imported->tree;
        $metric = $tree === null ? null : TreeMetric::of(TreeMetric::keys($tree)[0]);

        $top = $this->asked->top('requests', $title, 'One request');

        return $this->asked->template('fleet_flame.html.twig', $top, [
            'counted' => Counted::of($meta),
            'time' => Moment::of($meta->ts),
            'facts' => array_values(array_filter([
                $meta->totals->durationUs === null ? '' : Units::us($meta->totals->durationUs),
                (string) $meta->origin->host,
                $meta->recording->samples === null ? '' : Units::count($meta->recording->samples) . ' samples',
            ], static fn (string $fact): bool => $fact !== '')),
            'tree' => $tree === null ? '' : $this->query->treeUrl() . '&' . http_build_query($own, '', '&', PHP_QUERY_RFC3986),
            'function_url' => $this->query->url('functions'),
            'merged' => false,
            'form' => ['writable' => $isWritable, 'url' => $this->query->url('requests', $own), 'label' => 'Save as a run'],
            'paths' => $tree === null || $metric === null
                ? null
                : (new TopPaths($tree, $metric, $this->query->parameters('functions')))->root(),
            'metric' => $metric,
            'top_paths' => View::TOP,
            'paths_url' => '',
            'base' => null,
        ]);
    }
}
