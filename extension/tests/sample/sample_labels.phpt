--TEST--
xhprof.label_calls in samples: calls are named with what their argument says then; not where a JIT runs
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

final class Placed {}

// The same frame of the stack has one label after the other.
function apply_filters(string $hook): void { $hook(); }
function first(): void { nap(); apply_filters('second'); }
function second(): void { nap(); }
function changes(string $event): void { $event = 'changed'; nap(); }
function &dispatch(mixed &$event = null, mixed ...$more): mixed { nap(); return $event; }
function lazily(string $hook): Generator { nap(); yield 1; }
function nap(): void { usleep(3000); }

function program(): void
{
    apply_filters('first');
    apply_filters('second');
    changes('given');
    foreach ([new Placed(), 'token=abc', 'user_17_saved', null, str_repeat('long', 100)] as $event) {
        dispatch($event, 1, 2);
    }
    dispatch();
    array_map('lazily', ['a'])[0]->current();
}

if (isset($argv[1])) {
    $paths = [];
    // A busy machine may not let the sampler look in time: paths that are wrong are so always, missing ones every time.
    for ($try = 0; $try < 100 && count($paths) < (int) $argv[1]; $try++) {
        xhprof_sample_enable(['interval' => 1000]);
        program();
        // What ended while nap() began or returned is its own or its caller's.
        foreach (preg_grep('~==>nap==>usleep$~', xhprof_sample_disable()) as $path) {
            $path = substr($path, strlen('main()==>program==>'), -strlen('==>nap==>usleep'));
            $paths[$path] = $path;
        }
    }
    sort($paths);
    echo implode("\n", $paths), "\n";
    exit(0);
}
$ini = ['xhprof.label_calls' => 'apply_filters:1, changes:1, dispatch:1, lazily:1, usleep:1'];
echo "Labels:\n";
xhprof_test_show(xhprof_test_child(__FILE__, ['10'], $ini));
$jit = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit_buffer_size' => '16M', 'opcache.jit' => 'tracing'];
$has = xhprof_test_extension('opcache') !== null && xhprof_test_sampling_refusal($jit, ['opcache']) === null;
echo "Where a JIT can be sampled:\n";
xhprof_test_show(xhprof_test_child(__FILE__, ['6'], $has ? $ini + $jit : [], $has ? ['opcache'] : []));
?>
--EXPECT--
Labels:
Generator::current==>lazily
apply_filters(first)==>first
apply_filters(first)==>first==>apply_filters(second)==>second
apply_filters(second)==>second
changes(changed)
dispatch
dispatch(...)
dispatch(Placed)
dispatch(user_{id}_saved)
dispatch({id})
Where a JIT can be sampled:
Generator::current==>lazily
apply_filters==>first
apply_filters==>first==>apply_filters@1==>second
apply_filters==>second
changes
dispatch
