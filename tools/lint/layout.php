<?php

/*
 * layout.php: holds the layers of extension/, and what the programs beside it take of them. A folder includes only what its
 * line below allows; differences between PHP versions stay in compat/. Prints one line per offence; exit code 1 when there are
 * any.
 */

declare(strict_types=1);

namespace XHProf\Tools\Lint;

/*
 * What the files of a folder may include from the others; '.' is extension/ itself.
 * base, which every program here takes, and trace (and alloc, heap) know nothing of hooks, exports and the module's globals.
 */
const ALLOWED = [
    '.' => ['.', 'compat', 'base', 'trace', 'alloc', 'heap', 'hook', 'export', 'request'],
    'compat' => ['compat'],
    'base' => ['compat', 'base'],
    'trace' => ['compat', 'base', 'trace'],
    'alloc' => ['compat', 'base', 'trace', 'alloc'],
    'heap' => ['compat', 'base', 'heap'],
    'hook' => ['compat', 'base', 'trace', 'alloc', 'heap', 'hook'],
    'export' => ['compat', 'base', 'trace', 'alloc', 'heap', 'export'],
    'request' => ['compat', 'base', 'trace', 'alloc', 'hook', 'export', 'request'],
];
/* The same for the folders of the project that are programs of their own; no folder of extension/ takes from them. */
const PROGRAMS = [
    'malloc' => ['base', 'malloc'],
    'inspect' => ['compat', 'base', 'heap', 'export', 'inspect'],
];
/* Not of this concern, and made by phpize. */
const OTHER = ['build', 'include', 'modules', 'tests'];
/* Open to the folders that serve the module itself. */
const SHARED = 'php_xhprof.h';
const SHARED_WITH = ['hook', 'export', 'request'];
/* Made by configure and by php-src's generator. */
const GENERATED = '/^config\.h$|_arginfo\.h$/';

/**
 * @return list<string> the C sources and headers of one folder
 */
function sources(string $folder): array
{
    return glob("$folder/*.{c,h}", GLOB_BRACE) ?: [];
}

/**
 * @return list<string> offences as "file:line: text"
 */
function offences(string $root): array
{
    $extension = "$root/extension";
    $found = [];
    foreach (glob("$extension/*", GLOB_ONLYDIR) ?: [] as $path) {
        $folder = basename($path);
        if (!isset(ALLOWED[$folder]) && !in_array($folder, OTHER, true) && sources($path) !== []) {
            $found[] = "extension/$folder: tools/lint/layout.php does not know this folder";
        }
    }
    foreach (ALLOWED + PROGRAMS as $folder => $allowed) {
        $path = isset(PROGRAMS[$folder]) ? "$root/$folder" : rtrim("$extension/$folder", '/.');
        foreach (sources($path) as $file) {
            if (preg_match(GENERATED, basename($file)) === 1) {
                continue;
            }
            foreach (file($file) ?: [] as $index => $line) {
                $problem = offence($extension, $folder, $allowed, $file, $line);
                if ($problem !== null) {
                    $found[] = substr($file, strlen($root) + 1) . ':' . ($index + 1) . ": $problem";
                }
            }
        }
    }
    return $found;
}

/**
 * @param list<string> $allowed folders
 */
function offence(string $extension, string $folder, array $allowed, string $file, string $line): ?string
{
    if ($folder !== 'compat' && preg_match('/PHP_VERSION_ID|ZEND_MODULE_API_NO|PHP_API_VERSION/', $line) === 1) {
        return 'PHP versions are told apart in compat/ only';
    }
    if (preg_match('/^\s*#\s*include\s+"([^"]+)"/', $line, $match) !== 1) {
        return null;
    }
    // A header of ours: beside the file, or named from the root of the extension. Others are the engine's.
    $header = is_file(dirname($file) . "/$match[1]") ? dirname($file) . "/$match[1]" : "$extension/$match[1]";
    $header = realpath($header);
    if ($header === false || preg_match(GENERATED, basename($header)) === 1) {
        return null;
    }
    $from = dirname($header) === $extension ? '.' : basename(dirname($header));
    if ($header === "$extension/" . SHARED && in_array($folder, SHARED_WITH, true)) {
        return null;
    }
    return in_array($from, $allowed, true) ? null : "$folder/ must not include $match[1]";
}

$found = offences(dirname(__DIR__, 2));
echo implode("\n", $found), $found === [] ? '' : "\n";
exit($found === [] ? 0 : 1);
