<?php

declare(strict_types=1);

/*
 * wp-config.php of the WordPress that WordPressSite serves. In the environment: BENCH_SOCKET of the database, SITE_PATH (path of
 * the site, "/" or "/blog/"), SITE_NETWORK (1: a network of sites in sub-folders), SITE_BRIDGE (the package), SITE_PLUGINS.
 */

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
// Debian 12's WordPress calls what a later PHP may call deprecated.
define('WP_DEBUG', false);
if (getenv('SITE_NETWORK') === '1') {
    define('MULTISITE', true);
    define('SUBDOMAIN_INSTALL', false);
    define('DOMAIN_CURRENT_SITE', $_SERVER['HTTP_HOST']);
    define('PATH_CURRENT_SITE', getenv('SITE_PATH'));
    define('SITE_ID_CURRENT_SITE', 1);
    define('BLOG_ID_CURRENT_SITE', 1);
} else {
    define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST'] . rtrim(getenv('SITE_PATH'), '/'));
    define('WP_SITEURL', WP_HOME);
}
if (getenv('SITE_BRIDGE') !== false) {
    define('XHPROF_BRIDGE', getenv('SITE_BRIDGE'));
}
$table_prefix = 'wp_';
require_once __DIR__ . '/wp-settings.php';
