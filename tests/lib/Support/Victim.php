<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/**
 * A class whose objects act on waking: a target for attackers.
 */
final class Victim
{
    public static bool $woken = false;

    public function __wakeup(): void
    {
        self::$woken = true;
    }
}
