--TEST--
The entry script is main() whatever records it: nothing stands between main() and what it calls, but files that it includes
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$folder = xhprof_test_folder();
mkdir("$folder/app");
// On a busy machine no sample may come in so short a time: then it works longer.
$work = 'function work(): string { $end = hrtime(true) + (int) getenv("WORK_MS") * 1_000_000; do { $x = str_repeat("x", 5000); } while (hrtime(true) < $end); return $GLOBALS["kept"] = $x; } ';
file_put_contents("$folder/app/part.php", '<?php work();');
file_put_contents("$folder/app/prepended.php", "<?php $work");
$program = "work(); require '$folder/app/part.php'; (static function () { work(); })();";
file_put_contents("$folder/app/main.php", "<?php $program");
if (class_exists("Phar") && Phar::canWrite()) {
    $phar = new Phar("$folder/app/main.phar");
    $phar['part.php'] = '<?php work();';
    $phar->setStub("<?php work(); require 'phar://$folder/app/main.phar/part.php'; work(); __HALT_COMPILER();");
}
$programs = [
    'script' => ["$folder/app/main.php"],
    '-r' => ['-r', $program],
    'standard input' => [],
] + (isset($phar) ? ['phar' => ["$folder/app/main.phar"]] : []);
$modes = ['exact', 'sample', 'alloc', 'aggregate'];
foreach ($programs as $label => $command) {
    foreach ($modes as $mode) {
        foreach ([30, 300, 3000] as $ms) {
            putenv("WORK_MS=$ms");
            $runs = xhprof_test_folder();
            $settings = ['auto_prepend_file' => $label === '-r' || $label === 'standard input' ? '' : "$folder/app/prepended.php",
                'xhprof.start_with_request' => 'yes', 'xhprof.mode' => $mode, 'xhprof.output_dir' => $runs, 'xhprof.sampling_interval' => 1000];
            $input = tmpfile();
            fwrite($input, "<?php $work $program");
            rewind($input);
            if ($label === '-r') {
                $command = ['-r', $work . $program];
            }
            proc_close(proc_open([...xhprof_test_command($settings), ...$command], [0 => $input], $pipes));
            $found = [];
            foreach (xhprof_test_run_names($runs) as $name) {
                $tree = xhprof_test_run_part($runs, $name, 'tree');
                $names = array_map(static fn (int $id): string => $tree['names'][$id], array_unique($tree['fn']));
                $run = preg_grep('/^run_init::/', $names);
                $bad = preg_grep('~^run_init::app/part\.php$|^run_init::main\.phar/part\.php$~', $run, PREG_GREP_INVERT);
                $found[] = (in_array('work', $names, true) ? 'work' : json_encode($names)) . ' '
                    . ($run === [] ? 'no file' : 'a file') . ($bad === [] ? '' : ' ' . implode(' ', $bad));
            }
            if ($found === ['work a file']) {
                break;
            }
        }
        foreach ($found as $outcome) {
            $outcomes[$outcome][] = "$label, $mode";
        }
    }
}
foreach ($outcomes as $outcome => $of) {
    echo count($outcomes) > 1 ? implode('; ', $of) . ': ' : '', $outcome, "\n";
}
echo count(array_merge(...array_values($outcomes))) >= 12 ? 'all of them' : json_encode($outcomes), "\n";
?>
--EXPECT--
work a file
all of them
