--TEST--
What a block holds: closures, generators and fibers, and what waits in them
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_types.inc';

function text(int $i): string
{
    return str_repeat('x', 20 + $i);
}

class Counter
{
    public function closure(): Closure
    {
        $kept = text(1);
        return fn () => [$this, $kept];
    }

    public function method(): void
    {
    }
}

function generate(int $steps, mixed $argument): Generator
{
    $local = [text(1), [text(2)]];
    foreach ([text(3)] as $loop) {
        for ($i = 0; $i < $steps; $i++) {
            yield text(4) => [text(5)];
        }
    }
    $result = yield from inner([text(6)]);
    return [$local, $result];
}

function inner(array $argument): Generator
{
    yield $argument;
    return [text(7)];
}

/** In the middle of calls: what was passed already is kept aside. */
function unfinished(): Generator
{
    return count(array_merge([text(1)], [yield], [text(2)]));
}

function wait(string $argument): string
{
    $local = [text(2)];
    Fiber::suspend([text(3)]);
    return $argument . count($local);
}

alloc_types_print('closures', static function (): array {
    $kept = text(1);
    $list = [random_int(1, 9)];
    $closures = [];
    for ($i = 0; $i < 4; $i++) {
        $closures[] = static function () use ($kept, $list): void {
            static $n;
            $n++;
        };
    }
    return $closures;
}, ['string']);
alloc_types_print('closures alone', static function (): array {
    return [Closure::fromCallable('strlen'), (new Counter())->method(...)];
}, ['object:Closure', 'object:Counter']);
alloc_types_print('bound', static function (): array {
    return [(new Counter())->closure(), (new Counter())->closure()];
}, ['string', 'object:Counter']);
$moments = ['not started' => 0, 'at its first yield' => 1, 'later' => 3, 'in another generator' => 4, 'ended' => 5];
foreach ($moments as $label => $resumes) {
    alloc_types_print("generator $label", static function () use ($resumes): Generator {
        $generator = generate(3, [text(9)]);
        for ($i = 0; $i < $resumes; $i++) {
            $i ? $generator->next() : $generator->current();
        }
        return $generator;
    }, ['object:Generator', 'string', '(unknown)']);
}
alloc_types_print('generator in the middle of a call', static function (): Generator {
    $generator = unfinished();
    $generator->current();
    return $generator;
}, ['object:Generator']);
foreach (['not started' => 0, 'suspended' => 1, 'ended' => 2] as $label => $resumes) {
    alloc_types_print("fiber $label", static function () use ($resumes): Fiber {
        $fiber = new Fiber(static fn (string $argument): string => wait($argument));
        $resumes && $fiber->start(text(1));
        $resumes > 1 && $fiber->resume();
        return $fiber;
    }, ['object:Fiber', 'string', '(unknown)']);
}
echo "within\n";
xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
function running(): Generator
{
    $local = [text(1)];
    alloc_types_show('generator', alloc_types_of('running'), ['string']);
    yield $local;
    $fiber = new Fiber(static function () use ($local): void {
        $other = [text(2)];
        $nested = new Fiber(static function () use ($other): void {
            alloc_types_show('fiber in a fiber in a generator', alloc_types_of('running'), ['string']);
        });
        $nested->start();
    });
    $fiber->start();
    yield 2;
}
foreach (running() as $value) {
    unset($value);
}
xhprof_disable();
?>
--EXPECT--
closures: 1 string
closures alone: 2 object:Closure, 1 object:Counter
bound: 2 object:Counter, 2 string
generator not started: 2 object:Generator, 1 string
generator at its first yield: 2 object:Generator, 6 string
generator later: 2 object:Generator, 6 string
generator in another generator: 4 object:Generator, 7 string
generator ended: 1 object:Generator, 5 string
generator in the middle of a call: 3 object:Generator
fiber not started: 1 object:Fiber
fiber suspended: 3 object:Fiber, 3 string
fiber ended: 1 object:Fiber, 1 string
within
generator: 1 string
fiber in a fiber in a generator: 2 string
