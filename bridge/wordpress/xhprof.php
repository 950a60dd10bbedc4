<?php

/**
 * Plugin Name: XHProf
 * Description: Profiles a request at a click and shows the runs to administrators.
 * Requires PHP: 8.2
 * License: Apache-2.0
 *
 * A must-use plug-in: copy this file into wp-content/mu-plugins, or link it there. The rest is in the package xhprof/bridge, whose
 * folder is where this file is linked to, that of the constant XHPROF_BRIDGE (wp-config.php), or vendor/xhprof/bridge of the site.
 */

declare(strict_types=1);

if (!defined('ABSPATH')) {
    return;
}

// Also read by a PHP that is too old for the package.
(static function () {
    $reason = 'XHProf needs PHP 8.2 or newer.';
    if (PHP_VERSION_ID >= 80200) {
        $places = defined('XHPROF_BRIDGE') ? [rtrim((string) XHPROF_BRIDGE, '/')] : [
            dirname(__DIR__),
            ABSPATH . 'vendor/xhprof/bridge',
            WP_CONTENT_DIR . '/vendor/xhprof/bridge',
            dirname(ABSPATH) . '/vendor/xhprof/bridge',
            dirname(ABSPATH, 2) . '/vendor/xhprof/bridge',
        ];
        foreach ($places as $place) {
            if (is_file("$place/src/WordPress/Plugin.php")) {
                require_once "$place/src/WordPress/Plugin.php";
                \XHProf\Bridge\WordPress\Plugin::load($place);

                return;
            }
        }
        $reason = "XHProf's plug-in does not find the package xhprof/bridge in " . implode(', ', $places)
            . '. Install it with Composer, or name its folder in wp-config.php: define(\'XHPROF_BRIDGE\', \'/path\');';
    }
    add_action('admin_notices', static function () use ($reason) {
        if (current_user_can(is_multisite() ? 'manage_network' : 'manage_options')) {
            echo '<div class="notice notice-warning"><p>', esc_html($reason), '</p></div>';
        }
    });
})();
