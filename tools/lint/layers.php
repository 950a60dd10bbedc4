<?php

/*
 * layers.php: enforces the floors of the library's namespaces. Each uses only the namespaces that its line below allows, and a
 * line allows only those above it: so there are no cycles. Prints one line per offence; exit code 1 when there are any.
 *   layers.php [FOLDER]   instead of xhprof_lib/src and bridge/src
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

/* What the commands, and the pages, of any feature may use, so that a first table or a first run in one takes no line here. */
const COMMAND = ['Format', 'Report', 'Run', 'Cli', 'Cli\Terminal', 'Cli\Run', 'Cli\Command'];
const PAGE = ['Format', 'Report', 'Run', 'Web\Http', 'Web', 'Web\Table', 'Web\Run'];

/* What the list of commands may use, so that a command of a report takes no line here. */
const ANSWERS = [
    'Report', 'Operations', 'Memory', 'Run', 'Functions', 'Paths', 'Runs', 'Compare', 'Findings', 'Requests', 'Heap', 'Cli\Run',
    'Cli\Command',
];

/*
 * The rooms of each floor, lowest first, and the rooms that each may use: those of its own floor and of lower ones that stand
 * above it here. Every one may use exceptions. xhprof_lib/README.md is the map.
 */
const FLOORS = [
    // Texts, files and figures, which know no run.
    [
        'Exception' => [],
        'File' => [],
        'Secret' => [],
        'Stats' => [],
        'Profile' => [],
        'Format' => ['Profile'],
        'Report' => ['Profile', 'Format'],
        'Http' => ['File', 'Format'],
    ],
    // A run, what it recorded, and the folder that has it.
    [
        'Operations' => ['Profile', 'Format', 'Report'],
        'Memory' => ['Stats', 'Profile', 'Format', 'Report'],
        'Source' => ['File', 'Profile'],
        'Run' => ['File', 'Secret', 'Stats', 'Profile', 'Format', 'Operations', 'Memory'],
        'Store' => ['File', 'Secret', 'Stats', 'Profile', 'Format', 'Run'],
    ],
    // What features compute. None knows how it is shown.
    [
        'Functions' => ['Profile', 'Format', 'Report', 'Run'],
        'Owners' => ['Profile', 'Format', 'Report', 'Operations', 'Run', 'Functions'],
        'Paths' => ['Profile', 'Report', 'Run', 'Functions'],
        'Compare' => ['Stats', 'Profile', 'Format', 'Report', 'Operations', 'Memory', 'Run', 'Store', 'Functions'],
        'WhatIf' => ['Stats', 'Profile', 'Format', 'Report', 'Operations', 'Run', 'Functions', 'Owners'],
        'Findings' => ['Profile', 'Format', 'Report', 'Operations', 'Memory', 'Run', 'Functions'],
        'Runs' => ['Profile', 'Format', 'Report', 'Run', 'Store', 'Findings'],
        'Check' => ['Stats', 'Profile', 'Format', 'Report', 'Operations', 'Run', 'Store', 'Functions', 'Compare', 'Findings'],
        'Check\Output' => ['Format', 'Report', 'Check'],
        'Graph' => ['Profile', 'Format', 'Functions'],
        'Requests' => ['Profile', 'Format', 'Report', 'Memory', 'Run', 'Store', 'Owners'],
        'Heap' => ['File', 'Format', 'Report', 'Run', 'Store'],
        'Export' => ['File', 'Secret', 'Profile', 'Format', 'Http', 'Memory', 'Run', 'Functions', 'Compare', 'Graph'],
        'Heap\Export' => ['File', 'Heap', 'Export'],
        'Import' => ['File', 'Secret', 'Profile', 'Format', 'Run', 'Store', 'Export'],
        'Fleet' => ['File', 'Profile', 'Http', 'Run'],
        'Fleet\Peer' => ['File', 'Profile', 'Http', 'Run', 'Export', 'Fleet'],
        'Fleet\ClickHouse' => ['File', 'Profile', 'Format', 'Http', 'Run', 'Export', 'Fleet'],
        'Fleet\Question' => ['File', 'Stats', 'Profile', 'Format', 'Memory', 'Run', 'Store', 'Fleet', 'Fleet\ClickHouse'],
        'Fleet\Report' => [
            'Profile', 'Format', 'Report', 'Memory', 'Run', 'Functions', 'Owners', 'Fleet\ClickHouse', 'Fleet\Question',
        ],
        'Fleet\Ship' => [
            'File', 'Secret', 'Profile', 'Format', 'Http', 'Source', 'Run', 'Store', 'Fleet', 'Fleet\Peer', 'Fleet\ClickHouse',
        ],
    ],
    // The frame of the command line and of the pages, which knows no feature's face.
    [
        'Cli' => ['File', 'Format'],
        'Cli\Terminal' => ['File', 'Profile', 'Format', 'Report', 'Cli'],
        'Cli\Run' => ['Report', 'Run', 'Functions', 'Cli\Terminal'],
        'Cli\Command' => ['Profile', 'Format', 'Report', 'Source', 'Run', 'Store', 'Functions', 'Owners', 'Cli', 'Cli\Terminal'],
        'Web\Http' => ['File', 'Format', 'Run', 'Store'],
        'Web' => ['Format', 'Web\Http'],
        'Web\Table' => ['Profile', 'Format', 'Report', 'Functions', 'Web\Http', 'Web'],
        'Web\Source' => ['Profile', 'Source', 'Functions', 'Web\Http', 'Web\Table'],
        'Web\Run' => [
            'Profile', 'Format', 'Source', 'Report', 'Operations', 'Memory', 'Run', 'Store', 'Functions', 'Owners', 'Findings',
            'Web\Http', 'Web', 'Web\Table',
        ],
        'Web\Api' => ['Profile', 'Format', 'Run', 'Functions', 'Web\Http', 'Web\Run'],
    ],
    // The faces of the features: commands and their views, pages and what the API answers.
    [
        'Compare\Cli' => [...COMMAND, 'Stats', 'Profile', 'Functions', 'Compare'],
        'Functions\Cli' => [...COMMAND, 'Profile', 'Functions', 'Owners', 'Paths', 'WhatIf', 'Findings', 'Compare\Cli'],
        'Check\Cli' => [...COMMAND, 'File', 'Store', 'Compare\Cli', 'Check', 'Check\Output'],
        'Runs\Cli' => [...COMMAND, 'Store', 'Runs'],
        'Requests\Cli' => [...COMMAND, 'Store', 'Owners', 'WhatIf', 'Requests'],
        'Memory\Cli' => [...COMMAND, 'Memory', 'Store', 'Requests'],
        'Operations\Cli' => [...COMMAND, 'Operations'],
        'Import\Cli' => [...COMMAND, 'Import'],
        'Fleet\Cli' => [
            ...COMMAND, 'File', 'Secret', 'Profile', 'Source', 'Store', 'Export', 'Fleet', 'Fleet\ClickHouse',
            'Fleet\Question', 'Fleet\Report', 'Fleet\Ship',
        ],
        'Script' => ['Profile', 'Format', 'Report', 'Memory', 'Run', 'Store', 'Functions', 'Cli', 'Cli\Terminal', 'Cli\Command'],
        'Serve' => [
            'Source', 'Store', 'Owners', 'Fleet', 'Fleet\ClickHouse', 'Cli', 'Cli\Command', 'Web\Http', 'Web\Source', 'Script',
        ],
        'Testing' => ['File', 'Profile', 'Format', 'Run', 'Store', 'Findings', 'Check', 'Script'],
        'Status' => ['Format', 'Report', 'Run', 'Store', 'Fleet\Ship', 'Cli', 'Cli\Terminal', 'Cli\Command', 'Script'],
        'Runs\Web' => [...PAGE, 'Store', 'Functions', 'Runs', 'Web\Api'],
        'Requests\Web' => [...PAGE, 'Stats', 'Memory', 'Store', 'Requests', 'Runs\Web'],
        'Functions\Web' => [...PAGE, 'Profile', 'Source', 'Functions', 'Web\Source', 'Web\Api', 'Requests\Web'],
        'Memory\Web' => [...PAGE, 'Profile', 'Memory'],
        'Operations\Web' => [...PAGE, 'Operations'],
        'WhatIf\Web' => [...PAGE, 'WhatIf'],
        'Import\Web' => [...PAGE, 'Import'],
        'Compare\Web' => [
            ...PAGE, 'Stats', 'Profile', 'Store', 'Functions', 'Owners', 'Compare', 'Requests', 'Web\Api', 'Functions\Web',
        ],
        'Graph\Web' => [...PAGE, 'Profile', 'Functions', 'Compare', 'Graph', 'Web\Api', 'Compare\Web'],
        'Paths\Web' => [...PAGE, 'Profile', 'Functions', 'Compare\Web', 'Graph\Web'],
        'Heap\Web' => [...PAGE, 'Store', 'Heap'],
        'Share' => [
            'Format', 'Run', 'Web\Http', 'Web', 'Web\Run', 'File', 'Profile', 'Source', 'Store', 'Functions', 'Export', 'Web\Api',
            'Functions\Web', 'Compare\Web', 'Heap', 'Heap\Web',
        ],
        'Export\Web' => [
            ...PAGE, 'File', 'Profile', 'Source', 'Functions', 'Compare', 'Findings', 'Heap', 'Export', 'Web\Api', 'Compare\Web',
            'Heap\Web', 'Share',
        ],
        'Export\Cli' => [...COMMAND, 'File', 'Profile', 'Source', 'Memory', 'Compare', 'Export', 'Web\Run', 'Share'],
        'Heap\Cli' => [...COMMAND, 'File', 'Heap', 'Heap\Export', 'Share'],
        'Mcp' => ['Format'],
        'Mcp\Tools' => [
            'Secret', 'Profile', 'Format', 'Report', 'Operations', 'Memory', 'Source', 'Run', 'Store', 'Functions', 'Paths',
            'Compare', 'Findings', 'Runs', 'Requests', 'Heap', 'Fleet\ClickHouse', 'Fleet\Question', 'Fleet\Report',
            'Fleet\Ship', 'Mcp',
        ],
        'Mcp\Cli' => [...COMMAND, 'Source', 'Store', 'Fleet', 'Fleet\ClickHouse', 'Web\Source', 'Mcp', 'Mcp\Tools'],
        'Fleet\Web' => [
            ...PAGE, 'Stats', 'Profile', 'Store', 'Functions', 'Owners', 'Import', 'Fleet', 'Fleet\ClickHouse', 'Fleet\Question',
            'Fleet\Report', 'Web\Api',
        ],
    ],
    // All commands and all pages.
    [
        'App' => [
            ...ANSWERS, 'Format', 'Store', 'Cli', 'Cli\Terminal', 'Web\Http', 'Web', 'Web\Source', 'Web\Run', 'Web\Api',
            'Compare\Cli', 'Check\Cli', 'Functions\Cli', 'Runs\Cli', 'Requests\Cli', 'Memory\Cli', 'Operations\Cli',
            'Export\Cli', 'Import\Cli', 'Heap\Cli', 'Fleet\Cli', 'Mcp\Cli', 'Script', 'Serve', 'Status', 'Runs\Web',
            'Requests\Web', 'Functions\Web', 'Memory\Web', 'Operations\Web', 'Import\Web', 'Compare\Web', 'Graph\Web',
            'Paths\Web', 'Export\Web', 'Heap\Web', 'Fleet\Web', 'WhatIf\Web',
        ],
    ],
];
/* The same without the floors. */
const ALLOWED = FLOORS[0] + FLOORS[1] + FLOORS[2] + FLOORS[3] + FLOORS[4] + FLOORS[5];

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
        // What all faces may use stands there for the next command or page.
        $shared = match (substr((string) strrchr("\\$namespace", '\\'), 1)) {
            'Cli' => COMMAND,
            'Web' => PAGE,
            'App' => ANSWERS,
            default => [],
        };
        foreach (array_diff($allowed, $shared) as $used) {
            if (!isset($met[$namespace][$used])) {
                $found[] = "tools/lint/layers.php: $namespace does not use $used any more: take it from the list";
            }
        }
    }
    sort($found);
    return $found;
}

/**
 * Of bridge/: its core knows no framework, the frameworks do not know each other, and the library knows none of it.
 *
 * @return list<string> offences as "file:line: text"
 */
function offencesOfBridge(string $source): array
{
    $found = [];
    $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS));
    foreach ($files as $file) {
        $file = (string) $file;
        $room = explode('/', substr($file, strlen($source) + 1))[0];
        foreach (str_ends_with($file, '.php') ? names($file) : [] as [$line, $name]) {
            $isOfRoom = preg_match('/\AXHProf\\\\Bridge\\\\(\w+)\\\\/', $name, $match) === 1;
            if ($isOfRoom && $match[1] !== $room) {
                $found[] = "$file:$line: " . (str_ends_with($room, '.php') ? 'the core' : $room) . " must not use $name";
            }
        }
    }
    sort($found);
    return $found;
}

chdir(dirname(__DIR__, 2));
$found = [...misplaced(), ...isset($argv[1]) ? [] : offencesOfBridge('bridge/src'), ...offences($argv[1] ?? 'xhprof_lib/src')];
echo implode("\n", $found), $found === [] ? '' : "\n";
exit($found === [] ? 0 : 1);
