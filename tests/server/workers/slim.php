<?php

declare(strict_types=1);

// A loop of one's own that hands requests to Slim, a handler of PSR-15. Middlewares are handlers within it.

use Psr\Http\Message\ResponseInterface as Answer;
use Psr\Http\Message\ServerRequestInterface as Request;
use Psr\Http\Server\RequestHandlerInterface as Handler;
use Slim\Factory\AppFactory;
use Slim\Psr7\Factory\ServerRequestFactory;

require getenv('XHPROF_TEST_AUTOLOAD');

$app = AppFactory::create();
$app->add(static fn(Request $request, Handler $handler): Answer => $handler->handle($request));
$app->addRoutingMiddleware();
$app->addErrorMiddleware(false, false, false);
$app->get('/', static fn(Request $request, Answer $answer): Answer => $answer);
$app->get('/users/{name}', static fn(Request $request, Answer $answer): Answer => $answer);
$app->get('/broken', static fn() => throw new LogicException('broken'));
$requests = new ServerRequestFactory();
foreach (['/users/ann', '/', '/broken', '/users/bob', '/nowhere', '/users/carl'] as $path) {
    $app->handle($requests->createServerRequest('GET', "https://slim.test$path?page=2"));
}
