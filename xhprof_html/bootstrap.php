<?php

/**
 * Loads the classes and the template engine for the three pages of this folder. Returns the App.
 * Problems of the installation are answered here, as text: there is nothing to render them with.
 */

declare(strict_types=1);

use XHProf\App\Site;
use XHProf\Web\Http\Access;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

require_once dirname(__DIR__) . '/xhprof_lib/unprofiled.php';

if (realpath((string) ($_SERVER['SCRIPT_FILENAME'] ?? '')) === __FILE__) {
    http_response_code(404);
    exit("There is no such page.\n");
}

// A request has few cycles and large runs, and the cycle collector would scan their rows again and again.
gc_disable();
ini_set('display_errors', '0');
ini_set('html_errors', '0');
error_reporting(E_ALL);

// A run of 100 000 edges takes 110 MB, the mean of two 410 MB. A limit fixed by the server's administrator stays: ini_set does
// nothing then.
$limit = ini_parse_quantity((string) ini_get('memory_limit'));
if ($limit >= 0 && $limit < 512 << 20) {
    ini_set('memory_limit', '512M');
}

// No exception handler runs after memory_limit or max_execution_time: show a message instead of a blank page.
register_shutdown_function(static function (): void {
    $fatal = E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_PARSE;
    if (((error_get_last()['type'] ?? 0) & $fatal) !== 0 && !headers_sent()) {
        // PHP answers with 500 by itself where it displays no errors; PHP 8.5 warns of a second time.
        if (http_response_code() !== 500) {
            http_response_code(500);
        }
        header_remove('X-Powered-By');
        header('Content-Type: text/plain; charset=utf-8');
        header('X-Content-Type-Options: nosniff');
        header("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'");
        echo "This page failed: the run is too large for PHP's memory_limit or max_execution_time, or the\n"
            . "installation is broken. The reason is in the error log of the web server.\n";
    }
});

$missing = require dirname(__DIR__) . '/xhprof_lib/requirements.php';
if ($missing !== null) {
    http_response_code(500);
    header('Content-Type: text/plain; charset=utf-8');
    exit("$missing.\n");
}
require dirname(__DIR__) . '/xhprof_lib/autoload.php';
// Composer's folder: in a clone, or in the project that has this package in its own vendor/.
foreach ([dirname(__DIR__) . '/vendor/autoload.php', dirname(__DIR__, 3) . '/autoload.php'] as $autoload) {
    if (is_file($autoload)) {
        require $autoload;
        break;
    }
}
$asked = Request::fromGlobals();
$refusal = Access::fromEnvironment($asked)->refusal($asked);
if ($refusal !== null) {
    $refusal->send($asked->method !== 'HEAD');
    exit;
}
if (!class_exists(Twig\Environment::class)) {
    Response::text("XHProf's pages need the template engine Twig: run \"composer install\" in XHProf's folder.\n", 500)->send();
    exit;
}

return new Site(__DIR__);
