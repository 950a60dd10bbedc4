--TEST--
Spans of fibers that take turns, however they go on and end: nested, cancelled, never resumed, destroyed, ended in another fiber, with exceptions, in generators, around other fibers
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

$head = <<<'PHP'
    foreach (['a', 'b', 'c', 'd', 'e', 'of_none'] as $name) {
        eval("function p_$name(int \$times = 1, ?callable \$then = null) { for (\$i = 0; \$i < \$times; \$i++) { inner(); } \$then && \$then(); }");
    }
    function pause(): mixed { return Fiber::suspend(); }
    function fiber(callable $does, mixed ...$with): Fiber { $fiber = new Fiber($does); $fiber->start(...$with); return $fiber; }
    function show(mixed $value): void { echo is_string($value) ? 'a run' : var_export($value, true), "\n"; }

    PHP;
$cases = [
    'inherited' => '$f = fiber(function () { $s = xhprof_span("outer"); p_a(); $g = fiber(function () { p_b(); pause(); p_b(); }); p_a(); pause(); p_a(); $g->resume(); p_a(); $s->end(); }); p_of_none(); $f->resume();',
    'inherited, then its own' => '$f = fiber(function () { $s = xhprof_span("outer"); p_a(); $g = fiber(function () { p_a(); $t = xhprof_span("inner"); p_b(); pause(); p_b(); $t->end(); p_a(); }); p_a(); $g->resume(); p_a(); $s->end(); }); p_of_none();',
    'inherited from an ended one' => '$s = xhprof_span("first"); $t = null; $g = fiber(function () { p_a(); pause(); p_of_none(); }); $f = fiber(function () { $s = xhprof_span("second"); p_b(); pause(); p_b(); $s->end(); }); $s->end(); $g->resume(); p_of_none(); $f->resume();',
    'made in a span, started by another' => '$m = null; $f = fiber(function () use (&$m) { $s = xhprof_span("one"); $m = new Fiber(function () { p_a(); pause(); p_a(); }); p_a(); pause(); p_a(); $s->end(); }); $g = fiber(function () use (&$m) { $s = xhprof_span("two"); p_b(); $m->start(); p_b(); $m->resume(); pause(); $s->end(); }); p_of_none(); $f->resume(); $g->resume();',
    'made in a span, started by none' => '$m = null; $f = fiber(function () use (&$m) { $s = xhprof_span("one"); $m = new Fiber(function () { p_a(); pause(); p_a(); }); p_a(); pause(); $s->end(); }); $m->start(); p_of_none(); $m->resume(); $f->resume();',
    'made by none, started in a span' => '$m = new Fiber(function () { p_a(); pause(); p_a(); }); $f = fiber(function () use ($m) { $s = xhprof_span("one"); p_a(); $m->start(); pause(); $s->end(); }); p_of_none(); $m->resume(); $f->resume();',
    'made in a span that has ended' => '$m = null; $f = fiber(function () use (&$m) { $s = xhprof_span("one"); p_a(); $m = new Fiber(function () { p_of_none(); }); $s->end(); }); $g = fiber(function () { $s = xhprof_span("two"); p_b(); pause(); p_b(); $s->end(); }); $m->start(); $g->resume();',
    'made and never started' => '$f = fiber(function () { $s = xhprof_span("one"); for ($i = 0; $i < 3; $i++) { $m = new Fiber(p_c(...)); $m = null; } p_a(); pause(); $s->end(); }); $m = new Fiber(p_of_none(...)); $m->start(); $f->resume();',
    'resumed by another' => '$g = null; $f = fiber(function () { $s = xhprof_span("one"); p_a(); pause(); p_a(2); $s->end(); }); $g = fiber(function () use ($f) { $s = xhprof_span("two"); p_b(); p_b(1, $f->resume(...)); p_b(); $s->end(); });',
    'resumes itself through others' => '$f = new Fiber(function () { $s = xhprof_span("one"); p_a(1, "pause"); p_a(1, "pause"); $s->end(); }); $g = new Fiber(function () use ($f) { $s = xhprof_span("two"); p_b(1, fn () => $f->resume()); p_b(1, "pause"); p_b(); $s->end(); }); $f->start(); $g->start(); $f->resume(); $g->resume();',
    'nested' => 'function deep(int $n): void { $s = xhprof_span("depth $n"); p_a(); if ($n < 3) { deep($n + 1); } pause(); p_a(); show($s->end()); } $f = fiber(deep(...), 1); $g = fiber(function () { $s = xhprof_span("other"); p_b(); pause(); $s->end(); }); while (!$f->isTerminated()) { $f->resume(); p_of_none(); } $g->resume();',
    'nested by functions' => '$f = fiber(function () { var_dump(xhprof_begin_span("outer")); p_a(); pause(); var_dump(xhprof_begin_span("inner")); p_a(); pause(); show(xhprof_end_span()); p_a(); show(xhprof_end_span()); }); $g = fiber(function () { xhprof_begin_span("other"); p_b(); pause(); p_b(); show(xhprof_end_span()); }); $f->resume(); $g->resume(); $f->resume();',
    'cancelled' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { $s = xhprof_span("job $i"); p_a(); try { pause(); } finally { p_b(); } }); } foreach ($fs as $f) { try { $f->throw(new LogicException()); } catch (LogicException) { p_of_none(); } }',
    'cancelled, by functions' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { xhprof_begin_span("job $i"); p_a(); pause(); p_b(); xhprof_end_span(); }); } foreach ($fs as $f) { try { $f->throw(new LogicException()); } catch (LogicException) { p_of_none(); } } unset($f, $fs); p_of_none();',
    'cancelled and caught' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { $s = xhprof_span("job $i"); p_a(); try { pause(); } catch (LogicException) { p_b(); } pause(); p_c(); $s->end(); }); } foreach ($fs as $f) { $f->throw(new LogicException()); } foreach ($fs as $f) { $f->resume(); }',
    'never resumed' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { $s = xhprof_span("job $i"); p_a(); pause(); p_b(); }); } p_of_none();',
    'never resumed, by functions' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { xhprof_begin_span("job $i"); p_a(); pause(); p_b(); xhprof_end_span(); }); } p_of_none();',
    'destroyed' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { $s = xhprof_span("job $i"); p_a(); try { pause(); } finally { p_b(); } p_of_none(); }); } unset($fs[1]); p_of_none(); $fs = []; p_of_none();',
    'destroyed, by functions' => '$fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = fiber(function () use ($i) { xhprof_begin_span("job $i"); p_a(); pause(); p_of_none(); xhprof_end_span(); }); } unset($fs[1]); p_of_none(); $fs = []; p_of_none();',
    'destroyed by another span' => '$f = fiber(function () { $s = xhprof_span("one"); p_a(); try { pause(); } finally { p_a(); } }); $g = fiber(function () use (&$f) { $s = xhprof_span("two"); p_b(); $f = null; p_b(); $s->end(); });',
    'in a cycle' => '$f = fiber(function () { $me = Fiber::getCurrent(); $s = xhprof_span("one"); p_a(); pause(); p_b(); }); $f = null; p_of_none(); gc_collect_cycles(); p_of_none();',
    'ended in another fiber' => '$s = null; $f = fiber(function () use (&$s) { $s = xhprof_span("one"); p_a(); pause(); p_of_none(); }); p_of_none(); $g = fiber(function () use (&$s) { $t = xhprof_span("two"); p_b(); show($s->end()); p_b(); pause(); $t->end(); }); $f->resume(); $g->resume();',
    'ended by the one that waits' => '$s = null; $f = fiber(function () use (&$s) { $s = xhprof_span("one"); p_a(); pause(); p_of_none(); }); show($s->end()); show($s->end()); $f->resume();',
    'nested ones ended in another fiber' => '$s = null; $f = fiber(function () use (&$s) { $s = xhprof_span("one"); $in = xhprof_span("in"); p_a(); pause(); p_of_none(); show($in->end()); }); show($s->end()); $f->resume();',
    'object freed in another fiber' => '$s = null; $f = fiber(function () use (&$s) { $s = xhprof_span("one"); p_a(); pause(); p_of_none(); }); p_of_none(); $g = fiber(function () use (&$s) { $t = xhprof_span("two"); p_b(); $s = null; p_b(); $t->end(); }); $f->resume();',
    'end of another by function' => '$f = fiber(function () { xhprof_begin_span("one"); p_a(); pause(); p_a(); show(xhprof_end_span()); }); show(xhprof_end_span()); $g = fiber(function () { show(xhprof_end_span()); }); $f->resume();',
    'exceptions' => 'function job(int $i) { $s = xhprof_span("job $i"); p_a(); pause(); if ($i % 2) { throw new LogicException(); } p_b(); } $fs = []; for ($i = 0; $i < 4; $i++) { $fs[] = fiber(job(...), $i); } foreach ($fs as $f) { try { $f->resume(); } catch (LogicException) { } }',
    'exceptions, by functions' => 'function job(int $i) { xhprof_begin_span("job $i"); p_a(); pause(); if ($i % 2) { throw new LogicException(); } p_b(); xhprof_end_span(); } function loop(int $i) { foreach ([$i, $i + 2] as $j) { try { job($j); } catch (LogicException) { } } } $fs = []; for ($i = 0; $i < 2; $i++) { $fs[] = fiber(loop(...), $i); } for ($n = 0; $n < 2; $n++) { foreach ($fs as $f) { $f->resume(); } }',
    'generators' => 'function gen() { $s = xhprof_span("of generator"); p_a(); yield 1; p_a(); yield 2; p_a(); $s->end(); } $f = fiber(function () { $s = xhprof_span("other"); p_b(); pause(); p_b(); $s->end(); }); foreach (gen() as $i) { p_c(); $i === 1 && $f->resume(); }',
    'a generator in two fibers' => 'function gen() { while (true) { p_c(); yield; } } $g = gen(); $job = function (int $i, string $p) use ($g) { $s = xhprof_span("job $i"); $p(); $g->current(); $g->next(); pause(); $p(); $g->next(); $s->end(); }; $a = fiber($job, 1, "p_a"); $b = fiber($job, 2, "p_b"); $a->resume(); $b->resume();',
    'a generator left in a span' => 'function gen() { $s = xhprof_span("of generator"); p_a(); yield 1; p_a(); yield 2; } $f = fiber(function () { $s = xhprof_span("other"); p_b(); pause(); p_b(); $s->end(); }); (function () { $g = gen(); $g->current(); $g->next(); })(); p_of_none(); $f->resume();',
    'batch around items' => '$batch = xhprof_span("batch"); p_a(); $f = fiber(function () { $item = xhprof_span("item"); p_b(); pause(); p_b(); $item->end(); }); p_a(); $f->resume(); p_a(); $batch->end();',
    'batch around items in turns' => '$batch = xhprof_span("batch"); $fs = []; for ($i = 0; $i < 3; $i++) { p_a(); $fs[] = fiber(function () use ($i) { p_a(); $item = xhprof_span("item $i"); p_b(); pause(); p_b(); $item->end(); p_a(); }); } foreach ($fs as $f) { p_a(); $f->resume(); } $batch->end(); p_of_none();',
    'item that outlives its batch' => '$batch = xhprof_span("batch"); p_a(); $f = fiber(function () { $item = xhprof_span("item"); p_b(); pause(); p_b(); $item->end(); p_of_none(); }); $batch->end(); p_of_none(); $f->resume();',
    'an item that goes with its variable' => '$batch = xhprof_span("batch"); $f = fiber(function () { p_a(); $item = xhprof_span("item"); p_b(); pause(); p_b(); $item = null; p_a(); }); $f->resume(); p_a(); $batch->end();',
    'an item of a function' => 'function item(string $name) { return xhprof_span($name); } $batch = xhprof_span("batch"); $f = fiber(function () { p_a(); $item = item("item"); p_b(); pause(); p_b(); $item->end(); p_a(); }); $f->resume(); p_a(); $batch->end();',
    'one fiber, many spans' => '$f = fiber(function () { for ($i = 0; $i < 3; $i++) { $s = xhprof_span("job $i"); p_a(); pause(); p_a(); $s->end(); } }); $g = fiber(function () { $s = xhprof_span("long"); while (true) { p_b(); if (pause()) { break; } } $s->end(); }); while (!$f->isTerminated()) { $g->resume(); $f->resume(); } $g->resume(true);',
    'same address again' => 'for ($i = 0; $i < 3; $i++) { $f = fiber(function () use ($i) { xhprof_begin_span("job $i"); p_a(); pause(); }); $g = fiber(function () { p_of_none(); }); $f = $g = null; }',
    'output buffers and shutdown' => '$f = fiber(function () { $s = xhprof_span("one"); p_a(); pause(); p_b(); $s->end(); }); register_shutdown_function(function () use ($f) { p_of_none(); $f->resume(); }); $g = fiber(function () { $s = xhprof_span("two"); p_c(); pause(); });',
];
foreach ($cases as $label => $code) {
    xhprof_test_show_spans($label, $head . $code, ['sampling_interval' => 10000]);
}
?>
--EXPECT--
-- inherited, exact
outer: -: p_a 4, {closure}>p_b 2
-- inherited, aggregate
outer: requests 1, suspended 1
-- inherited, then its own, exact
outer: -: p_a 3, {closure}>p_a 2
inner: -: p_b 2
-- inherited, then its own, aggregate
inner: requests 1, suspended 1
outer: requests 1, suspended 1
-- inherited from an ended one, exact
first: -: {closure}>p_a 1
second: -: p_b 2
-- inherited from an ended one, aggregate
first: requests 1, suspended 1
second: requests 1, suspended 1
-- made in a span, started by another, exact
one: -: p_a 2, {closure}>p_a 2
two: -: p_b 2
-- made in a span, started by another, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- made in a span, started by none, exact
one: -: p_a 1, {closure}>p_a 2
-- made in a span, started by none, aggregate
one: requests 1, suspended 1
-- made by none, started in a span, exact
one: -: p_a 1, {closure}>p_a 2
-- made by none, started in a span, aggregate
one: requests 1, suspended 1
-- made in a span that has ended, exact
one: -: p_a 1
two: -: p_b 2
-- made in a span that has ended, aggregate
one: requests 1
two: requests 1, suspended 1
-- made and never started, exact
one: -: p_a 1
-- made and never started, aggregate
one: requests 1, suspended 1
-- resumed by another, exact
one: -: p_a 2
two: -: p_b 3
-- resumed by another, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- resumes itself through others, exact
one: -: p_a 2
two: -: p_b 3
-- resumes itself through others, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- nested, exact: NULL
NULL
a run
depth 1: -: deep>p_a 2, deep@1>p_a 2, p_a 2
other: -: p_b 1
-- nested, aggregate: NULL
NULL
NULL
depth 1: requests 1, suspended 1
other: requests 1, suspended 1
-- nested by functions, exact: bool(true)
bool(true)
a run
a run
NULL
outer: span: p_a 1
other: -: p_b 2
inner: -: p_a 1
-- nested by functions, aggregate: bool(true)
bool(true)
NULL
NULL
NULL
inner: requests 1, suspended 1
other: requests 1, suspended 1
outer: requests 1, suspended 1
-- cancelled, exact
job 0: -: p_a 1, p_b 1
job 1: -: p_a 1, p_b 1
job 2: -: p_a 1, p_b 1
-- cancelled, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- cancelled, by functions, exact
job 0: fiber: p_a 1
job 1: fiber: p_a 1
job 2: fiber: p_a 1
-- cancelled, by functions, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- cancelled and caught, exact
job 0: -: p_a 1, p_b 1, p_c 1
job 1: -: p_a 1, p_b 1, p_c 1
job 2: -: p_a 1, p_b 1, p_c 1
-- cancelled and caught, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- never resumed, exact
job 0: -: p_a 1
job 1: -: p_a 1
job 2: -: p_a 1
-- never resumed, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- never resumed, by functions, exact
job 0: fiber: p_a 1
job 1: fiber: p_a 1
job 2: fiber: p_a 1
-- never resumed, by functions, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- destroyed, exact
job 0: -: p_a 1, p_b 1
job 1: -: p_a 1, p_b 1
job 2: -: p_a 1, p_b 1
-- destroyed, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- destroyed, by functions, exact
job 0: fiber: p_a 1
job 1: fiber: p_a 1
job 2: fiber: p_a 1
-- destroyed, by functions, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- destroyed by another span, exact
one: -: p_a 2
two: -: p_b 2
-- destroyed by another span, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
-- in a cycle, exact
one: -: p_a 1
-- in a cycle, aggregate
one: requests 1, suspended 1
-- ended in another fiber, exact: a run
one: -: p_a 1
two: -: p_b 2
-- ended in another fiber, aggregate: NULL
one: requests 1, suspended 1
two: requests 1, suspended 1
-- ended by the one that waits, exact: a run
NULL
one: -: p_a 1
-- ended by the one that waits, aggregate: NULL
NULL
one: requests 1, suspended 1
-- nested ones ended in another fiber, exact: a run
NULL
one: -: p_a 1
-- nested ones ended in another fiber, aggregate: NULL
NULL
one: requests 1, suspended 1
-- object freed in another fiber, exact
one: -: p_a 1
two: -: p_b 2
-- object freed in another fiber, aggregate
one: requests 1, suspended 1
two: requests 1
-- end of another by function, exact: Warning: xhprof_end_span(): No span has begun
NULL

