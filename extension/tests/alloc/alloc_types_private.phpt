--TEST--
What a block holds: what extensions keep behind their objects, resources and what belongs to them, the engine's own
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_types.inc';

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

function shown(string $text): string
{
    return $text;
}

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
dates: array, object:DateInterval, object:DateTime, object:DateTimeZone
a period: object:DatePeriod
a file: object:SplFileObject, resource:stream
hash: object:HashContext
streams: array, resource:stream
a context: array, resource:stream-context, string
a constant: array, constant, string
output: engine, object:Closure, output buffer
