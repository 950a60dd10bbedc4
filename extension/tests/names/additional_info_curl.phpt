--TEST--
xhprof.collect_additional_info: the URL in the name of curl_exec
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (!xhprof_test_available('curl')) {
    die('skip needs curl');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function fetch(string $url): void
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_CONNECTTIMEOUT => 2, CURLOPT_PROXY => '']);
    curl_exec($curl);
}

if (isset($argv[1])) {
    xhprof_enable();
    fetch('http://127.0.0.1:9/one?x=1');
    fetch('http://127.0.0.1:9/two');
    fetch('http://127.0.0.1:9/two');
    $edges = xhprof_disable();
    xhprof_test_edges($edges, ['==>curl_init', '==>curl_setopt_array']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    exit(0);
}
foreach ([1, 0] as $on) {
    echo "-- $on\n";
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.collect_additional_info' => $on], ['curl']));
}
?>
--EXPECT--
-- 1
fetch==>curl_exec#http://127.0.0.1:9/one?x=1: ct=1
fetch==>curl_exec#http://127.0.0.1:9/two: ct=2
main(): ct=1
main()==>fetch: ct=3
main()==>xhprof_disable: ct=1
invariants: ok
-- 0
fetch==>curl_exec: ct=3
main(): ct=1
main()==>fetch: ct=3
main()==>xhprof_disable: ct=1
invariants: ok
