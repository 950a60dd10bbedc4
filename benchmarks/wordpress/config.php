<?php

/*
 * What WordPress's wp-config.php has, of Debian's package, unpacked by tools/frameworks.sh. BENCH_WORDPRESS is the folder of
 * WordPress, BENCH_SOCKET that of the database's server.
 */

declare(strict_types=1);

define('ABSPATH', getenv('BENCH_WORDPRESS') . '/');
define('WP_CONTENT_DIR', ABSPATH . 'wp-content');
define('DB_NAME', 'shop');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('BENCH_SOCKET'));
define('DB_CHARSET', 'utf8mb4');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    define("{$name}_KEY", md5($name));
    define("{$name}_SALT", md5("$name salt"));
}
$table_prefix = 'wp_';
