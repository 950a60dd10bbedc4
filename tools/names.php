<?php

/*
 * names.php [--check] [FOLDER]: writes what tools/project.json says - the repository, the site, who maintains the project, and
 * their address - into every file that must contain it literally (names/Places.php has the list). --check changes nothing: it
 * prints each place that differs, and each other file that has one of these names, and ends with 1 when there are any.
 */

declare(strict_types=1);

namespace XHProf\Tools\Names;

require_once __DIR__ . '/names/Project.php';
require_once __DIR__ . '/names/Places.php';

$words = array_slice($argv, 1);
$check = ($words[0] ?? '') === '--check';
$root = realpath($words[(int) $check] ?? dirname(__DIR__));
try {
    if ($root === false) {
        throw new \RuntimeException('there is no such folder: ' . $words[(int) $check]);
    }
    $places = new Places($root, Project::read("$root/tools/project.json"));
    $lines = $check ? $places->offences() : array_map(static fn(string $file): string => "Wrote $file", $places->write());
} catch (\RuntimeException $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(1);
}
echo implode('', array_map(static fn(string $line): string => "$line\n", $lines));
exit((int) ($check && $lines !== []));
