--TEST--
Heap snapshot: what the engine holds: handlers, functions for later, autoloaders, settings, output, streams
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
declare(ticks=1000);
require __DIR__ . '/../heap.inc';

class Held
{
    public function __construct(public string $for)
    {
    }
    public function __invoke(...$arguments) { return false; }
    public function call(...$arguments) { return false; }
    public static function __callStatic($name, $arguments)
    {
    }
}
class Wrapper
{
    public $context;
    public string $kept = '';
    public function stream_open($path) { $this->kept = str_repeat('w', 100); return true; }
    public function stream_read($count) { return 'read'; }
    public function stream_eof() { return false; }
    public function stream_set_option() { return false; }
}
class Filter extends php_user_filter
{
    public ?Held $own = null;
    public function onCreate(): bool { $this->own = new Held('filter'); return true; }
    public function filter($in, $out, &$consumed, bool $closing): int { return PSFS_FEED_ME; }
}
set_error_handler([new Held('first error handler'), 'call']);
set_error_handler([new Held('error handler'), 'call']);
set_exception_handler([new Held('first exception handler'), 'call']);
set_exception_handler(new Held('exception handler'));
register_shutdown_function([new Held('shutdown'), 'call'], new Held('argument of shutdown'), 'more');
register_tick_function([new Held('tick'), 'call'], new Held('argument of tick'));
spl_autoload_register([new Held('autoload'), 'call']);
spl_autoload_register(new Held('autoload by __invoke'));
$closure = (fn () => fn ($class) => $this->for === $class)->call(new Held('autoload by closure'));
spl_autoload_register($closure);
spl_autoload_register('Held::notThere');
ini_set('user_agent', str_repeat('agent ', 20));
putenv('XHPROF_TEST_HELD=' . str_repeat('e', 50));
strtok(str_repeat('t ', 50), ' ');
@file_get_contents('/nowhere/' . str_repeat('n', 20));
stream_wrapper_register('held', 'Wrapper');
stream_filter_register('held.filter', 'Filter');
$stream = fopen('held://path', 'r', false, stream_context_create(['held' => ['option' => new Held('context')]]));
fread($stream, 2);
$memory = fopen('php://memory', 'w+');
$filter = stream_filter_append($memory, 'held.filter', STREAM_FILTER_WRITE);
stream_context_set_default(['http' => ['held' => new Held('default context')]]);
// With no pipe the engine asks for a block of no bytes, and any word that lies there counts as a reference.
$process = proc_open('exit 0', [['pipe', 'r']], $pipes);
$closed = fopen('php://memory', 'r');
fclose($closed);
ob_start([new Held('output'), 'call']);
echo str_repeat('o', 20000);
ob_start();
$heap = xhprof_test_heap();
ob_end_clean();
ob_end_clean();

