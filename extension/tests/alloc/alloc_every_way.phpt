--TEST--
Tracked allocations with opcache, with JIT, beside Xdebug, with hooks by a walk
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

class Tree
{
    public array $children = [];
    public string $text;

    public function __construct(int $depth)
    {
        $this->text = str_repeat('x', 1000 + $depth);
        for ($i = 0; $depth > 0 && $i < 3; $i++) {
            $this->children[] = new self($depth - 1);
        }
    }

    public function prune(int $depth): void
    {
        if ($depth === 0) {
            $this->children = [];
        }
        foreach ($this->children as $child) {
            $child->prune($depth - 1);
        }
    }
}

function numbers(int $n): Generator
{
    for ($i = 0; $i < $n; $i++) {
        yield str_repeat('n', 1900);
    }
}

function hot(int $i): string
{
    return pack('x1000', $i) ?: '';
}

function program(): array
{
    $kept = [new Tree(4)];
    $kept[0]->prune(2);
    foreach (numbers(100) as $i => $s) {
        $i % 10 === 0 && $kept[] = $s;
    }
    for ($i = 0; $i < 300; $i++) {
        $s = str_repeat('h', 3000);
        $i === 150 && $kept[] = $s;
    }
    $kept[] = array_map(static fn (int $i): string => str_repeat('c', 5000), range(1, 20));
    $fiber = new Fiber(static function (): string {
        $s = str_repeat('f', 9000);
        Fiber::suspend();
        return $s;
    });
    $fiber->start();
    $fiber->resume();
    $kept[] = $fiber->getReturn();
    $kept[] = eval('return str_repeat("e", 7000);');
    return $kept;
}

if (isset($argv[1])) {
    foreach (['profile', 'memprof'] as $way) {
        for ($round = 0; $round < 3; $round++) {
            $way === 'profile' ? xhprof_enable(XHPROF_FLAGS_ALLOC) : memprof_enable();
            $kept = program();
            $json = xhprof_test_dump(['types' => false]);
            $kept = null;
            $later = xhprof_test_dump(['types' => false]);
            $way === 'profile' ? xhprof_disable() : memprof_disable();
            ob_start();
            // Of arrays and objects opcache and JIT may keep other sizes.
            xhprof_test_print_live($json, ';str_repeat');
            echo "later:\n";
            xhprof_test_print_live($later, ';str_repeat');
            $out = ob_get_clean();
            $first ??= $out;
            echo "$way, round $round", $out === $first && ($way !== 'profile' || $round > 0) ? ": the same\n" : "\n$out";
        }
    }
    exit(0);
}
xhprof_test_every_way(__FILE__);
?>
--EXPECT--
profile, round 0
main();program;Fiber::start;{closure:alloc/alloc_every_way.php:52};str_repeat: 12288 B in 1
main();program;Tree::__construct;Tree::__construct;Tree::__construct;str_repeat: 11520 B in 9
main();program;Tree::__construct;Tree::__construct;str_repeat: 3840 B in 3
main();program;Tree::__construct;str_repeat: 1280 B in 1
main();program;array_map;{closure:alloc/alloc_every_way.php:51};str_repeat: 163840 B in 20
main();program;numbers;str_repeat: 20480 B in 10
main();program;run_init::alloc/alloc_every_way.php(60) : eval()'d code;str_repeat: 8192 B in 1
main();program;str_repeat: 3072 B in 1
later:
profile, round 1: the same
profile, round 2: the same
memprof, round 0: the same
memprof, round 1: the same
memprof, round 2: the same
the same every way
