<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunHeader;

/**
 * index.php?run=ID&view=calltree: the call paths of a run as a table whose rows open, made by assets/js/calltree/ of
 * api.php?get=columns; without JavaScript the heaviest ones as text.
 *
 * Parameters: run, source, wts, corrected, metric, paths. The scripts' own are in the README of the pages.
 */
final class CallTreePage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $top = RunHeader::top($this->runs, $set, $request, 'calltree');
        if (!$set->run->has(Run::TREE)) {
            return $this->view->page('no_tree.html.twig', $top + ['view' => 'Call tree'], 404);
        }

        return $this->view->page('calltree.html.twig', $top + PathsText::of($set, $request, 'calltree') + [
            'island' => FlamePage::island($set),
        ]);
    }
}
