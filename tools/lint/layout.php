<?php

/*
 * layout.php: enforces the layers of extension/ and of the programs beside it. A folder includes only the folders that its line
 * below allows, and a line allows only those above it; differences between PHP versions stay in compat/; the modules of a folder
 * have no cyclic dependencies; no two types have one name. Prints one line per offence; exit code 1 when there are any.
 */

declare(strict_types=1);

namespace XHProf\Tools\Lint;

/*
 * The folders that the files of a folder may include from, lowest first: a line allows only itself and those above it, so there are
 * no cycles. '.' is extension/ itself. base, which every program here uses, and trace (and alloc, heap) do not depend on hooks,
 * exports and the module's globals; a hook knows no file, an export no hook.
 */
const ALLOWED = [
    'compat' => ['compat'],
    'base' => ['base'],
    'trace' => ['base', 'trace'],
    'operation' => ['compat', 'base', 'trace', 'operation'],
    'alloc' => ['compat', 'base', 'trace', 'alloc'],
    'heap' => ['compat', 'base', 'heap'],
    'hook' => ['compat', 'base', 'trace', 'operation', 'alloc', 'heap', 'hook'],
    'export' => ['compat', 'base', 'trace', 'alloc', 'heap', 'export'],
    'folder' => ['base', 'export', 'folder'],
    'aggregate' => ['base', 'trace', 'alloc', 'hook', 'export', 'folder', 'aggregate'],
    'request' => ['compat', 'base', 'hook', 'export', 'folder', 'aggregate', 'request'],
    '.' => ['compat', 'base', 'trace', 'alloc', 'hook', 'export', 'folder', 'aggregate', 'request', '.'],
];
/* The same for the folders of the project that are programs of their own; no folder of extension/ includes from them. */
const PROGRAMS = [
    'malloc' => ['base', 'malloc'],
    'inspect' => ['compat', 'base', 'heap', 'export', 'inspect'],
];
/* Folders that are not checked: the tests, and those made by phpize. */
const OTHER = ['build', 'include', 'modules', 'tests'];
/* Only folders that serve the module itself may include these. */
const SHARED = 'php_xhprof.h';
const SHARED_WITH = ['operation', 'hook', 'export', 'folder', 'aggregate', 'request'];
/* Made by configure and by php-src's generator. */
const GENERATED = '/^config\.h$|_arginfo\.h$/';

/** Where a folder of ALLOWED or PROGRAMS is. */
function folder_path(string $root, string $folder): string
{
    return isset(PROGRAMS[$folder]) ? "$root/$folder" : rtrim("$root/extension/$folder", '/.');
}

/**
 * @return list<string> entries of ALLOWED and PROGRAMS that break their order
 */
function misplaced(): array
{
    $found = [];
    $above = [];
    foreach (ALLOWED + PROGRAMS as $folder => $allowed) {
        $above[] = $folder;
        foreach (array_diff($allowed, $above) as $used) {
            $found[] = "tools/lint/layout.php: $folder allows $used, which does not stand above it";
        }
    }
    return $found;
}

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
        $path = folder_path($root, $folder);
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
        return 'PHP versions stand in compat/ only';
    }
    if (preg_match('/^\s*#\s*include\s+"([^"]+)"/', $line, $match) !== 1) {
        return null;
    }
    $from = home($extension, $file, $match[1]);
    if ($from === null || ($match[1] === SHARED && in_array($folder, SHARED_WITH, true))) {
        return null;
    }
    return in_array($from, $allowed, true) ? null : "$folder/ must not include $match[1]";
}

/** The folder of a project's header, beside the file or named from extension/. Null: it is the engine's, or generated. */
function home(string $extension, string $file, string $name): ?string
{
    $header = is_file(dirname($file) . "/$name") ? dirname($file) . "/$name" : "$extension/$name";
    $header = realpath($header);
    if ($header === false || preg_match(GENERATED, basename($header)) === 1) {
        return null;
    }
    return dirname($header) === $extension ? '.' : basename(dirname($header));
}

/**
 * @return list<string> what the lists allow, and nothing uses
 */
function unused(string $root): array
{
    $found = [];
    foreach (ALLOWED + PROGRAMS as $folder => $allowed) {
        $used = [$folder];
        foreach (sources(folder_path($root, $folder)) as $file) {
            preg_match_all('/^\s*#\s*include\s+"([^"]+)"/m', file_get_contents($file) ?: '', $headers);
            foreach ($headers[1] as $header) {
                $used[] = home("$root/extension", $file, $header);
            }
        }
        foreach (array_diff($allowed, $used) as $idle) {
            $found[] = "tools/lint/layout.php: $folder does not use $idle any more: take it from the list";
        }
    }
    return $found;
}

