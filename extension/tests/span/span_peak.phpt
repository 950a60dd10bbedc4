--TEST--
The peak of a span is the most memory of the process in its own turns, in windows, in runs and for xhprof.save_if; the program sees the peak that it has without the profiler
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../spans.inc';

// Without the profiler its functions do nothing: what the program sees then is the truth.
const HEAD = <<<'PHP'
    <?php
    if (!extension_loaded('xhprof')) {
        final class Nothing { function end() {} function enter() {} function leave() {} }
        function xhprof_span(string $name) { return new Nothing(); }
        function xhprof_begin_span(string $name) {}
        function xhprof_end_span() {}
        function xhprof_enable(int $flags) {}
        function xhprof_disable() {}
        define('XHPROF_FLAGS_MEMORY', 4);
    }
    function grow(int $mb): string { return str_repeat('x', $mb << 20); }
    function hold(int $mb): int { return strlen(grow($mb)); }
    function many(int $mb): void { $all = []; for ($i = 0; $i < $mb * 128; $i++) { $all[] = str_repeat('x', 8000); } }
    function see(): void { $GLOBALS['seen'] .= ' ' . max(0, round((memory_get_peak_usage() - $GLOBALS['base']) / (1 << 20))) . (memory_get_peak_usage(false) === memory_get_peak_usage() ? '' : '?') . (memory_get_peak_usage(true) >= memory_get_peak_usage() ? '' : '!'); }
    function pause(): mixed { return Fiber::suspend(); }
    function fiber(callable $does, mixed ...$with): Fiber { $fiber = new Fiber($does); $fiber->start(...$with); return $fiber; }
    function job(string $name, callable $does): void { $span = xhprof_span($name); $does(); see(); $span->end(); }
    $seen = '';
    $base = memory_get_usage();
    register_shutdown_function(static function () { see(); echo $GLOBALS['seen']; });

    PHP;

