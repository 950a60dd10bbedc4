--TEST--
xhprof.save_if: sampled profiles and windows count operations by kind, as many as exact profiles record
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
