<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;

/** A release and the one that it is compared with. */
final class ReleasePair
{
    private function __construct(public readonly string $base, public readonly string $release)
    {
    }

    /**
     * @param Selection $which   its release is not looked at
     * @param string    $release '' for the newest
     * @param string    $base    '' for the one before
     *
     * @return self|null null if there are no two
     */
    public static function choose(Client $client, Selection $which, string $release = '', string $base = ''): ?self
    {
        return $release !== '' && $base !== ''
            ? new self($base, $release)
            : self::among((new Requests($client))->releases($which->ofRelease('')), $release, $base);
    }

    /**
     * @param list<array{release: string}> $releases the newest first, as Requests::releases() gives them
     * @param string $release '' for the newest
     * @param string $base    '' for the one before
     */
    public static function among(array $releases, string $release = '', string $base = ''): ?self
    {
        $known = array_values(array_unique(array_column($releases, 'release')));
        $release = $release === '' ? $known[0] ?? '' : $release;
        $at = array_search($release, $known, true);
        $base = $base === '' && $at !== false ? $known[$at + 1] ?? '' : $base;

        return $release === '' || $base === '' ? null : new self($base, $release);
    }
}
