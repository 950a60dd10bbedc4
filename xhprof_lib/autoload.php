<?php

/**
 * Loads the XHProf\ classes of src/ (PSR-4) without Composer. Harmless beside Composer's autoloader, or twice.
 */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'XHProf\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . strtr(substr($class, 7), '\\', '/') . '.php';
    if (is_file($file)) {
        require $file;
    }
});
