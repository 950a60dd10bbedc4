<?php

declare(strict_types=1);

namespace XHProf\Web\Page;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\Runs;
use XHProf\Web\View;

/** A page made of the runs of the folder. */
abstract class StorePage
{
    final public function __construct(protected readonly Runs $runs, protected readonly View $view)
    {
    }

    /** @throws \XHProf\Web\Http\HttpError */
    abstract public function respond(Request $request): Response;
}
