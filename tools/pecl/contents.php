<?php

/*
 * contents.php: reads names of files, each followed by a zero byte, and writes them as the element <contents> of PECL's
 * package.xml, folders nested as they are.
 */

declare(strict_types=1);

namespace XHProf\Tools\Pecl;

const INDENT = '    ';

function role(string $file): string
{
    return match (true) {
        str_starts_with($file, 'extension/tests/') => 'test',
        // Not "php": PEAR parses such files, and fails at names that PHP allows since 7.0.
        str_starts_with($file, 'xhprof_') => 'data',
        str_ends_with($file, '.md') || $file === 'LICENSE' => 'doc',
        default => 'src',
    };
}

/** @param list<string> $files all below $path, which ends with "/" unless it is empty */
function contents(array $files, string $path, int $depth): string
{
    $pad = str_repeat(INDENT, $depth);
    $xml = '';
    $folders = [];
    foreach ($files as $file) {
        $name = substr($file, strlen($path));
        $folder = strstr($name, '/', true);
        if ($folder === false) {
            $xml .= sprintf("%s<file name=\"%s\" role=\"%s\"/>\n", $pad, htmlspecialchars($name), role($file));
        } else {
            $folders[$folder][] = $file;
        }
    }
    foreach ($folders as $folder => $inside) {
        $xml .= sprintf("%s<dir name=\"%s\">\n", $pad, htmlspecialchars((string) $folder))
            . contents($inside, "$path$folder/", $depth + 1) . "$pad</dir>\n";
    }
    return $xml;
}

$files = explode("\0", rtrim((string) stream_get_contents(STDIN), "\0"));
echo INDENT, "<contents>\n", INDENT, INDENT, "<dir name=\"/\">\n", contents($files, '', 3), INDENT, INDENT, "</dir>\n",
    INDENT, "</contents>\n";