Warning: xhprof_end_span(): No span has begun
NULL
a run
one: -: p_a 2
-- end of another by function, aggregate: Warning: xhprof_end_span(): No span has begun
NULL

Warning: xhprof_end_span(): No span has begun
NULL
NULL
one: requests 1, suspended 1
-- exceptions, exact
job 0: -: p_a 1, p_b 1
job 1: -: p_a 1
job 2: -: p_a 1, p_b 1
job 3: -: p_a 1
-- exceptions, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
job 3: requests 1, suspended 1
-- exceptions, by functions, exact
job 0: -: p_a 1, p_b 1
job 1: span: p_a 1
job 2: -: p_a 1, p_b 1
job 3: fiber: p_a 1
-- exceptions, by functions, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
job 3: requests 1, suspended 1
-- generators, exact
other: -: p_b 2
of generator: -: gen>p_a 2, p_a 1, p_c 2
-- generators, aggregate
of generator: requests 1, suspended 1
other: requests 1, suspended 1
-- a generator in two fibers, exact
job 1: -: gen>p_c 3, p_a 2
job 2: -: gen>p_c 2, p_b 2
-- a generator in two fibers, aggregate
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- a generator left in a span, exact
other: -: p_b 2
of generator: -: gen>p_a 1, p_a 1
-- a generator left in a span, aggregate
of generator: requests 1
other: requests 1, suspended 1
-- batch around items, exact
batch: -: p_a 3
item: -: p_b 2
-- batch around items, aggregate
batch: requests 1, suspended 1
item: requests 1, suspended 1
-- batch around items in turns, exact
batch: -: p_a 6, {closure}>p_a 6
item 0: -: p_b 2
item 1: -: p_b 2
item 2: -: p_b 2
-- batch around items in turns, aggregate
batch: requests 1, suspended 1
item 0: requests 1, suspended 1
item 1: requests 1, suspended 1
item 2: requests 1, suspended 1
-- item that outlives its batch, exact
batch: -: p_a 1
item: -: p_b 2
-- item that outlives its batch, aggregate
batch: requests 1, suspended 1
item: requests 1, suspended 1
-- an item that goes with its variable, exact
batch: -: p_a 1, {closure}>p_a 2
item: -: p_b 2
-- an item that goes with its variable, aggregate
batch: requests 1, suspended 1
item: requests 1, suspended 1
-- an item of a function, exact
batch: -: p_a 1, {closure}>p_a 2
item: -: p_b 2
-- an item of a function, aggregate
batch: requests 1, suspended 1
item: requests 1, suspended 1
-- one fiber, many spans, exact
job 0: -: p_a 2
long: -: p_b 4
job 1: -: p_a 2
job 2: -: p_a 2
-- one fiber, many spans, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
long: requests 1, suspended 1
-- same address again, exact
job 0: fiber: p_a 1
job 1: fiber: p_a 1
job 2: fiber: p_a 1
-- same address again, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
-- output buffers and shutdown, exact
one: -: p_a 1, p_b 1
two: -: p_c 1
-- output buffers and shutdown, aggregate
one: requests 1, suspended 1
two: requests 1, suspended 1
