<?php

declare(strict_types=1);

namespace Shop;

/** A list of products with their reviews. */
final class Shelf
{
    public function __construct(private readonly Products $products, private readonly Reviews $reviews)
    {
    }

    /**
     * PLANTED: a query per product (N+1). listByOneQuery() is the cure.
     *
     * @return list<array{name: string, number: int, stars: float}>
     */
    public function list(int $count): array
    {
        $lines = [];
        foreach ($this->products->list($count) as $product) {
            $lines[] = ['name' => $product['name']] + $this->reviews->of((int) $product['id']);
        }

        return $lines;
    }

    /** @return list<array{name: string, number: int, stars: float}> the same */
    public function listByOneQuery(int $count): array
    {
        $products = $this->products->list($count);
        $reviews = $this->reviews->ofAll(array_map(static fn(array $one): int => (int) $one['id'], $products));
        $lines = [];
        foreach ($products as $product) {
            $lines[] = ['name' => $product['name']] + ($reviews[(int) $product['id']] ?? ['number' => 0, 'stars' => 0.0]);
        }

        return $lines;
    }
}
