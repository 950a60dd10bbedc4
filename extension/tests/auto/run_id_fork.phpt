--TEST--
xhprof_run_id(): a forked child's part of the profile has an id of its own, before it ends
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('fork beside a thread', 'pcntl_fork()'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

/** Prints which runs a program's processes said they are of, and whose children they are. */
function show(string $label, string $code, array $settings = []): void
{
    $program = '<?php
        function say(string $who): void { file_put_contents("php://stdout", "$who " . (xhprof_run_id() ?? "none") . "\n"); }
        function fork(callable $child): void { if (($pid = pcntl_fork()) === 0) { $child(); exit; } pcntl_waitpid($pid, $status); }
        ' . $code;
    $child = xhprof_test_auto($program, $settings);
    $names = $lines = [];
    foreach (explode("\n", trim($child['out'])) as $line) {
        [$who, $id] = explode(' ', $line);
        $names[$id] = isset($names[$id]) ? "$names[$id], $who" : $who;
    }
    foreach ($child['runs'] as $run) {
        $lines[] = ($names[$run['id']] ?? 'silent') . (isset($run['parent']) ? ' of ' . ($names[$run['parent']] ?? 'unknown') : '');
    }
    sort($lines);
    echo "$label: ", implode('; ', $lines), isset($names['none']) ? "; none: $names[none]" : '', $child['err'], "\n";
}

foreach (['exact', 'sample', 'alloc'] as $mode) {
    show($mode, 'say("before"); fork(function () { say("child"); say("again"); }); say("after");', ['mode' => $mode]);
}
show('only the child asks', 'fork(function () { say("child"); });');
show('a child of the child', 'say("first"); fork(function () { say("second"); fork(fn () => say("third")); });');
show('a silent child between', 'say("first"); fork(function () { fork(fn () => say("third")); });');
show('two children', 'say("parent"); fork(fn () => say("one")); fork(fn () => say("two"));');
show('a span of the child', 'say("parent"); fork(function () { xhprof_begin_span("job"); say("job"); xhprof_end_span(); say("rest"); });');
show('in a span', 'xhprof_begin_span("job"); say("job"); fork(fn () => say("child"));');
show('in one of several spans', '
    function job(string $who) { $span = xhprof_span("job"); say($who); Fiber::suspend();
        if ($who === "a") { fork(function () use ($span) { say("child"); $span->end(); say("ended"); }); } say($who . "-after"); $span->end(); }
    $fibers = [new Fiber(job(...)), new Fiber(job(...))];
    foreach (["a", "b"] as $i => $who) { $fibers[$i]->start($who); }
    foreach ($fibers as $fiber) { $fiber->resume(); }
');
show('windows', 'say("parent"); fork(fn () => say("child"));', ['mode' => 'aggregate']);
?>
--EXPECT--
exact: before, after; child, again of before, after
sample: before, after; child, again of before, after
alloc: before, after; child, again of before, after
only the child asks: child of unknown; silent
a child of the child: first; second of first; third of second
a silent child between: first; silent of first; third of first
two children: one of parent; parent; two of parent
a span of the child: job; parent; silent of parent; none: rest
in a span: child of job; job; silent
in one of several spans: a, a-after; b, b-after; child of a, a-after; silent; silent of b, b-after; none: ended
windows: silent; none: parent, child
