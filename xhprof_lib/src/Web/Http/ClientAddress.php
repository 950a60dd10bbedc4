<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * Who sent a request: the address of its connection, which nobody can make up. A header's word for it counts only where that
 * connection is of a proxy that the operator names: XHPROF_TRUSTED_PROXIES, addresses and networks with commas between them
 * ("127.0.0.1,10.0.0.0/8").
 */
final class ClientAddress
{
    public const PROXIES = 'XHPROF_TRUSTED_PROXIES';

    /** Bytes of an IPv6 address that are its network: one machine has as many addresses in it as it likes. */
    private const NETWORK = 8;

    /**
     * @return string bytes of the IPv4 address, or of the network of the IPv6 one; of a connection without an address, a text
     */
    public static function fromRequest(Request $request): string
    {
        $connection = $request->server('REMOTE_ADDR');
        $client = self::packed($connection);
        if ($client === null) {
            return $connection;
        }
        $proxies = self::networks($request->setting(self::PROXIES));
        // Each proxy adds the address that it was connected from; what is before it may be the client's invention.
        $named = explode(',', $request->server('HTTP_X_FORWARDED_FOR'));
        while ($proxies !== [] && self::isIn($client, $proxies)) {
            $next = self::packed(self::withoutPort(trim(array_pop($named) ?? '')));
            if ($next === null) {
                break;
            }
            $client = $next;
        }

        return strlen($client) === 16 ? substr($client, 0, self::NETWORK) : $client;
    }

    /** @return string|null the bytes of an address, of IPv4 in IPv6 the four of IPv4; null if it is none */
    public static function packed(string $address): ?string
    {
        $packed = filter_var($address, FILTER_VALIDATE_IP) === false ? false : inet_pton($address);
        if ($packed === false) {
            return null;
        }

        return str_starts_with($packed, str_repeat("\0", 10) . "\xFF\xFF") ? substr($packed, 12) : $packed;
    }

    private static function withoutPort(string $address): string
    {
        return preg_match('/\A(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?\z/', $address, $match) === 1
            ? $match[1] . ($match[2] ?? '')
            : $address;
    }

    /** @return list<array{string, int}> bytes of an address, and how many bits of them count; what is none is left out */
    private static function networks(string $list): array
    {
        $networks = [];
        foreach (explode(',', $list) as $text) {
            $parts = explode('/', trim($text), 2);
            $bits = $parts[1] ?? null;
            $packed = self::packed($parts[0]);
            $most = 8 * strlen($packed ?? '');
            if ($packed !== null && ($bits === null || (ctype_digit($bits) && (int) $bits <= $most))) {
                $networks[] = [$packed, $bits === null ? $most : (int) $bits];
            }
        }

        return $networks;
    }

    /** @param list<array{string, int}> $networks */
    private static function isIn(string $address, array $networks): bool
    {
        foreach ($networks as [$network, $bits]) {
            $mask = str_pad(str_repeat("\xFF", intdiv($bits, 8)) . chr(0xFF << (8 - $bits % 8) & 0xFF), 16, "\0");
            $mask = substr($mask, 0, strlen($network));
            if (strlen($address) === strlen($network) && ($address & $mask) === ($network & $mask)) {
                return true;
            }
        }

        return false;
    }
}
