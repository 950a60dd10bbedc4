--TEST--
RoadRunner: a request lasts from the loop's waitRequest() to its answer; one without an answer ends with the next one
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    use Spiral\RoadRunner\Http\{HttpWorker, PSR7Worker, Request as Given};
    $worker = new PSR7Worker();
    $worker->http->requests = [
        new Given('GET', 'https://rr.test/users/1?x=1'), new Given('GET', 'https://rr.test/unanswered'),
        new Given('POST', 'https://rr.test/failed'), new Given('GET', 'https://rr.test/users/2'),
        new Given('GET', 'https://rr.test/nested'), new Given('GET', 'https://rr.test/thrown'),
    ];
    while ($request = $worker->waitRequest()) {
        work();
        match ($request->path()) {
            '/unanswered' => null,
            '/failed' => (new Spiral\RoadRunner\Worker())->error('text'),
            '/nested' => $worker->respond((new Handler(fn () => answer(302)))->handle($request)),
            '/thrown' => (function () use ($worker) { try { throw new LogicException(); } catch (LogicException) { $worker->respond(answer(500)); } })(),
            default => $worker->respond(answer()),
        };
        between();
    }
    $http = $worker->http;
    $http->requests = [new Given('GET', '/plain/7'), new Given('GET', '/in-parts')];
    while ($http->waitRequest()) {
        $http->respond(100);
        $http->respond(206, 'a', [], false);
        in_parts();
        $http->respond(206, 'b');
        between();
    }
    $http->requests = [new Given('GET', '/left-open')];
    $http->waitRequest();
    work();
    function between(): void {}
    function in_parts(): void {}
    PHP;
$result = xhprof_test_worker($code);
xhprof_test_show_worker($result, 'method', 'route', 'url', 'host', 'status', 'failed', 'ended_by');
foreach ($result['runs'] as $run) {
    if ($run['start'] === 'span') {
        $called = array_unique(array_map(static fn (string $edge): string => substr($edge, (int) strpos($edge, '==>') + 3), array_keys($run['edges'])));
        echo $run['route'], ': ', implode(' ', array_intersect(['work', 'sent', 'after_sent', 'in_parts', 'between'], $called)), "\n";
    }
}
xhprof_test_show_worker(xhprof_test_worker($code, ['mode' => 'aggregate']));
?>
--EXPECT--
GET | GET /users/{id} | /users/1?x=1 | rr.test | 200 | - | -
GET | GET /unanswered | /unanswered | rr.test | - | - | next request
POST | POST /failed | /failed | rr.test | - | failed | -
GET | GET /users/{id} | /users/2 | rr.test | 200 | - | -
GET | GET /nested | /nested | rr.test | 302 | - | -
GET | GET /thrown | /thrown | rr.test | 500 | failed | -
GET | GET /plain/{id} | /plain/7 | - | 206 | - | -
GET | GET /in-parts | /in-parts | - | 206 | - | -
GET | GET /left-open | /left-open | - | - | - | shutdown
GET /users/{id}: work sent after_sent
GET /unanswered: work between
POST /failed: work
GET /users/{id}: work sent after_sent
GET /nested: work sent after_sent
GET /thrown: work sent after_sent
GET /plain/{id}: sent in_parts
GET /in-parts: sent in_parts
GET /left-open: work
GET /users/{id}: 2
GET /unanswered: 1
POST /failed: 1, failed 1
GET /nested: 1
GET /thrown: 1, failed 1
GET /plain/{id}: 1
GET /in-parts: 1
GET /left-open: 1
