<?php

/*
 * json.php [FILE...]: an object of a JSON file has each key once, as readers differ in which of two they take. Without arguments it
 * reads all that git has. Prints one line per offence; exit code 1 when there are any.
 */

declare(strict_types=1);

namespace XHProf\Tools\Lint;

/**
 * @param string $json valid JSON; comments, as tsconfig.json may have, are passed over
 *
 * @return list<array{int, string}> line and key of each that its object has before
 */
function repeatedKeys(string $json): array
{
    $repeated = [];
    // One set of keys per open object, null for an array.
    $open = [];
    $token = '~//[^\n]*|/\*.*?\*/|("(?:[^"\\\\]++|\\\\.)*+")(\s*:)?|[][{}]~s';
    preg_match_all($token, $json, $matches, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
    foreach ($matches as $match) {
        [$text, $offset] = $match[0];
        if ($text === '{' || $text === '[') {
            $open[] = $text === '{' ? [] : null;
        } elseif ($text === '}' || $text === ']') {
            array_pop($open);
        } elseif (isset($match[1], $match[2])) {
            $object = array_key_last($open);
            // "\u0061" is "a".
            $key = (string) json_decode($match[1][0]);
            if ($object !== null && isset($open[$object]["=$key"])) {
                $repeated[] = [substr_count($json, "\n", 0, $offset) + 1, $key];
            } elseif ($object !== null) {
                $open[$object]["=$key"] = true;
            }
        }
    }
    return $repeated;
}

$root = dirname(__DIR__, 2);
$files = array_slice($argv, 1);
if ($files === []) {
    chdir($root);
    $files = array_filter(explode("\0", (string) shell_exec("bash -c '. tools/env.sh; tracked . | grep -z \"[.]json\$\"'")));
}
$offences = 0;
foreach ($files as $file) {
    $json = @file_get_contents($file);
    foreach ($json === false ? [[0, 'the file']] : repeatedKeys($json) as [$line, $key]) {
        echo $json === false ? "$file: cannot be read\n" : "$file:$line: \"$key\" is in its object before\n";
        $offences++;
    }
}
if ($files === []) {
    echo "no JSON file was found\n";
}
exit($files === [] || $offences > 0 ? 1 : 0);