$holds = static fn (int ...$mb): string => 'foreach (' . json_encode($mb) . ' as $i => $mb) { job("job $i: $mb", static fn () => hold($mb)); }';
$programs = [
    'one after the other' => $holds(100, 1, 50),
    'small blocks' => 'foreach ([90, 1, 40] as $mb) { job("of $mb", static fn () => many($mb)); }',
    'by functions' => 'foreach ([100, 1, 50] as $mb) { xhprof_begin_span("of $mb"); hold($mb); see(); xhprof_end_span(); see(); }',
    'left by exceptions' => 'function job_of(int $mb): void { xhprof_begin_span("of $mb"); hold($mb); throw new LogicException(); } foreach ([100, 1, 50] as $mb) { try { job_of($mb); } catch (LogicException) { see(); } }',
    'before, between and after' => 'hold(90); job("one", static fn () => hold(3)); hold(80); job("two", static fn () => hold(5)); hold(70);',
    'what was there before' => '$kept = grow(70); job("has it", static fn () => hold(2)); $kept = null; job("has it not", static fn () => hold(2));',
    'nested' => '$outer = xhprof_span("outer"); hold(2); $inner = xhprof_span("inner"); hold(80); $inner->end(); see(); $outer->end(); job("next", static fn () => hold(3));',
    'two in turns' => '$f = fiber(static function () { $s = xhprof_span("large"); hold(80); see(); pause(); hold(1); see(); $s->end(); }); $g = fiber(static function () { $s = xhprof_span("small"); hold(2); see(); pause(); hold(3); see(); $s->end(); }); $f->resume(); $g->resume();',
    'twenty in turns' => '$fs = []; for ($i = 0; $i < 20; $i++) { $fs[] = fiber(static function () use ($i) { $s = xhprof_span("job " . ($i === 7 ? "large" : "small")); for ($turn = 0; $turn < 4; $turn++) { hold($i === 7 && $turn === 2 ? 80 : 2); pause(); } $s->end(); }); } mt_srand(5); while ($fs) { $key = array_rand($fs); $fs[$key]->resume(); if ($fs[$key]->isTerminated()) { unset($fs[$key]); } see(); }',
    'held while others run' => '$early = fiber(static function () { $s = xhprof_span("before"); hold(2); pause(); $s->end(); }); $f = fiber(static function () { $s = xhprof_span("holder"); $x = grow(80); pause(); unset($x); hold(1); $s->end(); }); $g = fiber(static function () { $s = xhprof_span("meanwhile"); hold(5); pause(); hold(5); $s->end(); }); see(); $f->resume(); $g->resume(); $early->resume(); job("after", static fn () => hold(2));',
    'of the loop' => '$f = fiber(static function () { for ($i = 0; $i < 3; $i++) { $s = xhprof_span("job"); hold(2); pause(); hold(3); $s->end(); } }); for ($i = 0; $i < 3; $i++) { hold(80); $f->resume(); see(); }',
    'reset in one' => 'job("resets", static function () { hold(80); see(); memory_reset_peak_usage(); see(); hold(4); }); job("next", static fn () => hold(2)); memory_reset_peak_usage(); see(); job("last", static fn () => hold(3));',
    'reset in turns' => '$f = fiber(static function () { $s = xhprof_span("large"); hold(80); pause(); hold(1); see(); $s->end(); }); $g = fiber(static function () { $s = xhprof_span("resets"); hold(6); see(); memory_reset_peak_usage(); see(); pause(); see(); hold(3); $s->end(); }); see(); $f->resume(); $g->resume();',
    'inherited' => '$f = fiber(static function () { $s = xhprof_span("outer"); $g = fiber(static function () { hold(20); pause(); hold(80); }); pause(); $g->resume(); pause(); $s->end(); }); $h = fiber(static function () { $s = xhprof_span("other"); hold(2); pause(); hold(2); $s->end(); }); $f->resume(); $h->resume(); $f->resume();',
    'carried' => '$a = xhprof_span("carried"); $b = null; $f = fiber(static function () use (&$b) { $b = xhprof_span("other"); hold(2); pause(); }); for ($i = 0; $i < 3; $i++) { hold(90); $f2 = fiber(static function () use ($a) { $a->enter(); hold(70); $a->leave(); see(); }); $b->enter(); hold(4); $b->leave(); } $b->end(); $a->end();',
    'carried between' => '$spans = [xhprof_span("one"), null]; $f = fiber(static function () use (&$spans) { $spans[1] = xhprof_span("two"); $spans[0]->enter(); hold(70); $spans[0]->leave(); hold(3); pause(); }); $f->resume(); $spans[1]->end(); $spans[0]->end();',
    'ended in another fiber' => '$s = null; $f = fiber(static function () use (&$s) { $s = xhprof_span("ended"); hold(3); pause(); hold(90); }); $g = fiber(static function () use (&$s) { $t = xhprof_span("ends it"); $x = grow(80); $s->end(); unset($x); see(); pause(); $t->end(); }); $f->resume(); see(); $g->resume();',
    'cancelled' => '$fs = []; foreach ([80, 2] as $mb) { $fs[] = fiber(static function () use ($mb) { $s = xhprof_span("of $mb"); try { pause(); } finally { hold($mb); } }); } foreach ($fs as $f) { try { $f->throw(new LogicException()); } catch (LogicException) { see(); } }',
    'destroyed' => '$fs = []; foreach ([80, 2, 3] as $mb) { $fs[] = fiber(static function () use ($mb) { $s = xhprof_span("of $mb"); hold($mb); pause(); }); } hold(90); unset($fs[0]); see(); $fs = [];',
    'never ended' => '$f = fiber(static function () { $s = xhprof_span("small"); hold(3); pause(); }); $s = xhprof_span("exits"); hold(80); exit;',
    'at memory_limit' => 'ini_set("memory_limit", "120M"); $f = fiber(static function () { $s = xhprof_span("small"); hold(3); pause(); }); $s = xhprof_span("fails"); $x = grow(80); $x .= grow(90);',
    'killed' => '$f = fiber(static function () { $s = xhprof_span("small"); hold(3); pause(); }); $s = xhprof_span("killed"); hold(80); posix_kill(getmypid(), SIGTERM); while (true) { usleep(1000); }',
    'forked' => '$f = fiber(static function () { $s = xhprof_span("small"); hold(3); pause(); hold(2); $s->end(); }); $s = xhprof_span("forks"); hold(4); $child = pcntl_fork(); if (!$child) { posix_kill(getmypid(), SIGKILL); } pcntl_waitpid($child, $status); hold(80); see(); $s->end(); $f->resume();',
    'with a profile of its own' => 'job("profiles", static function () { hold(2); @xhprof_enable(XHPROF_FLAGS_MEMORY); hold(80); see(); hold(1); see(); xhprof_disable(); see(); }); job("next", static fn () => hold(3));',
    'in a profile' => 'hold(70); xhprof_enable(XHPROF_FLAGS_MEMORY); hold(20); see(); ini_set("display_errors", 0); job("refused", static fn () => hold(5)); memory_reset_peak_usage(); see(); xhprof_disable(); see(); job("next", static fn () => hold(3));',
    'by a named argument' => 'job("one", static function () { hold(80); $GLOBALS["seen"] .= memory_get_peak_usage(real_usage: false) > 80 << 20 ? " more" : " less"; try { memory_get_peak_usage([]); } catch (TypeError) { see(); } }); hold(2); job("two", static function () { $GLOBALS["seen"] .= memory_get_peak_usage(real_usage: false) > 80 << 20 ? " more" : " less"; $call = "memory_get_peak_usage"; $GLOBALS["seen"] .= array_map($call, [0])[0] > 80 << 20 ? " more" : " less"; });',
];

