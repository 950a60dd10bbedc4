<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Templates;

/** A page made of the runs of the folder. */
abstract class StorePage
{
    final public function __construct(protected readonly RunOpener $runs, protected readonly Templates $view)
    {
    }

    /** @throws \XHProf\Web\Http\HttpError */
    abstract public function respond(Request $request): Response;
}
