<?php

declare(strict_types=1);

// A worker: requests of one process, one after the other. Prints for each the status and the run, as JSON.

use Slim\Psr7\Factory\ServerRequestFactory;
use XHProf\Bridge\NextRequest;

$app = require __DIR__ . '/app.php';
$ask = static fn(): string => explode('=', explode(';', (new NextRequest('a secret of the site'))->setCookie(false))[0], 2)[1];
$requests = new ServerRequestFactory();
$cookie = '';
foreach (json_decode($argv[1], true) as [$path, $isAsked]) {
    // "again" has the cookie of the request before.
    $cookie = $isAsked === 'again' ? $cookie : $ask();
    $request = $requests->createServerRequest('GET', "https://slim.test$path")
        ->withCookieParams($isAsked === false ? [] : [NextRequest::COOKIE => $cookie]);
    try {
        $answer = $app->handle($request);
        $seen = [$answer->getStatusCode(), $answer->getHeaderLine('X-XHProf-Run'), $answer->getHeaderLine('Set-Cookie') !== ''];
    } catch (LogicException | Slim\Exception\HttpException $e) {
        $seen = [$e->getMessage(), '', false];
    }
    echo json_encode([$path, ...$seen]), "\n";
}