/** A peak of a process that itself needs up to 2 MB. */
function mb(float $bytes): string
{
    foreach ([100, 90, 80, 70, 60, 50, 40, 10] as $mb) {
        if ($bytes >= $mb << 20) {
            return $bytes < ($mb + 10) << 20 ? (string) $mb : round($bytes / (1 << 20)) . ' MB';
        }
    }
    return 'small';
}

/** name: the peaks of its spans in the windows. */
function of_windows(array $runs): array
{
    $lines = [];
    foreach ($runs as $run) {
        foreach ($run['mode'] === 'aggregate' ? $run['aggregate']['routes'] : [] as $name => $route) {
            for ($i = $bucket = 0; $i < count($route['peak']) && !str_contains($name, '.php'); $i += 2) {
                $bucket += $route['peak'][$i];
                $peak = mb((32 + $bucket % 32) * 2 ** (intdiv($bucket, 32) - 1));
                $lines[$name][$peak] = ($lines[$name][$peak] ?? 0) + $route['peak'][$i + 1];
            }
        }
    }
    return array_map(static fn (array $peaks): string => implode(' ', array_map(static fn (string $peak, int $count): string => $peak . ($count > 1 ? " x$count" : ''), array_keys($peaks), $peaks)), $lines);
}

/** name: the peaks of its spans, each of which is a run. */
function of_runs(array $runs): array
{
    $peaks = $lines = [];
    foreach ($runs as $run) {
        if (isset($run['name'])) {
            $peaks[$run['name']][] = $run['peak_memory'];
        }
    }
    foreach ($peaks as $name => $all) {
        sort($all);
        $counts = array_count_values(array_map(mb(...), $all));
        $lines[$name] = implode(' ', array_map(static fn (string|int $peak, int $count): string => $peak . ($count > 1 ? " x$count" : ''), array_keys($counts), $counts));
    }
    return $lines;
}

/** name: by how much the peak grew in each of its spans, MB. */
function growth(array $runs): array
{
    $lines = [];
    foreach ($runs as $run) {
        if (isset($run['name'])) {
            $lines[$run['name']][] = (string) round($run['totals']['pmu'] / (1 << 20));
        }
    }
    return array_map(static fn (array $all): string => implode(' ', array_map(static fn (string $each, int $count): string => $each . ($count > 1 ? " x$count" : ''), array_keys(array_count_values($all)), array_count_values($all))), $lines);
}

function line(array $shown): string
{
    ksort($shown);
    return implode(', ', array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($shown), $shown));
}

