--TEST--
Functions, methods, closures and internal functions first called before xhprof_enable() are all profiled
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function helper(): void
{
    strrev($_SERVER['PHP_SELF']);
}

function early(): void
{
    helper();
}

trait Tr
{
    public function from_trait(): void
    {
        helper();
    }
}

abstract class Base
{
    public function inherited(): void
    {
        helper();
    }
}

class E extends Base
{
    use Tr;

    public function m(): void
    {
        helper();
    }

    public static function s(): void
    {
        helper();
    }

    public function __toString(): string
    {
        helper();
        return '';
    }
}

$anonymous = new class {
    public function m(): void
    {
        helper();
    }
};
$closure = function (): void {
    helper();
};
$static = static fn () => helper();
$callable = early(...);
$made = eval('return function () { helper(); };');
eval('function from_eval() { helper(); }');

function everything(array $callables): void
{
    $e = new E();
    early();
    $e->m();
    E::s();
    $e->from_trait();
    $e->inherited();
    $text = "$e";
    from_eval();
    foreach ($callables as $c) {
        $c();
    }
    usleep(0);
    (new ArrayObject())->count();
}

$callables = [[$anonymous, 'm'], $closure, $static, $callable, $made];
for ($i = 0; $i < 3; $i++) {
    everything($callables);
}
$results = [];
for ($i = 0; $i < 2; $i++) {
    xhprof_enable();
    everything($callables);
    $edges = xhprof_disable();
    everything($callables);
    $shown = [];
    foreach ($edges as $key => $values) {
        $shown[preg_replace("/\\{closure:[^{}]*eval\\(\\)'d code[^{}]*\\}/", '{closure of eval}', $key)] = $values;
    }
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    $results[] = array_map(static fn (array $values): int => $values['ct'], $shown);
}
xhprof_test_edges($shown);
echo 'both sessions are ', $results[0] == $results[1] ? 'equal' : 'different', "\n";
?>
--EXPECT--
invariants: ok
invariants: ok
Base::inherited==>helper: ct=1
E::__toString==>helper: ct=1
E::from_trait==>helper: ct=1
E::m==>helper: ct=1
E::s==>helper: ct=1
class@anonymous::m==>helper: ct=1
early==>helper: ct=2
everything==>ArrayObject::__construct: ct=1
everything==>ArrayObject::count: ct=1
everything==>Base::inherited: ct=1
everything==>E::__toString: ct=1
everything==>E::from_trait: ct=1
everything==>E::m: ct=1
everything==>E::s: ct=1
everything==>class@anonymous::m: ct=1
everything==>early: ct=2
everything==>from_eval: ct=1
everything==>usleep: ct=1
everything==>{closure of eval}: ct=1
everything==>{closure:session/enable_late_functions.php:57}: ct=1
everything==>{closure:session/enable_late_functions.php:60}: ct=1
from_eval==>helper: ct=1
helper==>strrev: ct=12
main(): ct=1
main()==>everything: ct=1
main()==>xhprof_disable: ct=1
{closure of eval}==>helper: ct=1
{closure:session/enable_late_functions.php:57}==>helper: ct=1
{closure:session/enable_late_functions.php:60}==>helper: ct=1
both sessions are equal
