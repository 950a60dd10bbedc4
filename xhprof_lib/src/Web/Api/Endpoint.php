<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;

/** An answer of api.php that is made of runs. */
abstract class Endpoint
{
    final public function __construct(protected readonly Runs $runs)
    {
    }

    /** @throws \XHProf\Web\Http\HttpError */
    abstract public function respond(Request $request): Response;
}
