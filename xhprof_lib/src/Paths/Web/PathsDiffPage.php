<?php

declare(strict_types=1);

namespace XHProf\Paths\Web;

use XHProf\Compare\Web\DiffPair;
use XHProf\Graph\Web\GraphSettings;
use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;

/**
 * The call paths of both sides of a comparison laid over each other, drawn by the scripts from api.php?get=columns of each; several
 * runs of a side are their mean, path by path: index.php?run1=A&run2=B with
 *
 * - view=flame: the flame graph (assets/js/pages/flame-diff.js),
 * - view=calltree: a table whose rows open (assets/js/pages/calltree-diff.js),
 * - view=sandwich: a function (sel) between its callers and callees (assets/js/pages/sandwich-diff.js).
 */
final class PathsDiffPage extends StorePage
{
    /** What the page shows, by the value of `view`. */
    private const VIEWS = ['flame' => 'flame graph', 'calltree' => 'call tree', 'sandwich' => 'sandwich'];

    public function respond(Request $request): Response
    {
        $view = isset(self::VIEWS[$request->text('view')]) ? $request->text('view') : 'flame';
        $pair = DiffPair::named($request, $this->runs);
        $without = [];
        foreach (['before' => $pair->before, 'after' => $pair->after] as $side => $set) {
            if (!$set->run->has(Run::TREE)) {
                $without[] = $side;
            }
        }

        return $this->view->page('paths_diff.html.twig', $pair->top($request, $view) + [
            'paths_view' => $view,
            'what' => self::VIEWS[$view],
            'without' => $without,
            // The trees have no levels of a recursion.
            'names_url' => Url::api('names', ['levels' => null] + $pair->parameters()),
            'function_url' => Url::index($pair->parameters()),
            'metrics' => PathsPage::metrics(
                GraphSettings::metrics([$pair->before->run->profile(), $pair->after->run->profile()]),
                $pair->counted(),
            ),
            'trees' => array_map(
                fn (ShownRun $set): string => PathsPage::island($set)['tree'],
                [$pair->before, $pair->after],
            ),
        ], $without === [] ? 200 : 404);
    }
}
