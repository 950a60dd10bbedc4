--TEST--
xhprof.label_calls and allocations: paths of calls have labels, those that are read from the stack within the allocator have none
--INI--
xhprof.label_calls="keep:1"
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

// The text of the argument moves in memory while its blocks are recorded.
function keep(string $hook): array
{
    $kept = [];
    for ($i = 0; $i < 200; $i++) {
        $hook .= str_repeat('more', 50 + $i % 2);
        $kept[] = str_repeat('x', 1000 + $i % 2);
    }
    return $kept;
}

function paths(Closure $start, Closure $stop, int $sample): array
{
    ini_set('xhprof.alloc_sample_bytes', (string) $sample);
    $start();
    $kept = [keep('the_' . 'content'), keep('the_' . 'title')];
    $paths = array_keys(xhprof_test_live(xhprof_test_dump(['types' => false])));
    $stop();
    return count($kept) === 2 ? array_values(preg_grep('/str_repeat$/', $paths)) : []; // used, so the optimizer keeps it
}

foreach ([0, 1] as $sample) {
    foreach (['profile' => [fn() => xhprof_enable(XHPROF_FLAGS_ALLOC), xhprof_disable(...)], 'memprof' => [memprof_enable(...), memprof_disable(...)]] as $way => [$start, $stop]) {
        $paths = paths($start, $stop, $sample);
        sort($paths);
        echo $way, $sample ? ', sampled' : '', ":\n  ", implode("\n  ", $paths), "\n";
    }
}
?>
--EXPECT--
profile:
  main();keep(the_content);str_repeat
  main();keep(the_title);str_repeat
memprof:
  main();keep(the_content);str_repeat
  main();keep(the_title);str_repeat
profile, sampled:
  main();keep(the_content);str_repeat
  main();keep(the_title);str_repeat
memprof, sampled:
  main();paths;keep;str_repeat
