<?php

declare(strict_types=1);

require_once __DIR__ . '/../../vendor/autoload.php';
require_once __DIR__ . '/../../xhprof_lib/autoload.php';
require_once __DIR__ . '/../../tools/servers/autoload.php';

spl_autoload_register(static function (string $class): void {
    $prefix = 'XHProf\\Demo\\Fleet\\';
    if (str_starts_with($class, $prefix)) {
        require __DIR__ . '/' . substr($class, strlen($prefix)) . '.php';
    }
});
