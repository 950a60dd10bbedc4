--TEST--
The calls of a worker's requests: each has its own, however deep it began, and after profiles that started and stopped within it
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    function deep(int $n, Closure $does) { return $n ? deep($n - 1, $does) : $does(); }
    function own(string $name): void { work(); }
    for ($i = 0; $i < 3; $i++) {
        deep(3, fn () => handle("/deep", fn () => deep(2, fn () => [own('a'), answer()][1])));
    }
    // A profile of the program's takes the place of the request's, which ends all the same with its call.
    handle('/profiles', function () { work(); xhprof_enable(); own('b'); $edges = xhprof_disable(); own('c'); echo isset($edges['own==>work']) ? '' : "no call of own()\n"; return answer(); });
    handle('/after', fn () => [work(), answer()][1]);
    // One that is open around it stays as it is.
    xhprof_enable();
    handle('/during', fn () => [own('d'), answer()][1]);
    own('e');
    $edges = xhprof_disable();
    ksort($edges);
    echo json_encode(array_map(static fn (array $edge): int => $edge['ct'], array_intersect_key($edges, ['own==>work' => 1, 'handle==>Handler::handle' => 1, 'main()==>own' => 1]))), "\n";
    handle('/last', fn () => [work(), answer()][1]);
    PHP;
foreach (['auto', 'walk'] as $hooks) {
    echo "-- $hooks\n";
    $result = xhprof_test_worker($code, ['hooks' => $hooks]);
    echo $result['out'], $result['err'];
    foreach ($result['runs'] as $run) {
        if ($run['start'] === 'span') {
            $own = array_filter($run['edges'], static fn (string $edge): bool => preg_match('/==>(own|work|inner|Handler::handle)(@\d+)?$/', $edge) === 1, ARRAY_FILTER_USE_KEY);
            $own = array_combine(preg_replace('/{closure:[^}]*}/', '{closure}', array_keys($own)), $own);
            ksort($own);
            echo $run['route'], ' ', $run['ended_by'] ?? '', ' ', json_encode(array_map(static fn (array $edge): int => $edge['ct'], $own), JSON_UNESCAPED_SLASHES), "\n";
        }
    }
}
$code = <<<'PHP'
    handle('/profiles', function () { xhprof_enable(); work(); xhprof_disable(); return answer(404); });
    handle('/samples', function () { xhprof_sample_enable(); work(); xhprof_sample_disable(); xhprof_set_route('named'); return answer(500); });
    handle('/after', fn () => answer());
    PHP;
xhprof_test_show_worker(xhprof_test_worker($code, ['mode' => 'aggregate', 'start_with_request' => 'no']));
?>
--EXPECT--
-- auto
{"handle==>Handler::handle":1,"main()==>own":1,"own==>work":2}
GET /deep  {"main()==>Handler::handle":1,"own==>work":1,"work==>inner":1,"{closure}==>own":1}
GET /deep  {"main()==>Handler::handle":1,"own==>work":1,"work==>inner":1,"{closure}==>own":1}
GET /deep  {"main()==>Handler::handle":1,"own==>work":1,"work==>inner":1,"{closure}==>own":1}
GET /profiles xhprof_enable {"main()==>Handler::handle":1,"work==>inner":1,"{closure}==>work":1}
GET /after  {"main()==>Handler::handle":1,"work==>inner":1,"{closure}==>work":1}
GET /last  {"main()==>Handler::handle":1,"work==>inner":1,"{closure}==>work":1}
-- walk
{"handle==>Handler::handle":1,"main()==>own":1,"own==>work":2}
GET /deep  {"main()==>Handler::handle":1,"own==>work":1,"work==>inner":1,"{closure}==>own":1}
GET /deep  {"main()==>Handler::handle":1,"own==>work":1,"work==>inner":1,"{closure}==>own":1}
GET /deep  {"main()==>Handler::handle":1,"own==>work":1,"work==>inner":1,"{closure}==>own":1}
GET /profiles xhprof_enable {"main()==>Handler::handle":1,"work==>inner":1,"{closure}==>work":1}
GET /after  {"main()==>Handler::handle":1,"work==>inner":1,"{closure}==>work":1}
GET /last  {"main()==>Handler::handle":1,"work==>inner":1,"{closure}==>work":1}
GET (404): 1
named: 1, failed 1
GET /after: 1
