<?php

declare(strict_types=1);

// What Composer does for a project that requires xhprof/bridge: classes of the package and of the library, when they are used.

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'XHProf\\Bridge\\')) {
        $file = dirname(__DIR__, 2) . '/bridge/src/' . strtr(substr($class, 14), '\\', '/') . '.php';
    } elseif (str_starts_with($class, 'XHProf\\')) {
        $file = dirname(__DIR__, 2) . '/xhprof_lib/src/' . strtr(substr($class, 7), '\\', '/') . '.php';
    } elseif (str_starts_with($class, 'Twig\\')) {
        $file = dirname(__DIR__, 2) . '/vendor/twig/twig/src/' . strtr(substr($class, 5), '\\', '/') . '.php';
    } elseif (str_starts_with($class, 'DebugBar\\')) {
        // Its own packages are older than the frameworks'.
        $debugbar = dirname(__DIR__, 2) . '/build/frameworks/debugbar/vendor/maximebf/debugbar/src/';
        $file = $debugbar . strtr($class, '\\', '/') . '.php';
    } else {
        return;
    }
    if (is_file($file)) {
        require $file;
    }
});
