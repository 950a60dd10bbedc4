<?php

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'XHProf\\Tools\\Docs\\')) {
        require __DIR__ . '/' . substr($class, strlen('XHProf\\Tools\\Docs\\')) . '.php';
    }
});
