--TEST--
xhprof.save_if: runs are saved by conditions, of exact and of sampled profiles
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.save_if: runs are saved by conditions, each with a budget per minute:\n";

$spans = '<?php foreach (["a" => 0, "slow" => 2_100_000, "b" => 0] as $name => $us) { xhprof_begin_span("job $name"); usleep($us); xhprof_end_span(); }';
$files = '<?php for ($i = 0; $i < 5; $i++) { file_get_contents(__FILE__); }';
$many = '<?php for ($i = 0; $i < 5; $i++) { xhprof_begin_span("job $i"); xhprof_end_span(); }';
// Bounds are far from what a busy machine takes.
$ways = [
    'slower' => [$spans, ['save_if' => 'slower=2000'], []],
    'route' => [$spans, ['save_if' => 'route=job [ab]'], []],
    'both' => [$spans, ['save_if' => 'route=job*&slower=2000'], []],
    'one of them' => [$spans, ['save_if' => 'slower=2000, route=*b'], []],
    'with save_slower_than_ms' => [$spans, ['save_if' => 'route=job *', 'save_slower_than_ms' => 2000], []],
    'budget' => [$many, ['save_if' => 'route=job *@3'], []],
    'two budgets' => [$many, ['save_if' => 'route=job *@3, slower=0&route=job*@1'], []],
    'no budget' => [$many, ['save_if' => 'route=job *@0'], []],
    'operations' => [$files, ['save_if' => 'file=4'], []],
    'not so many' => [$files, ['save_if' => 'file=5, operations=20, sql=0'], []],
    'sampled' => [$files, ['save_if' => 'file=0, operations=0', 'mode' => 'sample'], []],
    'failed' => ['<?php ini_set("display_errors", "0"); ini_set("log_errors", "0"); undefined();', ['save_if' => 'failed'], []],
    'not failed' => ['<?php', ['save_if' => 'failed'], []],
    'peak' => ['<?php $x = str_repeat("x", 20 << 20);', ['save_if' => 'peak=19M'], []],
    'lower peak' => ['<?php', ['save_if' => 'peak=19M'], []],
    'triggered' => ['<?php', ['save_if' => 'failed@0', 'start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '1']],
    'changed' => ['<?php ini_set("xhprof.save_if", "slower=0");', ['save_if' => 'failed'], []],
    'refused' => ['<?php var_dump(@ini_set("xhprof.save_if", "slow")); ini_set("xhprof.save_if", "failed, peak=1T");', ['save_if' => 'failed'], []],
];
foreach ($ways as $label => [$code, $ini, $env]) {
    // Quoted, as in php.ini.
    $child = xhprof_test_auto($code, ['save_if' => "\"$ini[save_if]\""] + $ini, $env + xhprof_test_clock());
    $names = array_map(static fn (array $run): string => ($run['name'] ?? '-') . ' (' . ($run['saved_if'] ?? 'without') . ')', $child['runs']);
    sort($names);
    echo "$label: ", preg_replace('/ in \S+ on line \d+/', '', str_replace("\n", ' ', $child['out'] . $child['err'])), implode(', ', $names) ?: 'no run', "\n";
}

echo "xhprof.save_if: sampled profiles and windows count operations by kind, as many as exact profiles record:\n";

// Outside of the span too, so that the functions have been called uncounted.
$code = <<<'PHP'
    <?php
    function work(): void
    {
        $file = fopen(__FILE__, 'r');
        fread($file, 10);
        fgets($file);
        fclose($file);
        for ($i = 0; $i < 3; $i++) {
            file_get_contents(__FILE__);
        }
        @file_get_contents('http://127.0.0.1:1/');
        [$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        fwrite($a, 'x');
        fread($b, 1);
        call_user_func('usleep', 1);
        array_map('usleep', [1, 1]);
        flock(fopen(__FILE__, 'r'), LOCK_SH);
        eval('strlen("x");');
        gc_collect_cycles();
        gc_collect_cycles();
        if (extension_loaded('pdo_sqlite')) {
            $database = new PDO('sqlite::memory:');
            $database->exec('CREATE TABLE t (a)');
            $statement = $database->prepare('INSERT INTO t VALUES (?)');
            $statement->execute([1]);
            $statement->execute([2]);
            $database->query('SELECT * FROM t')->fetchAll();
        }
    }
    work();
    xhprof_begin_span('job');
    work();
    xhprof_end_span();
    work();
    PHP;
$extensions = xhprof_test_available('pdo_sqlite') ? ['pdo', 'pdo_sqlite'] : [];

/** @return array{out: string, err: string, job: array<string, mixed>, folder: string} of the span's run */
function job(string $code, string $condition, array $ini): array
{
    $child = xhprof_test_auto($code, ['save_if' => "\"$condition\"", 'start_with_request' => 'no', ...$ini], xhprof_test_clock(), [], $GLOBALS['extensions']);
    $jobs = array_values(array_filter($child['runs'], static fn (array $run): bool => ($run['name'] ?? '') === 'job' && $run['mode'] !== 'aggregate'));
    return ['out' => $child['out'] . $child['err'], 'job' => $jobs[0] ?? [], 'folder' => $child['folder']];
}

$exact = job($code, 'slower=0', ['start_with_request' => 'yes']);
$data = xhprof_test_run_part($exact['folder'], "{$exact['job']['id']}.{$exact['job']['source']}", 'operations');
$counts = [];
foreach ($data['text'] as $i => $text) {
    $kind = $data['kinds'][$data['kind_of_text'][$text]];
    $counts[$kind] = ($counts[$kind] ?? 0) + $data["ct"][$i];
}
ksort($counts);
$all = array_sum($counts);
unset($counts['sql']);
echo json_encode($counts), "\n";

foreach (['sample' => [], 'aggregate' => [], 'sample, walk' => ['hooks' => 'walk'], 'aggregate, walk' => ['hooks' => 'walk']] as $label => $ini) {
    $ini += ['mode' => explode(',', $label)[0], 'start_with_request' => $label === 'aggregate' ? 'no' : 'yes'];
    $wrong = [];
    // One more of a kind would save a run; each kind has as many.
    $conditions = [...array_map(static fn (string $kind, int $count): string => "$kind=$count", array_keys($counts), $counts), "operations=$all"];
    $job = job($code, implode(', ', $conditions), $ini);
    if ($job['job'] !== []) {
        $wrong[] = $job['job']['saved_if'];
    }
    $all_hold = implode('&', array_map(static fn (string $kind, int $count): string => "$kind=" . $count - 1, array_keys($counts), $counts)) . '&operations=' . $all - 1;
    $job = job($code, $all_hold, $ini);
    echo "$label: $job[out]", $wrong === [] ? 'none has more' : 'more of ' . implode($wrong), ', ',
        ($job['job']['saved_if'] ?? '') === $all_hold ? 'all have as many' : 'some have fewer', "\n";
}
foreach (['hooks' => 'off', 'collect_additional_info' => '0'] as $name => $value) {
    foreach (['operations=0', 'slower=0'] as $condition) {
        $job = job($code, $condition, ['mode' => 'sample', 'start_with_request' => 'yes', $name => $value]);
        echo "$name=$value, $condition: ", $job['job'] === [] ? 'no run' : 'a run', "\n", $job['out'];
    }
}
?>
--EXPECTF--
xhprof.save_if: runs are saved by conditions, each with a budget per minute:
slower: job slow (slower=2000)
route: job a (route=job [ab]), job b (route=job [ab])
both: job slow (route=job*&slower=2000)
one of them: job b (route=*b), job slow (slower=2000)
with save_slower_than_ms: job slow (route=job *)
budget: job 0 (route=job *), job 1 (route=job *), job 2 (route=job *)
two budgets: job 0 (route=job *), job 1 (route=job *), job 2 (route=job *), job 3 (slower=0&route=job*)
no budget: no run
operations: - (file=4)
not so many: no run
sampled: - (file=0)
failed: - (failed)
not failed: no run
peak: - (peak=19M)
lower peak: no run
triggered: - (without)
changed: - (slower=0)
refused: bool(false)  Warning: xhprof.save_if: "peak=1T" is no condition: "peak" needs bytes, as in peak=64M no run
xhprof.save_if: sampled profiles and windows count operations by kind, as many as exact profiles record:
{"compile":1,"file":%d,"gc":2,"http":1,"lock":1,"sleep":3,"socket":%d}
sample: none has more, all have as many
aggregate: none has more, all have as many
sample, walk: none has more, all have as many
aggregate, walk: none has more, all have as many
hooks=off, operations=0: no run
%Sxhprof: xhprof.save_if counts no operations: xhprof.hooks is off
hooks=off, slower=0: a run
collect_additional_info=0, operations=0: no run
%Sxhprof: xhprof.save_if counts no operations: xhprof.collect_additional_info is off
collect_additional_info=0, slower=0: a run
