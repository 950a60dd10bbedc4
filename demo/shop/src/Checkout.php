<?php

declare(strict_types=1);

namespace Shop;

/** An order, from the cart to the sale: nothing planted, a bit of everything that a shop waits for. */
final class Checkout
{
    public function __construct(
        private readonly Carts $carts,
        private readonly ProductCache $products,
        private readonly Sales $sales,
    ) {
    }

    /** @return array{products: int, cents: int} */
    public function order(string $customer, string $currency): array
    {
        $rate = Rates::of($currency);
        $sum = $count = 0;
        $this->sales->begin();
        foreach ($this->carts->take($customer) as $id) {
            $product = $this->products->find($id);
            if ($product !== null) {
                $cents = (int) round((int) $product['cents'] * $rate);
                $this->sales->order($id, $cents);
                $sum += $cents;
                $count++;
            }
        }

        $this->sales->commit();

        return ['products' => $count, 'cents' => $sum];
    }
}
