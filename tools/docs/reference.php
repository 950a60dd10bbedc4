<?php

/*
 * reference.php: compares docs/reference.md, the addresses in xhprof_html/README.md and the rules in docs/findings.md with the
 * sources that they are made from.
 *   (nothing)   exit code 1, and a line for each that is out of date
 *   --update    writes them
 */

declare(strict_types=1);

namespace XHProf\Tools\Docs;

use XHProf\App\Pages;
use XHProf\Findings\Findings;

$root = dirname(__DIR__, 2);
require __DIR__ . '/autoload.php';
require "$root/xhprof_lib/autoload.php";

// A table in a text, by the first word of its head.
$withTable = static fn (string $file, string $head, string $table): ?string => preg_replace_callback(
    "/^\| $head \|.*?\n(?=\n)/ms",
    static fn (): string => $table,
    (string) file_get_contents("$root/$file"),
    1,
);
$made = [
    'docs/reference.md' => (new Reference($root))->text(),
    'xhprof_html/README.md' => $withTable('xhprof_html/README.md', 'Address', Pages::all()->markdown()),
    'docs/findings.md' => $withTable('docs/findings.md', 'rule', Findings::markdown()),
];
$status = 0;
foreach ($made as $file => $text) {
    if (($argv[1] ?? '') === '--update') {
        file_put_contents("$root/$file", $text);
    } elseif (@file_get_contents("$root/$file") !== $text) {
        echo "$file is not made from these sources: run make reference\n";
        $status = 1;
    }
}
exit($status);
