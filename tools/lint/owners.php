<?php

/*
 * owners.php: each of the extension's globals is written by one module. php_xhprof.h names the module beside each member; in any
 * other file an assignment to it, or through a pointer that the file takes of it, is an offence. The check does not follow a
 * pointer into a function of another file, so pointers may go to public functions (xhprof_...) only.
 *
 * php owners.php [EXTENSION]   Prints one line per offence; exit code 1 when there are any.
 */

declare(strict_types=1);

namespace XHProf\Tools\Lint;

const HEADER = 'php_xhprof.h';
/* A part of a member, and an operator that writes it. */
const PART = '(?:\s*\.\s*\w+|\[[^]]*\])*';
const WRITES = '\s*(?:(?:<<|>>|[-+*\/%&|^])?=(?!=)|\+\+|--)';
/* Functions of others that write to their first argument. */
const FILLS = '(?:mem(?:set|cpy|move)|v?snprintf|str[ln]?cpy|__atomic_(?!load)\w+)';
/* Functions that may get a pointer into the globals. */
const PUBLIC_FUNCTION = '/^(?:xhprof_\w+|__atomic_load\w*)$/';

/**
 * @return array<string, string> member of the globals -> its module, as "hook/session"
 */
function owners(string $header): array
{
    $text = (string) file_get_contents($header);
    if (preg_match('/ZEND_BEGIN_MODULE_GLOBALS\(\w+\)\n(.*)\nZEND_END_MODULE_GLOBALS/s', $text, $match) !== 1) {
        return [];
    }
    $owners = [];
    foreach (explode("\n", $match[1]) as $line) {
        if (preg_match('/^\t(?:\}|\w[\w ]*)[ *]+(\w+);(?:\s*\/\* ([a-z_]+(?:\/[a-z_]+)?)(?::| \*\/|;))?/', $line, $member) === 1) {
            $owners[$member[1]] = $member[2] ?? '';
        }
    }
    return $owners;
}

/**
 * @return list<string> the lines of a C file, without comments and contents of quotation marks
 */
function code(string $file): array
{
    $blank = static fn (array $match): string => $match[0][0] === '/' ? (string) preg_replace('/[^\n]/', '', $match[0]) : '""';
    $pattern = '~/\*.*?\*/|//[^\n]*|"(?:\\\\.|[^"\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\n])+\'~s';
    return explode("\n", (string) preg_replace_callback($pattern, $blank, (string) file_get_contents($file)));
}

/**
 * @param array<string, string> $pointers variable -> the member that it points into, in this function
 * @return ?string the member that the line writes to, or hands out to be written to
 */
function written(string $line, array &$pointers): ?string
{
    $global = '(?:XHPROF_G\((\w+)\)|\bglobals->(\w+))';
    foreach (["/$global" . PART . WRITES . '/', "/(?:\+\+|--)\s*$global/", '/\b' . FILLS . "\(\s*&?$global/"] as $pattern) {
        if (preg_match($pattern, $line, $match) === 1) {
            return end($match);
        }
    }
    if (preg_match('/(\bconst\b[^=;]*)?(?<!->)\b(\w+)\s*=\s*\(?&XHPROF_G\((\w+)\)/', $line, $match) === 1 && $match[1] === '') {
        $pointers[$match[2]] = $match[3];
    }
    if (preg_match('/\b(\w+)\([^()]*&XHPROF_G\((\w+)\)/', $line, $match) === 1 && preg_match(PUBLIC_FUNCTION, $match[1]) !== 1) {
        return $match[2];
    }
    foreach ($pointers as $name => $member) {
        $through = "(?<![\w.>])$name\s*(?:->\s*\w+|\[[^]]*\])" . PART;
        if (preg_match("/$through" . WRITES . "|(?:\+\+|--)\s*$through|^\s*\*\s*$name\s*=(?!=)/", $line) === 1) {
            return $member;
        }
    }
    return null;
}

/**
 * @return list<string> offences as "file:line: text"
 */
function ownerOffences(string $extension): array
{
    $owners = owners("$extension/" . HEADER);
    $found = $owners === [] ? ['extension/' . HEADER . ': there are no globals'] : [];
    foreach ($owners as $member => $module) {
        if (!is_file("$extension/$module.c")) {
            $found[] = 'extension/' . HEADER . ": $member: a comment beside it has to name the module that writes it";
        }
    }
    foreach (glob("$extension/{*,*/*}.{c,h}", GLOB_BRACE) ?: [] as $file) {
        $name = substr($file, strlen("$extension/"));
        $pointers = [];
        foreach (code($file) as $index => $line) {
            $pointers = str_starts_with($line, '}') ? [] : $pointers;
            $member = written($line, $pointers);
            $module = $owners[$member ?? ''] ?? null;
            if ($module !== null && $module !== preg_replace('/\.[ch]$/', '', $name)) {
                $found[] = "extension/$name:" . ($index + 1) . ": only $module writes XHPROF_G($member)";
            }
        }
    }
    return $found;
}

$found = ownerOffences(rtrim($argv[1] ?? dirname(__DIR__, 2) . '/extension', '/'));
echo implode("\n", $found), $found === [] ? '' : "\n";
exit($found === [] ? 0 : 1);
