--TEST--
Operations: requests by curl, by method, host and route
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+curl'); ?>
--FILE--
<?php
require __DIR__ . '/operations.inc';

function fetch(string $url, array $options = []): void
{
    $curl = curl_init($url);
    curl_setopt_array($curl, $options + [CURLOPT_RETURNTRANSFER => true, CURLOPT_CONNECTTIMEOUT => 2, CURLOPT_PROXY => '']);
    curl_exec($curl);
}

if (isset($argv[1])) {
    xhprof_enable();
    fetch('http://user:secret@127.0.0.1:9/users/55?x=secret');
    fetch('http://127.0.0.1:9/users/56');
    fetch('http://127.0.0.1:9/users/56');
    fetch('http://127.0.0.1:9/users', [CURLOPT_POSTFIELDS => 'secret']);
    fetch('http://127.0.0.1:9/users/1', [CURLOPT_CUSTOMREQUEST => 'DELETE']);
    fetch('http://127.0.0.1:9/users/2', [CURLOPT_CUSTOMREQUEST => 'DELETE']);
    try {
        curl_exec(curl_multi_init());
    } catch (TypeError) {
    }
    $multi = curl_multi_init();
    foreach ([1, 2, 3] as $id) {
        $handle = curl_init("http://user:secret@127.0.0.1:9/orders/$id?x=secret");
        curl_setopt_array($handle, [CURLOPT_POSTFIELDS => 'secret', CURLOPT_PROXY => '']);
        curl_multi_add_handle($multi, $handle);
    }
    curl_multi_exec($multi, $running);
    $edges = xhprof_disable();
    xhprof_test_edges($edges, ['==>curl_init', '==>curl_setopt_array', '==>curl_multi_init']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    $json = operations_show();
    echo str_contains($json, 'secret') ? "it has values\n" : "it has no values\n";
    exit(0);
}
xhprof_test_show(xhprof_test_child(__FILE__, ['child'], [], ['curl']));
?>
--EXPECTF--
fetch==>curl_exec: ct=6
main(): ct=1
main()==>curl_exec: ct=1
main()==>curl_multi_add_handle: ct=3
main()==>curl_multi_exec: ct=1
main()==>fetch: ct=6
main()==>xhprof_disable: ct=1
invariants: ok
http: DELETE 127.0.0.1:9/users/{id}: ct=2 distinct=2 by curl_exec
http: GET 127.0.0.1:9/users/{id}: ct=3 distinct=2 by curl_exec
http: HTTP 127.0.0.1:9/orders/{id}: ct=3 distinct=3 by curl_multi_add_handle
http: POST 127.0.0.1:9/users: ct=1 distinct=1 by curl_exec
http: curl_exec: ct=1 distinct=1 by curl_exec
http: curl_multi_exec: ct=1 distinct=1 by curl_multi_exec
it has no values