$modes = [
    'aggregate' => ['mode' => 'aggregate', 'start_with_request' => 'no'],
    'aggregate, of the request too' => ['mode' => 'aggregate', 'start_with_request' => 'yes', 'heap_if' => '"peak=1000M"'],
    'exact' => ['mode' => 'exact', 'flags' => 'cpu,memory'],
    'exact, all' => ['mode' => 'exact', 'flags' => 'memory', 'save_if' => ''],
    'sample' => ['mode' => 'sample', 'heap_if' => '"peak=1000M"'],
];
$says = static fn (array $child): string => preg_replace('/^.*Allowed memory size.*$\s*/m', '', "$child[out]$child[err]");
$extensions = array_filter(['pcntl', 'posix'], xhprof_test_available(...));
// A run that the program's own profile ends has the peak until then.
foreach ($programs as $label => $code) {
    if (count($extensions) < 2 && preg_match('/pcntl_|posix_/', $code) === 1) {
        continue;
    }
    $folder = xhprof_test_folder();
    file_put_contents("$folder/program.php", HEAD . $code);
    $truth = xhprof_test_child("$folder/program.php", [], [], $extensions, null, null, false);
    echo "-- $label\nsaw:", $says($truth), "\n";
    $shown = [];
    foreach ($modes as $mode => $ini) {
        $child = xhprof_test_auto(HEAD . $code, $ini + ['save_if' => '"peak=64M@99"', 'sampling_interval' => 100_000, 'flush_seconds' => 86400], xhprof_test_clock(), [], $extensions);
        if ($says($child) !== $says($truth) || $child['code'] !== $truth['code']) {
            echo "$mode, saw:", $says($child), " ($child[code], not $truth[code])\n";
        }
        $saved = array_column(array_filter($child['runs'], static fn (array $run): bool => isset($run['saved_if'])), 'name');
        sort($saved);
        $lines = $mode === 'exact, all' ? ['peaks' => line(of_runs($child['runs'])), 'growth' => line(growth($child['runs']))] : ['saved' => implode(', ', $saved)];
        if ($ini['mode'] === 'aggregate') {
            $lines = ['peaks' => line(of_windows($child['runs']))] + $lines;
        }
        foreach ($lines as $what => $line) {
            if (($shown[$what] ?? null) !== $line) {
                echo isset($shown[$what]) ? "$mode, " : '', "$what: $line\n";
            }
            $shown[$what] ??= $line;
        }
    }
}

// A profile of the program's own, while spans of windows take turns, has the growth of all, as without spans. The largest is
// reached where no call shows it before the next span's turn.
echo "-- the program's own profile\n";
$code = <<<'PHP'
    $f = fiber(static function () use (&$one) { $s = $one = xhprof_span("one"); Fiber::suspend(); hold(60); pause(); many(20); $s->end(); });
    $g = fiber(static function () { $s = xhprof_span("two"); Fiber::suspend(); hold(50); see(); pause(); memory_reset_peak_usage(); hold(20); $s->end(); });
    $part = grow(35);
    xhprof_enable(XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS);
    $f->resume(); $g->resume();
    $one->enter(); $all = $part . $part; unset($all); $one->leave();
    see(); $g->resume(); see(); $f->resume();
    foreach (xhprof_disable() as $edge => $figures) {
        preg_match('/(?:^|>)(main\(\)|hold|many)$/', $edge, $match) && $sums[$match[1]] = ($sums[$match[1]] ?? 0) + $figures['pmu'];
    }
    ksort($sums);
    foreach ($sums as $name => $growth) { echo "$name: ", round($growth / (1 << 20)), ', '; }
    PHP;
foreach (['no spans' => ['mode' => 'exact', 'start_with_request' => 'no'], 'windows' => $modes['aggregate'], 'windows of all' => $modes['aggregate, of the request too']] as $mode => $ini) {
    $child = xhprof_test_auto(HEAD . $code, $ini + ['flush_seconds' => 86400], xhprof_test_clock());
    echo "$mode: $child[out]$child[err]", $ini['mode'] === 'aggregate' ? '; ' . line(of_windows($child['runs'])) : '', "\n";
}

