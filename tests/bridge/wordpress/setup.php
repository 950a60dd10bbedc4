<?php

declare(strict_types=1);

/*
 * Prepares what benchmarks/wordpress/install.php has installed, as an administrator would: an editor, the permalinks of
 * SITE_PERMALINKS, and with SITE_NETWORK=make the tables of a network, with SITE_NETWORK=1 its second site.
 */

$_SERVER['HTTP_HOST'] = getenv('SITE_HOST');
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
$_SERVER['REQUEST_URI'] = getenv('SITE_PATH');
require getenv('SITE_FOLDER') . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

if (getenv('SITE_NETWORK') === '1') {
    update_site_option('site_admins', ['bench']);
    $site = wpmu_create_blog($_SERVER['HTTP_HOST'], getenv('SITE_PATH') . 'two/', 'Two', 1, ['public' => 1], 1);
    if (is_wp_error($site)) {
        throw new RuntimeException($site->get_error_message());
    }
    add_user_to_blog($site, (int) username_exists('owner'), 'administrator');
    echo "the second site is $site\n";
    exit;
}
foreach (['editor' => 'editor', 'owner' => 'administrator'] as $name => $role) {
    wp_insert_user(['user_login' => $name, 'user_pass' => $name, 'user_email' => "$name@shop.test", 'role' => $role]);
}
update_option('permalink_structure', (string) getenv('SITE_PERMALINKS'));
if (getenv('SITE_NETWORK') === 'make') {
    require_once ABSPATH . 'wp-admin/includes/network.php';
    foreach ($wpdb->tables('ms_global') as $table => $name) {
        $wpdb->$table = $name;
    }
    install_network();
    $made = populate_network(1, $_SERVER['HTTP_HOST'], 'bench@shop.test', 'Network', getenv('SITE_PATH'), false);
    if (is_wp_error($made) && $made->get_error_code() !== 'no_wildcard_dns') {
        throw new RuntimeException($made->get_error_message());
    }
}
echo "the site is ready\n";
