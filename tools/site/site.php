<?php

/*
 * site.php [--runs=FOLDER] [--repository=URL] [--address=URL] FOLDER: makes the site in FOLDER. --runs names the folder that
 * demo/shop/visit.php has filled; without it the site has no live demo. The addresses of the repository and of the site are those
 * of tools/project.json, unless others are given.
 *
 * Exit code 1, with the reason, when the site cannot be made; 2 for wrong arguments.
 */

declare(strict_types=1);

namespace XHProf\Tools\Site;

use XHProf\Tools\Names\Project;

require __DIR__ . '/autoload.php';
require_once dirname(__DIR__) . '/names/Project.php';

$root = dirname(__DIR__, 2);
$options = getopt('', ['runs:', 'repository:', 'address:'], $rest);
$folder = $argv[$rest] ?? '';
if ($folder === '' || isset($argv[$rest + 1]) || str_starts_with($folder, '-')) {
    fwrite(STDERR, "site.php [--runs=FOLDER] [--repository=URL] [--address=URL] FOLDER\n");
    exit(2);
}
$named = static fn (string $name): ?string => is_string($options[$name] ?? null) ? $options[$name] : null;
try {
    $project = Project::read("$root/tools/project.json");
    $repository = rtrim($named('repository') ?? $project->repository, '/');
    $address = rtrim($named('address') ?? $project->site, '/') . '/';
    $site = new Site($root, $repository, $address, $named('runs'));
    $counts = $site->write(rtrim($folder, '/'));
} catch (\RuntimeException $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(1);
}
$demo = $counts['demo'] === 0 ? 'without the live demo' : "$counts[demo] files of the live demo";
printf("%s: %d pages, %s, %.1f MB\n", "$folder/index.html", $counts['pages'], $demo, $counts['bytes'] / 1e6);
