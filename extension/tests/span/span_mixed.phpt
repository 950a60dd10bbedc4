--TEST--
Spans that are open at once, and all that may come between: triggers, chance, profiles of the program, routes, conditions, forks, signals, fatal errors, other programs, settings
--EXTENSIONS--
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', "PHP's heap", 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

$head = <<<'PHP'
    foreach (['a', 'b', 'c', 'of_none'] as $name) {
        eval("function p_$name() { inner(); }");
    }
    function pause(): mixed { return Fiber::suspend(); }
    function fiber(callable $does, mixed ...$with): Fiber { $fiber = new Fiber($does); $fiber->start(...$with); return $fiber; }
    function job(string $name, string $p): Fiber { return fiber(function () use ($name, $p) { $s = xhprof_span($name); $p(); pause(); $p(); pause(); $p(); $s->end(); }); }
    function three(): array { return [job('one', 'p_a'), job('two', 'p_b'), job('three', 'p_c')]; }
    function go(array $fibers): void { foreach ($fibers as $fiber) { $fiber->isTerminated() || $fiber->resume(); } }

    PHP;
$windows = ['mode' => 'aggregate', 'start_with_request' => 'no', 'sampling_interval' => 10000];
$exact = ['mode' => 'exact'];
$sampled = ['mode' => 'sample', 'sampling_interval' => 10000];
$all = ['exact' => $exact, 'sample' => $sampled, 'aggregate' => $windows];

/** @param array<string, array<string, mixed>> $ways */
function show(string $label, string $code, array $ways, array $more = [], int $exit = 0, array $extensions = ['posix']): void
{
    foreach ($ways as $way => $ini) {
        $child = xhprof_test_aggregate($GLOBALS['head'] . $code, $ini, $more, $extensions);
        $out = trim(preg_replace(['~(?: in /.*| /\S*/program\.php:\d+)~', '/\d{3,} bytes/'], ['', 'N bytes'], $child['out'] . $child['err']));
        echo "-- $label, $way", $child['code'] === $exit ? '' : ": code $child[code]", $out === '' ? '' : ": $out", "\n";
        $lines = xhprof_test_spans(array_filter($child['runs'], static fn (array $run): bool => $run['mode'] !== 'sample'));
        foreach (array_filter($child['runs'], static fn (array $run): bool => isset($run['name']) && $run['mode'] === 'sample') as $run) {
            $lines[] = "$run[name]: " . ($run['ended_by'] ?? '-') . ', sampled' . (isset($run['saved_if']) ? ", saved if $run[saved_if]" : '');
        }
        sort($lines); // sampled ones have the times of their ends
        foreach ([...$lines, ...xhprof_test_span_routes($child)] as $line) {
            echo $line, "\n";
        }
    }
}

