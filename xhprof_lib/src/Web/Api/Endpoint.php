<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\RunOpener;

/** An answer of api.php that is made of runs. */
abstract class Endpoint
{
    final public function __construct(protected readonly RunOpener $runs)
    {
    }

    /** @throws \XHProf\Web\Http\HttpError */
    abstract public function respond(Request $request): Response;
}
