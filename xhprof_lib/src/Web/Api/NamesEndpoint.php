<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\DiffPair;
use XHProf\Web\Run\Runs;

/** get=names&run1=A&run2=B: names of functions before => after, where they differ. get=tree has the names of each run itself. */
final class NamesEndpoint
{
    public function __construct(private readonly Runs $runs)
    {
    }

    public function respond(Request $request): Response
    {
        return Json::answer('names', ['after' => (object) DiffPair::named($request, $this->runs)->renamed]);
    }
}
