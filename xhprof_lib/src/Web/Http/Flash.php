<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

use XHProf\Format\Units;

/**
 * Result of a form, shown once by the page that comes after it. The cookie between them holds a code and two numbers: no link
 * and no other site can put words here.
 */
final class Flash
{
    private const COOKIE = 'xhprof_flash';

    /** Seconds within which the next page must be requested. */
    private const AGE = 60;

    private const LARGEST = 1000000;

    /**
     * @param 'deleted'|'pinned'|'unpinned'|'tagged'|'untagged'|'saved'|'removed' $code
     * @param int $done runs it was done to; of 'removed', heap snapshots
     * @param int $left runs it was not done to
     */
    public static function set(Response $response, Request $request, string $code, int $done, int $left = 0): Response
    {
        return $response->withCookie(self::COOKIE, "$code.$done.$left", $request->isEncrypted(), self::AGE);
    }

    /** @return string|null a sentence */
    public static function message(Request $request): ?string
    {
        if (preg_match('/\A([a-z]{1,16})\.([0-9]{1,7})\.([0-9]{1,7})\z/', $request->cookie(self::COOKIE), $match) !== 1) {
            return null;
        }
        $done = (int) $match[2];
        $left = (int) $match[3];
        $runs = static fn (int $count): string => Units::counted($count, 'run');
        if (max($done, $left) > self::LARGEST) {
            return null;
        }

        return match ($match[1]) {
            'deleted' => 'Deleted ' . $runs($done) . '.' . ($left === 0 ? '' : ' ' . ucfirst($runs($left)) . ' pinned: kept.'),
            'pinned' => 'Pinned ' . $runs($done) . '.',
            'unpinned' => 'Unpinned ' . $runs($done) . '.',
            'tagged' => 'Tagged ' . $runs($done) . '.',
            'untagged' => 'Untagged ' . $runs($done) . '.',
            'saved' => 'Saved.',
            'removed' => 'Deleted ' . Units::counted($done, 'heap snapshot') . '.',
            default => null,
        };
    }

    /** Removes the message after its page, so that it is shown once. */
    public static function clear(Response $response, Request $request): Response
    {
        return $request->cookie(self::COOKIE) === ''
            ? $response
            : $response->withCookie(self::COOKIE, '', $request->isEncrypted());
    }
}
