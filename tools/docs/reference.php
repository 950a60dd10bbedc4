<?php

/*
 * reference.php: compares docs/reference.md, and the addresses in xhprof_html/README.md, with the sources that they are made from.
 *   (nothing)   exit code 1, and a line for each that is out of date
 *   --update    writes them
 */

declare(strict_types=1);

namespace XHProf\Tools\Docs;

use XHProf\App\Pages;

require __DIR__ . '/autoload.php';

require dirname(__DIR__, 2) . '/xhprof_lib/autoload.php';

$root = dirname(__DIR__, 2);
$pages = (string) file_get_contents("$root/xhprof_html/README.md");
$table = '/^\| Address \|.*?\n(?=\n)/ms';
$made = [
    'docs/reference.md' => (new Reference($root))->text(),
    'xhprof_html/README.md' => preg_replace_callback($table, static fn (): string => Pages::all()->markdown(), $pages, 1),
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
