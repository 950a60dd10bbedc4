<?php

declare(strict_types=1);

namespace XHProf\Compare\Web;

use XHProf\Compare\Noise;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * get=names&run1=A&run2=B: what a comparison of call trees cannot know, as get=tree has one run: `after` has the names of
 * functions before => after, where they differ; `machine` words and, per column of get=diff, the functions whose change is the
 * machine's, in a comparison of one run with one; `chance` those whose change may be chance, where both sides have several runs.
 */
final class NamesEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        $report = DiffPair::named($request, $this->runs)->report;
        $noise = $report->noise();
        $chance = $noise->isTested() ? ['chance' => (object) $noise->ofChance($report->figures())] : [];

        return JsonResponse::answer('names', ['after' => (object) $report->renamed] + ($noise->machine === null ? [] : [
            'machine' => ['words' => Noise::MACHINE_WORDS, 'functions' => (object) $noise->ofMachine($report->figures())],
        ]) + $chance);
    }
}
