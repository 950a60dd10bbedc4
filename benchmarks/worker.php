<?php

/*
 * The benchmark's child process: measures one workload and prints JSON.
 *
 *     php worker.php WORKLOAD WARM-PROFILER PROFILER UNITS SECONDS
 */

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Bench\Profiler\Profilers;

require __DIR__ . '/src/autoload.php';

[, $name, $warm, $profiler, $units, $seconds] = $argv + array_fill(0, 6, '');
$spec = Workloads::all()[$name] ?? null;
if ($spec === null) {
    fwrite(STDERR, "no workload named \"$name\"\n");
    exit(2);
}
$timing = new Timing(new $spec->class(), (int) $units, $spec->isProgram);
$result = $timing->measure(Profilers::create($warm), Profilers::create($profiler), (float) $seconds);
$result['clock'] = $timing->clock->name;
$status = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
$result['opcache'] = (bool) ($status['opcache_enabled'] ?? false);
$result['jit'] = (bool) ($status['jit']['on'] ?? false);
echo json_encode($result, JSON_THROW_ON_ERROR), "\n";
