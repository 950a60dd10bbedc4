<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

/**
 * A class whose objects do something on waking, as an attacker would look for.
 */
final class Victim
{
    public static bool $woken = false;

    public function __wakeup(): void
    {
        self::$woken = true;
    }
}
