<?php

/*
 * package.php: compares package.xml (PECL) with the version, and with the files of the extension, of the programs that are
 * compiled with it, of the library and of the pages.
 *   (nothing)   checks; prints one line per difference; exit code 1 when there are any
 *   --update    writes the list of files and the version anew
 */

declare(strict_types=1);

namespace XHProf\Tools\Lint;

const INDENT = '    ';
/* Files of the project in the package: all that are compiled, those that document its use, the library and the pages. */
const PACKAGED = ['LICENSE', 'extension', 'inspect', 'malloc', 'xhprof_html', 'xhprof_lib'];

/**
 * @return list<string> the files in git that are packaged, relative to the project
 */
function present(string $root): array
{
    exec('cd ' . escapeshellarg($root) . ' && git ls-files --cached --deduplicate ' . implode(' ', PACKAGED), $files, $status);
    if ($status !== 0) {
        throw new \RuntimeException('git ls-files failed');
    }
    $files = array_filter(
        $files,
        static fn(string $file): bool => is_file("$root/$file") && !str_starts_with($file, 'xhprof_html/screenshots/'),
    );
    sort($files);
    return $files;
}

/**
 * @return array<string, string> role by file
 */
function listed(\SimpleXMLElement $folder, string $path = ''): array
{
    $files = [];
    foreach ($folder->file as $file) {
        $files[$path . $file['name']] = (string) $file['role'];
    }
    foreach ($folder->dir as $dir) {
        $files += listed($dir, $path . trim((string) $dir['name'], '/') . '/');
    }
    return $files;
}

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

/**
 * The element <contents> for these files, folders nested as they are.
 *
 * @param list<string> $files sorted
 */
function contents(array $files, string $path = '', int $depth = 2): string
{
    $pad = str_repeat(INDENT, $depth);
    $xml = '';
    $done = [];
    foreach ($files as $file) {
        $rest = substr($file, strlen($path));
        $folder = strstr($rest, '/', true);
        if ($folder === false) {
            $xml .= sprintf("%s<file name=\"%s\" role=\"%s\"/>\n", $pad, htmlspecialchars($rest), role($file));
        } elseif (!isset($done[$folder])) {
            $done[$folder] = true;
            $prefix = "$path$folder/";
            $inside = array_values(array_filter($files, static fn(string $f): bool => str_starts_with($f, $prefix)));
            $xml .= sprintf("%s<dir name=\"%s\">\n", $pad, htmlspecialchars($folder))
                . contents($inside, $prefix, $depth + 1) . "$pad</dir>\n";
        }
    }
    return $xml;
}

/**
 * @return list<string>
 */
function differences(string $root, \SimpleXMLElement $package): array
{
    $listed = listed($package->contents->dir);
    $present = present($root);
    $found = [];
    foreach (array_diff($present, array_keys($listed)) as $file) {
        $found[] = "package.xml lacks $file";
    }
    foreach (array_diff(array_keys($listed), $present) as $file) {
        $found[] = "package.xml lists $file, which is not there";
    }
    $elements = count($package->xpath('//*[local-name() = "file"]') ?: []);
    if ($elements !== count($listed)) {
        $found[] = 'package.xml lists ' . ($elements - count($listed)) . ' files more than once';
    }
    foreach ($listed as $file => $role) {
        if ($role !== role($file)) {
            $found[] = "package.xml gives $file the role $role instead of " . role($file);
        }
    }
    $version = trim((string) file_get_contents("$root/extension/VERSION"));
    if ([(string) $package->version->release, (string) $package->version->api] !== [$version, $version]) {
        $found[] = "package.xml is version {$package->version->release}, extension/VERSION $version";
    }
    // Its exit code is always 0. It warns when the date is not today.
    exec('pecl package-validate ' . escapeshellarg("$root/package.xml") . ' 2>&1', $output);
    if (preg_match('/^Validation: 0 error\(s\)/m', implode("\n", $output)) !== 1) {
        array_push($found, ...array_filter($output, static fn(string $line): bool => $line !== ''));
    }
    return $found;
}

$root = dirname(__DIR__, 2);
$file = "$root/package.xml";
$package = simplexml_load_file($file);
if ($package === false) {
    exit(1);
}
if (($argv[1] ?? '') === '--update') {
    $contents = str_repeat(INDENT, 1) . "<contents>\n" . str_repeat(INDENT, 2) . "<dir name=\"/\">\n"
        . contents(present($root), '', 3) . str_repeat(INDENT, 2) . "</dir>\n" . INDENT . '</contents>';
    $version = trim((string) file_get_contents("$root/extension/VERSION"));
    $xml = preg_replace(
        ['~ *<contents>.*</contents>~s', '~<(release|api)>[0-9].*</~'],
        [$contents, "<$1>$version</"],
        (string) file_get_contents($file),
    );
    file_put_contents($file, $xml);
    exit(0);
}
$found = differences($root, $package);
echo implode("\n", $found), $found === [] ? '' : "\ngit add them, run make package.xml and look at the difference.\n";
exit($found === [] ? 0 : 1);
