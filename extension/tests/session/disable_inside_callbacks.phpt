--TEST--
xhprof_disable() inside a destructor, a callback, an output callback, an error handler, an autoloader
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function stop(): void
{
    $GLOBALS['edges'] ??= xhprof_disable();
}

class Dies
{
    public function __destruct()
    {
        stop();
    }
}

function by_destructor(): void
{
    $d = new Dies();
    unset($d);
}

function by_usort(): void
{
    $a = [2, 1, 3];
    usort($a, function (int $x, int $y): int {
        stop();
        return $x <=> $y;
    });
}

function by_output(): void
{
    ob_start(function (string $s): string {
        stop();
        return '';
    });
    echo 'x';
    ob_end_clean();
}

function by_error(): void
{
    set_error_handler(function (): bool {
        stop();
        return true;
    });
    trigger_error('x');
    restore_error_handler();
}

function by_engine_error(): void
{
    set_error_handler(function (): bool {
        stop();
        return true;
    });
    $x = $undefined;
    restore_error_handler();
}

function by_autoload(): void
{
    spl_autoload_register($loader = function (string $class): void {
        stop();
    });
    class_exists('NoSuchClass' . PHP_VERSION_ID);
    spl_autoload_unregister($loader);
}

function by_tostring(): void
{
    strrev(new class {
        public function __toString(): string
        {
            stop();
            return 'abc';
        }
    });
}

function after(): void
{
    static $n;
    $n++;
}

foreach (
    ['by_destructor', 'by_usort', 'by_output', 'by_error', 'by_engine_error', 'by_autoload', 'by_tostring'] as $way
) {
    echo "-- $way\n";
    $edges = null;
    xhprof_enable();
    $way();
    $first = $edges;
    $edges = null;
    xhprof_test_edges($first);
    xhprof_test_check_invariants($first, xhprof_call_tree());
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    after();
    $second = xhprof_disable();
    echo count($second), ' ', $second['main()==>after']['ct'], "\n";
}
?>
--EXPECT--
-- by_destructor
Dies::__destruct==>stop: ct=1
by_destructor==>Dies::__destruct: ct=1
main(): ct=1
main()==>by_destructor: ct=1
stop==>xhprof_disable: ct=1
invariants: ok
2 1
-- by_usort
by_usort==>usort: ct=1
main(): ct=1
main()==>by_usort: ct=1
stop==>xhprof_disable: ct=1
usort==>{closure:session/disable_inside_callbacks.php:26}: ct=1
{closure:session/disable_inside_callbacks.php:26}==>stop: ct=1
invariants: ok
2 1
-- by_output
by_output==>ob_end_clean: ct=1
by_output==>ob_start: ct=1
main(): ct=1
main()==>by_output: ct=1
ob_end_clean==>{closure:session/disable_inside_callbacks.php:34}: ct=1
stop==>xhprof_disable: ct=1
{closure:session/disable_inside_callbacks.php:34}==>stop: ct=1
invariants: ok
2 1
-- by_error
by_error==>set_error_handler: ct=1
by_error==>trigger_error: ct=1
main(): ct=1
main()==>by_error: ct=1
stop==>xhprof_disable: ct=1
trigger_error==>{closure:session/disable_inside_callbacks.php:44}: ct=1
{closure:session/disable_inside_callbacks.php:44}==>stop: ct=1
invariants: ok
2 1
-- by_engine_error
by_engine_error==>set_error_handler: ct=1
by_engine_error==>{closure:session/disable_inside_callbacks.php:54}: ct=1
main(): ct=1
main()==>by_engine_error: ct=1
stop==>xhprof_disable: ct=1
{closure:session/disable_inside_callbacks.php:54}==>stop: ct=1
invariants: ok
2 1
-- by_autoload
by_autoload==>class_exists: ct=1
by_autoload==>spl_autoload_register: ct=1
class_exists==>{closure:session/disable_inside_callbacks.php:64}: ct=1
main(): ct=1
main()==>by_autoload: ct=1
stop==>xhprof_disable: ct=1
{closure:session/disable_inside_callbacks.php:64}==>stop: ct=1
invariants: ok
2 1
-- by_tostring
by_tostring==>strrev: ct=1
class@anonymous::__toString==>stop: ct=1
main(): ct=1
main()==>by_tostring: ct=1
stop==>xhprof_disable: ct=1
strrev==>class@anonymous::__toString: ct=1
invariants: ok
2 1
