<?php

/*
 * reference.php: compares docs/reference.md with the sources that it is made from.
 *   (nothing)   exit code 1, and one line, when it is out of date
 *   --update    writes it
 */

declare(strict_types=1);

namespace XHProf\Tools\Docs;

require __DIR__ . '/autoload.php';

$root = dirname(__DIR__, 2);
$file = "$root/docs/reference.md";
$text = (new Reference($root))->text();
if (($argv[1] ?? '') === '--update') {
    file_put_contents($file, $text);
} elseif (@file_get_contents($file) !== $text) {
    echo "docs/reference.md is not made from these sources: run make reference\n";
    exit(1);
}
