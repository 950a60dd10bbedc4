<?php

declare(strict_types=1);

namespace XHProf\Paths\Web;

use XHProf\Run\Run;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\MissingPart;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\StorePage;

/**
 * index.php?run=ID&view=timeline: a run in order of time, drawn from api.php?get=columns: by assets/js/pages/timeline.js the times
 * of its calls, by samples.js its samples. Other runs have no times: the page explains that.
 *
 * Parameters: run, source.
 */
final class TimelinePage extends StorePage
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $isTooLarge = $set->run->hasTooManySamples();
        $hasCalls = $set->shows(Run::TIMELINE);
        $isSampled = !$set->isMean() && !$isTooLarge && !$hasCalls && $set->shows(Run::SAMPLES);

        return $this->view->page('timeline.html.twig', RunHeader::top($this->runs, $set, $request, 'timeline') + [
            'columns' => $hasCalls || $isSampled ? Url::api('columns', ['x0' => null, 'x1' => null] + $set->parameters()) : null,
            'kinds' => $hasCalls || $isSampled ? PathsPage::kinds($set, true) : null,
            'symbol_data' => Url::api('symbol', ['x0' => null, 'x1' => null, 'levels' => null] + $set->parameters()),
            'has_calls' => $hasCalls,
            'why' => MissingPart::why(Run::TIMELINE, $set->whole()),
            'too_large' => $isTooLarge,
            'lit' => $hasCalls || $isSampled ? RunFindings::lit($set, $request, 'timeline') : null,
            'flame_url' => $set->run->has(Run::TREE) ? Url::index($set->parameters() + ['view' => 'flame']) : null,
        ], $isSampled || $hasCalls ? 200 : 404);
    }
}
