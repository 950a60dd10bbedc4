<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunHeader;

/**
 * index.php?run=ID&view=sandwich: a function (sel) between its callers and its callees by path, drawn by
 * assets/js/pages/sandwich.js; without JavaScript a link to the functions, whose own pages have their callers
 * and callees.
 *
 * Parameters: run, source, wts, corrected, metric, sel or sel_hash.
 */
final class SandwichPage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $top = RunHeader::top($this->runs, $set, $request, 'sandwich');
        if (!$set->run->has(Run::TREE)) {
            return $this->view->page('no_tree.html.twig', $top + ['view' => 'Sandwich'], 404);
        }
        $selected = $request->text('sel');
        $hash = $request->text('sel_hash');
        $function = $selected === '' ? ['symbol_hash' => $hash] : Url::symbolParameter($selected);

        return $this->view->page('sandwich.html.twig', $top + [
            'island' => FlamePage::island($set),
            'symbol' => $selected,
            'symbol_url' => $selected . $hash === '' ? null : Url::index($set->parameters() + $function),
        ]);
    }
}
