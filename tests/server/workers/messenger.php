<?php

declare(strict_types=1);

// The worker of Symfony Messenger, with a transport in memory. One message fails, and one handler dispatches another message.

use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\EventListener\StopWorkerOnMessageLimitListener;
use Symfony\Component\Messenger\Handler\HandlersLocator;
use Symfony\Component\Messenger\MessageBus;
use Symfony\Component\Messenger\Middleware\HandleMessageMiddleware;
use Symfony\Component\Messenger\Transport\InMemory\InMemoryTransport;
use Symfony\Component\Messenger\Worker;

require getenv('XHPROF_TEST_AUTOLOAD');

final class SendMail
{
}

final class Charge
{
}

final class Logged
{
}

$bus = null;
$bus = new MessageBus([new HandleMessageMiddleware(new HandlersLocator([
    SendMail::class => [static function () use (&$bus): void {
        $bus->dispatch(new Logged());
    }],
    Charge::class => [static fn() => throw new LogicException('no money')],
    Logged::class => [static function (): void {
        strrev('logged');
    }],
]))]);
$transport = new InMemoryTransport();
foreach ([new SendMail(), new Charge(), new SendMail()] as $message) {
    $transport->send(new Envelope($message));
}
$events = new EventDispatcher();
$events->addSubscriber(new StopWorkerOnMessageLimitListener(3));
(new Worker(['async' => $transport], $bus, $events))->run(['sleep' => 0]);
