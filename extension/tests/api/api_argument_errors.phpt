--TEST--
Wrong arguments throw TypeError or ArgumentCountError, and no session starts
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
?>
--EXPECT--
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
