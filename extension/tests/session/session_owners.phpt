--TEST--
One thing runs at a time: what a start says within another, what takes whose place, and what each stop stops
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

const STARTS = ['xhprof_enable', 'xhprof_sample_enable', 'tideways_xhprof_enable', 'memprof_enable', 'xhprof_begin_span'];
const STOPS = ['xhprof_disable', 'xhprof_sample_disable', 'tideways_xhprof_disable', 'memprof_disable', 'xhprof_end_span'];

function tell(string $function, mixed ...$arguments): string
{
    $said = [];
    set_error_handler(static function (int $type, string $message) use (&$said): bool {
        $said[] = $message;
        return true;
    });
    try {
        $result = $function(...$arguments);
        $empty = $result === [] && $function === 'tideways_xhprof_disable'; /* a short sampling has no samples */
        $text = match (true) {
            is_array($result) => $empty ? 'an empty array' : 'an array',
            is_string($result) => 'an id',
            default => json_encode($result),
        };
    } catch (Throwable $e) {
        $text = get_class($e) . ': ' . $e->getMessage();
    }
    restore_error_handler();
    return $text . ($said ? ' (' . implode(', ', $said) . ')' : '');
}

function start(string $function): string
{
    return $function === 'xhprof_begin_span' ? tell($function, 'job') : tell($function);
}

if (isset($argv[1])) {
    foreach (STARTS as $first) {
        foreach (STARTS as $second) {
            echo "$first: ", start($first), "; $second: ", start($second), "\n";
            foreach (STOPS as $stop) {
                $text = tell($stop);
                if (!in_array($text, ['null', 'an empty array', 'Exception: memprof_disable(): memprof is not enabled'], true)) {
                    echo "    $stop: $text\n";
                }
            }
        }
    }
    exit(0);
}
$folder = xhprof_test_folder();
$runs = [];
foreach (['no', 'yes'] as $automatic) {
    echo "start_with_request=$automatic\n";
    $ini = ['xhprof.start_with_request' => $automatic, 'xhprof.output_dir' => $folder, 'xhprof.max_runs' => 0];
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], $ini));
    foreach (xhprof_test_run_names($folder) as $name) {
        $meta = xhprof_test_run_part($folder, $name, 'meta');
        $runs[] = "{$meta['start']}, ended by " . ($meta['ended_by'] ?? 'its end');
    }
}
sort($runs);
echo implode("\n", $runs), "\n";
?>
--EXPECT--
start_with_request=no
xhprof_enable: null; xhprof_enable: null
    xhprof_disable: an array
xhprof_enable: null; xhprof_sample_enable: null
    xhprof_disable: an array
xhprof_enable: null; tideways_xhprof_enable: null
    xhprof_disable: an array
xhprof_enable: null; memprof_enable: false (memprof_enable(): Another profile is running)
    xhprof_disable: an array
xhprof_enable: null; xhprof_begin_span: false
    xhprof_disable: an array
xhprof_sample_enable: null; xhprof_enable: null
    xhprof_sample_disable: an array
xhprof_sample_enable: null; xhprof_sample_enable: null
    xhprof_sample_disable: an array
xhprof_sample_enable: null; tideways_xhprof_enable: null
    xhprof_sample_disable: an array
xhprof_sample_enable: null; memprof_enable: false (memprof_enable(): Another profile is running)
    xhprof_sample_disable: an array
xhprof_sample_enable: null; xhprof_begin_span: false
    xhprof_sample_disable: an array
tideways_xhprof_enable: null; xhprof_enable: null
    xhprof_disable: an array
tideways_xhprof_enable: null; xhprof_sample_enable: null
    xhprof_disable: an array
tideways_xhprof_enable: null; tideways_xhprof_enable: null
    xhprof_disable: an array
tideways_xhprof_enable: null; memprof_enable: false (memprof_enable(): Another profile is running)
    xhprof_disable: an array
tideways_xhprof_enable: null; xhprof_begin_span: false
    xhprof_disable: an array
memprof_enable: true; xhprof_enable: null (xhprof_enable(): Cannot profile while memprof_enable() tracks memory)
    memprof_disable: true
