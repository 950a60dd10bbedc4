--TEST--
exit() inside a callback, a generator and a fiber; the process ends with its exit code
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leave(int $code): void { exit($code); }
function gen(): Generator { yield 1; leave(3); }
function task(): void { Fiber::suspend(); leave(4); }
function stop(): void { xhprof_test_profile(xhprof_disable()); }

function child(string $way): void
{
    register_shutdown_function('stop');
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    if ($way === 'callback') {
        array_map('leave', [2]);
    } elseif ($way === 'generator') {
        foreach (gen() as $x) {
        }
    } elseif ($way === 'fiber') {
        $f = new Fiber('task');
        $f->start();
        $f->resume();
    } else {
        ob_start(static function (string $s): string {
            return $s;
        });
        leave(5);
    }
}

if (isset($argv[1])) {
    child($argv[1]);
    exit(99);
}
foreach (['callback' => 2, 'generator' => 3, 'fiber' => 4, 'buffer' => 5] as $way => $code) {
    echo "-- $way\n";
    xhprof_test_show(xhprof_test_child(__FILE__, [$way]), $code);
}
?>
--EXPECT--
-- callback
main(): ct=1
main()==>leave: ct=1
main()==>stop: ct=1
invariants: ok
-- generator
gen==>leave: ct=1
main(): ct=1
main()==>gen: ct=1
main()==>stop: ct=1
invariants: ok
-- fiber
main(): ct=1
main()==>stop: ct=1
main()==>task: ct=1
task==>leave: ct=1
invariants: ok
-- buffer
main(): ct=1
main()==>leave: ct=1
main()==>stop: ct=1
invariants: ok
