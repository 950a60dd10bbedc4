<?php

declare(strict_types=1);

require_once dirname(__DIR__, 2) . '/vendor/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'XHProf\\Tools\\Site\\')) {
        require __DIR__ . '/' . str_replace('\\', '/', substr($class, strlen('XHProf\\Tools\\Site\\'))) . '.php';
    }
});
