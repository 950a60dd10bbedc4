--TEST--
Arguments and options: wrong ones throw, unknown ones are a warning
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Wrong arguments throw TypeError or ArgumentCountError, and no session starts:\n";

$stack = new ArrayObject();
$calls = [
    'flags string' => static fn () => xhprof_enable('cpu'),
    'flags array' => static fn () => xhprof_enable([]),
    'options string' => static fn () => xhprof_enable(0, 'strlen'),
    'options object' => static fn () => xhprof_enable(0, new ArrayObject()),
    'ignored_functions int' => static fn () => xhprof_enable(0, ['ignored_functions' => 5]),
    'ignored_functions object' => static fn () => xhprof_enable(0, ['ignored_functions' => new ArrayObject(['a'])]),
    'ignored_functions true' => static fn () => xhprof_enable(0, ['ignored_functions' => true]),
    'ignored_functions [string, int]' => static fn () => xhprof_enable(0, ['ignored_functions' => ['a', 5]]),
    'ignored_functions [null]' => static fn () => xhprof_enable(0, ['ignored_functions' => [null]]),
    'ignored_functions [[string]]' => static fn () => xhprof_enable(0, ['ignored_functions' => [['a']]]),
    'three arguments' => static fn () => xhprof_enable(0, null, 1),
    'disable(1)' => static fn () => xhprof_disable(1),
    'call_tree(1)' => static fn () => xhprof_call_tree(1),
    'sample_enable(1)' => static fn () => xhprof_sample_enable(1),
    'sample_disable(1)' => static fn () => xhprof_sample_disable(1),
    'save([])' => static fn () => xhprof_save([]),
    'save meta string' => static fn () => xhprof_save('a', 'b'),
];
foreach ($calls as $label => $call) {
    try {
        $call();
        $result = 'nothing thrown';
    } catch (Throwable $e) {
        $result = get_class($e) . ($e->getMessage() === '' ? ' without a message' : '');
    }
    printf("%s: %s%s\n", $label, $result, xhprof_disable() === null ? '' : ', but a session runs');
}

echo "The TypeError of a bad ignored_functions names the option:\n";

foreach ([5, ['a', 5]] as $value) {
    try {
        xhprof_enable(0, ['ignored_functions' => $value]);
    } catch (TypeError $e) {
        echo preg_match('/^xhprof_enable\(\).*ignored_functions/', $e->getMessage()) ? "named\n" : $e->getMessage() . "\n";
    }
}

echo "Options null and [] are the same as none; named arguments work:\n";

function f(): void
{
    static $n;
    $n++;
}

foreach ([[], [0, null], [0, []], ['flags' => 0], ['options' => null], ['options' => ['ignored_functions' => []]]] as $args) {
    xhprof_enable(...$args);
    f();
    $edges = xhprof_disable();
    echo json_encode(array_keys($edges['main()'])), ' ';
    ksort($edges);
    echo implode(' ', array_keys($edges)), "\n";
}

echo "An unknown option key raises a warning that names it; the session starts:\n";

function kept(): void
{
    static $n;
    $n++;
}

function skipped(): void
{
    kept();
}

xhprof_enable(0, ['ignored_function' => ['kept'], 'ignored_functions' => ['skipped']]);
skipped();
xhprof_test_edges(xhprof_disable());

xhprof_enable(0, ['kept']);
kept();
xhprof_test_edges(xhprof_disable());
?>
--EXPECTF--
Wrong arguments throw TypeError or ArgumentCountError, and no session starts:
flags string: TypeError
flags array: TypeError
options string: TypeError
options object: TypeError
ignored_functions int: TypeError
ignored_functions object: TypeError
ignored_functions true: TypeError
ignored_functions [string, int]: TypeError
ignored_functions [null]: TypeError
ignored_functions [[string]]: TypeError
three arguments: ArgumentCountError
disable(1): ArgumentCountError
call_tree(1): ArgumentCountError
sample_enable(1): TypeError
sample_disable(1): ArgumentCountError
save([]): TypeError
save meta string: TypeError
The TypeError of a bad ignored_functions names the option:
named
named
Options null and [] are the same as none; named arguments work:
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
["ct","wt"] main() main()==>f main()==>xhprof_disable
An unknown option key raises a warning that names it; the session starts:

Warning: xhprof_enable(): %Signored_function%S in %sapi_arguments.php on line 76
main(): ct=1
main()==>kept: ct=1
main()==>xhprof_disable: ct=1

Warning: xhprof_enable(): %s in %sapi_arguments.php on line 80
main(): ct=1
main()==>kept: ct=1
main()==>xhprof_disable: ct=1
