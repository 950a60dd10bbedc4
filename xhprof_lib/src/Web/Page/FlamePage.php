<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Report\Counted;
use XHProf\Report\MetricList;
use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;

/**
 * index.php?run=ID&view=flame: the call paths of a run, drawn by assets/js/flame/ from api.php?get=columns; without JavaScript the
 * heaviest ones as text.
 *
 * Parameters: run, source, wts, corrected, metric; paths=1 writes the text of a large tree, or of a mean, as well.
 */
final class FlamePage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $top = RunHeader::top($this->runs, $set, $request, 'flame');
        if (!$set->run->has(Run::TREE)) {
            return $this->view->page('no_tree.html.twig', $top + ['view' => 'Flame graph'], 404);
        }

        return $this->view->page('flame.html.twig', $top + PathsText::of($set, $request, 'flame') + [
            'island' => self::island($set),
        ]);
    }

    /**
     * Where the scripts of this run's views get their data.
     *
     * @return array{tree: string, symbol: string, sandwich: string, function: string, merged: bool,
     *     metrics: list<array{k: string, label: string}>} metrics: those known before the tree is there
     */
    public static function island(ShownRun $set): array
    {
        return [
            'tree' => Url::api('columns', ['corrected' => null] + $set->parameters()),
            // As in the flame graph, where a recursive function is one.
            'symbol' => Url::api('symbol', ['levels' => null] + $set->parameters()),
            'sandwich' => Url::index($set->parameters() + ['view' => 'sandwich']),
            'function' => Url::index($set->parameters()),
            'merged' => $set->run->meta()->window !== null,
            'metrics' => self::metrics($set->run->knownMetrics() ?? [], $set->counted()),
        ];
    }

    /**
     * What a picture of call paths can show, while its data are on their way.
     *
     * @param list<string> $recorded metrics of the profile; none where they are not known
     * @return list<array{k: string, label: string}>
     */
    public static function metrics(array $recorded, Counted $counted): array
    {
        $shown = array_filter(
            MetricList::ofTree($counted),
            static fn (array $one): bool => $recorded !== [] && in_array($one['k'], [...$recorded, 'ct'], true),
        );

        return array_map(static fn (array $one): array => ['k' => $one['k'], 'label' => $one['label']], array_values($shown));
    }
}