show('triggered exact ones beside counted ones', 'putenv("XHPROF_TRIGGER"); $f = three(); putenv("XHPROF_TRIGGER=1"); $f[] = job("exact 1", "p_a"); $f[] = job("exact 2", "p_b"); go($f); putenv("XHPROF_TRIGGER"); $f[] = job("four", "p_c"); p_of_none(); go($f); go($f); go($f);', ['aggregate' => $windows]);
show('an exact one alone, then counted ones', 'putenv("XHPROF_TRIGGER=1"); $f = [job("exact 1", "p_a")]; putenv("XHPROF_TRIGGER"); $f = [...$f, ...three()]; p_of_none(); go($f); go($f);', ['aggregate' => $windows]);
// Which ones are chosen is chance: some of 60 are, and some are not. What is not chosen works in a function of its own.
$chance = 'function chosen() { for ($i = 0; $i < 20; $i++) { p_a(); } } function other() { for ($i = 0; $i < 20; $i++) { p_of_none(); } } $f = []; for ($i = 0; $i < 60; $i++) { $f[] = fiber(function () { $p = xhprof_begin_span("job") ? chosen(...) : other(...); $GLOBALS["n"][] = $p === null; for ($j = 0; $j < 3; $j++) { $p(); pause(); } xhprof_end_span(); }); } go($f); go($f); go($f);';
foreach (['exact' => $exact, 'aggregate' => ['sampling_interval' => 100] + $windows] as $way => $ini) {
    $child = xhprof_test_aggregate($head . $chance, ['start_with_request' => 'sampled', 'sample_rate' => 0.5] + $ini);
    $lines = $way === 'exact' ? xhprof_test_spans($child['runs']) : xhprof_test_span_routes($child);
    $edges = implode(' ', array_keys(xhprof_test_all_edges($child['runs'])));
    $some = $way === 'exact' ? count($lines) : max(array_map(static fn (array $run): int => $run['aggregate']['routes']['job']['requests'], $child['runs']));
    echo "-- chance, $way$child[out]$child[err]: ", $some > 0 && $some < 60 ? 'some' : $some, str_contains($edges, 'chosen==>p_a') ? ' of chosen ones' : '', str_contains($edges, 'p_of_none') ? ', and of others' : '', "\n", $way === 'exact' ? implode("\n", array_unique($lines)) . "\n" : '';
}
foreach (['xhprof_enable' => 'xhprof_disable', 'xhprof_sample_enable' => 'xhprof_sample_disable', 'memprof_enable' => 'memprof_disable'] as $enable => $disable) {
    show($enable, "\$f = three(); go(\$f); $enable(); p_of_none(); \$f[] = job('within', 'p_a'); go(\$f); \$r = $disable(); \$f[] = job('after', 'p_a'); go(\$f); go(\$f);", $all);
    show("$enable in a span", "\$f = [job('one', 'p_a')]; \$g = fiber(function () { \$s = xhprof_span('two'); $enable(); p_of_none(); pause(); p_of_none(); $disable(); p_b(); \$s->end(); }); go(\$f); \$g->resume(); go(\$f);", $all);
}
show('routes', '$f = fiber(function () { $s = xhprof_span("one"); xhprof_set_route("route of one"); pause(); xhprof_set_route("again"); $s->end(); }); $g = fiber(function () { $s = xhprof_span("two"); pause(); pause(); xhprof_set_route("route of two"); $s->end(); }); $h = job("three", "p_a"); $g->resume(); xhprof_set_route("nobody\'s"); $f->resume(); $g->resume(); go([$h]); go([$h]);', $all);
show('conditions', '$f = three(); $g = fiber(function () { $s = xhprof_span("fails"); pause(); http_response_code(500); pause(); $s->end(); }); go([...$f, $g]); go($f); $g->resume();', ['exact' => ['save_if' => '"failed@1000"'] + $exact, 'aggregate' => ['save_if' => '"failed@1000"'] + $windows, 'slow' => ['save_if' => '"slower=0@1000"'] + $windows]);
show('a fork', '$f = three(); go($f); $pid = pcntl_fork(); if ($pid === 0) { p_of_none(); go($f); go($f); job("of the child", "p_a"); exit(0); } pcntl_waitpid($pid, $status); echo $status; go($f);', $all);
show('a fork in a span', '$f = three(); $g = fiber(function () { $s = xhprof_span("forks"); p_a(); $pid = pcntl_fork(); if ($pid === 0) { posix_kill(getmypid(), SIGKILL); } pcntl_waitpid($pid, $status); echo $status; p_a(); pause(); p_a(); $s->end(); }); go([...$f, $g]); go($f);', $all);
show('SIGTERM', '$f = three(); go($f); posix_kill(getmypid(), SIGTERM); sleep(10);', $all, [], -1);
show('SIGKILL', '$pid = pcntl_fork(); if ($pid === 0) { $f = three(); go($f); $f[1]->resume(); posix_kill(getmypid(), SIGKILL); } pcntl_waitpid($pid, $status); echo $status; clock_goes(1000); $s = xhprof_span("of the parent"); $s->end();', ['aggregate' => $windows]);
show('exit', '$f = three(); go($f); exit(3);', $all, [], 3);
show('exit in a fiber', '$f = three(); go($f); fiber(function () { $s = xhprof_span("exits"); p_a(); exit(3); });', $all, [], 3);
show('a fatal error', '$f = three(); go($f); fiber(function () { $s = xhprof_span("fails"); p_a(); undefined(); });', $all, ['display_errors' => 0], 255);
show('memory_limit', '$f = three(); go($f); fiber(function () { $s = xhprof_span("grows"); p_a(); str_repeat("x", 1 << 27); });', $all, ['display_errors' => 0, 'memory_limit' => '32M'], 255);
show('another program', '$f = three(); go($f); pcntl_exec("/bin/true");', ['exact' => $exact, 'sample' => $sampled]);
show('another program, in windows', '$pid = pcntl_fork(); if ($pid === 0) { $f = three(); go($f); pcntl_exec("/bin/true"); } pcntl_waitpid($pid, $status); echo $status; clock_goes(1000); $s = xhprof_span("of the parent"); $s->end();', ['aggregate' => $windows]);
show('dropped', '$f = three(); go($f); var_dump(xhprof_ignore_request()); go($f); go($f); var_dump(xhprof_ignore_request());', $all);
show('no other program', '$f = three(); go($f); @pcntl_exec("/nonexistent"); p_of_none(); go($f); $f[] = job("later", "p_a"); go($f); go($f); go($f);', $all);
show('allocations', '$f = three(); go($f); p_of_none(); go($f);', ['alloc' => ['mode' => 'alloc'], 'exact' => ['flags' => 'alloc'] + $exact, 'alloc, sampled' => ['mode' => 'alloc', 'alloc_sample_bytes' => 4096]]);
show('all figures', '$f = three(); go($f); p_of_none(); go($f);', ['exact' => ['flags' => 'cpu,memory'] + $exact, 'timeline' => ['flags' => 'cpu,memory,timeline'] + $exact, 'by lines' => ['sampling_lines' => 1] + $sampled]);
show('few nodes', 'for ($i = 0; $i < 900; $i++) { eval("function q$i() { inner(); p_a(); }"); } $f = []; for ($j = 0; $j < 3; $j++) { $f[] = fiber(function () use ($j) { $s = xhprof_span("job $j"); for ($i = 0; $i < 900; $i++) { ("q$i")(); $i % 300 ? null : pause(); } $s->end(); }); } go($f); go($f); go($f);', ['aggregate' => ['max_nodes' => 100, 'sampling_interval' => 100] + $windows]);
?>
--EXPECT--
-- triggered exact ones beside counted ones, aggregate
exact 1: -: p_a 3
exact 2: -: p_b 3
four: requests 1, suspended 1, unsampled 1
one: requests 1, suspended 1, unsampled 1
three: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- an exact one alone, then counted ones, aggregate
exact 1: -: p_a 3
one: requests 1, suspended 1, unsampled 1
three: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- chance, exact: some of chosen ones
job: -: chosen>p_a 60
-- chance, aggregate: some of chosen ones
-- xhprof_enable, exact: Warning: xhprof_span(): A profile is running: the span is not profiled
after: -: p_a 3
one: xhprof_enable: p_a 2
three: xhprof_enable: p_c 2
two: xhprof_enable: p_b 2
-- xhprof_enable, sample: Warning: xhprof_span(): A profile is running: the span is not profiled
after: -, sampled
one: xhprof_enable, sampled
three: xhprof_enable, sampled
two: xhprof_enable, sampled
-- xhprof_enable, aggregate: Warning: xhprof_span(): A profile is running: the span is not profiled
after: requests 1, suspended 1
one: requests 1, suspended 1, unsampled 1
three: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- xhprof_enable in a span, exact
one: xhprof_enable: p_a 1
two: xhprof_enable
-- xhprof_enable in a span, sample
one: xhprof_enable, sampled
two: xhprof_enable, sampled
-- xhprof_enable in a span, aggregate
one: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- xhprof_sample_enable, exact: Warning: xhprof_span(): A profile is running: the span is not profiled
after: -: p_a 3
one: xhprof_sample_enable: p_a 2
three: xhprof_sample_enable: p_c 2
two: xhprof_sample_enable: p_b 2
-- xhprof_sample_enable, sample: Warning: xhprof_span(): A profile is running: the span is not profiled
after: -, sampled
one: xhprof_sample_enable, sampled
three: xhprof_sample_enable, sampled
two: xhprof_sample_enable, sampled
-- xhprof_sample_enable, aggregate: Warning: xhprof_span(): A profile is running: the span is not profiled
after: requests 1, suspended 1
one: requests 1, suspended 1, unsampled 1
three: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- xhprof_sample_enable in a span, exact
one: xhprof_sample_enable: p_a 1
two: xhprof_sample_enable
-- xhprof_sample_enable in a span, sample
one: xhprof_sample_enable, sampled
two: xhprof_sample_enable, sampled
-- xhprof_sample_enable in a span, aggregate
one: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- memprof_enable, exact: Warning: xhprof_span(): A profile is running: the span is not profiled
after: -: p_a 3
one: memprof_enable: p_a 2
three: memprof_enable: p_c 2
two: memprof_enable: p_b 2
-- memprof_enable, sample: Warning: xhprof_span(): A profile is running: the span is not profiled
after: -, sampled
one: memprof_enable, sampled
three: memprof_enable, sampled
two: memprof_enable, sampled
-- memprof_enable, aggregate: Warning: xhprof_span(): A profile is running: the span is not profiled
after: requests 1, suspended 1
one: requests 1, suspended 1, unsampled 1
three: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- memprof_enable in a span, exact
one: memprof_enable: p_a 1
two: memprof_enable
-- memprof_enable in a span, sample
one: memprof_enable, sampled
two: memprof_enable, sampled
-- memprof_enable in a span, aggregate
one: requests 1, suspended 1, unsampled 1
two: requests 1, suspended 1, unsampled 1
-- routes, exact
one (again): -
three: -: p_a 3
two (route of two): -
-- routes, sample
one: -, sampled
three: -, sampled
two: -, sampled
-- routes, aggregate
again: requests 1, suspended 1
route of two: requests 1, suspended 1
three: requests 1, suspended 1
-- conditions, exact
fails: -
-- conditions, aggregate
fails: -, sampled, saved if failed
fails: requests 1, suspended 1, failed 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- conditions, slow
fails: -, sampled, saved if slower=0
one: -, sampled, saved if slower=0
three: -, sampled, saved if slower=0
two: -, sampled, saved if slower=0
fails: requests 1, suspended 1, failed 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- a fork, exact: 0
of the child: -: p_a 1
one: -: p_a 3
one: -: p_a 3
three: -: p_c 3
three: -: p_c 3
two: -: p_b 3
two: -: p_b 3
-- a fork, sample: 0
of the child: -, sampled
one: -, sampled
one: -, sampled
three: -, sampled
three: -, sampled
two: -, sampled
two: -, sampled
-- a fork, aggregate: 0
of the child: requests 1, suspended 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- a fork in a span, exact: 9
forks: -: p_a 3
one: -: p_a 3
three: -: p_c 3
two: -: p_b 3
-- a fork in a span, sample: 9
forks: -, sampled
one: -, sampled
three: -, sampled
two: -, sampled
-- a fork in a span, aggregate: 9
forks: requests 1, suspended 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- SIGTERM, exact: code 143
one: SIGTERM: p_a 2
three: SIGTERM: p_c 2
two: SIGTERM: p_b 2
-- SIGTERM, sample: code 143
one: SIGTERM, sampled
three: SIGTERM, sampled
two: SIGTERM, sampled
-- SIGTERM, aggregate: code 143
one: requests 1, suspended 1, failed 1
three: requests 1, suspended 1, failed 1
two: requests 1, suspended 1, failed 1
-- SIGKILL, aggregate: 9
two: requests 1, suspended 1
-- exit, exact
one: -: p_a 2
three: -: p_c 2
two: -: p_b 2
-- exit, sample
one: -, sampled
three: -, sampled
two: -, sampled
-- exit, aggregate
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- exit in a fiber, exact
exits: -: p_a 1
one: -: p_a 2
three: -: p_c 2
two: -: p_b 2
-- exit in a fiber, sample
exits: -, sampled
one: -, sampled
three: -, sampled
two: -, sampled
-- exit in a fiber, aggregate
exits: requests 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- a fatal error, exact
fails: -: p_a 1
one: -: p_a 2
three: -: p_c 2
two: -: p_b 2
-- a fatal error, sample
fails: -, sampled
one: -, sampled
three: -, sampled
two: -, sampled
-- a fatal error, aggregate
fails: requests 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- memory_limit, exact
grows: fiber: p_a 1
one: shutdown: p_a 2
three: shutdown: p_c 2
two: shutdown: p_b 2
-- memory_limit, sample
grows: fiber, sampled
one: shutdown, sampled
three: shutdown, sampled
two: shutdown, sampled
-- memory_limit, aggregate
grows: requests 1, suspended 1, failed 1
one: requests 1, suspended 1, failed 1
three: requests 1, suspended 1, failed 1
two: requests 1, suspended 1, failed 1
-- another program, exact
one: pcntl_exec: p_a 2
three: pcntl_exec: p_c 2
two: pcntl_exec: p_b 2
-- another program, sample
one: pcntl_exec, sampled
three: pcntl_exec, sampled
two: pcntl_exec, sampled
-- another program, in windows, aggregate: 0
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- dropped, exact: bool(false)
bool(false)
one: -: p_a 3
three: -: p_c 3
two: -: p_b 3
-- dropped, sample: bool(false)
bool(false)
one: -, sampled
three: -, sampled
two: -, sampled
-- dropped, aggregate: bool(false)
bool(false)
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- no other program, exact
later: -: p_a 3
one: -: p_a 3
three: -: p_c 3
two: -: p_b 3
-- no other program, sample
later: -, sampled
one: -, sampled
three: -, sampled
two: -, sampled
-- no other program, aggregate
later: requests 1, suspended 1
one: requests 1, suspended 1
three: requests 1, suspended 1
two: requests 1, suspended 1
-- allocations, alloc
one: span of another fiber: p_a 1 (other fibers)
three: -: Fiber::resume>p_a 2, Fiber::resume>p_b 2, Fiber::resume>p_c 2, p_c 1, p_of_none 1 (other fibers)
two: span of another fiber: p_b 1 (other fibers)
-- allocations, exact
one: span of another fiber: p_a 1 (other fibers)
three: -: Fiber::resume>p_a 2, Fiber::resume>p_b 2, Fiber::resume>p_c 2, p_c 1, p_of_none 1 (other fibers)
two: span of another fiber: p_b 1 (other fibers)
-- allocations, alloc, sampled
one: span of another fiber: {closure}>p_a 0 (other fibers)
three: -: p_of_none 0, {closure}>p_a 0, {closure}>p_b 0, {closure}>p_c 0 (other fibers)
two: span of another fiber: {closure}>p_b 0 (other fibers)
-- all figures, exact
one: -: p_a 3
three: -: p_c 3
two: -: p_b 3
-- all figures, timeline
one: -: p_a 3
three: -: p_c 3
two: -: p_b 3
-- all figures, by lines
one: -, sampled
three: -, sampled
two: -, sampled
-- few nodes, aggregate
job 0: requests 1, suspended 1
job 1: requests 1, suspended 1
job 2: requests 1, suspended 1
