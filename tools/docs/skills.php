<?php

/*
 * skills.php [--update]: compares the folder skills/ with the guide of the library, XHProf\Mcp\Guide, of which it is made, or
 * writes it. Prints a line per file that differs; exit code 1 when there are any.
 */

declare(strict_types=1);

namespace XHProf\Tools\Docs;

use XHProf\Mcp\Guide;

require dirname(__DIR__, 2) . '/xhprof_lib/autoload.php';

/** Files that the guide is in, by their path. Blade would read "{{", "@" and "{!!" of a guideline. */
$files = [
    'skills/xhprof/SKILL.md' => Guide::skill(),
    'skills/boost/guidelines/core.blade.php' => "@verbatim\n" . Guide::guideline() . "@endverbatim\n",
    'skills/boost/skills/xhprof/SKILL.md' => Guide::skill(),
    'skills/mate/INSTRUCTIONS.md' => Guide::guideline(),
];
$root = dirname(__DIR__, 2);
$isUpdate = ($argv[1] ?? '') === '--update';
$differing = 0;
foreach ($files as $file => $text) {
    if (is_file("$root/$file") && file_get_contents("$root/$file") === $text) {
        continue;
    }
    if ($isUpdate) {
        is_dir(dirname("$root/$file")) || mkdir(dirname("$root/$file"), 0755, true);
        file_put_contents("$root/$file", $text);
    } else {
        echo "$file is not what the guide says: make skills writes it\n";
        $differing++;
    }
}
exit($differing === 0 ? 0 : 1);
