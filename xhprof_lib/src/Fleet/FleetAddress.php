<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\SendError;

/** The store of many hosts that is asked, as the environment names it: for the commands where their options do not, and for the pages. */
final class FleetAddress
{
    /** Environment variables: the address, the file with user and password, and that of the authorities to trust. */
    public const ADDRESS = 'XHPROF_FLEET';
    public const CREDENTIALS = 'XHPROF_FLEET_CREDENTIALS';
    public const CA_FILE = 'XHPROF_FLEET_CA_FILE';

    /**
     * @param \Closure(string): ?string $setting value of a variable; null or '' if it is not set
     * @param float $timeout see Destination
     *
     * @return Destination|null null if there is no address
     *
     * @throws WrongAddress|SendError as Destination::named()
     */
    public static function read(\Closure $setting, float $timeout = Destination::TIMEOUT): ?Destination
    {
        $value = static fn (string $name): ?string => ($setting($name) ?? '') === '' ? null : $setting($name);
        $to = $value(self::ADDRESS);

        return $to === null ? null : Destination::named($to, $value(self::CREDENTIALS), $value(self::CA_FILE), $timeout);
    }
}
