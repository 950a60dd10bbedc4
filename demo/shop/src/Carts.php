<?php

declare(strict_types=1);

namespace Shop;

/** What customers are about to buy: in Redis where it is there, else for this request only. */
final class Carts
{
    private ?\Redis $redis = null;

    /** @var array<string, list<int>> */
    private array $carts = [];

    public function __construct()
    {
        $socket = (string) getenv('SHOP_REDIS');
        if ($socket !== '' && extension_loaded('redis')) {
            $this->redis = new \Redis();
            $this->redis->connect($socket);
        }
    }

    public function add(string $customer, int $product): void
    {
        $this->redis?->rPush("cart:$customer", (string) $product);
        $this->carts[$customer][] = $product;
    }

    /** @return list<int> and empties it */
    public function take(string $customer): array
    {
        $products = $this->redis?->lRange("cart:$customer", 0, -1);
        $this->redis?->del("cart:$customer");

        return is_array($products) ? array_map(intval(...), array_values($products)) : $this->carts[$customer] ?? [];
    }
}
