--TEST--
Heap snapshot: errors of streams that the program may still ask for (8.6) are known by type
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'stream_last_errors()'); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

/** @return array{int, int} native blocks; edges to the error's message */
function native(): array
{
    $heap = xhprof_test_heap();
    xhprof_test_heap_check($heap);
    $messages = array_filter($heap['nodes'], static fn (array $node): bool => $node['t'] === 'string'
        && preg_match('/^Failed to .* directory$/', $node['v'] ?? '') === 1);
    return [$heap['summary']['native']['blocks'], count($messages)];
}

native(); // what the first one needs
[$before] = native();
$silent = stream_context_create(['stream' => ['error_mode' => StreamErrorMode::Silent, 'error_store' => StreamErrorStore::All]]);
foreach ([1, 2, 3] as $n) {
    file_get_contents(__DIR__ . "/none/$n", false, $silent);
}
[$after, $messages] = native();
echo $after - $before, " more of unknown use, $messages messages\n";
stream_clear_errors();
[, $messages] = native();
echo "$messages messages\n";
?>
--EXPECT--
sound
sound
sound
0 more of unknown use, 3 messages
sound
0 messages
