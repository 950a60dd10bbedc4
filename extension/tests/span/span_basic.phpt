--TEST--
xhprof_begin_span() and xhprof_end_span(): one run for each job; nested ones belong to the outer one; wrong uses
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$head = '<?php function before() {} function work() { return strlen("x"); } function between() {} before(); ';
$programs = [
    'one' => 'var_dump(xhprof_begin_span("job")); work(); $id = xhprof_end_span(); echo glob(ini_get("xhprof.output_dir") . "/$id.auto.*") ? "a file\n" : "no file\n"; between();',
    'two' => 'xhprof_begin_span("a"); work(); xhprof_end_span(); between(); xhprof_begin_span("b"); work(); xhprof_end_span();',
    'nested' => 'function nested(int $n): void { var_dump(xhprof_begin_span("depth $n")); if ($n < 3) { nested($n + 1); } work(); echo strlen((string) xhprof_end_span()), "\n"; } nested(1);',
    'objects' => 'function o(): void { $outer = xhprof_span("outer"); $inner = xhprof_span("inner", ["n" => 1]); var_dump($inner->end()); work(); $id = $outer->end(); var_dump(strlen($id), $outer->end()); } o();',
    'object within a span' => 'function o(): void { $s = xhprof_span("inner"); work(); } xhprof_begin_span("outer"); o(); echo strlen(xhprof_end_span()), "\n";',
    'span within an object' => '$s = xhprof_span("outer"); xhprof_begin_span("inner"); work(); var_dump(strlen($s->end())); var_dump(xhprof_end_span());',
    'object until it goes' => 'function o(): void { $s = xhprof_span("o"); work(); } o(); between(); $s = xhprof_span("last"); work();',
    'object and exception' => 'function o(int $i): void { $s = xhprof_span("o $i"); work(); if ($i % 2) { throw new LogicException(); } between(); } for ($i = 0; $i < 4; $i++) { try { o($i); } catch (LogicException) { } }',
    'object that nobody takes' => 'xhprof_span("nothing"); between();',
    'object wrongly used' => 'foreach ([static fn () => new XHProfSpan(), static fn () => clone xhprof_span("c"), static fn () => serialize(xhprof_span("s")), static fn () => xhprof_span("p")->x = 1] as $wrong) { try { $wrong(); } catch (Throwable $e) { echo get_class($e), " ", $e->getMessage(), "\n"; } }',
    'if it is profiled' => 'for ($i = 0; $i < 3; $i++) { if (xhprof_begin_span("i $i")) { work(); if ($i !== 1) { xhprof_end_span(); } } }',
    'loop with exceptions' => 'function job(int $i) { work(); if ($i === 1) { throw new LogicException(); } between(); } for ($i = 0; $i < 4; $i++) { try { xhprof_begin_span("job $i"); job($i); xhprof_end_span(); } catch (LogicException) { } }',
    'listeners with exceptions' => 'function on() { xhprof_begin_span("job"); } function off() { xhprof_end_span(); } function job(int $i) { on(); work(); if ($i === 1) { throw new LogicException(); } off(); } for ($i = 0; $i < 4; $i++) { try { job($i); } catch (LogicException) { } }',
    'end without begin' => 'var_dump(xhprof_end_span()); work();',
    'end twice' => 'xhprof_begin_span("a"); xhprof_end_span(); var_dump(xhprof_end_span());',
    'left open' => 'xhprof_begin_span("a"); between(); xhprof_begin_span("b"); work();',
    'left open by exit' => 'xhprof_begin_span("a"); work(); exit(2);',
    'within a profile' => 'xhprof_enable(); var_dump(xhprof_begin_span("a")); work(); var_dump(xhprof_end_span()); var_dump(isset(xhprof_disable()["main()==>work"]));',
    'within samples' => 'xhprof_sample_enable(); var_dump(xhprof_begin_span("a")); var_dump(xhprof_end_span()); xhprof_sample_disable();',
    'within memprof' => 'memprof_enable(); var_dump(xhprof_begin_span("a")); var_dump(xhprof_end_span()); memprof_disable();',
    'a profile within' => 'xhprof_begin_span("a"); work(); xhprof_enable(); between(); var_dump(array_keys(xhprof_disable())); echo strlen(xhprof_end_span()), "\n";',
    'no profile to read' => 'xhprof_begin_span("a"); var_dump(xhprof_disable(), xhprof_sample_disable(), xhprof_call_tree()); xhprof_end_span(); var_dump(xhprof_call_tree()); try { xhprof_save(); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }',
    'name' => 'foreach (["", "a\0b", str_repeat("é", 150), "\xff\xfe", "q\"uote\n"] as $name) { xhprof_begin_span($name); xhprof_end_span(); }',
    'meta' => 'xhprof_begin_span("m", ["queue" => "mail", "n" => 1, "list" => [1, 2], "o" => new ArrayObject([1]), "bad" => "\xff"]); xhprof_end_span(); xhprof_begin_span("n", []); xhprof_end_span();',
    'meta that throws' => 'class J implements JsonSerializable { function jsonSerialize(): mixed { throw new LogicException("no"); } } try { xhprof_begin_span("m", [new J()]); } catch (LogicException $e) { echo get_class($e), " ", $e->getMessage(), "\n"; } xhprof_begin_span("n"); echo strlen(xhprof_end_span()), "\n";',
    'meta that profiles' => 'class J implements JsonSerializable { function jsonSerialize(): mixed { xhprof_enable(); return 1; } } var_dump(xhprof_begin_span("m", [new J()])); xhprof_disable(); var_dump(xhprof_end_span());',
    'meta with spans' => 'class J implements JsonSerializable { function jsonSerialize(): mixed { xhprof_begin_span("in"); xhprof_end_span(); return 1; } } var_dump(xhprof_begin_span("m", [new J()])); echo strlen(xhprof_end_span()), "\n";',
    'types' => 'try { xhprof_begin_span([]); } catch (TypeError $e) { echo get_class($e), "\n"; } try { xhprof_end_span(1); } catch (ArgumentCountError $e) { echo get_class($e), "\n"; }',
    'in a fiber' => '$f = new Fiber(function () { xhprof_begin_span("f"); work(); Fiber::suspend(); work(); xhprof_end_span(); }); $f->start(); between(); $f->resume();',
    'across fibers' => '$f = new Fiber(function () { xhprof_begin_span("f"); Fiber::suspend(); }); $f->start(); work(); var_dump(xhprof_end_span()); $f->resume();',
    'interleaved fibers' => 'function job(int $i) { xhprof_begin_span("job $i"); work(); Fiber::suspend(); between(); $GLOBALS["ids"][] = xhprof_end_span(); } $fs = []; for ($i = 0; $i < 3; $i++) { $fs[] = $f = new Fiber(job(...)); $f->start($i); } foreach ($fs as $f) { $f->resume(); } echo count(array_unique(array_map("strlen", $ids))), " ", count(array_unique($ids)), "\n";',
    'fiber thrown into' => '$f = new Fiber(function () { xhprof_begin_span("f"); try { Fiber::suspend(); } finally { work(); } }); $f->start(); try { $f->throw(new LogicException()); } catch (LogicException) { } unset($f); xhprof_begin_span("next"); between(); xhprof_end_span();',
    'in a generator' => '$g = (function () { xhprof_begin_span("g"); work(); yield 1; work(); xhprof_end_span(); yield 2; })(); foreach ($g as $x) { between(); }',
    'exception' => 'try { xhprof_begin_span("e"); work(); throw new LogicException(); } catch (LogicException) { xhprof_end_span(); }',
];
foreach ($programs as $label => $code) {
    echo "-- $label\n";
    $child = xhprof_test_auto($head . $code);
    $child['out'] = preg_replace('~ in /.*~', '', $child['out']);
    xhprof_test_show($child, $label === 'left open by exit' ? 2 : 0);
    foreach ($child['runs'] as $run) {
        $keys = preg_grep('/==>(before|work|between)$/', array_keys($run['edges']));
        echo $run['start'], ' ', json_encode($run['name'] ?? null, JSON_UNESCAPED_UNICODE), ' ', ($run['route'] ?? '') === ($run['name'] ?? '') ? '' : (str_ends_with($run['route'] ?? '', 'program.php') ? 'script ' : 'route ' . json_encode($run['route'] ?? null, JSON_UNESCAPED_UNICODE) . ' '),
            $run['ended_by'] ?? '-', isset($run['meta']) ? ' ' . json_encode($run['meta'], JSON_UNESCAPED_UNICODE) : '', $keys === [] ? '' : ' ', implode(' ', preg_replace('/\{closure[^}]*\}/', '{closure}', $keys)), "\n";
    }
}
?>
--EXPECT--
-- one
bool(true)
a file
yes null script span main()==>before
span "job" - main()==>work
-- two
yes null script span main()==>before
span "a" - main()==>work
span "b" - main()==>work
-- nested
bool(true)
bool(false)
bool(false)
0
0
32
yes null script span main()==>before
span "depth 1" - nested@1==>work nested==>work main()==>work
-- objects
NULL
int(32)
NULL
yes null script span main()==>before
span "outer" - main()==>work
-- object within a span
32
yes null script span main()==>before
span "outer" - o==>work
-- span within an object
int(32)

