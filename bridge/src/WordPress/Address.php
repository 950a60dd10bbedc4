<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

/**
 * Where the pages are: below `_xhprof/` of the site, or `index.php/_xhprof/` where the web server takes that for WordPress without
 * rewriting. Both are answered. The constant XHPROF_PATH (wp-config.php) gives another name.
 */
final class Address
{
    private const NAME = '_xhprof';

    /** The URL of the pages, with a slash at its end. */
    public static function pages(): string
    {
        // The rewriting of a network in sub-folders takes the first part of `_xhprof/callgraph.php` for a site.
        $isFolders = is_multisite() && !is_subdomain_install();
        $permalinks = (string) get_option('permalink_structure');
        $isRewritten = !$isFolders && $permalinks !== '' && !str_starts_with($permalinks, '/index.php/');
        $path = ($isRewritten ? '' : 'index.php/') . self::name() . '/';

        return $isFolders ? network_home_url($path) : home_url($path);
    }

    /**
     * The part of a request's path behind that of the pages: "/" is the list of runs, "" lacks the slash.
     *
     * @param string $uri as REQUEST_URI
     * @return string|null null for an address that is not one of the pages
     */
    public static function behind(string $uri): ?string
    {
        $path = rawurldecode(explode('?', $uri, 2)[0]);
        $home = rtrim((string) wp_parse_url(home_url(), PHP_URL_PATH), '/');
        $pattern = '~\A' . preg_quote($home, '~') . '(?:/index\.php)?/' . preg_quote(self::name(), '~') . '((?:/.*)?)\z~s';

        return preg_match($pattern, $path, $match) === 1 ? $match[1] : null;
    }

    /** The address of a function of wp-admin that asks for the next request, and then opens a page of this site again. */
    public static function next(string $back): string
    {
        $url = add_query_arg(['action' => Plugin::NEXT, 'back' => rawurlencode($back)], admin_url('admin-post.php'));

        return wp_nonce_url($url, Plugin::NEXT);
    }

    /** The page of wp-admin that asks for the next request. */
    public static function tools(): string
    {
        return admin_url('tools.php?page=' . Plugin::TOOLS);
    }

    /** The page that is open, as a path of this site with its query. */
    public static function here(): string
    {
        return self::plain($_SERVER['REQUEST_URI'] ?? '');
    }

    /** A value of the request without the slashes that WordPress has added; '' where it is no text. */
    public static function plain(mixed $value): string
    {
        return is_string($value) ? stripslashes($value) : '';
    }

    private static function name(): string
    {
        $name = defined('XHPROF_PATH') ? trim((string) constant('XHPROF_PATH'), '/') : '';

        return preg_match('/\A[A-Za-z0-9_-]+\z/', $name) === 1 ? $name : self::NAME;
    }
}