/**
 * A module is name.c with name.h. It depends on another of its folder when it includes that one's header, or when its
 * source names a function that the other defines: through a header shared by several the includes do not show such a call.
 *
 * @return array<string, array<string, string>> module => module that it depends on => "includes x.h" or "calls x()"
 */
function dependencies(string $folder): array
{
    $texts = $defined = $graph = [];
    foreach (sources($folder) as $file) {
        $texts[$file] = preg_replace('~/\*.*?\*/|//[^\n]*~s', ' ', file_get_contents($file) ?: '') ?? '';
        if (str_ends_with($file, '.c')) {
            $defined += array_fill_keys(functions('(?!static\b)', $texts[$file]), module($file));
        }
    }
    foreach ($texts as $file => $text) {
        $module = module($file);
        preg_match_all('/^\s*#\s*include\s+"([^"]+)"/m', $text, $headers);
        foreach ($headers[1] as $header) {
            if (isset($texts["$folder/" . basename($header)]) && in_array(dirname($header), ['.', basename($folder)], true)) {
                $graph[$module][module($header)] = 'includes ' . basename($header);
            }
        }
        // Declarations in a header call nothing, but its inline functions and macros may.
        preg_match_all('/\bxhprof_\w+/', preg_replace('/^\w[^;{}#]*;|"[^"\n]*"/m', '', $text) ?? '', $names);
        foreach (array_diff($names[0], functions('', $text)) as $name) {
            if (isset($defined[$name])) {
                $graph[$module][$defined[$name]] ??= "calls $name()";
            }
        }
        unset($graph[$module][$module]);
    }
    return $graph;
}

/**
 * @return list<string> the project's functions that a source defines at the beginning of a line
 */
function functions(string $begin, string $text): array
{
    preg_match_all("/^$begin\\w[^;{}=#()]*\\b(xhprof_\\w+)\\([^;{}]*\\)\\s*\\{/m", $text, $found);
    return $found[1];
}

function module(string $file): string
{
    return pathinfo($file, PATHINFO_FILENAME);
}

/**
 * The shortest way from a module back to itself, for each module that has one; a cycle is found once.
 *
 * @param array<string, array<string, string>> $graph as dependencies() returns it
 * @return list<non-empty-list<string>> modules of each cycle, in order
 */
function circles(array $graph): array
{
    $found = [];
    foreach (array_keys($graph) as $start) {
        $paths = [[$start]];
        $seen = [];
        while ($paths !== []) {
            $path = array_shift($paths);
            foreach (array_keys($graph[$path[count($path) - 1]] ?? []) as $next) {
                if ($next === $start) {
                    $key = $path;
                    sort($key);
                    $found[implode(' ', $key)] ??= $path;
                    break 2;
                }
                if (!isset($seen[$next])) {
                    $seen[$next] = true;
                    $paths[] = [...$path, $next];
                }
            }
        }
    }
    return array_values($found);
}

/**
 * @return list<string> offences as "folder: text"
 */
function circle_offences(string $root): array
{
    $found = [];
    foreach (array_keys(ALLOWED + PROGRAMS) as $folder) {
        $path = folder_path($root, $folder);
        $graph = dependencies($path);
        foreach (circles($graph) as $circle) {
            $steps = [];
            foreach ($circle as $index => $module) {
                $steps[] = "$module " . $graph[$module][$circle[($index + 1) % count($circle)]];
            }
            $found[] = substr($path, strlen($root) + 1) . ': circle of modules: ' . implode(', ', $steps);
        }
    }
    return $found;
}

/**
 * A struct, union or enum of the project (xhprof_...) is defined once, whatever program it belongs to: its name finds it.
 *
 * @return list<string> offences as "file: text"
 */
function type_offences(string $root): array
{
    $found = $first = [];
    foreach (array_keys(ALLOWED + PROGRAMS) as $folder) {
        foreach (sources(folder_path($root, $folder)) as $file) {
            preg_match_all('/^(?:typedef )?(?:struct|union|enum) (xhprof_\w+)\s*\{/m', file_get_contents($file) ?: '', $types);
            foreach ($types[1] as $type) {
                $name = substr($file, strlen($root) + 1);
                $first[$type] ??= $name;
                if ($first[$type] !== $name) {
                    $found[] = "$name: $type is also defined in $first[$type]";
                }
            }
        }
    }
    return $found;
}

$root = dirname(__DIR__, 2);
$found = [...misplaced(), ...offences($root), ...unused($root), ...circle_offences($root), ...type_offences($root)];
echo implode("\n", $found), $found === [] ? '' : "\n";
exit($found === [] ? 0 : 1);
