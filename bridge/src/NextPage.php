<?php

declare(strict_types=1);

namespace XHProf\Bridge;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/** The page with the button "Profile the next request", for sites that have no toolbar to put it in. */
final class NextPage
{
    public static function respond(NextRequest $next, Request $request): Response
    {
        $problem = $next->problem();
        $isWaiting = $next->isAsked($request->cookie(NextRequest::COOKIE));
        $token = $next->token();
        $back = self::back($request);
        $text = static fn (mixed $value): string => htmlspecialchars((string) $value, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
        ob_start();
        require dirname(__DIR__) . '/templates/next.php';

        return Response::html((string) ob_get_clean());
    }

    /** The page of this site from which this one was opened, or the one that the address names. */
    private static function back(Request $request): string
    {
        $back = $request->text('back');
        $from = $request->server('HTTP_REFERER');
        if ($back === '' && strcasecmp((string) parse_url($from, PHP_URL_HOST), self::host($request)) === 0) {
            $query = (string) parse_url($from, PHP_URL_QUERY);
            $back = parse_url($from, PHP_URL_PATH) . ($query === '' ? '' : "?$query");
        }
        // Not the pages themselves, which are never recorded.
        $pages = preg_replace('~/bridge/next\z~', '/', explode('?', $request->server('REQUEST_URI'), 2)[0]);

        return Mount::isLocal($back) && !str_starts_with($back, (string) $pages) ? $back : '';
    }

    private static function host(Request $request): string
    {
        return (string) preg_replace('/:[0-9]+\z/', '', $request->server('HTTP_HOST'));
    }
}
