<?php

/** Loads Symfony of build/frameworks, or of the folder SHOP_VENDOR, and the bridge with its library from the sources. */

declare(strict_types=1);

$vendor = getenv('SHOP_VENDOR') ?: dirname(__DIR__, 3) . '/build/frameworks/vendor';
require "$vendor/autoload.php";

spl_autoload_register(static function (string $class): void {
    $places = [
        'XHProf\\Bridge\\' => dirname(__DIR__, 3) . '/bridge/src/',
        'XHProf\\Tests\\Bridge\\Shop\\' => __DIR__ . '/src/',
        'XHProf\\' => dirname(__DIR__, 3) . '/xhprof_lib/src/',
    ];
    foreach ($places as $prefix => $folder) {
        $file = $folder . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;

            return;
        }
    }
});
