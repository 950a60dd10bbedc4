<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Functions\MetricList;
use XHProf\Profile\InternalFunctions;
use XHProf\Web\Api\Endpoint;
use XHProf\Web\Api\JsonResponse;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/** get=edges: caller and callee of each edge of a run, or of the mean of several, as columns; -1 stands for no caller. */
final class EdgesEndpoint extends Endpoint
{
    public function respond(Request $request): Response
    {
        $set = $this->runs->named($request);
        $profile = $set->run->profile();
        ['caller' => $callers, 'callee' => $callees] = $profile->calls();
        $names = $profile->symbols();
        $keys = ['ct', ...$profile->metrics()];

        return JsonResponse::answer('edges', [
            'names' => $names,
            'metrics' => MetricList::ofProfile($profile->metrics(), $set->counted()),
            'total' => $profile->totals(),
            'internal' => InternalFunctions::indexesIn($names),
            'hashes' => JsonResponse::hashes($names),
            'p' => $callers,
            'c' => $callees,
            'm' => array_combine($keys, array_map($profile->figures(...), $keys)),
        ]);
    }
}
