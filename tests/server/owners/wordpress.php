<?php

declare(strict_types=1);

// A request to the WordPress that benchmarks/wordpress/install.php has filled, with the two plug-ins beside this file.

$_SERVER['HTTP_HOST'] = 'shop.test';
define('WP_PLUGIN_DIR', __DIR__ . '/wp-content/plugins');
$wp_filter['pre_option_active_plugins'][10]['owners'] = [
    'accepted_args' => 0,
    'function' => static fn (): array => ['busy-loops/busy-loops.php', 'slow-waits/slow-waits.php'],
];
require __DIR__ . '/../../../benchmarks/wordpress/page.php';
