<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

use XHProf\App\MountedSite;
use XHProf\Bridge\Mount;

/** The pages below the path of the site, for administrators who have logged in; they are kept in no cache. */
final class Pages
{
    /** At init, when WordPress knows who asks: answers a request that is one of the pages, and ends it. */
    public static function serve(): void
    {
        $server = (array) wp_unslash($_SERVER);
        $behind = Address::behind((string) ($server['REQUEST_URI'] ?? ''));
        if ($behind === null) {
            return;
        }
        // Read by plug-ins that keep whole pages.
        defined('DONOTCACHEPAGE') || define('DONOTCACHEPAGE', true);
        nocache_headers();
        if (function_exists('xhprof_ignore_request')) {
            xhprof_ignore_request();
        }
        if (!Administrator::isHere()) {
            self::refuse((string) ($server['REQUEST_URI'] ?? ''));
        }
        if (!class_exists(MountedSite::class)) {
            wp_die(
                'The library of XHProf is not installed: run "composer install" in the folder of xhprof/bridge, or require'
                    . ' xhprof/bridge in the project of this site.',
                'XHProf',
                ['response' => 500],
            );
        }
        // What plug-ins have printed so far is no part of a page.
        while (ob_get_level() > 0 && ob_end_clean()) {
            continue;
        }
        $method = strtoupper((string) ($server['REQUEST_METHOD'] ?? 'GET'));
        // WordPress has added slashes to all of them.
        $response = (new Mount(Settings::folder(), [], null, Address::tools()))->respond(
            $behind,
            $method,
            (array) wp_unslash($_GET),
            (array) wp_unslash($_POST),
            (array) wp_unslash($_COOKIE),
            $server,
            $_FILES,
        );
        foreach (['Expires', 'Last-Modified', 'Pragma'] as $name) {
            header_remove($name);
        }
        $response->send($method !== 'HEAD');
        exit;
    }

    /** Visitors may log in; whoever has done so sees why this is not enough. */
    private static function refuse(string $uri): never
    {
        $login = is_user_logged_in() ? [] : ['link_url' => wp_login_url($uri), 'link_text' => 'Log in'];
        wp_die('Only administrators see these pages.', 'XHProf', ['response' => 403] + $login);
        exit;
    }
}
