<?php

/** For the cases: the library, beside the test runner whose packages are loaded already. */

declare(strict_types=1);

require __DIR__ . '/../../../../xhprof_lib/autoload.php';

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/' . basename(strtr($class, '\\', '/')) . '.php';
    if (str_starts_with($class, 'XHProf\Tests\Bin\Testing\\') && is_file($file)) {
        require $file;
    }
});
