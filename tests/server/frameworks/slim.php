<?php

declare(strict_types=1);

// An application of Slim's own router, which uses FastRoute.

use Psr\Http\Message\ResponseInterface as Answer;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;

require getenv('XHPROF_TEST_AUTOLOAD');

$app = AppFactory::create();
$app->addRoutingMiddleware();
$app->addErrorMiddleware(false, false, false);
$app->get('/', static function (Request $request, Answer $response): Answer {
    $response->getBody()->write('home');

    return $response;
});
$app->group('/users', static function (Slim\Routing\RouteCollectorProxy $group): void {
    $group->get('/{name}', static function (Request $request, Answer $response, array $args): Answer {
        $response->getBody()->write("user $args[name]");

        return $response;
    });
});
$app->run();
