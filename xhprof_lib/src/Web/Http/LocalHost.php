<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * Guards against DNS rebinding: a foreign site whose name is made to point
 * at this machine could read the pages through its visitor's browser. Such a request names that site
 * as its host; no site can own an IP address or "localhost".
 */
final class LocalHost
{
    /** @param string $host Host header, with or without a port */
    public static function accepts(string $host): bool
    {
        if (preg_match('/\A(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]{1,5})?\z/', $host, $match) !== 1) {
            return false;
        }
        if ($match[1] !== '') {
            return filter_var($match[1], FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) !== false;
        }
        $name = $match[2];

        return strtolower($name) === 'localhost' || filter_var($name, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false;
    }
}
