<?php

/* One request to WordPress, as its index.php does it. */

declare(strict_types=1);

require __DIR__ . '/config.php';
define('WP_USE_THEMES', true);
require ABSPATH . 'wp-settings.php';
wp();
require ABSPATH . WPINC . '/template-loader.php';
