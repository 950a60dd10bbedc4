--TEST--
Closures in a namespace: no namespace before {closure}, the whole class name before ::
--FILE--
<?php

namespace App\Inner;

require __DIR__ . '/../lib.inc';

class K
{
    public function m(): mixed
    {
        return (fn () => 1)();
    }
}

trait T
{
    public function t(): mixed
    {
        return (fn () => 1)();
    }
}

class UsesT
{
    use T;
}

function named(): mixed
{
    return (fn () => 1)();
}

\xhprof_enable();
(fn () => 1)();
(new K())->m();
(new UsesT())->t();
named();
$edges = \xhprof_disable();
\xhprof_test_edges($edges);
\xhprof_test_check_invariants($edges, \xhprof_call_tree());
?>
--EXPECT--
App\Inner\K::m==>App\Inner\K::{closure:closure/closure_names_namespaced.php:11}: ct=1
App\Inner\UsesT::t==>App\Inner\UsesT::{closure:closure/closure_names_namespaced.php:19}: ct=1
App\Inner\named==>{closure:closure/closure_names_namespaced.php:30}: ct=1
main(): ct=1
main()==>App\Inner\K::m: ct=1
main()==>App\Inner\UsesT::t: ct=1
main()==>App\Inner\named: ct=1
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closure_names_namespaced.php:34}: ct=1
invariants: ok
