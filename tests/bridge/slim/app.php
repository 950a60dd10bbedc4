<?php

declare(strict_types=1);

// A Slim application with the pages and the recorder around it. The environment: XHPROF_TEST_PSR7 names the factories, slim or
// nyholm; XHPROF_TEST_GATE is "open" or "closed", else there is no gate at all; XHPROF_TEST_ERRORS is "thrown" for a program
// without a middleware for errors.

use Psr\Http\Message\ResponseInterface as Answer;
use Psr\Http\Message\ServerRequestInterface as Request;
use Slim\Factory\AppFactory;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Psr15\NameRoute;
use XHProf\Bridge\Psr15\PagesMiddleware;
use XHProf\Bridge\Psr15\RecordMiddleware;

require getenv('XHPROF_TEST_AUTOLOAD');
require __DIR__ . '/../autoload.php';

function shop_total(int $count): int
{
    $sum = 0;
    for ($i = 0; $i < $count; $i++) {
        $sum += shop_price($i);
    }

    return $sum;
}

function shop_price(int $number): int
{
    return crc32("price $number") % 100;
}

$isNyholm = getenv('XHPROF_TEST_PSR7') === 'nyholm';
$responses = $isNyholm ? new Nyholm\Psr7\Factory\Psr17Factory() : new Slim\Psr7\Factory\ResponseFactory();
$streams = $isNyholm ? $responses : new Slim\Psr7\Factory\StreamFactory();
$write = static function (Answer $answer, string $text): Answer {
    $answer->getBody()->write($text);

    return $answer;
};

$app = AppFactory::create($responses);
$app->get('/', static fn(Request $request, Answer $answer): Answer => $write($answer, 'home ' . shop_total(50)));
$app->get('/orders/{id}', static function (Request $request, Answer $answer, array $found) use ($write): Answer {
    return $write($answer, "<title>Order</title>order {$found['id']} " . shop_total(200));
});
$app->get('/loaded', static fn(Request $request, Answer $answer): Answer => $write($answer, json_encode(array_values(array_filter(
    [...get_declared_classes(), ...get_declared_interfaces()],
    static fn(string $class): bool => str_starts_with($class, 'XHProf\\'),
)))));
$app->get('/broken', static fn() => throw new LogicException('broken ' . shop_total(3)));
$app->get('/nested', static function (Request $request, Answer $answer) use ($app, $write): Answer {
    $inner = $app->handle($request->withUri($request->getUri()->withPath('/')));

    return $write($answer, 'nested ' . $inner->getBody());
});

$next = new NextRequest('a secret of the site');
$isAllowed = match (getenv('XHPROF_TEST_GATE')) {
    'open' => static fn(Request $request): bool => true,
    'closed' => static fn(Request $request): bool => false,
    default => null,
};
$app->add(new NameRoute('__route__'));
$app->addRoutingMiddleware();
if (getenv('XHPROF_TEST_ERRORS') !== 'thrown') {
    $app->addErrorMiddleware(false, false, false);
}
$app->add(new RecordMiddleware($next));
$app->add(new PagesMiddleware($responses, $streams, $isAllowed, '/_xhprof', $next));

return $app;
