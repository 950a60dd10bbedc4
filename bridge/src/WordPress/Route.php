<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

/**
 * Names the kind of page that WordPress shows, for a run that was asked for: as the extension names it in those that settings start
 * (extension/request/framework_route.c), so that both are compared with each other.
 */
final class Route
{
    private const KINDS = [
        'feed', 'embed', 'search', 'attachment', 'single', 'page', 'category', 'tag', 'tax', 'author', 'date', 'post_type_archive',
        'archive', 'home',
    ];

    /** @return string|null null for wp-admin, the REST API and the like, whose URL says more */
    public static function name(): ?string
    {
        $query = $GLOBALS['wp_the_query'] ?? null;
        $method = $_SERVER['REQUEST_METHOD'] ?? '';
        if (!$query instanceof \WP_Query || !is_string($method) || $method === '' || $query->is_admin) {
            return null;
        }
        if ($query->is_404) {
            return "$method (404)";
        }
        foreach (self::KINDS as $kind) {
            if ($query->{"is_$kind"}) {
                $type = $kind === 'single' ? $query->query_vars['post_type'] ?? '' : '';

                return "$method wordpress:$kind" . (is_string($type) && $type !== '' ? ":$type" : '');
            }
        }

        return null;
    }
}
