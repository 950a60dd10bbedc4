--TEST--
xhprof_save() within a job or a request of a worker that settings do not record: the run has the name that is given in it, and not that of the one before
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    use Symfony\Component\Messenger\{Envelope, MessageBus};
    const OF_WORKER = 'Symfony\\Component\\Messenger\\Stamp\\ConsumedByWorkerStamp';
    function recorded(?string $route): void
    {
        xhprof_enable();
        if ($route !== null) {
            xhprof_set_route($route);
        }
        strrev('x');
        xhprof_disable();
        xhprof_save('saved');
    }
    final class Mail { function run(): void { recorded(null); } }
    final class Named { function run(): void { recorded('named by the program'); } }
    recorded(null);
    recorded('before the jobs');
    $bus = new MessageBus();
    foreach ([new Mail(), new Named(), new Mail()] as $message) {
        $bus->dispatch(new Envelope($message, OF_WORKER));
    }
    recorded(null);
    PHP;
$result = xhprof_test_worker($code, ['start_with_request' => 'trigger', 'trigger_value' => 'secret']);
echo $result['out'], $result['err'];
$routes = array_map(fn (array $run): string => $run['route'] ?? '-', $result['runs']);
sort($routes);
echo implode("\n", $routes), "\n";
?>
--EXPECT--
-
-
-
before the jobs
before the jobs
named by the program
