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
 * index.php?run1=A&run2=B&view=flame: the call paths of both sides laid over each other, drawn by assets/js/pages/flame-diff.js
 * from api.php?get=columns of each; several runs of a side are their mean, path by path.
 */
final class FlameDiffPage extends StorePage
{
    public function respond(Request $request): Response
    {
        $pair = DiffPair::named($request, $this->runs);
        $without = [];
        foreach (['before' => $pair->before, 'after' => $pair->after] as $side => $set) {
            if (!$set->run->has(Run::TREE)) {
                $without[] = $side;
            }
        }

        return $this->view->page('flame_diff.html.twig', $pair->top($request, 'flame') + [
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
