<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\Messenger\Event\WorkerMessageFailedEvent;
use Symfony\Component\Messenger\Event\WorkerMessageHandledEvent;
use Symfony\Component\Messenger\Event\WorkerMessageReceivedEvent;

/**
 * Each message of `messenger:consume --xhprof` is a run, under the name of its class. Where settings of the extension record
 * workers (xhprof.workers), a message is a run of theirs, and nothing is recorded here.
 */
final class MessageListener implements EventSubscriberInterface
{
    public function __construct(private readonly CommandListener $commands)
    {
    }

    public static function getSubscribedEvents(): array
    {
        return [
            // The last before the message is handled, and the first after that.
            WorkerMessageReceivedEvent::class => ['begin', -4096],
            WorkerMessageHandledEvent::class => ['handled', 4096],
            WorkerMessageFailedEvent::class => ['failed', 4096],
        ];
    }

    public function begin(WorkerMessageReceivedEvent $event): void
    {
        if ($event->shouldHandle()) {
            $this->commands->beginMessage();
        }
    }

    public function handled(WorkerMessageHandledEvent $event): void
    {
        $this->commands->endMessage($event->getEnvelope()->getMessage()::class);
    }

    public function failed(WorkerMessageFailedEvent $event): void
    {
        $this->commands->endMessage($event->getEnvelope()->getMessage()::class);
    }
}
