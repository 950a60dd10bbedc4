<?php

/*
 * pack.php FOLDER FILE SECONDS: packs what tools/runtime.sh makes, a folder with bin/, xhprof_lib/, xhprof_html/ and vendor/, into
 * FILE, a phar. The same files and SECONDS (since 1970, the time of all) make the same bytes, wherever and whenever that is. PHP
 * has to have phar.readonly=0.
 */

declare(strict_types=1);

namespace XHProf\Tools\Phar;

require __DIR__ . '/Packer.php';

if (($argc ?? 0) !== 4 || !ctype_digit($argv[3])) {
    fwrite(STDERR, "usage: pack.php FOLDER FILE SECONDS\n");
    exit(2);
}
(new Packer($argv[1], (int) $argv[3]))->pack($argv[2]);
