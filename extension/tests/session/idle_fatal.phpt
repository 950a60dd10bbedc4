--TEST--
Fatal errors while idle after a profile: the shutdown function reads it, and may take another
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): int
{
    static $n;
    return ++$n;
}

function down(int $depth, callable $what): void
{
    if ($depth === 0) {
        $what();
    } else {
        down($depth - 1, $what);
    }
    leaf();
}

function stops_and(callable $what): void
{
    leaf();
    xhprof_disable();
    leaf();
    $what();
}

if (isset($argv[1])) {
    ini_set('display_errors', '0');
    register_shutdown_function(static function (): void {
        ini_set('memory_limit', '256M');
        leaf();
        $tree = xhprof_call_tree();
        xhprof_test_tree($tree);
        xhprof_enable();
        down(1, 'leaf');
        xhprof_test_edges(xhprof_disable(), ['==>xhprof_disable']);
    });
    $what = match ($argv[1]) {
        'memory' => static fn () => str_repeat('x', 1 << 30),
        'exception' => static fn () => throw new DomainException(),
        'error' => static fn () => undefined_function(),
        'compile' => static fn () => eval('class Twice {} class Twice {}'),
        'user' => static fn () => trigger_error('stop', E_USER_ERROR),
    };
    xhprof_enable();
    down(2, static fn () => stops_and($what));
    exit(9);
}
xhprof_test_alike(['memory', 'exception', 'error', 'compile', 'user'], static function (string $what): void {
    xhprof_test_every_way(__FILE__, [$what], 255);
});
?>
--EXPECT--
-- memory
main() ct=1
  down ct=1
    down ct=1
      down ct=1
        {closure:session/idle_fatal.php:47} ct=1
          stops_and ct=1
            leaf ct=1
            xhprof_disable ct=1
down==>down@1: ct=1
down==>leaf: ct=1
down@1==>leaf: ct=2
main(): ct=1
main()==>down: ct=1
the same every way
-- exception: as memory
-- error: as memory
-- compile: as memory
-- user: as memory
