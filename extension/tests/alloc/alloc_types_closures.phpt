--TEST--
What a block holds: closures, generators and fibers, and what extensions and the engine keep
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

echo "What a block holds: closures, generators and fibers, and what waits in them:\n";

function text(int $i): string { return str_repeat('x', 20 + $i); }

class Counter
{
    public function closure(): Closure { $kept = text(1); return fn () => [$this, $kept]; }

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

function inner(array $argument): Generator { yield $argument; return [text(7)]; }

/** In the middle of calls: what was passed already is kept aside. */
function unfinished(): Generator { return count(array_merge([text(1)], [yield], [text(2)])); }

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

echo "What a block holds: what extensions keep behind their objects, resources and what belongs to them, the engine's own:\n";

/**
 * Prints the types alone: how many blocks an extension makes is its own.
 *
 * @param list<string> $before85 further types, sorted, which must be there before PHP 8.5 and must not since
 */
function types(string $label, callable $function, array $before85 = []): void
{
    alloc_types_kept_by($function);
    $types = alloc_types_kept_by($function);
    while (ob_get_level() > 0) {
        ob_end_clean();
    }
    $types = array_keys($types);
    echo "$label: ", implode(', ', array_diff($types, $before85));
    $older = array_values(array_intersect($types, $before85));
    echo $older === (PHP_VERSION_ID < 80500 ? $before85 : []) ? '' : ' and ' . implode(', ', $older), "\n";
}

function shown(string $text): string { return $text; }

types('dates', static fn (): array => [new DateTime('2020-01-01'), new DateInterval('P1D'), new DateTimeZone('Europe/Berlin')]);
// Since 8.5 a period computes its properties, and the name of a closure that handles output is the closure's own.
types('a period', static fn (): DatePeriod => new DatePeriod(new DateTime('2020-01-01'), new DateInterval('P1D'), 3), ['array', 'object:DateInterval', 'object:DateTime']);
types('a file', static fn (): SplFileObject => new SplFileObject(__FILE__));
types('hash', static fn (): HashContext => hash_init('sha256'));
types('streams', static function (): array {
    $memory = fopen('php://memory', 'w+');
    fwrite($memory, str_repeat('x', 5000));
    return [$memory, fopen(__FILE__, 'r')];
});
types('a context', static function () {
    return stream_context_create(['http' => ['header' => str_repeat('h', 100)]]);
});
types('a constant', static function (): int {
    define('CONSTANT' . random_int(0, PHP_INT_MAX), [1, random_int(0, 9)]);
    return 1;
});
types('output', static function (): int {
    ob_start(Closure::fromCallable('shown'), 100_000);
    return 1;
}, ['string']);
?>
--EXPECT--
What a block holds: closures, generators and fibers, and what waits in them:
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
What a block holds: what extensions keep behind their objects, resources and what belongs to them, the engine's own:
dates: array, object:DateInterval, object:DateTime, object:DateTimeZone
a period: object:DatePeriod
a file: object:SplFileObject, resource:stream
hash: object:HashContext
streams: array, resource:stream
a context: array, resource:stream-context, string
a constant: array, constant, string
output: engine, object:Closure, output buffer
