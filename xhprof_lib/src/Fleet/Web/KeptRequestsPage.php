<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Report\KeptRequestsReport;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Run\Exemplars as Kept;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\ReportTable;
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
    public function table(string $title, int $most, string $symbol = '', string $route = ''): ReportTable
    {
        $query = $this->query;
        $which = $query->selection;
        $which = $which->route !== '' || $route === '' ? $which : $which->ofRoute($route);
        $report = KeptRequestsReport::report($this->client, $which, $most, $title, $query->selection->route === '');

        return $this->asked->table($report->tables[0], 'kept', static fn (array $row, string $key): array => match ($key) {
            'wall_us' => [
                'url' => $query->url('requests', ['kept' => (string) $row['run'], 'sel' => $symbol === '' ? null : $symbol]),
                'badge' => (string) $row['failed'],
            ],
            'kind' => ['text' => self::KINDS[(string) $row['kind']] ?? (string) $row['kind']],
            default => [],
        });
    }

    /** kept=RUN: one of them as a flame graph; a form makes a run of it, for all other views. */
    public function one(bool $isWritable): Response
    {
        $request = KeptRequest::read($this->client, $this->query, $this->asked->request);
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
            'counted' => CountKind::ofRuns($meta),
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
