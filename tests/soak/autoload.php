<?php

declare(strict_types=1);

require_once __DIR__ . '/../../benchmarks/src/autoload.php';
require_once __DIR__ . '/../../tools/servers/autoload.php';
require_once __DIR__ . '/../../xhprof_lib/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'XHProf\\Tests\\Soak\\')) {
        $file = __DIR__ . '/' . strtr(substr($class, strlen('XHProf\\Tests\\Soak\\')), '\\', '/') . '.php';
        is_file($file) && require $file;
    }
});
