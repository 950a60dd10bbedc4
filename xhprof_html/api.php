<?php

declare(strict_types=1);

use XHProf\Web\Front\App;
use XHProf\Web\Http\Request;

/** @var App $app */
$app = require __DIR__ . '/bootstrap.php';
$request = Request::fromGlobals();
$app->api($request)->send($request->method !== 'HEAD');
