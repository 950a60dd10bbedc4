<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Shop;

use Symfony\Component\Messenger\Attribute\AsMessageHandler;

#[AsMessageHandler]
final class OrderHandler
{
    public function __invoke(Order $order): void
    {
        if ($this->parcel($order->number) === str_repeat('x', 13)) {
            throw new \RuntimeException('Order 13 cannot be sent');
        }
    }

    private function parcel(int $number): string
    {
        return str_repeat('x', $number);
    }
}
