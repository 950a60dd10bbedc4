--TEST--
Names are whole and byte-exact, and no two functions merge
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Names are byte-exact: UTF-8, bytes that are no UTF-8, the case of the declaration:\n";

eval("function na\xc3\xafve() {} function raw\xff\x80() { na\xc3\xafve(); } class \xe9t\xe9 { static function \xfe() { raw\xff\x80(); } }");

function CamelCase(): void { static $n; $n++; }

xhprof_enable();
"raw\xff\x80"();
"\xe9t\xe9::\xfe"();
camelcase();
CAMELCASE();
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[addcslashes($key, "\x80..\xff")] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "Names of 2000 bytes are whole: two that differ in the last byte stay two functions:\n";

$stem = str_repeat('n', 1999);
eval("function {$stem}a() { {$stem}b(); } function {$stem}b() { leaf(); }");
eval("class C$stem { static function m$stem() { leaf(); } }");

function leaf(): void { static $n; $n++; }

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
"{$stem}a"();
"{$stem}b"();
"{$stem}b"();
"C{$stem}::m{$stem}"();
$edges = xhprof_disable();
$shown = [];
foreach ($edges as $key => $values) {
    $shown[strtr($key, [$stem => '<stem>'])] = $values;
}
xhprof_test_edges($shown);
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "Functions whose names look like others' edges, levels or metrics stay apart:\n";

function ct(): void { wt(); }
function wt(): void { static $n; $n++; }
function main(): void { ct(); }
function load(): void { main(); }

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
load();
main();
xhprof_test_profile(xhprof_disable());

echo "Internal functions appear once each, also those PHP 8.4 calls without a frame:\n";

function all(string $s, array $a): void
{
    in_array($s, $a);
    implode($s, $a);
    trim($s);
    strpos($s, 'a');
    str_contains($s, 'a');
    substr($s, 1);
    str_replace('a', 'b', $s);
    min($a);
    max(1, strlen($s) + 1);
    preg_match('/a/', $s);
    is_numeric($s);
    abs(strlen($s));
    for ($i = 0; $i < 5; $i++) {
        ucfirst($s);
    }
}

all('warm', ['up']);
xhprof_enable();
all('abc', ['x', 'y']);
xhprof_test_profile(xhprof_disable());

echo "First-class callables keep the name of the function they stand for:\n";

class K
{
    public function m(): void { static $n; $n++; }
    public static function s(): void { static $n; $n++; }
}

function foo(): void { static $n; $n++; }

$foo = foo(...);
$m = (new K())->m(...);
$s = K::s(...);
$rev = strrev(...);
$from = Closure::fromCallable('foo');
xhprof_enable();
$foo();
$m();
$s();
$rev('abc' . PHP_OS);
$from();
foo();
array_map($rev, ['ab', 'cd']);
$late = foo(...);
$late();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
Names are byte-exact: UTF-8, bytes that are no UTF-8, the case of the declaration:
\351t\351::\376==>raw\377\200: ct=1
main(): ct=1
main()==>CamelCase: ct=2
main()==>\351t\351::\376: ct=1
main()==>raw\377\200: ct=1
main()==>xhprof_disable: ct=1
raw\377\200==>na\303\257ve: ct=2
invariants: ok
Names of 2000 bytes are whole: two that differ in the last byte stay two functions:
<stem>a==><stem>b: ct=1
<stem>b==>leaf: ct=3
C<stem>::m<stem>==>leaf: ct=1
main(): ct=1
main()==><stem>a: ct=1
main()==><stem>b: ct=2
main()==>C<stem>::m<stem>: ct=1
invariants: ok
Functions whose names look like others' edges, levels or metrics stay apart:
ct==>wt: ct=2
load==>main: ct=1
main(): ct=1
main()==>load: ct=1
main()==>main: ct=1
main==>ct: ct=2
invariants: ok
Internal functions appear once each, also those PHP 8.4 calls without a frame:
all==>abs: ct=1
all==>implode: ct=1
all==>in_array: ct=1
all==>is_numeric: ct=1
all==>max: ct=1
all==>min: ct=1
all==>preg_match: ct=1
all==>str_contains: ct=1
all==>str_replace: ct=1
all==>strpos: ct=1
all==>substr: ct=1
all==>trim: ct=1
all==>ucfirst: ct=5
main(): ct=1
main()==>all: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
First-class callables keep the name of the function they stand for:
array_map==>strrev: ct=2
main(): ct=1
main()==>K::m: ct=1
main()==>K::s: ct=1
main()==>array_map: ct=1
main()==>foo: ct=4
main()==>strrev: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
