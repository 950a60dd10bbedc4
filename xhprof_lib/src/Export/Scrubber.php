<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Secret\Redact;

/**
 * A run for other people: without any values of its URL's parameters, its command's arguments, and SQL and URLs in the names
 * of functions. Stricter than Secret\Redact, which hides in every run the values that look like secrets.
 *
 * @internal
 */
final class Scrubber
{
    /** "PDO::query#SELECT ...", of xhprof.collect_additional_info. */
    private const DETAIL = '/\A((?:PDO|PDOStatement|mysqli|mysqli_[a-z_]+|pg_[a-z_]+|curl_[a-z_]+)(?:::\w+)?)#.*\z/s';

    /** "/orders?page=2&token=x" becomes "/orders?page=REDACTED&token=REDACTED". */
    public static function url(string $url): string
    {
        $url = explode('#', $url, 2)[0];
        $parts = explode('?', $url, 2);
        $path = preg_replace('~\A([a-z][a-z0-9+.-]*://)[^/@]*@~i', '$1', $parts[0]) ?? '';
        if (!isset($parts[1])) {
            return $path;
        }
        $query = array_map(static function (string $pair): string {
            $at = strpos($pair, '=');

            return ($at === false ? '' : substr($pair, 0, $at + 1)) . ($pair === '' ? '' : Redact::MARK);
        }, explode('&', $parts[1]));

        return $path . '?' . implode('&', $query);
    }

    /** "php bin/console mail --to=x" becomes "php bin/console REDACTED"; "php" may be missing, as in runs of a program's own. */
    public static function command(string $command): string
    {
        preg_match('~\A(?:(?:\S*/)?php[0-9.]* )?\S*~', $command, $script);
        $kept = $script[0] ?? '';

        return $kept === $command ? $command : "$kept " . Redact::MARK;
    }

    /** Merges calls that differ only in SQL or a URL. */
    public static function profile(Profile $profile): Profile
    {
        $edges = [];
        foreach ($profile->edges() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            $key = EdgeKey::build($caller === null ? null : self::symbol($caller), self::symbol($callee));
            foreach ($row as $metric => $value) {
                $edges[$key][$metric] = ($edges[$key][$metric] ?? 0) + $value;
            }
        }

        return Profile::fromEdges($edges);
    }

    private static function symbol(string $name): string
    {
        return preg_replace(self::DETAIL, '$1', $name) ?? $name;
    }
}
