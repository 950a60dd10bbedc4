--TEST--
Which requests of a worker are profiled: by their trigger, by chance, by xhprof.save_if, xhprof_ignore_request(), and none where nothing wants it
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    use Spiral\RoadRunner\Http\{HttpWorker, Request as Given};
    $http = new HttpWorker();
    $http->requests = [
        new Given('GET', '/untriggered/1'), new Given('GET', '/query?a=1&XHPROF_TRIGGER=open%20sesame'), new Given('GET', '/wrong?XHPROF_TRIGGER=open'),
        new Given('GET', '/cookie', [], ['XHPROF_TRIGGER' => 'open sesame']), new Given('GET', '/header', ['Cookie' => ['MY_XHPROF_TRIGGER=1; XHPROF_TRIGGER=open+sesame']]),
        new Given('GET', '/similar', ['cookie' => 'MY_XHPROF_TRIGGER=open+sesame']), new Given('GET', '/untriggered/2', ['traceparent' => 'nothing']),
        new Given('GET', '/ignored'),
    ];
    while ($request = $http->waitRequest()) {
        work();
        if ($request->uri === '/ignored') {
            xhprof_ignore_request();
        }
        $http->respond(str_contains($request->uri, 'untriggered/2') ? 500 : 200);
    }
    PHP;
foreach ([
    ['start_with_request' => 'yes'], ['start_with_request' => 'trigger'], ['start_with_request' => 'sampled', 'sample_rate' => 0],
    ['start_with_request' => 'sampled', 'sample_rate' => 1, 'save_if' => 'failed'], ['start_with_request' => 'no'],
    ['start_with_request' => 'yes', 'save_if' => '"route=GET /untriggered/{id}"', 'mode' => 'aggregate'],
    ['start_with_request' => 'no', 'mode' => 'aggregate'], ['start_with_request' => 'yes', 'workers' => 'off'], ['start_with_request' => 'yes', 'hooks' => 'off', 'mode' => 'sample'],
    ['start_with_request' => 'yes', 'route_patterns' => '#^/untriggered/(\d)#=number_\1'],
] as $ini) {
    echo '-- ', json_encode($ini, JSON_UNESCAPED_SLASHES), "\n";
    xhprof_test_show_worker(xhprof_test_worker($code, $ini + ['trigger_value' => '"open sesame"']), 'mode', 'route', 'url', 'status', 'failed');
}
echo "-- of the environment\n";
xhprof_test_show_worker(xhprof_test_worker($code, ['start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '1']), 'route');
?>
--EXPECT--
-- {"start_with_request":"yes"}
exact | GET /untriggered/{id} | /untriggered/1 | 200 | -
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /wrong | /wrong?XHPROF_TRIGGER=open | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
exact | GET /similar | /similar | 200 | -
exact | GET /untriggered/{id} | /untriggered/2 | 500 | failed
-- {"start_with_request":"trigger"}
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
-- {"start_with_request":"sampled","sample_rate":0}
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
-- {"start_with_request":"sampled","sample_rate":1,"save_if":"failed"}
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
exact | GET /untriggered/{id} | /untriggered/2 | 500 | failed
-- {"start_with_request":"no"}
-- {"start_with_request":"yes","save_if":"\"route=GET /untriggered/{id}\"","mode":"aggregate"}
GET /untriggered/{id}: 2, failed 1
GET /wrong: 1
GET /similar: 1
sample | GET /untriggered/{id} | /untriggered/1 | 200 | -
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
sample | GET /untriggered/{id} | /untriggered/2 | 500 | failed
-- {"start_with_request":"no","mode":"aggregate"}
GET /untriggered/{id}: 2, failed 1
GET /wrong: 1
GET /similar: 1
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
-- {"start_with_request":"yes","workers":"off"}
-- {"start_with_request":"yes","hooks":"off","mode":"sample"}
-- {"start_with_request":"yes","route_patterns":"#^/untriggered/(\\d)#=number_\\1"}
exact | GET number_1 | /untriggered/1 | 200 | -
exact | GET /query | /query?a=1&XHPROF_TRIGGER=REDACTED | 200 | -
exact | GET /wrong | /wrong?XHPROF_TRIGGER=open | 200 | -
exact | GET /cookie | /cookie | 200 | -
exact | GET /header | /header | 200 | -
exact | GET /similar | /similar | 200 | -
exact | GET number_2 | /untriggered/2 | 500 | failed
-- of the environment
GET /untriggered/{id}
GET /query
GET /wrong
GET /cookie
GET /header
GET /similar
GET /untriggered/{id}
