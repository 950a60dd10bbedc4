<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Format\Units;
use XHProf\Report\Counted;
use XHProf\Web\Fleet\KeptRequest;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\Moment;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\View;

/** show=requests&kept=RUN: a single request that a host has kept, as a flame graph; a form makes a run of it, for all other views. */
final class KeptRequestPage extends FleetPart
{
    public function respond(bool $isWritable): Response
    {
        $request = KeptRequest::of($this->client, $this->query, $this->asked->request);
        if ($request === null) {
            return (new KeptRequestsPage($this->asked))->respond();
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
