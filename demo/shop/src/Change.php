<?php

declare(strict_types=1);

namespace Shop;

/** A price that has changed. */
final class Change
{
    public function __construct(public readonly int $product, public readonly int $cents, public readonly string $note)
    {
    }
}
