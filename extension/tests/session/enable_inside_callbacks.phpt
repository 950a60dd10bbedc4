--TEST--
xhprof_enable() inside a callback, a destructor or a generator: frames that were open are not part of it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function start(): void
{
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    leaf();
}

class Starts
{
    public function __destruct()
    {
        start();
        leaf();
    }
}

function gen(): Generator
{
    start();
    yield 1;
    leaf();
    yield 2;
}

function outer(string $way): void
{
    if ($way === 'callback') {
        array_map(function (int $i): void {
            $i === 2 ? start() : leaf();
            leaf();
        }, [1, 2, 3]);
    } elseif ($way === 'destructor') {
        $s = new Starts();
        unset($s);
        leaf();
    } elseif ($way === 'output') {
        ob_start(function (string $s): string {
            start();
            return '';
        });
        ob_end_clean();
        leaf();
    } else {
        foreach (gen() as $x) {
            leaf();
        }
    }
    leaf();
}

foreach (['callback', 'destructor', 'output', 'generator'] as $way) {
    echo "-- $way\n";
    outer($way);
    leaf();
    xhprof_test_profile(xhprof_disable());
}
?>
--EXPECT--
-- callback
main(): ct=1
main()==>leaf: ct=4
main()==>{closure:session/enable_inside_callbacks.php:36}: ct=1
{closure:session/enable_inside_callbacks.php:36}==>leaf: ct=2
invariants: ok
-- destructor
main(): ct=1
main()==>leaf: ct=5
invariants: ok
-- output
main(): ct=1
main()==>leaf: ct=4
invariants: ok
-- generator
gen==>leaf: ct=1
main(): ct=1
main()==>gen: ct=0
main()==>leaf: ct=5
invariants: ok