memprof_enable: true; xhprof_sample_enable: null (xhprof_sample_enable(): Cannot profile while memprof_enable() tracks memory)
    memprof_disable: true
memprof_enable: true; tideways_xhprof_enable: null (tideways_xhprof_enable(): Cannot profile while memprof_enable() tracks memory)
    memprof_disable: true
memprof_enable: true; memprof_enable: Exception: memprof_enable(): memprof is already enabled
    memprof_disable: true
memprof_enable: true; xhprof_begin_span: false
    memprof_disable: true
xhprof_begin_span: false; xhprof_enable: null
    xhprof_disable: an array
xhprof_begin_span: false; xhprof_sample_enable: null
    xhprof_sample_disable: an array
xhprof_begin_span: false; tideways_xhprof_enable: null
    xhprof_disable: an array
xhprof_begin_span: false; memprof_enable: true
    memprof_disable: true
xhprof_begin_span: false; xhprof_begin_span: false
start_with_request=yes
xhprof_enable: null; xhprof_enable: null
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_enable: null; xhprof_sample_enable: null
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_enable: null; tideways_xhprof_enable: null
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_enable: null; memprof_enable: false (memprof_enable(): Another profile is running)
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_enable: null; xhprof_begin_span: false (xhprof_begin_span(): A profile is running: the span is not profiled)
    xhprof_disable: an array
xhprof_sample_enable: null; xhprof_enable: null
    xhprof_sample_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_sample_enable: null; xhprof_sample_enable: null
    xhprof_sample_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_sample_enable: null; tideways_xhprof_enable: null
    xhprof_sample_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_sample_enable: null; memprof_enable: false (memprof_enable(): Another profile is running)
    xhprof_sample_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
xhprof_sample_enable: null; xhprof_begin_span: false (xhprof_begin_span(): A profile is running: the span is not profiled)
    xhprof_sample_disable: an array
tideways_xhprof_enable: null; xhprof_enable: null
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
tideways_xhprof_enable: null; xhprof_sample_enable: null
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
tideways_xhprof_enable: null; tideways_xhprof_enable: null
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
tideways_xhprof_enable: null; memprof_enable: false (memprof_enable(): Another profile is running)
    xhprof_disable: an array
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
tideways_xhprof_enable: null; xhprof_begin_span: false (xhprof_begin_span(): A profile is running: the span is not profiled)
    xhprof_disable: an array
memprof_enable: true; xhprof_enable: null (xhprof_enable(): Cannot profile while memprof_enable() tracks memory)
    memprof_disable: true
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
memprof_enable: true; xhprof_sample_enable: null (xhprof_sample_enable(): Cannot profile while memprof_enable() tracks memory)
    memprof_disable: true
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
memprof_enable: true; tideways_xhprof_enable: null (tideways_xhprof_enable(): Cannot profile while memprof_enable() tracks memory)
    memprof_disable: true
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
memprof_enable: true; memprof_enable: Exception: memprof_enable(): memprof is already enabled
    memprof_disable: true
    xhprof_end_span: null (xhprof_end_span(): No span has begun)
memprof_enable: true; xhprof_begin_span: false (xhprof_begin_span(): A profile is running: the span is not profiled)
    memprof_disable: true
xhprof_begin_span: true; xhprof_enable: null
    xhprof_disable: an array
    xhprof_end_span: an id
xhprof_begin_span: true; xhprof_sample_enable: null
    xhprof_sample_disable: an array
    xhprof_end_span: an id
xhprof_begin_span: true; tideways_xhprof_enable: null
    xhprof_disable: an array
    xhprof_end_span: an id
xhprof_begin_span: true; memprof_enable: true
    memprof_disable: true
    xhprof_end_span: an id
xhprof_begin_span: true; xhprof_begin_span: true
    xhprof_end_span: an id
span, ended by its end
span, ended by memprof_enable
span, ended by span
span, ended by tideways_xhprof_enable
span, ended by xhprof_enable
span, ended by xhprof_sample_enable
yes, ended by xhprof_enable
