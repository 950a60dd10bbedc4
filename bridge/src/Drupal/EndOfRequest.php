<?php

declare(strict_types=1);

namespace XHProf\Bridge\Drupal;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\TerminateEvent;
use Symfony\Component\HttpKernel\KernelEvents;

/** Ends the recording when the answer was sent and Drupal has done the rest of its work. */
final class EndOfRequest implements EventSubscriberInterface
{
    public function __construct(private readonly Recording $recording)
    {
    }

    public static function getSubscribedEvents(): array
    {
        return [KernelEvents::TERMINATE => ['end', -1000]];
    }

    public function end(TerminateEvent $event): void
    {
        $route = $event->getRequest()->attributes->get('_route');
        $this->recording->end($event->getRequest(), is_string($route) ? $route : null);
    }
}
