--TEST--
SIGTERM, SIGINT and SIGHUP: a program that waits, or works, dies of them and leaves its profile
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$programs = [
    'sleep' => 'sleep(100);',
    'usleep' => 'while (true) { usleep(20_000_000); }',
    'read' => 'fread(STDIN, 100);',
    'stream_select' => '$r = [STDIN]; $w = $e = null; stream_select($r, $w, $e, 100);',
    'accept' => '$s = stream_socket_server("tcp://127.0.0.1:0"); stream_socket_accept($s, 100);',
    'loop' => 'while (true) { }',
    'calls' => 'while (true) { strlen("x"); waits_not(); }',
    'short waits' => 'while (true) { usleep(100); }',
    'generator' => 'foreach ((function () { while (true) { yield 1; } })() as $x) { }',
    'fiber' => '$f = new Fiber(function () { Fiber::suspend(); sleep(100); }); $f->start(); $f->resume();',
    'shutdown function' => 'register_shutdown_function(function () { sleep(100); });',
    'destructor' => '$o = new class () { function __destruct() { sleep(100); } };',
    'output' => 'ob_start(function ($s) { sleep(100); return $s; });',
];
$modes = [['exact', 15, 'SIGTERM'], ['sample', 2, 'SIGINT'], ['alloc', 1, 'SIGHUP']];
foreach ($programs as $label => $code) {
    foreach ($modes as [$mode, $signal, $name]) {
        $program = "<?php function waits_not() {} function waits() { echo \"ready\\n\"; ob_get_level() || flush(); $code } waits();";
        $milliseconds = 30;
        do { // a busy machine may have given the program, or the sampler, no time before
            $child = xhprof_test_signal($program, [[$milliseconds, $signal]], ['mode' => $mode, 'sampling_interval' => 1000]);
            $run = $child['runs'][0] ?? [];
            $is_short = ($run['duration_us'] ?? 0) < 20_000 || ($mode === 'sample' && count($run['edges'] ?? []) < 2);
        } while ($is_short && count($child['runs']) === 1 && ($milliseconds *= 10) <= 3000);
        $problems = [];
        $child['signal'] === $signal || $problems[] = "died by {$child['signal']}, exit code {$child['code']}";
        count($child['runs']) === 1 || $problems[] = count($child['runs']) . ' runs';
        ($run['ended_by'] ?? null) === $name || $problems[] = 'ended by ' . json_encode($run['ended_by'] ?? null);
        isset($run['edges']['main()==>waits']) || in_array($label, ['shutdown function', 'destructor', 'output'], true)
            || $problems[] = 'edges ' . json_encode($run['edges'] ?? null);
        $child['out'] === "ready\n" || $problems[] = $child['out'];
        ($run['duration_us'] ?? 0) >= 20_000 || $problems[] = 'duration ' . ($run['duration_us'] ?? 0);
        array_push($problems, ...array_diff(xhprof_test_run_others($child['folder']), ['.xhprof-folder.auto']));
        $problems === [] || print("$label, $mode: " . implode('; ', $problems) . "\n");
    }
}
echo "done\n";
?>
--EXPECT--
done
