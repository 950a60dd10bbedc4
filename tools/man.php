<?php

/*
 * man.php XHPROF INSPECT FOLDER: writes FOLDER/xhprof.1 and FOLDER/xhprof-inspect.1, made of what the two programs print
 * with --help.
 */

declare(strict_types=1);

namespace XHProf\Tools;

/** @param list<string> $command */
function output(array $command): string
{
    $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
    $text = $process === false ? '' : (string) stream_get_contents($pipes[1]);
    if ($process === false || proc_close($process) !== 0 || $text === '') {
        fwrite(STDERR, implode(' ', $command) . " failed\n");
        exit(1);
    }
    return $text;
}

/** A line of text as roff shows it. */
function roff(string $line): string
{
    $line = strtr($line, ['\\' => '\e', '-' => '\-']);
    return preg_match("/^[.']/", $line) === 1 ? "\\&$line" : $line;
}

/** Help text as roff: headings, options with their text, indented lines as they are, paragraphs. */
function page(string $help): string
{
    $page = '';
    $isVerbatim = false;
    $isOption = false;
    $inOptions = true;
    $verbatim = static function (bool $is) use (&$page, &$isVerbatim): void {
        $page .= $is === $isVerbatim ? '' : ($is ? ".RS 2\n.nf\n" : ".fi\n.RE\n.PP\n");
        $isVerbatim = $is;
    };
    foreach (explode("\n", rtrim($help)) as $line) {
        $line = rtrim($line);
        $isText = preg_match('/^ {10,}(\S.*)$/', $line, $text) === 1;
        if ($isOption && $isText) {
            $page .= roff($text[1]) . "\n";
            continue;
        }
        $isHeading = preg_match('/^[A-Z][A-Za-z ]*:$/', $line) === 1;
        // A help without headings has options and text in turn.
        $inOptions = $isHeading ? $line === 'Options:' : $inOptions;
        $isOption = $inOptions && preg_match('/^ {2,8}(-(?:\S| (?! ))*)(?: {2,}(\S.*))?$/', $line, $option) === 1;
        if ($isOption) {
            $verbatim(false);
            $page .= ".TP\n.B " . roff($option[1]) . "\n" . (isset($option[2]) ? roff($option[2]) . "\n" : '');
        } elseif ($line === '') {
            $page .= $isVerbatim ? "\n" : ".PP\n";
        } elseif ($line[0] === ' ') {
            $verbatim(true);
            $page .= roff(substr($line, 2)) . "\n";
        } else {
            $verbatim(false);
            $page .= $isHeading ? ".PP\n.B " . roff($line) . "\n.br\n" : roff($line) . "\n";
        }
    }
    $verbatim(false);
    // Two breaks in a row, or one before a heading, make no more space.
    return (string) preg_replace(['/(?:^\.PP\n)+/m', '/\n{2,}(?=\.fi\n)/', '/^\.PP\n(?=\.TP\n)/m'], [".PP\n", "\n", ''], $page);
}

/** @param array<string, string> $sections help text by title */
function manual(string $name, string $version, string $summary, array $sections): string
{
    $head = ".TH %s 1 \"\" \"XHProf %s\" \"XHProf\"\n.SH NAME\n%s \\- %s\n";
    $manual = sprintf($head, strtoupper($name), $version, roff($name), roff($summary));
    foreach ($sections as $title => $help) {
        $manual .= '.SH ' . strtoupper(roff($title)) . "\n" . preg_replace('/^\.PP\n/', '', page($help));
    }
    return $manual;
}

/** The first match, or the end with a message: a help whose form has changed must not lose its page. */
function found(string $pattern, string $text): string
{
    if (preg_match($pattern, $text, $match) !== 1) {
        fwrite(STDERR, "man.php: no $pattern in the help\n");
        exit(1);
    }
    return $match[1];
}

if (count($argv) !== 4) {
    fwrite(STDERR, "man.php XHPROF INSPECT FOLDER\n");
    exit(2);
}
[, $xhprof, $inspect, $folder] = $argv;

$overview = output([PHP_BINARY, $xhprof]);
$sections = ['description' => (string) preg_replace('/\A.*\n\n/', '', $overview)];
preg_match_all('/^  ([a-z]+) {2,}/m', found('/^Commands:\n((?:  .*\n)+)/m', $overview), $commands);
foreach ($commands[1] as $command) {
    $help = output([PHP_BINARY, $xhprof, $command, '--help']);
    $sections["xhprof $command"] = $help;
    // A command that is asked questions lists them where it is called alone, and each has options of its own.
    if (preg_match("/^  xhprof $command \[<question>/m", $help) === 1) {
        $list = output([PHP_BINARY, $xhprof, $command]);
        preg_match_all('/^  ([a-z]+) {2,}/m', found('/^Questions:\n((?:  .*\n)+)/m', $list), $questions);
        foreach ($questions[1] as $question) {
            $sections["xhprof $command $question"] = output([PHP_BINARY, $xhprof, $command, $question, '--help']);
        }
    }
}
$version = found('/^xhprof (\S+)$/m', output([PHP_BINARY, $xhprof, '--version']));
file_put_contents("$folder/xhprof.1", manual('xhprof', $version, found('/\Axhprof - (.+)/', $overview), $sections));

$help = output([$inspect, '--help']);
$summary = lcfirst(rtrim(found('/\A(.+)/', $help), '.'));
$sections = ['description' => $help];
preg_match_all('/^  xhprof-inspect ([a-z]+) /m', $help, $commands);
foreach (array_unique($commands[1]) as $command) {
    $sections["xhprof-inspect $command"] = output([$inspect, $command, '--help']);
}
file_put_contents("$folder/xhprof-inspect.1", manual('xhprof-inspect', $version, $summary, $sections));
