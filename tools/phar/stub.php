#!/usr/bin/env php
<?php
/*
 * Begins xhprof.phar, where tools/phar/pack.php puts it before the other files. Any PHP can parse it, as old as it may be. PHP runs
 * it for the command line, and for each request of `xhprof.phar serve`.
 */
$missing = null;
if (!class_exists('Phar')) {
    $missing = "PHP's extension phar, with which this file is read, is not loaded: `php -m` lists those that are, `php -n` loads"
        . ' none, Alpine has it in a package of its own, php' . PHP_MAJOR_VERSION . PHP_MINOR_VERSION . '-phar';
} elseif (!is_file(__FILE__)) {
    $missing = 'this file cannot be read from a pipe: run it by its name, like "php xhprof.phar list"';
} else {
    try {
        Phar::mapPhar();
        $missing = require 'phar://' . __FILE__ . '/xhprof_lib/requirements.php';
    } catch (Exception $error) {
        $missing = 'this file is damaged, get it again: ' . $error->getMessage();
    }
}
if ($missing !== null) {
    file_put_contents('php://stderr', "xhprof: $missing\n");
    exit(1);
}
unset($missing);

// By the file's own path: it may have any name, and a link may lead to it.
return require 'phar://' . __FILE__ . (PHP_SAPI === 'cli-server' ? '/xhprof_lib/src/Serve/router.php' : '/bin/xhprof');
__HALT_COMPILER();
