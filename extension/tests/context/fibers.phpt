--TEST--
A fiber has a trace context of its own, and at first that of the code that made it
--FILE--
<?php
require __DIR__ . '/context.inc';

// Made here, started where another context is set.
set(1);
$fiber = new Fiber(function (): void {
    echo 'made in ', now(), "\n";
    set(2);
    Fiber::suspend();
    echo 'still ', now(), "\n";
    $inner = new Fiber(function (): void {
        echo 'within it ', now(), "\n";
        set(0);
        echo 'cleared there ', now(), "\n";
    });
    $inner->start();
    echo 'not here ', now(), "\n";
});
set(3);
$fiber->start();
echo 'outside ', now(), "\n";
set(0);
$fiber->resume();
echo 'none outside ', now(), "\n";

// Those that were never started leave nothing to later ones at their places.
set(4);
for ($i = 0; $i < 100; $i++) {
    $never = new Fiber(static function (): void {});
    unset($never);
}
set(0);
$none = [];
for ($i = 0; $i < 100; $i++) {
    $fiber = new Fiber(static function () use (&$none): void { $none[now()] = true; });
    $fiber->start();
}
echo 'later ones ', implode(' ', array_keys($none)), "\n";

// 2 to 200 at once, which go on by turns, are cancelled, throw, or stay suspended.
foreach ([2, 20, 200] as $number) {
    $fibers = $wrong = [];
    for ($i = 1; $i <= $number; $i++) {
        set(1000 + $i);
        $fibers[$i] = new Fiber(static function () use ($i, &$wrong): void {
            for ($turn = 0; $turn < 5; $turn++) {
                $wrong[] = now() !== (string) ($turn ? 2000 + $i * 5 + $turn - 1 : 1000 + $i);
                set(2000 + $i * 5 + $turn);
                Fiber::suspend();
                $i % 7 === 3 && $turn === 2 && throw new Exception('ends');
            }
        });
    }
    set(0);
    for ($turn = 0; $turn < 5; $turn++) {
        foreach ($fibers as $i => $fiber) {
            try {
                if ($turn === 0) {
                    $fiber->start();
                } elseif ($i % 5 === 4 && $turn === 3) {
                    unset($fibers[$i]);
                } elseif (!$fiber->isTerminated()) {
                    $fiber->resume();
                }
            } catch (Exception) {
                unset($fibers[$i]);
            }
            $wrong[] = now() !== '-';
        }
    }
    echo "$number fibers: ", count(array_filter($wrong)), ' of ', count($wrong) > 8 * $number ? 'many' : 'few', " wrong\n";
}
?>
--EXPECT--
made in 1
outside 3
still 2
within it 2
cleared there -
not here 2
none outside -
later ones -
2 fibers: 0 of many wrong
20 fibers: 0 of many wrong
200 fibers: 0 of many wrong