echo "-- without PHP's heap\n";
foreach (['0', '1'] as $tracked) {
    foreach (['two in turns', 'reset in one', 'with a profile of its own'] as $label) {
        $env = ['USE_ZEND_ALLOC' => '0', 'USE_TRACKED_ALLOC' => $tracked] + getenv();
        $folder = xhprof_test_folder();
        file_put_contents("$folder/program.php", HEAD . $programs[$label]);
        $truth = xhprof_test_child("$folder/program.php", [], [], [], null, $env, false);
        foreach ($modes as $mode => $ini) {
            $child = xhprof_test_auto(HEAD . $programs[$label], $ini + ['save_if' => '"peak=64M@99"', 'flush_seconds' => 86400], xhprof_test_clock() + $env);
            echo $child['code'] === 0 && $says($child) === $says($truth) ? '' : "$label, $mode: saw $child[out]$child[err], not $truth[out]\n";
        }
    }
}
echo "Done\n";
?>
--EXPECT--
-- one after the other
saw: 100 100 100 100
peaks: job 0: 100: 100, job 1: 1: small, job 2: 50: 50
saved: job 0: 100
growth: job 0: 100: 100, job 1: 1: 1, job 2: 50: 50
-- small blocks
saw: 90 90 90 90
peaks: of 1: small, of 40: 40, of 90: 90
saved: of 90
growth: of 1: 1, of 40: 40, of 90: 90
-- by functions
saw: 100 100 100 100 100 100 100
peaks: of 1: small, of 100: 100, of 50: 50
saved: of 100
growth: of 1: 1, of 100: 100, of 50: 50
-- left by exceptions
saw: 100 100 100 100
peaks: of 1: small, of 100: 100, of 50: 50
saved: of 100
growth: of 1: 1, of 100: 100, of 50: 50
-- before, between and after
saw: 90 90 90
peaks: one: small, two: small
saved: 
growth: one: 3, two: 5
-- what was there before
saw: 72 72 72
peaks: has it: 70, has it not: small
saved: has it
growth: has it: 2, has it not: 2
-- nested
saw: 80 80 80
peaks: next: small, outer: 80
saved: outer
growth: next: 3, outer: 80
-- two in turns
saw: 80 80 80 80 80
peaks: large: 80, small: small
saved: large
growth: large: 80, small: 3
-- twenty in turns
saw: 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80
peaks: job large: 80, job small: small x19
saved: job large
growth: job large: 80, job small: 2 x19
-- held while others run
saw: 85 85 85
peaks: after: small, before: small, holder: 80, meanwhile: 80
saved: holder, meanwhile
growth: after: 2, before: 2, holder: 80, meanwhile: 5
-- of the loop
saw: 80 80 80 80
peaks: job: small x3
saved: 
growth: job: 3 x3
-- reset in one
saw: 80 0 4 4 0 3 3
peaks: last: small, next: small, resets: 80
saved: resets
growth: last: 3, next: 2, resets: 80
-- reset in turns
saw: 80 0 0 1 1 3
peaks: large: 80, resets: small
saved: large
growth: large: 80, resets: 6
-- inherited
saw: 80
peaks: other: small, outer: 80
saved: outer
growth: other: 2, outer: 80
-- carried
saw: 90 90 90 90
peaks: carried: 90, other: small
saved: carried
growth: carried: 90, other: 4
-- carried between
saw: 70
peaks: one: 70, two: small
saved: one
growth: one: 70, two: 3
-- ended in another fiber
saw: 80 90 90
peaks: ended: small, ends it: 80
saved: ends it
growth: ended: 3, ends it: 80
-- cancelled
saw: 80 80 80
peaks: of 2: small, of 80: 80
saved: of 80
growth: of 2: 2, of 80: 80
-- destroyed
saw: 90 90
peaks: of 2: small, of 3: small, of 80: 80
saved: of 80
growth: of 2: 2, of 3: 3, of 80: 80
-- never ended
saw: 80
peaks: exits: 80, small: small
saved: exits
growth: exits: 80, small: 3
-- at memory_limit
saw:
80
peaks: fails: 80, small: small
saved: fails
growth: fails: 80, small: 3
-- killed
saw:
peaks: killed: 80, small: small
saved: killed
growth: killed: 80, small: 3
-- forked
saw: 80 80
peaks: forks: 80, small: small
saved: forks
growth: forks: 80, small: 3
-- with a profile of its own
saw: 80 80 80 80 80 80
peaks: next: small, profiles: 80
saved: 
exact, all, peaks: next: small, profiles: small
growth: next: 3, profiles: 2
-- in a profile
saw: 70 70 0 0 3 3
peaks: next: small
saved: 
growth: next: 3
-- by a named argument
saw: more 80 80 more more 80 80
peaks: one: 80, two: small
saved: one
growth: one: 80, two: 0
-- the program's own profile
no spans: hold: 60, main(): 70, many: 0,  95 105 55 55
windows: hold: 60, main(): 70, many: 0,  95 105 55 55; one: 100, two: 80
windows of all: hold: 60, main(): 70, many: 0,  95 105 55 55; one: 100, two: 80
-- without PHP's heap
Done
