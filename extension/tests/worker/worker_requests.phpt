--TEST--
Requests of a worker that hands them to a handler of PSR-15: what each run and route has, in all modes and with both ways of hooks
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    handle('/users/5?page=2', fn () => [work(), answer()][1]);
    handle('/users/7', fn () => handle('/inner', fn () => answer(500)) ? answer(201) : null);
    handle('/down', fn () => answer(503));
    handle('/nothing', fn () => answer(404));
    try { handle('/thrown', fn () => throw new LogicException()); } catch (LogicException) { work(); }
    handle('/caught', function () { try { undefined(); } catch (Error) {} return answer(); });
    handle('/named', function () { xhprof_set_route('named by the program'); return answer(404); });
    handle('/by-hand', function () {
        echo xhprof_begin_span('by hand') ? "profiled\n" : '';
        work();
        echo xhprof_end_span() === null ? '' : "a run\n";
        $span = xhprof_span('an object');
        unset($span);
        return answer();
    });
    work();
    xhprof_begin_span('outside') || print("not profiled\n");
    handle('/within', fn () => answer(500));
    is_string(xhprof_end_span()) || print("no run\n");
    handle('/exits', fn () => exit);
    PHP;
foreach (['exact', 'sample'] as $mode) {
    foreach (['auto', 'walk'] as $hooks) {
        echo "-- $mode, hooks=$hooks\n";
        $result = xhprof_test_worker($code, ['mode' => $mode, 'hooks' => $hooks]);
        xhprof_test_show_worker($result, 'route', 'name', 'url', 'status', 'failed', 'ended_by');
    }
}
foreach (['auto', 'walk'] as $hooks) {
    echo "-- aggregate, hooks=$hooks\n";
    xhprof_test_show_worker(xhprof_test_worker(str_replace('is_string', 'is_null', $code), ['mode' => 'aggregate', 'hooks' => $hooks]));
}
?>
--EXPECT--
-- exact, hooks=auto
GET /users/{id} | - | /users/5?page=2 | 200 | - | -
GET /users/{id} | - | /users/7 | 201 | - | -
GET /down | - | /down | 503 | failed | -
GET (404) | - | /nothing | 404 | - | -
GET /thrown | - | /thrown | - | failed | exception
GET /caught | - | /caught | 200 | - | -
named by the program | - | /named | 404 | - | -
GET /by-hand | - | /by-hand | 200 | - | -
outside | outside | - | - | - | -
GET /exits | - | /exits | - | - | exit
-- exact, hooks=walk
GET /users/{id} | - | /users/5?page=2 | 200 | - | -
GET /users/{id} | - | /users/7 | 201 | - | -
GET /down | - | /down | 503 | failed | -
GET (404) | - | /nothing | 404 | - | -
GET /thrown | - | /thrown | - | failed | exception
GET /caught | - | /caught | 200 | - | -
named by the program | - | /named | 404 | - | -
GET /by-hand | - | /by-hand | 200 | - | -
outside | outside | - | - | - | -
GET /exits | - | /exits | - | - | exit
-- sample, hooks=auto
GET /users/{id} | - | /users/5?page=2 | 200 | - | -
GET /users/{id} | - | /users/7 | 201 | - | -
GET /down | - | /down | 503 | failed | -
GET (404) | - | /nothing | 404 | - | -
GET /thrown | - | /thrown | - | failed | exception
GET /caught | - | /caught | 200 | - | -
named by the program | - | /named | 404 | - | -
GET /by-hand | - | /by-hand | 200 | - | -
outside | outside | - | - | - | -
GET /exits | - | /exits | - | - | exit
-- sample, hooks=walk
GET /users/{id} | - | /users/5?page=2 | 200 | - | -
GET /users/{id} | - | /users/7 | 201 | - | -
GET /down | - | /down | 503 | failed | -
GET (404) | - | /nothing | 404 | - | -
GET /thrown | - | /thrown | - | failed | exception
GET /caught | - | /caught | 200 | - | -
named by the program | - | /named | 404 | - | -
GET /by-hand | - | /by-hand | 200 | - | -
outside | outside | - | - | - | -
GET /exits | - | /exits | - | - | exit
-- aggregate, hooks=auto
GET /users/{id}: 2
GET /down: 1, failed 1
GET (404): 1
GET /thrown: 1, failed 1
GET /caught: 1
named by the program: 1
GET /by-hand: 1
outside: 1
GET /exits: 1
-- aggregate, hooks=walk
GET /users/{id}: 2
GET /down: 1, failed 1
GET (404): 1
GET /thrown: 1, failed 1
GET /caught: 1
named by the program: 1
GET /by-hand: 1
outside: 1
GET /exits: 1
