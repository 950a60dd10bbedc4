--TEST--
xhprof_set_route() and xhprof_ignore_request(): a program says what its request is
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof_set_route(): a program names its route; the last name counts, without secrets, in every mode:\n";

// Without a profile nothing happens. What is no name is refused.
var_dump(xhprof_set_route('nothing runs'));
foreach (['', []] as $wrong) {
    try {
        @xhprof_set_route($wrong);
        echo "taken\n";
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
foreach ([
    'exact' => [], 'sample' => [], 'alloc' => [],
] as $mode => $more) {
    $child = xhprof_test_auto('<?php xhprof_set_route("first"); xhprof_set_route("user_show"); echo "done";', ['mode' => $mode] + $more);
    echo $child['out'], $child['err'], " $mode: ";
    xhprof_test_show_runs($child['runs'], 'route');
}
$names = [
    'a?token=s3cret&b=1' => 1, 'https://ann:s3cret@example.org/x' => 1, "tab\tnul\0line\nend" => 1, 'App\\Controller\\User::show' => 1,
    'café' => 1, "bad \xff utf-8" => 1, str_repeat('é', 150) => 1,
];
foreach ($names as $name => $ignored) {
    $child = xhprof_test_auto('<?php xhprof_set_route(' . var_export($name, true) . ');');
    $route = $child['runs'][0]['route'];
    echo strlen($route) > 100 ? preg_match_all('/./u', $route) . ' ' . substr($route, -5) : $route, "\n";
}
// A run that the program saves has it as well.
$child = xhprof_test_auto('<?php xhprof_enable(); xhprof_set_route("mine"); xhprof_disable(); xhprof_save();', ['start_with_request' => 'no']);
xhprof_test_show_runs($child['runs'], 'source', 'route');
// A job begins with its own name.
$child = xhprof_test_auto(<<<'PHP'
    <?php
    foreach (['a', 'b'] as $job) {
        xhprof_begin_span("job $job");
        if ($job === 'a') {
            xhprof_set_route('renamed');
        }
        xhprof_end_span();
    }
    PHP);
xhprof_test_show_runs(array_slice($child['runs'], 1), 'name', 'route'); // the first is what came before the jobs
$child = xhprof_test_aggregate('xhprof_set_route("early"); work(5); xhprof_set_route("batch"); work(5);');
xhprof_test_show_requests(xhprof_test_routes($child['runs'], $child['folder']));

echo "xhprof_ignore_request(): what settings have started leaves no run and is counted nowhere; what the program starts itself is not touched:\n";

// Without a profile there is nothing to drop.
var_dump(xhprof_ignore_request());
foreach (['exact', 'sample', 'alloc'] as $mode) {
    $child = xhprof_test_auto('<?php function work() { return strrev("x"); } work(); var_dump(xhprof_ignore_request());
        work(); var_dump(xhprof_ignore_request());', ['mode' => $mode]);
    echo "$mode: ", str_replace("\n", ' ', $child['out']), $child['err'], count($child['runs']), " runs\n";
}
$child = xhprof_test_aggregate('work(2); var_dump(xhprof_ignore_request()); work(2);');
echo 'aggregate: ', trim($child['out']), $child['err'], ' ', count($child['runs']), ' runs, ',
    json_encode(array_values(array_diff(scandir($child['folder']), ['.', '..', 'clock']))), "\n";

// However the program ends.
foreach (['exit(3);', 'throw new Exception("x");', 'posix_kill(getmypid(), 15);'] as $end) {
    $child = xhprof_test_auto("<?php ini_set('display_errors', '0'); ini_set('log_errors', '0'); xhprof_ignore_request(); $end");
    echo count($child['runs']), ' runs';
}
echo "\n";

// The program's own profile, and what begins later.
$child = xhprof_test_auto('<?php xhprof_ignore_request(); xhprof_enable(); strrev("x"); $data = xhprof_disable();
    echo isset($data["main()==>strrev"]) ? "own " : "lost "; xhprof_save("mine"); xhprof_begin_span("job");
    var_dump(xhprof_ignore_request()); strrev("y"); xhprof_end_span();');
echo $child['out'];
xhprof_test_show_runs($child['runs'], 'source', 'name');
$child = xhprof_test_auto('<?php xhprof_enable(); var_dump(xhprof_ignore_request()); var_dump(is_array(xhprof_disable()));');
echo str_replace("\n", ' ', $child['out']), count($child['runs']), " run of before\n";
?>
--EXPECT--
xhprof_set_route(): a program names its route; the last name counts, without secrets, in every mode:
NULL
ValueError: xhprof_set_route(): Argument #1 ($name) must not be empty
TypeError: xhprof_set_route(): Argument #1 ($name) must be of type string, array given
done exact: route="user_show"
done sample: route="user_show"
done alloc: route="user_show"
a?token=REDACTED&b=1
https://ann:REDACTED@example.org/x
tab?nul?line?end
App\Controller\User::show
café
bad \xFF utf-8
101 é...
source="xhprof" route="mine"
name="job a" route="renamed"
name="job b" route="job b"
batch: 1
xhprof_ignore_request(): what settings have started leaves no run and is counted nowhere; what the program starts itself is not touched:
bool(false)
exact: bool(true) bool(false) 0 runs
sample: bool(true) bool(false) 0 runs
alloc: bool(true) bool(false) 0 runs
aggregate: bool(true) 0 runs, []
0 runs0 runs0 runs
own bool(false)
source="mine" name=null
source="auto" name="job"
bool(false) bool(true) 1 run of before