Warning: xhprof_end_span(): No span has begun
NULL
yes null script span main()==>before
span "outer" - main()==>work
-- object until it goes
yes null script span main()==>before
span "o" - main()==>work
span "last" - main()==>work
-- object and exception
yes null script span main()==>before
span "o 0" - main()==>work main()==>between
span "o 1" - main()==>work
span "o 2" - main()==>work main()==>between
span "o 3" - main()==>work
-- object that nobody takes
yes null script span main()==>before
span "nothing" -
-- object wrongly used
Error Call to private XHProfSpan::__construct() from global scope
Error Trying to clone an uncloneable object of class XHProfSpan
Exception Serialization of 'XHProfSpan' is not allowed
Error Cannot create dynamic property XHProfSpan::$x
yes null script span main()==>before
span "c" -
span "s" -
-- if it is profiled
yes null script span main()==>before
span "i 0" - main()==>work
span "i 1" span main()==>work
span "i 2" - main()==>work
-- loop with exceptions
yes null script span main()==>before
span "job 0" - job==>work job==>between
span "job 1" span job==>work
span "job 2" - job==>work job==>between
span "job 3" - job==>work job==>between
-- listeners with exceptions
yes null script span main()==>before
span "job" - main()==>work
span "job" span main()==>work
span "job" - main()==>work
span "job" - main()==>work
-- end without begin

