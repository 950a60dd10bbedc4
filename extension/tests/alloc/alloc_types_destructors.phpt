--TEST--
What a block holds, asked for while something is being taken apart
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

class Asks
{
    public array $list;

    public function __construct(private string $label) { $this->list = [text(1)]; }

    public function __destruct()
    {
        alloc_types_show($this->label, alloc_types_of('work'), ['string', 'object:Asks', 'object:Holder']);
    }
}

class Holder
{
    public array $before;
    public ?Asks $asks;
    public array $after;
    public ?self $self;
}

function text(int $i): string { return str_repeat('x', 20 + $i); }
function work(callable $function): void { $function(); }

/** @param callable(): void $function */
function check(callable $function): void
{
    xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
    work($function);
    xhprof_disable();
}

function holder(string $label): Holder
{
    $holder = new Holder();
    $holder->before = [text(2)];
    $holder->asks = new Asks($label);
    $holder->after = [text(3)];
    return $holder;
}

check(static function (): void {
    $list = [[text(4)], new Asks('an array, unset'), [text(5)]];
    unset($list);
});
check(static function (): void {
    $list = ['a' => [[text(4)], new Asks('an element, replaced'), [text(5)]], 'b' => [text(6)]];
    $list['a'] = 1;
});
check(static function (): void {
    $holder = holder('an object, unset');
    unset($holder);
});
check(static function (): void {
    $holder = holder('a property, replaced');
    $holder->asks = null;
});
check(static function (): void {
    $holder = holder('garbage, collected');
    $holder->self = $holder;
    unset($holder);
    gc_collect_cycles();
});
check(static function (): void {
    $kept = text(4);
    $asks = [text(5), new Asks('variables, at the end of their function')];
    $last = text(6);
});
check(static function (): void {
    $generator = (static function (): Generator {
        $local = [text(4), new Asks('a generator, unset')];
        yield [text(5)];
        yield $local;
    })();
    $generator->current();
    unset($generator);
});
check(static function (): void {
    $generator = (static function (): Generator {
        yield [text(4), new Asks('the value of a generator'), [text(5)]];
        yield 2;
    })();
    $generator->current();
    $generator->next();
});
check(static function (): void {
    $fiber = new Fiber(static function (): void {
        $local = [text(4), new Asks('a fiber, abandoned')];
        Fiber::suspend([text(5)]);
    });
    $fiber->start();
    unset($fiber);
});
check(static function (): void {
    $storage = new SplObjectStorage();
    $storage[new Holder()] = [text(4), new Asks('a storage, unset'), [text(5)]];
    $storage[new Asks('its key')] = [text(6)];
    unset($storage);
});
check(static function (): void {
    $array = new ArrayObject([[text(4)], new Asks('an ArrayObject, exchanged'), [text(5)]]);
    $array->exchangeArray([text(6)]);
});
check(static function (): void {
    $reference = [[text(4)], new Asks('a reference, unset'), [text(5)]];
    $other = &$reference;
    unset($reference);
    $other = 1;
});
check(static function (): void {
    $closure = (static function (): Closure {
        $bound = [[text(4)], new Asks('a closure, unset'), [text(5)]];
        return static fn () => $bound;
    })();
    unset($closure);
});
// Loops that are left have freed what they went through, one by one.
check(static function (): void {
    foreach ([text(4)] as $kept) {
        foreach ([[text(5)], new Asks('loops, left by return')] as $x) {
            $x = null;
            foreach ([[text(6)]] as $y) {
                foreach ([[text(7)]] as $z) {
                    $y = $z = null;
                    return;
                }
            }
        }
    }
});
?>
--EXPECT--
an array, unset: 1 object:Asks, 1 string
an element, replaced: 1 object:Asks, 2 string
an object, unset: 1 object:Asks, 1 object:Holder, 1 string
a property, replaced: 1 object:Asks, 1 object:Holder, 3 string
garbage, collected: 1 object:Asks, 1 object:Holder, 3 string
variables, at the end of their function: 1 object:Asks, 1 string
a generator, unset: 1 object:Asks, 2 string
the value of a generator: 1 object:Asks, 1 string
a fiber, abandoned: 1 object:Asks, 1 string
a storage, unset: 2 object:Asks, 2 string
its key: 1 object:Asks, 1 string
an ArrayObject, exchanged: 1 object:Asks, 3 string
a reference, unset: 1 object:Asks, 1 string
a closure, unset: 1 object:Asks, 1 string
loops, left by return: 1 object:Asks, 2 string
