--TEST--
Jobs: names of messages of Symfony Messenger and of jobs of Laravel's drivers, whatever they are kept in; failures
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$code = <<<'PHP'
    use Illuminate\Queue\Worker;
    use Symfony\Component\Messenger\{Envelope, MessageBus};
    const OF_WORKER = 'Symfony\\Component\\Messenger\\Stamp\\ConsumedByWorkerStamp';
    final class Mail { function run(): void { work(); } }
    final class Charge { function run(): void { throw new LogicException('no money'); } }
    final class Outer { function run(): void { (new MessageBus())->dispatch(new Envelope(new Mail(), OF_WORKER)); } }
    $bus = new MessageBus();
    $bus->dispatch(new Envelope(new Mail(), OF_WORKER));
    $bus->dispatch(new Envelope(new Mail()));
    $bus->dispatch(new Envelope(new Mail(), 'Symfony\\Component\\Messenger\\Stamp\\ReceivedStamp')); // by the transport "sync"
    final class Calls { function run(): void { handle('/within', fn () => answer(500)); } }
    $bus->dispatch(new Envelope(new Calls(), OF_WORKER));
    $bus->dispatch(new Envelope(new Outer(), 'another', OF_WORKER));
    try { $bus->dispatch(new Envelope(new Charge(), OF_WORKER)); } catch (LogicException) {}
    $payload = static fn (string $class): string => json_encode(['uuid' => '1', 'displayName' => $class, 'job' => 'Illuminate\\Queue\\CallQueuedHandler@call']);
    final class SyncJob { public ?Closure $does = null; function __construct(protected string $payload) {} }
    final class RedisJob { function __construct(protected string $job, protected array $decoded) {} }
    final class SqsJob { function __construct(protected array $job) {} }
    final class Record { function __construct(protected stdClass $record) {} }
    final class DatabaseJob { function __construct(protected object $job) {} }
    final class PheanstalkJob { function __construct(private string $data) {} }
    final class OtherJob { public mixed $payload = 3; public mixed $job = null; public mixed $does = null; }
    $worker = new Worker();
    foreach ([
        new SyncJob($payload('App\\Jobs\\Sync')), new RedisJob('', ['displayName' => 'App\\Jobs\\Redis']), new RedisJob($payload('App\\Jobs\\RedisText'), []),
        new SqsJob(['Body' => $payload('App\\Jobs\\Sqs')]), new DatabaseJob(new Record((object) ['payload' => $payload('App\\Jobs\\Database')])),
        new DatabaseJob((object) ['payload' => $payload('App\\Jobs\\Row "1"/2')]), new DatabaseJob(new PheanstalkJob($payload('App\\Jobs\\Beanstalkd'))),
        new OtherJob(), new SyncJob('{"displayName":"'), new SyncJob('not JSON'), new SyncJob('{"displayName":"' . str_repeat('n', 500)),
    ] as $job) {
        $worker->process('connection', $job, []);
    }
    final class FailedJob { public ?Closure $does = null; protected bool $failed = false; function fail(): void { $this->failed = true; } }
    $failed = new FailedJob();
    $failed->does = $failed->fail(...);
    $worker->process('connection', $failed, []);
    $failing = new SyncJob($payload('App\\Jobs\\Fails'));
    $failing->does = fn () => throw new LogicException('as planned');
    try { $worker->process('connection', $failing, []); } catch (LogicException) {}
    PHP;
xhprof_test_show_worker(xhprof_test_worker($code), 'name', 'method', 'failed', 'ended_by');
xhprof_test_show_worker(xhprof_test_worker($code, ['mode' => 'aggregate']));
?>
--EXPECT--
Mail | - | - | -
Calls | - | - | -
Outer | - | - | -
Charge | - | failed | exception
App\Jobs\Sync | - | - | -
App\Jobs\Redis | - | - | -
App\Jobs\RedisText | - | - | -
App\Jobs\Sqs | - | - | -
App\Jobs\Database | - | - | -
App\Jobs\Row "1"/2 | - | - | -
App\Jobs\Beanstalkd | - | - | -
OtherJob | - | - | -
SyncJob | - | - | -
SyncJob | - | - | -
nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn | - | - | -
FailedJob | - | failed | -
App\Jobs\Fails | - | failed | exception
Mail: 1
Calls: 1
Outer: 1
Charge: 1, failed 1
App\Jobs\Sync: 1
App\Jobs\Redis: 1
App\Jobs\RedisText: 1
App\Jobs\Sqs: 1
App\Jobs\Database: 1
App\Jobs\Row "1"/2: 1
App\Jobs\Beanstalkd: 1
OtherJob: 1
SyncJob: 2
nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: 1
FailedJob: 1, failed 1
App\Jobs\Fails: 1, failed 1
