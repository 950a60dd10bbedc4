<?php

/*
 * The benchmark's child process for one measurement of a large profile; prints JSON.
 *
 *     php large.php disable|save|memory|register API SIZE
 */

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Bench\Profiler\XhprofLike;

require __DIR__ . '/src/autoload.php';

[, $what, $api, $size] = $argv + array_fill(0, 4, '');
if ($what === 'register') {
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    $blocks = [];
    for ($i = 0; $i < (int) $size; $i++) {
        $blocks[] = "block $i";
    }
    $start = hrtime(true);
    xhprof_disable();
    $nanoseconds = hrtime(true) - $start;
    $stream = fopen('php://memory', 'w+');
    assert($stream !== false);
    xhprof_alloc_dump($stream);
    rewind($stream);
    $dump = json_decode((string) stream_get_contents($stream), true, 16, JSON_THROW_ON_ERROR);
    $bytes = $dump['allocators']['xhprof/register']['size'];
    echo json_encode(['ms' => $nanoseconds / 1e6, 'bytes' => $bytes], JSON_THROW_ON_ERROR), "\n";
    exit(0);
}
$grid = new Grid((int) $size);
$profiler = new XhprofLike($api, '0');
// Once without a profile, so that only the profile runs for the first time below.
$grid->run();
ResidentMemory::read();

$before = ResidentMemory::read();
$profiler->start();
$grid->run();
$bytes = ResidentMemory::read() - $before;
$disable = "{$api}_disable";
assert(is_callable($disable));
$start = hrtime(true);
$profile = $disable();
$nanoseconds = hrtime(true) - $start;
if (!is_array($profile) || count($profile) < $grid->edges()) {
    fwrite(STDERR, sprintf("the profile has %d edges of %d\n", is_array($profile) ? count($profile) : 0, $grid->edges()));
    exit(1);
}
if ($what === 'save') {
    unset($profile);
    $folder = (string) ini_get('xhprof.output_dir');
    is_dir($folder) || mkdir($folder, 0777, true);
    $start = hrtime(true);
    $id = xhprof_save('bench');
    $nanoseconds = hrtime(true) - $start;
    array_map(unlink(...), glob("$folder/$id.*") ?: []);
}
echo json_encode(['ms' => $nanoseconds / 1e6, 'bytes' => $bytes], JSON_THROW_ON_ERROR), "\n";
