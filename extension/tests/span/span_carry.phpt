--TEST--
A span is carried into callbacks by enter() and leave(): what runs between them is the span's, in whatever fiber, and what runs outside of them is between requests; wrong uses do nothing
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', '/proc/self/smaps'); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

$head = <<<'PHP'
    foreach (['a', 'b', 'c', 'of_none'] as $name) {
        eval("function p_$name() { inner(); }");
    }
    function pause(): mixed { return Fiber::suspend(); }
    function fiber(callable $does): Fiber { $fiber = new Fiber($does); $fiber->start(); return $fiber; }
    function show(mixed $value): void { echo is_string($value) ? 'a run' : var_export($value, true), "\n"; }
    // Begins a span in a fiber that goes: none of it is in main's fiber.
    function carried(string $name): XHProfSpan { $span = null; fiber(function () use (&$span, $name) { $span = xhprof_span($name); $GLOBALS['fibers'][] = Fiber::getCurrent(); pause(); }); $mine = $span; $span = null; return $mine; }

    PHP;
$cases = [
    'an event loop' => '$loop = []; $accept = function (int $i) use (&$loop) { $span = carried("request $i"); $span->enter(); p_a(); $loop[] = function () use ($span, $i, &$loop) { $span->enter(); p_b(); $loop[] = function () use ($span) { $span->enter(); p_c(); $span->end(); }; $span->leave(); }; $span->leave(); }; for ($i = 0; $i < 3; $i++) { $loop[] = fn () => $accept($i); } while ($loop) { p_of_none(); array_shift($loop)(); }',
    'begun in fibers that end' => '$loop = []; $f = fiber(function () use (&$loop) { for ($i = 0; $i < 2; $i++) { $loop[] = function () use ($i, &$loop) { $span = xhprof_span("request $i"); p_a(); $loop[] = function () use ($span) { $span->enter(); p_b(); $span->leave(); $span->end(); }; }; } }); foreach ($loop as $call) { fiber($call); } $calls = array_slice($loop, 2); $loop = []; foreach ($calls as $call) { p_of_none(); $call(); }',
    'functions that enter and others that leave' => 'function go_in(XHProfSpan $s) { $s->enter(); p_a(); } function come_out(XHProfSpan $s) { p_a(); $s->leave(); p_of_none(); } function both(XHProfSpan $s) { go_in($s); p_a(); come_out($s); p_of_none(); } $s = carried("one"); $t = carried("two"); $t->enter(); both($s); p_b(); both($s); $t->leave(); both($s); $s->enter(); p_a(); $s->end(); $t->end();',
    'deep in its own calls' => '$s = xhprof_span("one"); function f(int $n, XHProfSpan $t) { p_a(); if ($n) { f($n - 1, $t); } $t->enter(); p_b(); $t->leave(); p_a(); } $t = null; $f = fiber(function () use (&$t, $s) { $g = fiber(function () use (&$t) { $t = xhprof_span("two"); pause(); }); $GLOBALS["fibers"][] = $g; f(2, $t); }); p_a(); $s->end(); $t->end();',
    'by a generator' => 'function gen(XHProfSpan $s) { $s->enter(); p_a(); yield 1; p_a(); $s->leave(); p_of_none(); } function from(XHProfSpan $s) { yield from gen($s); yield from gen($s); } $s = carried("one"); $t = carried("two"); $t->enter(); foreach (from($s) as $i) { p_a(); } p_b(); $s->end(); $t->end();',
    'by a destructor' => 'class D { function __construct(private XHProfSpan $s) { $s->enter(); } function __destruct() { $this->s->leave(); } } function f(XHProfSpan $s) { $d = new D($s); p_a(); } $s = carried("one"); $t = carried("two"); f($s); p_of_none(); $t->enter(); f($s); p_b(); $t->leave(); f($s); $s->end(); $t->end();',
    'within its own fiber' => '$s = xhprof_span("one"); p_a(); $s->enter(); p_a(); $s->leave(); p_a(); $s->end();',
    'nested enters' => '$s = carried("one"); $s->enter(); p_a(); $s->enter(); p_a(); $s->leave(); p_a(); $s->leave(); p_of_none(); $s->end();',
    'nested enters of two' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); $t->enter(); p_b(); $s->enter(); p_a(); $s->leave(); p_b(); $t->leave(); p_a(); $s->leave(); p_of_none(); $s->end(); $t->end();',
    'leave without enter' => '$s = carried("one"); $t = carried("two"); $s->leave(); p_of_none(); $t->enter(); $s->leave(); p_b(); $t->leave(); $t->leave(); p_of_none(); $s->end(); $t->end();',
    'leave of an outer one first' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); $t->enter(); p_b(); $s->leave(); p_of_none(); $t->leave(); p_of_none(); $s->end(); $t->end();',
    'enter after end' => '$s = carried("one"); $t = carried("two"); $s->end(); $s->enter(); p_of_none(); $t->enter(); $s->enter(); p_b(); $s->leave(); p_b(); $t->leave(); $t->end();',
    'end while entered' => '$s = carried("one"); $t = carried("two"); $t->enter(); p_b(); $s->enter(); p_a(); show($s->end()); p_of_none(); $s->leave(); p_b(); $t->leave(); $t->end();',
    'spans after one that was not left' => '$s = carried("one"); $s->enter(); p_a(); $s->end(); p_of_none(); $t = xhprof_span("two"); p_b(); $t->end(); p_of_none(); xhprof_begin_span("three"); p_c(); xhprof_end_span(); $s->leave(); p_of_none();',
    'a span over one that was not left' => '$s = carried("one"); $t = carried("two"); $t->enter(); p_b(); $s->enter(); p_a(); $s->end(); $own = xhprof_span("own"); p_c(); $s->leave(); p_c(); $own->end(); p_b(); $t->leave(); p_of_none(); $t->end();',
    'ends below one that is entered' => '$batch = xhprof_span("batch"); $t = carried("two"); $f = fiber(function () use ($t) { $item = xhprof_span("item"); p_a(); $t->enter(); p_b(); $item->end(); p_b(); $t->leave(); p_c(); }); p_c(); $batch->end(); $t->end();',
    'ends while entered over another' => '$batch = xhprof_span("batch"); $t = carried("two"); $f = fiber(function () use ($t) { $item = xhprof_span("item"); p_a(); $t->enter(); p_b(); $item->enter(); p_a(); $item->enter(); $item->end(); p_of_none(); $item->leave(); p_of_none(); $item->leave(); p_b(); $t->leave(); p_c(); }); $batch->end(); $t->end();',
    'ended without leave, many times' => '$t = carried("last"); $t->enter(); for ($i = 0; $i < 3; $i++) { $s = carried("one"); $s->enter(); p_a(); $s->end(); } p_of_none(); $t->leave(); $own = xhprof_span("own"); p_b(); $own->end(); $t->end();',
    'end while entered by two fibers' => '$s = carried("one"); $t = carried("two"); $f = fiber(function () use ($s) { $s->enter(); p_a(); pause(); p_of_none(); $s->leave(); }); $s->enter(); p_a(); $s->end(); p_of_none(); $f->resume(); $t->end();',
    'enter in two fibers at once' => '$s = carried("one"); $t = carried("two"); $does = function () use ($s) { $s->enter(); p_a(); pause(); p_a(); $s->leave(); pause(); p_of_none(); }; $f = fiber($does); $g = fiber($does); p_of_none(); $t->enter(); $f->resume(); p_b(); $g->resume(); $t->leave(); $f->resume(); $g->resume(); $s->end(); $t->end();',
    'left in a fiber that waits' => '$s = carried("one"); $t = carried("two"); $f = fiber(function () use ($s) { $s->enter(); p_a(); pause(); p_a(); }); p_of_none(); $t->enter(); p_b(); $s->leave(); p_b(); $t->leave(); $f->resume(); p_of_none(); $s->end(); $t->end();',
    'fiber destroyed while entered' => '$s = carried("one"); $f = fiber(function () use ($s) { $s->enter(); $s->enter(); p_a(); try { pause(); } finally { p_a(); } }); unset($f); p_of_none(); $g = fiber(function () { p_of_none(); }); $s->end();',
    'exception between' => '$s = carried("one"); function callback(XHProfSpan $s) { $s->enter(); try { p_a(); throw new LogicException(); } finally { $s->leave(); } } try { callback($s); } catch (LogicException) { p_of_none(); } $s->end();',
    'exception without leave' => '$s = carried("one"); $t = carried("two"); function callback(XHProfSpan $s) { $s->enter(); p_a(); throw new LogicException(); } try { callback($s); } catch (LogicException) { } $t->enter(); p_b(); $t->leave(); p_a(); $s->leave(); p_of_none(); $s->end(); $t->end();',
    'destroyed while entered' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); $s = null; p_of_none(); $t->enter(); p_b(); $t->leave(); p_of_none(); $t->end();',
    'a span within an entered one' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); show(xhprof_begin_span("inner")); p_a(); show(xhprof_end_span()); $in = xhprof_span("inner, too"); p_a(); show($in->end()); $s->leave(); p_of_none(); $s->end(); $t->end();',
    'an object within an entered one that ends' => '$s = carried("one"); $t = carried("two"); $s->enter(); $in = xhprof_span("inner"); p_a(); $s->end(); p_of_none(); show($in->end()); $s->leave(); p_of_none(); $t->end();',
    'an object within an entered one that has ended' => '$s = carried("one"); function callback(XHProfSpan $s) { $s->enter(); $GLOBALS["in"] = xhprof_span("inner"); p_a(); $s->end(); $s->leave(); } callback($s); $t = xhprof_span("two"); p_b(); show($in->end()); show($t->end()); p_of_none();',
    'a function within an entered one that has ended' => '$s = carried("one"); function on(XHProfSpan $s) { $s->enter(); xhprof_begin_span("inner"); p_a(); $s->end(); } function off(XHProfSpan $s) { show(xhprof_end_span()); $s->leave(); } on($s); $t = xhprof_span("two"); p_b(); show($t->end()); off($s); p_of_none();',
    'a fiber started within an entered one' => '$s = carried("one"); $s->enter(); $f = fiber(function () { p_a(); pause(); p_a(); }); $s->leave(); p_of_none(); $f->resume(); p_of_none(); $s->end();',
    'an inner span is entered' => '$in = null; $f = fiber(function () use (&$in) { $s = xhprof_span("outer"); $in = xhprof_span("inner"); p_a(); pause(); p_a(); $in->end(); pause(); }); $in->enter(); p_a(); $in->leave(); p_of_none(); $f->resume(); $in->enter(); p_of_none(); $in->leave(); $f->resume();',
    'cloned and serialized' => '$s = carried("one"); foreach ([fn () => clone $s, fn () => serialize($s), fn () => unserialize(\'O:10:"XHProfSpan":0:{}\'), fn () => (new ReflectionClass($s))->newInstanceWithoutConstructor()->enter(), fn () => $s->enter(1), fn () => $s->leave(1)] as $wrong) { try { $wrong(); echo "nothing\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; } } $s->end();',
    'no span at all' => '$s = xhprof_span("one"); $s->end(); $s->enter(); $s->leave(); ini_set("xhprof.output_dir", "/nonexistent"); p_of_none();',
    'many times' => '$s = carried("one"); $t = carried("two"); for ($i = 0; $i < 1000; $i++) { $s->enter(); $i % 100 || p_a(); $t->enter(); $i % 100 || p_b(); $t->leave(); $s->leave(); } $s->end(); $t->end();',
    'at the end' => '$s = carried("one"); $s->enter(); p_a();',
    'exit while entered' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); exit(0);',
];
foreach ($cases as $label => $code) {
    xhprof_test_show_spans($label, $head . $code, ['sampling_interval' => 10000]);
}
// What is never left: each enter would keep 32 bytes. The address sanitizer keeps what was freed for a while.
$most = xhprof_test_other_figures() === null ? 4 : 300;
$head .= 'require ' . var_export(dirname(__DIR__) . '/lib.inc', true) . '; function grows(callable $does) { for ($i = 0; $i < 220_000; $i++) { $does(); if ($i === 20_000) { $before = xhprof_test_memory()[0]; } } echo xhprof_test_memory()[0] - $before < ' . $most . ' << 20 ? "no growth" : "growth"; } ';
$programs = [
    'one for long' => '$s = carried("one"); grows($s->enter(...));',
    'two for long' => '$s = carried("one"); $t = carried("two"); grows(static function () use ($s, $t) { $s->enter(); $t->enter(); });',
    'each until it ends' => '$t = carried("two"); $t->enter(); grows(static function () { $s = null; $f = new Fiber(static function () use (&$s) { $s = xhprof_span("one"); Fiber::suspend(); }); $f->start(); $s->enter(); $s->end(); });',
];
foreach ($programs as $label => $code) {
    $child = xhprof_test_aggregate($head . $code, ['sampling_interval' => 1_000_000, 'flush_seconds' => 86400, 'start_with_request' => 'no']);
    echo "-- $label, never left: $child[out]$child[err]\n";
}
?>
--EXPECT--
-- an event loop, exact
request 0: -: p_a 1, p_b 1, p_c 1
request 1: -: p_a 1, p_b 1, p_c 1
request 2: -: p_a 1, p_b 1, p_c 1
-- an event loop, aggregate
request 0: requests 1, suspended 1
request 1: requests 1, suspended 1
request 2: requests 1, suspended 1
-- begun in fibers that end, exact
request 0: fiber: p_a 1
request 1: fiber: p_a 1
-- begun in fibers that end, aggregate
request 0: requests 1, suspended 1
request 1: requests 1, suspended 1
-- functions that enter and others that leave, exact
one: -: come_out>p_a 3, p_a 7
two: -: both>p_of_none 4, p_b 1
-- functions that enter and others that leave, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- deep in its own calls, exact
one: -: f>p_a 2, f@1>p_a 2, f@2>p_a 2, p_a 1
two: -: p_b 3
-- deep in its own calls, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- by a generator, exact
one: -: gen>p_a 2, p_a 4
two: -: p_b 1, p_of_none 2
-- by a generator, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- by a destructor, exact
one: -: p_a 3
two: -: p_b 1
-- by a destructor, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- within its own fiber, exact
one: -: p_a 3
-- within its own fiber, aggregate
one: requests 1
-- nested enters, exact
one: -: p_a 3
-- nested enters, aggregate
one: requests 1, suspended 1
-- nested enters of two, exact
one: -: p_a 3
two: -: p_b 2
-- nested enters of two, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- leave without enter, exact
one: -
two: -: p_b 1
-- leave without enter, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- leave of an outer one first, exact
one: -: p_a 1
two: -: p_b 1
-- leave of an outer one first, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- enter after end, exact
one: -
two: -: p_b 2
-- enter after end, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- end while entered, exact: a run
one: -: p_a 1
two: -: p_b 2
-- end while entered, aggregate: NULL
one: requests 1, suspended 1
two: requests 1, suspended 1
-- spans after one that was not left, exact
one: -: p_a 1
two: -: p_b 1
three: -: p_c 1
-- spans after one that was not left, aggregate
one: requests 1, suspended 1
three: requests 1
two: requests 1
-- a span over one that was not left, exact
one: -: p_a 1
two: -: p_b 2
own: -: p_c 2
-- a span over one that was not left, aggregate
one: requests 1, suspended 1
own: requests 1
two: requests 1, suspended 1
-- ends below one that is entered, exact
batch: -: p_c 1, {closure}>p_c 1
two: -: p_b 2
item: -: p_a 1
-- ends below one that is entered, aggregate
batch: requests 1, suspended 1
item: requests 1, suspended 1
two: requests 1, suspended 1
-- ends while entered over another, exact
batch: -: {closure}>p_c 1
two: -: p_b 2
item: -: p_a 2
-- ends while entered over another, aggregate
batch: requests 1, suspended 1
item: requests 1, suspended 1
two: requests 1, suspended 1
-- ended without leave, many times, exact
last: -
one: -: p_a 1
one: -: p_a 1
one: -: p_a 1
own: -: p_b 1
-- ended without leave, many times, aggregate
last: requests 1, suspended 1
one: requests 3, suspended 3
own: requests 1
-- end while entered by two fibers, exact
one: -: p_a 2
two: -
-- end while entered by two fibers, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- enter in two fibers at once, exact
one: -: p_a 4
two: -: p_b 1
-- enter in two fibers at once, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- left in a fiber that waits, exact
one: -: p_a 2
two: -: p_b 2
-- left in a fiber that waits, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- fiber destroyed while entered, exact
one: -: p_a 2
-- fiber destroyed while entered, aggregate
one: requests 1, suspended 1
-- exception between, exact
one: -: p_a 1
-- exception between, aggregate
one: requests 1, suspended 1
-- exception without leave, exact
one: -: p_a 2
two: -: p_b 1
-- exception without leave, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- destroyed while entered, exact
one: -: p_a 1
two: -: p_b 1
-- destroyed while entered, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- a span within an entered one, exact: false
NULL
NULL
one: -: p_a 3
two: -
-- a span within an entered one, aggregate: false
NULL
NULL
one: requests 1, suspended 1
two: requests 1, suspended 1
-- an object within an entered one that ends, exact: NULL
one: -: p_a 1
two: -
-- an object within an entered one that ends, aggregate: NULL
one: requests 1, suspended 1
two: requests 1, suspended 1
-- an object within an entered one that has ended, exact: NULL
a run
one: -: p_a 1
two: -: p_b 1
-- an object within an entered one that has ended, aggregate: NULL
NULL
one: requests 1, suspended 1
two: requests 1
-- a function within an entered one that has ended, exact: a run
NULL
one: -: p_a 1
two: -: p_b 1
-- a function within an entered one that has ended, aggregate: NULL
NULL
one: requests 1, suspended 1
two: requests 1
-- a fiber started within an entered one, exact
one: -: {closure}>p_a 2
-- a fiber started within an entered one, aggregate
one: requests 1, suspended 1
-- an inner span is entered, exact
outer: -: p_a 3
-- an inner span is entered, aggregate
outer: requests 1, suspended 1
-- cloned and serialized, exact: Error: Trying to clone an uncloneable object of class XHProfSpan
Exception: Serialization of 'XHProfSpan' is not allowed
Exception: Unserialization of 'XHProfSpan' is not allowed
ReflectionException: Class XHProfSpan is an internal class marked as final that cannot be instantiated without invoking its constructor
ArgumentCountError: XHProfSpan::enter() expects exactly 0 arguments, 1 given
ArgumentCountError: XHProfSpan::leave() expects exactly 0 arguments, 1 given
one: -
-- cloned and serialized, aggregate: Error: Trying to clone an uncloneable object of class XHProfSpan
Exception: Serialization of 'XHProfSpan' is not allowed
Exception: Unserialization of 'XHProfSpan' is not allowed
ReflectionException: Class XHProfSpan is an internal class marked as final that cannot be instantiated without invoking its constructor
ArgumentCountError: XHProfSpan::enter() expects exactly 0 arguments, 1 given
ArgumentCountError: XHProfSpan::leave() expects exactly 0 arguments, 1 given
one: requests 1, suspended 1
-- no span at all, exact
one: -
-- no span at all, aggregate
one: requests 1
-- many times, exact
one: -: p_a 10
two: -: p_b 10
-- many times, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- at the end, exact
one: -: p_a 1
-- at the end, aggregate
one: requests 1, suspended 1
-- exit while entered, exact
one: -: p_a 1
two: -
-- exit while entered, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- one for long, never left: no growth
-- two for long, never left: no growth
-- each until it ends, never left: no growth
