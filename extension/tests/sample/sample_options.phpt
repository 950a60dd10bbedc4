--TEST--
Sampling: options, elapsed time and paths
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';
require __DIR__ . '/../delegating.inc';

echo "Options of xhprof_sample_enable(): wrong ones throw and nothing starts, unknown ones are a warning, settings are the default:\n";

foreach (
    [
        ['interval' => '1000'], ['interval' => 99], ['interval' => 1 << 33], ['interval' => null], ['depth' => 0],
        ['depth' => 1.5], ['clock' => 'mono'], ['clock' => 1], ['lines' => 1], ['interval' => 1000, 'lines' => 'yes'],
    ] as $options
) {
    xhprof_test_throws(static fn () => xhprof_sample_enable($options));
    echo xhprof_sample_disable() === null ? '' : "it runs\n";
}
set_error_handler(static function (int $level, string $message): bool {
    echo $message, "\n";
    return true;
});
xhprof_sample_enable(['period' => 5, 7 => 1, 'interval' => 500]);
usleep(20_000);
xhprof_sample_disable();
var_dump(xhprof_call_tree()['samples']['interval_us']);
set_error_handler(static function (int $level, string $message): never {
    throw new ErrorException($message);
});
try {
    xhprof_sample_enable(['period' => 5]);
} catch (ErrorException $e) {
    echo $e->getMessage(), ': ', json_encode(xhprof_sample_disable()), "\n";
}
restore_error_handler();

ini_set('xhprof.sampling_interval', '2000');
ini_set('xhprof.sampling_clock', 'cpu');
ini_set('xhprof.sampling_lines', '1');
$clock = 'wall';
foreach ([null, [], ['clock' => &$clock], ['lines' => false], ['interval' => 100]] as $options) {
    xhprof_sample_enable($options);
    xhprof_sample_disable();
    $samples = xhprof_call_tree()['samples'];
    echo $samples['interval_us'], ' ', $samples['clock'], ' ', json_encode(isset($samples['line'])), "\n";
}

echo "A sampling costs its functions nothing, so its elapsed time is its duration:\n";

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_sample_enable();
usleep(20_000);
xhprof_sample_disable();
$meta = xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
echo $meta['duration_us'] > 0 && $meta['elapsed_us'] === $meta['duration_us'] ? 'the same' : json_encode($meta), "\n";

echo "Sampling: generators that delegate and fibers that are resumed have the paths of PHP's own backtrace, as in exact profiles:\n";

xhprof_enable();
program();
xhprof_disable();
$exact = paths_of(xhprof_call_tree());

// Each place is met sooner or later; none is met that is not there.
Where::$microseconds = 2500;
$sampled = [];
for ($i = 0; $i < 50 && array_diff_key($exact, $sampled); $i++) {
    xhprof_sample_enable(['interval' => 1000]);
    program();
    xhprof_sample_disable();
    $sampled += paths_of(xhprof_call_tree());
}
foreach (array_diff_key($exact, $sampled) as $path => $_) {
    echo "not in samples: $path\n";
}
foreach (array_diff_key($sampled, $exact) as $path => $_) {
    echo "in samples only: $path\n";
}
foreach (array_diff_key($sampled, Where::$paths) as $path => $_) {
    echo "not in the backtrace: $path\n";
}
echo count($sampled), " paths\n";
?>
--EXPECT--
Options of xhprof_sample_enable(): wrong ones throw and nothing starts, unknown ones are a warning, settings are the default:
TypeError: xhprof_sample_enable(): Option "interval" must be of type int, string given
ValueError: xhprof_sample_enable(): Option "interval" must be between 100 and 4294967295
ValueError: xhprof_sample_enable(): Option "interval" must be between 100 and 4294967295
TypeError: xhprof_sample_enable(): Option "interval" must be of type int, null given
ValueError: xhprof_sample_enable(): Option "depth" must be between 1 and 9223372036854775807
TypeError: xhprof_sample_enable(): Option "depth" must be of type int, float given
ValueError: xhprof_sample_enable(): Option "clock" must be "wall" or "cpu"
TypeError: xhprof_sample_enable(): Option "clock" must be of type string, int given
TypeError: xhprof_sample_enable(): Option "lines" must be of type bool, int given
TypeError: xhprof_sample_enable(): Option "lines" must be of type bool, string given
xhprof_sample_enable(): Unknown option "period" is ignored
xhprof_sample_enable(): Unknown option "(numeric)" is ignored
int(500)
xhprof_sample_enable(): Unknown option "period" is ignored: null
2000 cpu true
2000 cpu true
2000 wall true
2000 cpu false
100 cpu true
A sampling costs its functions nothing, so its elapsed time is its duration:
the same
Sampling: generators that delegate and fibers that are resumed have the paths of PHP's own backtrace, as in exact profiles:
75 paths
