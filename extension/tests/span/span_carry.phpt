--TEST--
A span is carried into callbacks by enter() and leave(): what runs between them is the span's, in whatever fiber, and what runs outside of them is between requests; wrong uses do nothing
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
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
    function carried(string $name): XHProfSpan { $span = null; fiber(function () use (&$span, $name) { $span = xhprof_span($name); $GLOBALS['fibers'][] = Fiber::getCurrent(); pause(); }); return $span; }

    PHP;
$cases = [
    'an event loop' => '$loop = []; $accept = function (int $i) use (&$loop) { $span = carried("request $i"); $span->enter(); p_a(); $loop[] = function () use ($span, $i, &$loop) { $span->enter(); p_b(); $loop[] = function () use ($span) { $span->enter(); p_c(); $span->end(); }; $span->leave(); }; $span->leave(); }; for ($i = 0; $i < 3; $i++) { $loop[] = fn () => $accept($i); } while ($loop) { p_of_none(); array_shift($loop)(); }',
    'an event loop, begun where it runs' => '$loop = []; $f = fiber(function () use (&$loop) { for ($i = 0; $i < 2; $i++) { $loop[] = function () use ($i, &$loop) { $span = xhprof_span("request $i"); p_a(); $loop[] = function () use ($span) { $span->enter(); p_b(); $span->leave(); $span->end(); }; }; } }); foreach ($loop as $call) { fiber($call); } $calls = array_slice($loop, 2); $loop = []; foreach ($calls as $call) { p_of_none(); $call(); }',
    'within its own fiber' => '$s = xhprof_span("one"); p_a(); $s->enter(); p_a(); $s->leave(); p_a(); $s->end();',
    'nested enters' => '$s = carried("one"); $s->enter(); p_a(); $s->enter(); p_a(); $s->leave(); p_a(); $s->leave(); p_of_none(); $s->end();',
    'nested enters of two' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); $t->enter(); p_b(); $s->enter(); p_a(); $s->leave(); p_b(); $t->leave(); p_a(); $s->leave(); p_of_none(); $s->end(); $t->end();',
    'leave without enter' => '$s = carried("one"); $t = carried("two"); $s->leave(); p_of_none(); $t->enter(); $s->leave(); p_b(); $t->leave(); $t->leave(); p_of_none(); $s->end(); $t->end();',
    'leave of an outer one first' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); $t->enter(); p_b(); $s->leave(); p_of_none(); $t->leave(); p_of_none(); $s->end(); $t->end();',
    'enter after end' => '$s = carried("one"); $t = carried("two"); $s->end(); $s->enter(); p_of_none(); $t->enter(); $s->enter(); p_b(); $s->leave(); p_b(); $t->leave(); $t->end();',
    'end while entered' => '$s = carried("one"); $t = carried("two"); $t->enter(); p_b(); $s->enter(); p_a(); show($s->end()); p_of_none(); $s->leave(); p_b(); $t->leave(); $t->end();',
    'end while entered by two fibers' => '$s = carried("one"); $t = carried("two"); $f = fiber(function () use ($s) { $s->enter(); p_a(); pause(); p_of_none(); $s->leave(); }); $s->enter(); p_a(); $s->end(); p_of_none(); $f->resume(); $t->end();',
    'enter in two fibers at once' => '$s = carried("one"); $t = carried("two"); $does = function () use ($s) { $s->enter(); p_a(); pause(); p_a(); $s->leave(); pause(); p_of_none(); }; $f = fiber($does); $g = fiber($does); p_of_none(); $t->enter(); $f->resume(); p_b(); $g->resume(); $t->leave(); $f->resume(); $g->resume(); $s->end(); $t->end();',
    'left in a fiber that waits' => '$s = carried("one"); $t = carried("two"); $f = fiber(function () use ($s) { $s->enter(); p_a(); pause(); p_a(); }); p_of_none(); $t->enter(); p_b(); $s->leave(); p_b(); $t->leave(); $f->resume(); p_of_none(); $s->end(); $t->end();',
    'fiber destroyed while entered' => '$s = carried("one"); $f = fiber(function () use ($s) { $s->enter(); $s->enter(); p_a(); try { pause(); } finally { p_a(); } }); unset($f); p_of_none(); $g = fiber(function () { p_of_none(); }); $s->end();',
    'exception between' => '$s = carried("one"); function callback(XHProfSpan $s) { $s->enter(); try { p_a(); throw new LogicException(); } finally { $s->leave(); } } try { callback($s); } catch (LogicException) { p_of_none(); } $s->end();',
    'exception without leave' => '$s = carried("one"); $t = carried("two"); function callback(XHProfSpan $s) { $s->enter(); p_a(); throw new LogicException(); } try { callback($s); } catch (LogicException) { } $t->enter(); p_b(); $t->leave(); p_a(); $s->leave(); p_of_none(); $s->end(); $t->end();',
    'destroyed while entered' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); $s = null; p_of_none(); $t->enter(); p_b(); $t->leave(); p_of_none(); $t->end();',
    'a span within an entered one' => '$s = carried("one"); $t = carried("two"); $s->enter(); p_a(); show(xhprof_begin_span("inner")); p_a(); show(xhprof_end_span()); $in = xhprof_span("inner, too"); p_a(); show($in->end()); $s->leave(); p_of_none(); $s->end(); $t->end();',
    'an object within an entered one that ends' => '$s = carried("one"); $t = carried("two"); $s->enter(); $in = xhprof_span("inner"); p_a(); $s->end(); p_of_none(); show($in->end()); $s->leave(); p_of_none(); $t->end();',
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
?>
--EXPECT--
