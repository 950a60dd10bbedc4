<?php

declare(strict_types=1);

use XHProf\App\Site;
use XHProf\Web\Http\Request;

/** @var Site $app */
$app = require __DIR__ . '/bootstrap.php';
$request = Request::fromGlobals();
$app->file('typeahead.php', $request)->send($request->method !== 'HEAD');
