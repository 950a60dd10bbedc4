<?php

/*
 * layers.php: enforces the layers of the library's namespaces. Each uses only the namespaces that its line below allows, and a
 * line allows only those above it: so there are no cycles. Prints one line per offence; exit code 1 when there are any.
 *   layers.php [FOLDER]   instead of xhprof_lib/src
 */

declare(strict_types=1);

namespace XHProf\Tools\Lint;

use PhpParser\Node;
use PhpParser\NodeFinder;
use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\ParserFactory;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

const ROOT = 'XHProf\\';

/* The namespaces that each one may use, lowest first. Every one may use exceptions. */
const ALLOWED = [
    'Exception' => [],
    // Files and folders into which others may write.
    'File' => [],
    // What is a secret in a text, a URL, a command.
    'Secret' => [],
    // Figures of one run and how they are written.
    'Stats' => [],
    'Profile' => [],
    'Format' => ['Profile'],
    'Memory' => ['Profile', 'Format'],
    // What the program waited for.
    'Operation' => ['Profile'],
    // A run, whatever it comes from; its one file, its metadata.
    'Run' => ['File', 'Secret', 'Stats', 'Profile', 'Format', 'Memory', 'Operation'],
    // The runs of a folder.
    'Store' => ['File', 'Secret', 'Stats', 'Profile', 'Format', 'Run'],
    // Source files of the profiled program.
    'Source' => ['File', 'Profile'],
    // Other servers.
    'Http' => ['File', 'Format'],
    'Heap' => ['File', 'Format', 'Run', 'Store'],
    'Report' => ['Stats', 'Profile', 'Format', 'Operation', 'Run'],
    // What is worth a look in a run.
    'Finding' => ['Profile', 'Format', 'Memory', 'Operation', 'Run', 'Report'],
    'Graph' => ['Profile', 'Format', 'Report'],
    // Other programs' formats; exported runs can be imported again.
    'Export' => ['File', 'Secret', 'Profile', 'Format', 'Memory', 'Run', 'Http', 'Report', 'Graph'],
    'Export\Heap' => ['Heap', 'Export'],
    'Import' => ['File', 'Secret', 'Profile', 'Format', 'Run', 'Store', 'Export'],
    // Runs that leave their host.
    'Fleet' => ['File', 'Profile', 'Run', 'Http'],
    // Stores that others make.
    'Fleet\Peer' => ['File', 'Profile', 'Run', 'Http', 'Export', 'Fleet'],
    // The store of ours, and what is asked of it.
    'Fleet\ClickHouse' => ['Profile', 'Format', 'Run', 'Http', 'Export', 'Fleet'],
    'Fleet\Question' => ['File', 'Stats', 'Profile', 'Format', 'Run', 'Store', 'Fleet', 'Fleet\ClickHouse'],
    'Fleet\Ship' => [
        'File', 'Secret', 'Profile', 'Format', 'Run', 'Store', 'Source', 'Http', 'Fleet', 'Fleet\Peer', 'Fleet\ClickHouse',
    ],
    'Web\Http' => ['File', 'Format', 'Run', 'Store'],
    // Rendering of the templates.
    'Web' => ['Format', 'Web\Http'],
    'Web\Table' => ['Profile', 'Format', 'Report', 'Web\Http', 'Web'],
    // What pages show of source files, and editors that open them.
    'Web\Source' => ['Profile', 'Source', 'Report', 'Web\Http', 'Web\Table'],
    'Web\Run' => [
        'Stats', 'Profile', 'Format', 'Memory', 'Operation', 'Run', 'Store', 'Source', 'Report', 'Finding', 'Graph', 'Web\Http',
        'Web', 'Web\Table', 'Web\Source',
    ],
    // What the pages of many hosts ask, and how they show it.
    'Web\Fleet' => ['Format', 'Run', 'Import', 'Fleet', 'Fleet\ClickHouse', 'Fleet\Question', 'Web\Http', 'Web\Table', 'Web\Run'],
    'Web\Heap' => ['File', 'Format', 'Store', 'Heap', 'Web\Http', 'Web\Table'],
    'Web\Api' => [
        'Stats', 'Profile', 'Format', 'Run', 'Store', 'Report', 'Graph', 'Export', 'Fleet\ClickHouse', 'Fleet\Question', 'Web\Http',
        'Web\Table', 'Web\Source', 'Web\Run', 'Web\Fleet',
    ],
    'Web\Page' => [
        'Stats', 'Profile', 'Format', 'Memory', 'Operation', 'Run', 'Store', 'Heap', 'Report', 'Graph', 'Export', 'Import',
        'Web\Http', 'Web', 'Web\Table', 'Web\Source', 'Web\Run', 'Web\Heap',
    ],
    'Web\Page\Fleet' => [
        'Profile', 'Format', 'Run', 'Store', 'Report', 'Fleet\ClickHouse', 'Fleet\Question', 'Web\Http', 'Web', 'Web\Table',
        'Web\Run', 'Web\Fleet',
    ],
    'Web\Front' => [
        'Format', 'Store', 'Web\Http', 'Web', 'Web\Run', 'Web\Fleet', 'Web\Heap', 'Web\Api', 'Web\Page', 'Web\Page\Fleet',
    ],
    // Shared by all commands.
    'Cli' => ['File', 'Format'],
    'Cli\Terminal' => ['Format', 'Cli'],
    'Cli\Run' => ['Run', 'Store', 'Cli'],
    'Cli\Status' => ['Format', 'Run', 'Store', 'Fleet\Ship', 'Cli'],
    'Cli\Serve' => ['Cli'],
    'Cli\View' => ['Stats', 'Profile', 'Format', 'Memory', 'Operation', 'Run', 'Store', 'Report', 'Finding', 'Cli', 'Cli\Terminal'],
    'Cli\View\Fleet' => ['Format', 'Cli\Terminal'],
    'Cli\View\Heap' => ['Format', 'Heap', 'Cli', 'Cli\Terminal'],
    // `xhprof serve` sets the pages' password and token, and their editor.
    'Cli\Command' => [
        'File', 'Secret', 'Stats', 'Profile', 'Format', 'Memory', 'Operation', 'Run', 'Store', 'Source', 'Report', 'Export',
        'Import', 'Fleet', 'Fleet\ClickHouse', 'Fleet\Ship', 'Web\Http', 'Web\Source', 'Cli', 'Cli\Terminal', 'Cli\Run',
        'Cli\Status', 'Cli\Serve', 'Cli\View',
    ],
    // The webhook is one of Fleet\Ship.
    'Cli\Command\Fleet' => [
        'Profile', 'Format', 'Run', 'Export', 'Fleet', 'Fleet\ClickHouse', 'Fleet\Question', 'Fleet\Ship', 'Cli', 'Cli\Terminal',
        'Cli\View\Fleet', 'Cli\Command',
    ],
    'Cli\Command\Heap' => ['Format', 'Heap', 'Export', 'Export\Heap', 'Cli', 'Cli\Terminal', 'Cli\View\Heap', 'Cli\Command'],
    'Cli\Console' => ['Format', 'Cli', 'Cli\Terminal', 'Cli\Run', 'Cli\Command', 'Cli\Command\Fleet', 'Cli\Command\Heap'],
];

