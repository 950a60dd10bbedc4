<?php

/*
 * A real program for `make demo`: parses the PHP files of a folder with nikic/php-parser, rewrites their
 * names to fully qualified ones, prints them as code and parses that again to see that it is code.
 * It writes no files and prints the same line on every run.
 *
 *     php benchmarks/demo/reformat.php [FOLDER]
 *
 * FOLDER is the source of symfony/console by default.
 */

declare(strict_types=1);

namespace XHProf\Demo;

$root = dirname(__DIR__, 2);
if (!is_file("$root/vendor/autoload.php")) {
    fwrite(STDERR, "run `composer install` in $root first\n");
    exit(1);
}
require "$root/vendor/autoload.php";
require __DIR__ . '/Reformatter.php';

$folder = $argv[1] ?? "$root/vendor/symfony/console";
if (!is_dir($folder)) {
    fwrite(STDERR, "there is no folder $folder\n");
    exit(1);
}

$reformatter = new Reformatter();
foreach (Reformatter::files($folder) as $file) {
    $reformatter->add($file);
}
echo $reformatter->summary(), "\n";
exit($reformatter->failures() === [] ? 0 : 1);
