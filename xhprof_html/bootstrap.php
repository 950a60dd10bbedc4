<?php

/**
 * Loads the classes and the template engine for the three pages of this folder. Returns the App.
 * Problems of the installation are answered here, as text: there is nothing to render them with.
 */

declare(strict_types=1);

use XHProf\App\PageLimits;
use XHProf\App\Site;
use XHProf\Web\Http\Access;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

require_once dirname(__DIR__) . '/xhprof_lib/unprofiled.php';

if (realpath((string) ($_SERVER['SCRIPT_FILENAME'] ?? '')) === __FILE__) {
    http_response_code(404);
    exit("There is no such page.\n");
}

require_once dirname(__DIR__) . '/xhprof_lib/src/App/PageLimits.php';
PageLimits::begin();

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