/**
 * @return list<string> entries of ALLOWED that break its order
 */
function misplaced(): array
{
    $found = [];
    $above = [];
    foreach (ALLOWED as $namespace => $allowed) {
        foreach (array_diff($allowed, $above) as $used) {
            $found[] = "tools/lint/layers.php: $namespace allows $used, which does not stand above it";
        }
        $above[] = $namespace;
    }
    return $found;
}

/**
 * @return iterable<int, array{int, string}> line, and a name of this library that a file uses: by `use`, or written out
 */
function names(string $file): iterable
{
    $nodes = (new ParserFactory())->createForHostVersion()->parse((string) file_get_contents($file)) ?? [];
    $nodes = (new NodeTraverser(new NameResolver()))->traverse($nodes);
    $finder = new NodeFinder();
    foreach ($finder->findInstanceOf($nodes, Node\Name\FullyQualified::class) as $name) {
        yield [$name->getStartLine(), $name->toString()];
    }
    // Also names in comments only.
    foreach ($finder->findInstanceOf($nodes, Node\Stmt\Use_::class) as $use) {
        foreach ($use->uses as $item) {
            yield [$item->getStartLine(), $item->name->toString()];
        }
    }
    foreach ($finder->findInstanceOf($nodes, Node\Stmt\GroupUse::class) as $use) {
        foreach ($use->uses as $item) {
            yield [$item->getStartLine(), $use->prefix->toString() . '\\' . $item->name->toString()];
        }
    }
}

/**
 * @return list<string> offences as "file:line: text"
 */
function offences(string $source): array
{
    $found = [];
    $met = [];
    $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS));
    foreach ($files as $file) {
        $file = (string) $file;
        if (!str_ends_with($file, '.php')) {
            continue;
        }
        $namespace = strtr(substr(dirname($file), strlen($source) + 1), '/', '\\');
        if (!isset(ALLOWED[$namespace])) {
            $found[] = "$file: tools/lint/layers.php does not know this folder";
            continue;
        }
        foreach (names($file) as [$line, $name]) {
            $used = str_starts_with($name, ROOT) ? substr($name, strlen(ROOT), -strlen((string) strrchr($name, '\\'))) : '';
            $met[$namespace][$used] = true;
            if (!in_array($used, ['', 'Exception', $namespace, ...ALLOWED[$namespace]], true)) {
                $found["$file:$line:$used"] = "$file:$line: $namespace must not use $name";
            }
        }
    }
    foreach (ALLOWED as $namespace => $allowed) {
        foreach ($allowed as $used) {
            if (!isset($met[$namespace][$used])) {
                $found[] = "tools/lint/layers.php: $namespace does not use $used any more: take it from the list";
            }
        }
    }
    sort($found);
    return $found;
}

chdir(dirname(__DIR__, 2));
$found = [...misplaced(), ...offences($argv[1] ?? 'xhprof_lib/src')];
echo implode("\n", $found), $found === [] ? '' : "\n";
exit($found === [] ? 0 : 1);
