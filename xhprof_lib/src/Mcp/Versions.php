<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** The versions of the protocol that this server speaks, newest first, and where they differ for it. */
final class Versions
{
    public const ALL = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

    public const LATEST = self::ALL[0];

    /** The only one with batches of requests. */
    private const BATCHES = '2025-03-26';

    /** From which on a model reads what is wrong with its arguments. */
    private const ARGUMENTS_ARE_ANSWERED = '2025-11-25';

    /** The version to speak with a client that asks for one: that, or the newest, which it takes or hangs up. */
    public static function negotiate(string $asked): string
    {
        return in_array($asked, self::ALL, true) ? $asked : self::LATEST;
    }

    public static function hasBatches(string $version): bool
    {
        return $version === self::BATCHES;
    }

    public static function answersWrongArguments(string $version): bool
    {
        return $version >= self::ARGUMENTS_ARE_ANSWERED;
    }
}