Warning: xhprof_end_span(): No span has begun
NULL
yes null script - main()==>before main()==>work
-- end twice

Warning: xhprof_end_span(): No span has begun
NULL
yes null script span main()==>before
span "a" -
-- left open
yes null script span main()==>before
span "a" span main()==>between
span "b" shutdown main()==>work
-- left open by exit
yes null script span main()==>before
span "a" shutdown main()==>work
-- within a profile

Warning: xhprof_begin_span(): A profile is running: the span is not profiled
bool(false)
NULL
bool(true)
yes null script xhprof_enable main()==>before
-- within samples

Warning: xhprof_begin_span(): A profile is running: the span is not profiled
bool(false)
NULL
yes null script xhprof_sample_enable main()==>before
-- within memprof

Warning: xhprof_begin_span(): A profile is running: the span is not profiled
bool(false)
NULL
yes null script memprof_enable main()==>before
-- a profile within
array(3) {
  [0]=>
  string(16) "main()==>between"
  [1]=>
  string(23) "main()==>xhprof_disable"
  [2]=>
  string(6) "main()"
}
32
yes null script span main()==>before
span "a" xhprof_enable main()==>work
-- no profile to read
NULL
NULL
NULL
NULL
xhprof_save(): There is no stopped profile to save
yes null script span main()==>before
span "a" -
-- name
yes null script span main()==>before
span null -
span "a b" -
span "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé" -
span "\\xFF\\xFE" -
span "q\"uote\n" -
-- meta
yes null script span main()==>before
span "m" - {"queue":"mail","n":1,"list":[1,2],"o":[1],"bad":"�"}
span "n" -
-- meta that throws
LogicException no
32
yes null script span main()==>before
span "n" -
-- meta that profiles

Warning: xhprof_begin_span(): A profile is running: the span is not profiled
bool(false)
NULL
yes null script span main()==>before
-- meta with spans
bool(true)
32
yes null script span main()==>before
span "m" - [1]
-- types
TypeError
ArgumentCountError
yes null script - main()==>before
-- in a fiber
yes null script span main()==>before
span "f" - main()==>work
-- across fibers

Warning: xhprof_end_span(): No span has begun
NULL
yes null script span main()==>before
span "f" fiber
-- interleaved fibers
1 3
yes null script span main()==>before
span "job 0" - main()==>work main()==>between
span "job 1" - main()==>work main()==>between
span "job 2" - main()==>work main()==>between
-- fiber thrown into
yes null script span main()==>before
span "f" fiber main()==>work
span "next" - main()==>between
-- in a generator
yes null script span main()==>before
span "g" - main()==>work main()==>between {closure}==>work
-- exception
yes null script span main()==>before
span "e" - main()==>work
