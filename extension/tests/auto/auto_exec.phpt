--TEST--
pcntl_exec(): what ran before is a part; a call that fails changes nothing
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_exec()', 'proc_open()', 'fork beside a thread'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

// It works until the sampler, if there is one, has looked.
$head = '<?php require ' . var_export(dirname(__DIR__) . '/lib.inc', true) . ';
    function before(): void { $since = xhprof_test_looks(); for ($i = 0; $i < 1000; $i++) { crc32("a"); }
        do { for ($i = 0; $i < 100_000; $i++) { } } while (!xhprof_test_looked($since)); }
    function after(): void { for ($i = 0; $i < 500; $i++) { crc32("b"); } }
    $f = sys_get_temp_dir() . "/xhprof-exec-" . getmypid(); register_shutdown_function(static fn () => @unlink($f)); before(); ';
$sh = 'pcntl_exec("/bin/sh", ["-c", "echo replaced"]); ';
$programs = [
    'a program' => [$sh, 'before'],
    'a PHP program' => ['pcntl_exec(PHP_BINARY, ["-n", "-r", "echo \'replaced\', PHP_EOL;"]); ', 'before'],
    'a script with its interpreter, environment given' => [
        'file_put_contents($f, "#! /bin/sh -e\necho replaced; rm -f $0\n"); chmod($f, 0700); pcntl_exec($f, [], ["A" => "b"]); ', 'before'],
    'within a function' => ["function leave(): void { $sh } leave(); ", 'before'],
    'within a fiber' => ["\$fiber = new Fiber(function () { $sh }); \$fiber->start(); ", 'before'],
    'in a shutdown function' => ["register_shutdown_function(function () { $sh }); ", 'before'],
    'in a forked child' => ["if (pcntl_fork() === 0) { after(); $sh } pcntl_wait(\$status); ", 'before', 'before and after'],
    'within a span' => ["xhprof_begin_span('job'); after(); $sh", 'before', 'after'],
    'nothing is there' => ['@pcntl_exec("/no/such/program"); after(); echo "stays\n"; ', 'before and after'],
    'a folder' => ['@pcntl_exec("/tmp"); after(); echo "stays\n"; ', 'before and after'],
    'not allowed' => ['touch($f); chmod($f, 0600); @pcntl_exec($f); after(); echo "stays\n"; ', 'before and after'],
    'not a program' => ['file_put_contents($f, "echo no\n"); chmod($f, 0700); @pcntl_exec($f); after(); echo "stays\n"; ', 'before and after'],
    'an empty file' => ['touch($f); chmod($f, 0700); @pcntl_exec($f); after(); echo "stays\n"; ', 'before and after'],
    'its interpreter is missing' => [
        'file_put_contents($f, "#!/no/such\n"); chmod($f, 0700); @pcntl_exec($f); after(); echo "stays\n"; ', 'before and after'],
    'too much is given' => ['@pcntl_exec("/bin/echo", [str_repeat("x", 200_000)]); after(); echo "stays\n"; ', 'before and after'],
    'too many are given' => ['@pcntl_exec("/bin/echo", array_fill(0, 3_000_000, "x")); after(); echo "stays\n"; ', 'before and after'],
    'wrong arguments' => ['try { pcntl_exec("/bin/sh", 1); } catch (TypeError) { } after(); echo "stays\n"; ', 'before and after'],
    'it fails after all' => [
        'file_put_contents($f, "\x7fELF" . str_repeat("x", 100)); chmod($f, 0700); @pcntl_exec($f); after(); echo "stays\n"; ', 'before', 'after'],
    'the program profiles itself' => ["xhprof_enable(); after(); $sh", 'before'],
];
$has = static fn (array $run, string $function): bool => isset($run['edges']["main()==>$function"]);
foreach ($programs as $label => $program) {
    $code = array_shift($program);
    sort($program);
    foreach (['exact', 'alloc', 'sample'] as $mode) {
        foreach ($mode === 'exact' ? ['yes', 'trigger'] : ['yes'] as $start) {
            $child = xhprof_test_auto(
                $head . $code,
                ['mode' => $mode, 'start_with_request' => $start, 'sampling_interval' => 200],
                ['XHPROF_TRIGGER' => '1'],
                ['memory_limit' => '1G'],
            );
            $sampled = array_filter($child['runs'], static fn (array $run): bool => $has($run, 'before')) !== [];
            $found = $problems = [];
            foreach ($child['runs'] as $run) {
                // Samples show what took time only.
                $found[] = implode(' and ', array_filter(['before', 'after'], static fn (string $name): bool => $has($run, $name)));
                if ($mode !== 'sample' && ($run['edges']['before==>crc32']['ct'] ?? 1000) !== 1000) {
                    $problems[] = "{$run['edges']['before==>crc32']['ct']} calls";
                }
                if ($run['start'] !== $start && !isset($run['name'])) {
                    $problems[] = "start $run[start]";
                }
            }
            $ended = array_values(array_filter(array_column($child['runs'], 'ended_by')));
            sort($ended);
            sort($found);
            $good = $mode === 'sample' ? $sampled : $found === $program;
            $text = str_contains($code, 'stays') ? "stays\n" : "replaced\n";
            if (!$good || $problems !== [] || $child['code'] !== 0 || $child['out'] !== $text || $child['err'] !== '') {
                echo "$label, $mode, $start: ", json_encode([$found, $ended, $problems, $child['code'], $child['out'], $child['err']]), "\n";
            }
            if ($mode === 'exact' && $start === 'yes') {
                echo "$label: ", implode(' | ', $found), '; by ', json_encode($ended), "\n";
            }
        }
    }
}

$child = xhprof_test_auto($head . $sh, ['mode' => 'aggregate', 'flush_seconds' => 1]);
sleep(1);
file_put_contents("$child[folder]/../next.php", '<?php');
xhprof_test_child("$child[folder]/../next.php", [], xhprof_test_auto_ini(['mode' => 'aggregate', 'flush_seconds' => 1], $child['folder']));
// Where the program worked over the end of a window there are two runs.
$requests = [];
foreach (xhprof_test_runs($child['folder']) as $run) {
    foreach ($run['aggregate']['routes'] as $route => $figures) {
        $requests[basename($route)] = ($requests[basename($route)] ?? 0) + $figures['requests'];
    }
}
echo 'aggregate: ', json_encode($requests), "\n";
?>
--EXPECT--
a program: before; by ["pcntl_exec"]
a PHP program: before; by ["pcntl_exec"]
a script with its interpreter, environment given: before; by ["pcntl_exec"]
within a function: before; by ["pcntl_exec"]
within a fiber: before; by ["pcntl_exec"]
in a shutdown function: before; by ["pcntl_exec"]
in a forked child: before | before and after; by ["pcntl_exec"]
within a span: after | before; by ["pcntl_exec","span"]
nothing is there: before and after; by []
a folder: before and after; by []
not allowed: before and after; by []
not a program: before and after; by []
an empty file: before and after; by []
its interpreter is missing: before and after; by []
too much is given: before and after; by []
too many are given: before and after; by []
wrong arguments: before and after; by []
it fails after all: after | before; by ["pcntl_exec"]
the program profiles itself: before; by ["xhprof_enable"]
aggregate: {"program.php":1}
