--TEST--
pcntl_fork(): parent and child save runs of their own, the child's names the parent's
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('fork beside a thread', 'pcntl_fork()'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

// Each function works until the sampler, if there is one, has looked.
$head = '<?php require ' . var_export(dirname(__DIR__) . '/lib.inc', true) . ';
    function seen() { $since = xhprof_test_looks(); do { usleep(5000); } while (!xhprof_test_looked($since)); }
    function before() { seen(); } function child() { seen(); } function parents() { seen(); } function grandchild() { seen(); }
    function ready() { file_put_contents(sys_get_temp_dir() . "/xhprof-child-" . getmypid(), ""); }
    function await($pid) { $file = sys_get_temp_dir() . "/xhprof-child-$pid"; while (!file_exists($file)) { usleep(1000); } unlink($file); }
    before(); ';
$programs = [
    'child returns' => '$pid = pcntl_fork(); if ($pid === 0) { child(); } else { parents(); pcntl_waitpid($pid, $s); }',
    'child exits' => '$pid = pcntl_fork(); if ($pid === 0) { child(); exit(3); } parents(); pcntl_waitpid($pid, $s); echo pcntl_wexitstatus($s), "\n";',
    'child dies of SIGTERM' => '$pid = pcntl_fork(); if ($pid === 0) { child(); ready(); sleep(100); } await($pid); exec("kill -TERM $pid"); parents(); pcntl_waitpid($pid, $s); echo pcntl_wtermsig($s), "\n";',
    'child works on at SIGTERM' => '$pid = pcntl_fork(); if ($pid === 0) { child(); ready(); while (true) { } } await($pid); exec("kill -TERM $pid"); parents(); pcntl_waitpid($pid, $s); echo pcntl_wtermsig($s), "\n";',
    'child is killed' => '$pid = pcntl_fork(); if ($pid === 0) { child(); sleep(100); } exec("kill -KILL $pid"); parents(); pcntl_waitpid($pid, $s); echo pcntl_wtermsig($s), "\n";',
    'parent dies first' => '$pid = pcntl_fork(); if ($pid === 0) { usleep(200_000); child(); } else { parents(); }',
    'grandchild' => '$pid = pcntl_fork(); if ($pid === 0) { child(); $pid = pcntl_fork(); if ($pid === 0) { grandchild(); } else { pcntl_waitpid($pid, $s); } } else { parents(); pcntl_waitpid($pid, $s); }',
    'child profiles itself' => '$pid = pcntl_fork(); if ($pid === 0) { child(); xhprof_enable(); xhprof_disable(); exit; } parents(); pcntl_waitpid($pid, $s);',
    'child has spans' => '$pid = pcntl_fork(); if ($pid === 0) { xhprof_begin_span("job"); child(); echo strlen(xhprof_end_span()), "\n"; exit; } parents(); pcntl_waitpid($pid, $s);',
    'within a span' => 'xhprof_begin_span("job"); $pid = pcntl_fork(); if ($pid === 0) { child(); echo strlen(xhprof_end_span()), "\n"; exit; } parents(); pcntl_waitpid($pid, $s); echo strlen(xhprof_end_span()), "\n";',
    'twenty' => 'for ($i = 0; $i < 20; $i++) { if (pcntl_fork() === 0) { child(); exit; } } while (pcntl_wait($s) > 0) { }',
];
foreach ($programs as $label => $code) {
    foreach (['exact', 'alloc', 'sample'] as $mode) {
        $child = xhprof_test_auto($head . $code, ['mode' => $mode, 'sampling_interval' => 200]);
        $count = $label === 'grandchild' ? 3 : 2;
        for ($i = 0; $label === 'parent dies first' && $i < 200 && count($child['runs']) < $count; $i++) {
            usleep(25_000);
            $child['runs'] = count(xhprof_test_run_names($child['folder'])) === $count ? xhprof_test_runs($child['folder']) : [];
        }
        $names = [];
        foreach ($child['runs'] as $run) {
            $names[$run['id']] = match (true) {
                isset($run['edges']['main()==>grandchild']) => 'grandchild',
                isset($run['edges']['main()==>child']) => 'child',
                isset($run['edges']['main()==>parents']) || $label === 'twenty' && !isset($run['parent']) => 'parent',
                isset($run['edges']['main()==>before']) => 'before',
                default => 'other',
            };
        }
        $lines = [];
        foreach ($child['runs'] as $run) {
            $lines[] = $names[$run['id']] . (isset($run['parent']) ? ' of ' . ($names[$run['parent']] ?? 'nobody') : '')
                . (isset($run['ended_by']) ? " by $run[ended_by]" : '') . (isset($run['name']) ? " named $run[name]" : '');
        }
        sort($lines);
        $text = str_replace("\n", ' ', $child['out'] . $child['err']) . implode(', ', array_map(
            static fn (string $line, int $n): string => $n > 1 ? "$n x $line" : $line,
            array_keys(array_count_values($lines)),
            array_count_values($lines)
        ));
        $mode === 'exact' ? print("$label: " . ($first = $text) . "\n")
            : ($text === $first || print("  $mode: $text\n"));
    }
}
?>
--EXPECT--
child returns: child of parent, parent
child exits: 3 child of parent, parent
child dies of SIGTERM: 15 child of parent by SIGTERM, parent
child works on at SIGTERM: 15 child of parent by SIGTERM, parent
child is killed: 9 parent
parent dies first: child of parent, parent
grandchild: child of parent, grandchild of parent, parent
child profiles itself: child of parent by xhprof_enable, parent
child has spans: 32 before of parent by span, child named job, parent
within a span: 32 32 before by span, child of parent named job, parent named job
twenty: 20 x child of parent, parent
