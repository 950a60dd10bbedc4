<?php

declare(strict_types=1);

namespace XHProf\Bridge\Drupal;

use Drupal\Core\PathProcessor\InboundPathProcessorInterface;
use Symfony\Component\HttpFoundation\Request;

/** Sends all that is below the pages' path to their one route: Drupal's routes take no slashes in a parameter. */
final class PathBelow implements InboundPathProcessorInterface
{
    public const PATH = '/admin/reports/xhprof';

    /**
     * @param string $path with a slash before it, none behind it
     * @return string
     */
    public function processInbound($path, Request $request)
    {
        return str_starts_with($path, self::PATH . '/') ? self::PATH : $path;
    }

    /** @return string|null what is behind the pages' path: "" lacks the slash; null for another path */
    public static function behind(Request $request): ?string
    {
        $path = rawurldecode($request->getPathInfo());
        $at = strpos($path, self::PATH);
        $behind = $at === false ? null : substr($path, $at + strlen(self::PATH));

        // A language may stand before it.
        return $behind === null || $behind === '' || $behind[0] === '/' ? $behind : null;
    }
}
