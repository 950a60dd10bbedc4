<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\KeptRequests;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Profile\Metrics;
use XHProf\Run\Exemplars as Kept;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\TimeLabel;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\Templates;

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
    public function table(string $title, int $most, string $symbol = '', string $route = ''): FleetTable
    {
        $query = $this->query;
        $which = $query->selection;
        $which = $which->route !== '' || $route === '' ? $which : $which->ofRoute($route);
        $hasRoute = $query->selection->route !== '';
        $table = new FleetTable('kept', $title, 'Single requests, the slowest first', [
            'wall' => FleetTable::words(Metrics::of('wt')->label),
            'cpu' => FleetTable::number('CPU', Metrics::of('cpu')->label, FleetTable::MEDIUM),
            ...($hasRoute ? [] : ['route' => FleetTable::words('Route')]),
            'began' => FleetTable::words('Time', 'When its window began', FleetTable::MEDIUM),
            'host' => FleetTable::words('Host'),
            'release' => FleetTable::words('Release', 'Release', FleetTable::WIDE),
            'kind' => FleetTable::words('Kept as', 'Why it was kept', FleetTable::WIDE),
        ], 'No request of this selection was kept: hosts that send windows keep the slowest request of each route and window.');
        foreach ((new KeptRequests($this->client))->slowest($which, $most) as $one) {
            $url = $query->url('requests', ['kept' => $one['run'], 'sel' => $symbol === '' ? null : $symbol]);
            $table->add([
                ['value' => $one['wall_us'], 'badge' => $one['failed'] ? 'failed' : '']
                    + FleetTable::name(Units::us($one['wall_us']), $url),
                FleetTable::time($one['cpu_us']),
                ...$hasRoute ? [] : [FleetTable::name($one['route'], $query->url('routes', ['route' => $one['route']]), '(no route)')],
                FleetTable::moment($one['at']),
                FleetTable::text($one['host'], $query->url('routes', ['host' => $one['host']])),
                FleetTable::text($one['release']),
                FleetTable::text(self::KINDS[$one['kind']] ?? $one['kind']),
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
            'counted' => CountKind::of($meta),
            'time' => TimeLabel::of($meta->ts),
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
            'top_paths' => Templates::TOP,
            'paths_url' => '',
            'base' => null,
        ]);
    }
}