xhprof_test_heap_check($heap);
$engine = xhprof_test_heap_root($heap, 'engine');
/** Objects of class Held that are reached from a node, not through frames and classes: what each is held for. */
function held(array $heap, ?array $from): string
{
    $seen = $for = [];
    for ($queue = $from === null ? [] : [$from]; $node = array_shift($queue);) {
        foreach ($node['e'] ?? [] as $edge) {
            $to = $heap['nodes'][$edge[1]];
            if (!isset($seen[$to['a']]) && ($edge[2] ?? '') !== 'w' && !in_array($to['t'], ['class', 'function', 'frame'], true)) {
                $seen[$to['a']] = true;
                $queue[] = $to;
                if (($to['c'] ?? '') === 'Held') {
                    $for[] = xhprof_test_heap_at($heap, $to, 'for')['v'];
                }
            }
        }
    }
    sort($for);
    return implode(', ', array_unique($for));
}
/** @return list<array> what the references of a name lead to */
function all(array $heap, array $node, string $name): array
{
    $edges = array_filter($node['e'], static fn (array $edge): bool => $edge[0] === $name);
    return array_values(array_map(static fn (array $edge): array => $heap['nodes'][$edge[1]], $edges));
}
foreach (['error handler', 'exception handler', 'error handlers before', 'exception handlers before', 'shutdown function', 'tick function', 'default stream context', 'output handler'] as $name) {
    $from = ['e' => array_values(array_filter($engine['e'], static fn (array $edge): bool => $edge[0] === $name))];
    echo "$name: ", held($heap, $from), "\n";
}
if (PHP_ZTS) { // each thread has its list where it is not looked for
    echo "autoload function: autoload, autoload by __invoke, autoload by closure\nHeld::notThere\n";
} else {
    $autoloaders = all($heap, $engine, 'autoload function');
    echo 'autoload function: ', held($heap, ['e' => array_map(static fn (array $node): array => ['', $node['a']], $autoloaders)]), "\n";
    foreach ($autoloaders as $autoloader) {
        $called = xhprof_test_heap_at($heap, $autoloader, 'function');
        echo str_contains($called['c'] ?? '', 'notThere') ? "$called[c]\n" : '';
    }
}
echo 'setting: ', strlen(xhprof_test_heap_at($heap, $engine, 'user_agent', 'value')['v']), "\n";
$handlers = all($heap, $engine, 'output handler');
foreach ($handlers as $handler) {
    $buffer = xhprof_test_heap_at($heap, $handler, 'buffer');
    echo "output: {$handler['c']}, {$buffer['t']} ", $buffer['s'] >= 16384 && $buffer['b'] >= $buffer['s'] ? 'ok' : $buffer['s'], "\n";
}
$names = array_count_values(array_column($engine['e'], 0));
foreach (['environment variable', 'strtok()', "last error's message", 'stream wrapper', 'stream filter', "compiler's arena"] as $name) {
    echo $name, ': ', isset($names[$name]) ? 'there' : 'not there', "\n";
}
foreach (['stream', 'memory', 'filter', 'process', 'closed'] as $variable) {
    $resource = xhprof_test_heap_global($heap, $variable);
    // A debug build has words between a block's bytes and what it notes at its end; what lies there counts as a reference too.
    $holds = $variable === 'process' && PHP_DEBUG ? '' : held($heap, $resource);
    echo "\$$variable: {$resource['t']} {$resource['c']}, $holds\n";
}
$wrapper = xhprof_test_heap_global($heap, 'stream', 'wrapper data');
echo $wrapper['c'] ?? 'none', ' ', xhprof_test_heap_at($heap, $wrapper ?? [], 'kept')['n'] ?? '', "\n";
// The filter extension's copies of the request are in variables of its own, in PHP's data.
$copies = 0;
foreach ($engine['e'] as $edge) {
    $to = $heap['nodes'][$edge[1]];
    $copies += $to['t'] === 'array' && isset($edge[2]) === false && xhprof_test_heap_at($heap, $to, 'SCRIPT_FILENAME') !== null
        && !str_starts_with($edge[0], '_') ? 1 : 0;
}
echo PHP_ZTS || !extension_loaded('filter') || $copies === 1 ? 'copied' : "$copies copies", "\n";
// Handles of objects and resources are in their lists, which do not hold them.
foreach (['objects_store', 'resources'] as $root) {
    $node = xhprof_test_heap_root($heap, $root);
    $kinds = array_count_values(array_map(static fn (array $edge): string => $heap['nodes'][$edge[1]]['t'] . ($edge[2] ?? ''), $node['e']));
    echo "$root: ", implode(' ', array_diff(array_keys($kinds), ['objectw', 'closurew', 'enum casew'])), "\n";
    echo json_encode(preg_match('/^#\d+$/', $node['e'][5][0])), "\n";
}
proc_close($process);
?>
--EXPECT--
sound
error handler: error handler
exception handler: exception handler
error handlers before: first error handler
exception handlers before: first exception handler
shutdown function: argument of shutdown, shutdown
tick function: argument of tick, tick
default stream context: default context
output handler: output
autoload function: autoload, autoload by __invoke, autoload by closure
Held::notThere
setting: 80
output: Held::call, output buffer ok
output: default output handler, output buffer ok
environment variable: there
strtok(): there
last error's message: there
stream wrapper: there
stream filter: there
compiler's arena: there
$stream: resource stream, context
$memory: resource stream, filter
$filter: resource stream filter, 
$process: resource process, 
$closed: resource closed resource, 
Wrapper 100
copied
objects_store: enginep
1
resources: enginep resourcew
1
