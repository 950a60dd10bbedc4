<?php

declare(strict_types=1);

namespace Shop;

/**
 * Products by their number: in Memcached where it is there.
 *
 * @phpstan-import-type Row from Products
 */
final class ProductCache
{
    private ?\Memcached $memcached = null;

    public function __construct(private readonly Products $products)
    {
        $socket = (string) getenv('SHOP_MEMCACHED');
        if ($socket !== '' && extension_loaded('memcached')) {
            $this->memcached = new \Memcached();
            $this->memcached->addServer($socket, 0);
        }
    }

    /** @return Row|null */
    public function find(int $id): ?array
    {
        $known = $this->memcached?->get("product:$id");
        if (is_array($known)) {
            /** @var Row */
            return $known;
        }
        $product = $this->products->find($id);
        $this->memcached?->set("product:$id", $product, 60);

        return $product;
    }
}
