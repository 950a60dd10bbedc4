<?php

/*
 * Checks whether sampling by the CPU clock gives functions their shares of CPU time: programs that wait, exactly timed and sampled.
 * php -n -d extension=xhprof.so benchmarks/cpu_shares.php [--seconds=N] [--intervals=1000,10000] [--only=PROGRAM,...]
 */

declare(strict_types=1);

function rounds(int $count): int
{
    for ($i = 0, $x = 0; $i < $count; $i++) {
        $x ^= $i;
    }
    return $x;
}

/** Rounds per microsecond: measured at the first call. */
function rounds_in_us(): float
{
    static $rounds = null;
    if ($rounds === null) {
        $best = PHP_INT_MAX;
        for ($i = 0, $x = 0; $i < 50; $i++) {
            $start = hrtime(true);
            $x ^= rounds(20_000);
            $best = min($best, hrtime(true) - $start);
        }
        $rounds = 20_000 / ($best / 1000);
    }
    return $rounds;
}

/** Work of a given CPU time. */
function work(int $us): int
{
    return rounds((int) ($us * rounds_in_us()));
}

function work_900(): void
{
    work(900);
}

function work_3000(): void
{
    work(3000);
}

function work_300(): void
{
    work(300);
}

function work_30000(): void
{
    work(30_000);
}

function waits_in_usleep(): void
{
    usleep(5000);
}

/** @param resource $socket */
function waits_in_select($socket): void
{
    $read = [$socket];
    $write = $except = null;
    stream_select($read, $write, $except, 0, 5000);
}

/**
 * A server that sleeps before it answers, as a database does.
 *
 * @param resource $in
 * @param resource $out
 */
function waits_for_answer($in, $out): void
{
    fwrite($in, "5000\n");
    fgets($out);
}

/**
 * By name: the repeated code, and its repetitions in about ten seconds.
 *
 * @return array<string, array{callable(): void, int}>
 */
function programs(): array
{
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: exit(1);
    $code = 'while (($us = fgets(STDIN)) !== false) { usleep((int) $us); echo "x\n"; }';
    $server = proc_open([PHP_BINARY, '-n', '-r', $code], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    $server || exit(1);
    register_shutdown_function(static function () use ($server, $pipes): void {
        fclose($pipes[0]);
        proc_close($server);
    });
    return [
        'usleep' => [static function (): void {
            work_900();
            waits_in_usleep();
        }, 1600],
        'select' => [static function () use ($pair): void {
            work_900();
            waits_in_select($pair[0]);
        }, 1600],
        'server' => [static function () use ($pipes): void {
            work_900();
            waits_for_answer($pipes[0], $pipes[1]);
        }, 1600],
        'bursts of 3 and 0.3 ms' => [static function (): void {
            work_3000();
            waits_in_usleep();
            work_300();
            waits_in_usleep();
        }, 700],
        'one of 30 ms, 40 of 0.3 ms' => [static function (): void {
            work_30000();
            for ($i = 0; $i < 40; $i++) {
                usleep(500);
                work_300();
            }
        }, 140],
        'work alone' => [static function (): void {
            work_900();
            work_3000();
            work_300();
        }, 2400],
    ];
}

/**
 * Shares in percent, by the function that the program calls.
 *
 * @param array<string, int|float> $by
 * @return array<string, float>
 */
function shares(array $by): array
{
    $all = array_sum($by) ?: 1;
    arsort($by);
    return array_map(static fn(int|float $value): float => 100 * $value / $all, $by);
}

/** @return array<string, int|float> */
function exact(callable $program, int $times): array
{
    xhprof_enable(XHPROF_FLAGS_CPU);
    for ($i = 0; $i < $times; $i++) {
        $program();
    }
    $by = [];
    foreach (xhprof_disable() ?? [] as $edge => $figures) {
        if (preg_match('/^\{closure[^=]*==>(work_\d+|waits_\w+|usleep)$/', $edge, $match)) {
            $by[$match[1]] = ($by[$match[1]] ?? 0) + $figures['cpu'];
        }
    }
    return $by;
}

/** @return array<string, int|float> */
function sampled(callable $program, int $times, int $interval): array
{
    xhprof_sample_enable(['interval' => $interval, 'clock' => 'cpu']);
    for ($i = 0; $i < $times; $i++) {
        $program();
    }
    $by = [];
    foreach (xhprof_sample_disable() ?? [] as $path) {
        if (preg_match('/\{closure[^=]*==>(work_\d+|waits_\w+|usleep)/', $path, $match)) {
            $by[$match[1]] = ($by[$match[1]] ?? 0) + 1;
        }
    }
    return $by;
}

/** @var array<string, string> $options */
$options = getopt('', ['seconds:', 'intervals:', 'only:']) ?: [];
$scale = (float) ($options['seconds'] ?? 10) / 10;
$only = isset($options['only']) ? explode(',', $options['only']) : null;
rounds_in_us();
$worst = 0.0;
foreach (programs() as $name => [$program, $times]) {
    if ($only && !in_array($name, $only, true)) {
        continue;
    }
    $times = max(1, (int) ($times * $scale));
    $exact = exact($program, $times);
    foreach (explode(',', $options['intervals'] ?? '1000,10000') as $interval) {
        $sampled = sampled($program, $times, (int) $interval);
        $count = array_sum($sampled);
        printf("%s, each %s us: %d samples, %.0f expected\n", $name, $interval, $count, array_sum($exact) / (int) $interval);
        $samples = shares($sampled);
        foreach (shares($exact) as $function => $share) {
            $error = ($samples[$function] ?? 0) - $share;
            $worst = max($worst, abs($error));
            $chance = sqrt($share * (100 - $share) / max($count, 1));
            $line = "  %-18s %5.1f %% of CPU time, %5.1f %% of samples: %+.1f (by chance %.1f)\n";
            printf($line, $function, $share, $samples[$function] ?? 0, $error, $chance);
        }
    }
}
printf("furthest apart: %.1f points\n", $worst);
