<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Shop;

use Symfony\Component\Console\ConsoleEvents;
use Symfony\Component\Console\Event\ConsoleCommandEvent;
use Symfony\Component\EventDispatcher\Attribute\AsEventListener;
use Symfony\Component\Messenger\MessageBusInterface;

/** The queue is in the memory of the process: before it is worked off, the orders of SHOP_ORDERS are put into it. */
#[AsEventListener(ConsoleEvents::COMMAND)]
final class FillQueue
{
    public function __construct(private readonly MessageBusInterface $bus)
    {
    }

    public function __invoke(ConsoleCommandEvent $event): void
    {
        if ($event->getCommand()?->getName() === 'messenger:consume') {
            foreach (array_filter(explode(',', (string) getenv('SHOP_ORDERS'))) as $number) {
                $this->bus->dispatch(new Order((int) $number));
            }
        }
    }
}
