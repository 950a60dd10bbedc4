<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Shop;

/** A message. */
final class Order
{
    public function __construct(public readonly int $number)
    {
    }
}
