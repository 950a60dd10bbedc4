--TEST--
xhprof.label_calls: calls are named with what an argument says; which functions, which values, how many
--FILE--
<?php
namespace App;

require __DIR__ . '/../lib.inc';

final class Ordered {}
class Dispatcher
{
    public function dispatch(object $event, ?string $name = null): object { return $event; }
    public static function make(string $what): void {}
    public function __call(string $name, array $arguments): void {}
}
class Child extends Dispatcher {}

function apply_filters(string $hook, mixed $value = null, string ...$more): mixed
{
    $hook = 'changed';
    return $hook === $value ? $value : leaf();
}
function leaf(): int { static $one = 1; return $one; }
function &by_reference(string &$hook): string { return $hook; }
function plain(string $hook): void {}
function lazily(string $hook): \Generator { yield $hook; $hook = 'other'; yield $hook; }
function any(mixed $value = null): void {}
function recurse(string $hook, int $depth): void { $depth && recurse($hook, $depth - 1); }

function names(\Closure $work, int $flags = 0, array $options = []): array
{
    xhprof_enable($flags, $options);
    $work();
    $edges = xhprof_disable();
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
    $names = [];
    foreach ($edges as $edge => $figures) {
        $callee = explode('==>', $edge)[1] ?? $edge;
        $names[$callee] = ($names[$callee] ?? 0) + $figures['ct'];
    }
    unset($names['main()'], $names['xhprof_disable']);
    ksort($names);
    return $names;
}

function show(string $title, array $names): void
{
    echo "$title:\n";
    foreach ($names as $name => $count) {
        $name = preg_replace('/call_labels\.php:\d+/', 'FILE', $name);
        echo '  ', strlen($name) > 100 ? substr($name, 0, 40) . '... ' . strlen($name) : $name, " $count\n";
    }
}

