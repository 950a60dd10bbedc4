<?php

declare(strict_types=1);

use Symfony\Component\HttpFoundation\Request;
use XHProf\Tests\Bridge\Shop\ShopKernel;

// PHP's server asks here for files too.
if (getenv('SHOP_FILES') !== '0' && preg_match('~\A/favicon~', (string) $_SERVER['REQUEST_URI']) === 1) {
    http_response_code(404);
    exit;
}
require dirname(__DIR__) . '/autoload.php';
$kernel = new ShopKernel('dev', getenv('SHOP_DEBUG') !== '0');
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
