<?php

declare(strict_types=1);

// A request to the WordPress that benchmarks/wordpress/install.php has filled, by the name that it has been installed with. What a
// shop's plugin does: a type of its own for products, and one product.

$_SERVER['HTTP_HOST'] = 'shop.test';
$wp_filter['init'][10]['products'] = ['accepted_args' => 0, 'function' => static function (): void {
    register_post_type('product', ['public' => true, 'has_archive' => true]);
    if (get_posts(['post_type' => 'product']) === []) {
        wp_insert_post([
            'post_type' => 'product', 'post_title' => 'Blue hat', 'post_name' => 'blue-hat', 'post_status' => 'publish',
        ]);
    }
}];
require __DIR__ . '/../../../benchmarks/wordpress/page.php';