ini_set('xhprof.label_calls', 'App\apply_filters:1 app\DISPATCHER::dispatch:2,App\Dispatcher::make:1
    App\by_reference:1 App\lazily:1 App\any:1 App\recurse:1 strtoupper:1 App\Dispatcher::__call:1 file_exists:1 {closure}:1 App\{closure}:1');

show('Functions', names(function (): void {
    apply_filters('the_content');
    apply_filters('the_title', 1);
    apply_filters('the_content', 2, 'more');
    $hook = 'by_name';
    by_reference($hook);
    plain('the_content');
    recurse('deep', 3);
    array_map('App\apply_filters', ['mapped', 'mapped']);
    strtoupper('internal');
    foreach (lazily('generated') as $each) {
    }
    file_exists('/a/file');
    $closure = apply_filters(...);
    $closure('first_class');
    (fn(string $hook) => leaf())('closure');
}));
show('Methods', names(function (): void {
    $dispatcher = new Child();
    $dispatcher->dispatch(new Ordered(), 'order.placed');
    $dispatcher->dispatch(new Ordered());
    Dispatcher::make('static');
    $dispatcher->missing('x');
}));
show('Values', names(function (): void {
    any();
    any(null);
    any(5);
    any(['x']);
    any('');
    any('0');
    any('user_17_saved');
    any('user_18_saved');
    any('job 5f0c8e2a9b7d4c1e a');
    any('token=abc');
    any('Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk');
    any('://user:word@host');
    any('f;g==>h)');
    any("a\nb\0c ==> d");
    any('größe');
    any(new Ordered());
    any(new class {});
    any(fn() => 1);
    any(str_repeat('ab ', 66));
    any(str_repeat('ab ', 67));
}));
show('With no_builtins', names(function (): void { strtoupper('internal'); any('x'); }, XHPROF_FLAGS_NO_BUILTINS));
show('With cpu and memory', names(function (): void { apply_filters('x'); any('x'); }, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY));
ini_set('xhprof.collect_additional_info', '0');
ini_set('xhprof.label_calls', 'file_get_contents:1 App\any:1');
show('Operations that are not recorded', names(function (): void { file_get_contents(__FILE__); any('x'); }));
ini_set('xhprof.collect_additional_info', '1');
ini_set('xhprof.label_calls', 'App\apply_filters:1 App\any:1');
show('Ignored', names(function (): void { apply_filters('x'); any('x'); }, 0, ['ignored_functions' => ['App\apply_filters']]));

$many = names(function (): void {
    for ($i = 0; $i < 3000; $i++) {
        any('hook' . strtr((string) $i, '0123456789', 'ghijklmnop'));
    }
    any('hookg');
    any('hookhlll');
});
echo count(preg_grep('/^App/', array_keys($many))), ' names, ', $many['App\any(hookg)'], ' ', $many['App\any(...)'], "\n";
$numbers = names(function (): void {
    for ($i = 0; $i < 20_000; $i++) {
        any("user:$i");
    }
});
show('One label of many values', $numbers);

echo "Settings:\n";
foreach (['', ' f:1 ', 'A::b:12', 'f', 'f:', 'f:0', 'f:100', ':1', 'f:1 g', 'f::1', 'f:1x', '7'] as $value) {
    echo "'$value' ", @ini_set('xhprof.label_calls', $value) === false ? error_get_last()['message'] : 'accepted', "\n";
}
ini_set('xhprof.label_calls', '');
show('Without', names(function (): void { apply_filters('x'); }));
?>
--EXPECT--
invariants: ok
Functions:
  App\apply_filters(first_class) 1
  App\apply_filters(mapped) 2
  App\apply_filters(the_content) 2
  App\apply_filters(the_title) 1
  App\by_reference(by_name) 1
  App\lazily 1
  App\leaf 7
  App\plain 1
  App\recurse(deep) 1
  App\recurse(deep)@1 1
  App\recurse(deep)@2 1
  App\recurse(deep)@3 1
  array_map 1
  file_exists(/a/file) 1
  strtoupper(internal) 1
  {closure:names/FILE} 1
  {closure:names/FILE} 1
invariants: ok
Methods:
  App\Dispatcher::__call(missing) 1
  App\Dispatcher::dispatch 1
  App\Dispatcher::dispatch(order.placed) 1
  App\Dispatcher::make(static) 1
  {closure:names/FILE} 1
invariants: ok
Values:
  App\any 5
  App\any(...) 1
  App\any(App\Ordered) 1
  App\any(Closure) 1
  App\any(a?b?c ??? d) 1
  App\any(class@anonymous) 1
  App\any(f?g???h?) 1
  App\any(größe) 1
  App\any(job {id} a) 1
  App\any(user_{id}_saved) 2
  App\any({id}) 5
  str_repeat 2
  {closure:names/FILE} 1
invariants: ok
With no_builtins:
  App\any(x) 1
  {closure:names/FILE} 1
invariants: ok
With cpu and memory:
  App\any(x) 1
  App\apply_filters(x) 1
  App\leaf 1
  {closure:names/FILE} 1
invariants: ok
Operations that are not recorded:
  App\any(x) 1
  file_get_contents 1
  {closure:names/FILE} 1
invariants: ok
Ignored:
  App\any(x) 1
  App\leaf 1
  {closure:names/FILE} 1
invariants: ok
1001 names, 2 2001
invariants: ok
One label of many values:
  App\any(user:{id}) 20000
  {closure:names/FILE} 1
Settings:
'' accepted
' f:1 ' accepted
'A::b:12' accepted
'f' xhprof.label_calls: "f" does not name a function and the number of an argument, such as apply_filters:1
'f:' xhprof.label_calls: "f:" does not name a function and the number of an argument, such as apply_filters:1
'f:0' xhprof.label_calls: "f:0" does not name a function and the number of an argument, such as apply_filters:1
'f:100' xhprof.label_calls: "f:100" does not name a function and the number of an argument, such as apply_filters:1
':1' xhprof.label_calls: ":1" does not name a function and the number of an argument, such as apply_filters:1
'f:1 g' xhprof.label_calls: "g" does not name a function and the number of an argument, such as apply_filters:1
'f::1' xhprof.label_calls: "f::1" does not name a function and the number of an argument, such as apply_filters:1
'f:1x' xhprof.label_calls: "f:1x" does not name a function and the number of an argument, such as apply_filters:1
'7' xhprof.label_calls: "7" does not name a function and the number of an argument, such as apply_filters:1
invariants: ok
Without:
  App\apply_filters 1
  App\leaf 1
  {closure:names/FILE} 1
