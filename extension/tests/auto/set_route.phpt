--TEST--
xhprof_set_route(): a program names its route; the last name counts, without secrets, in every mode
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

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
?>
--EXPECT--
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
