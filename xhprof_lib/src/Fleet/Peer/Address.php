<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Exception\SendError;
use XHProf\Fleet\Destination;
use XHProf\Http\HttpClient;

/** Addresses of the form NAME+https://HOST/PATH. */
final class Address
{
    /**
     * @param string $path of the server's import; an address may end in it or not
     *
     * @return string http or https
     *
     * @throws SendError
     */
    public static function of(Destination $to, string $path): string
    {
        $url = (string) preg_replace('/\A[a-z]+\+/i', '', $to->url);
        if (!HttpClient::isAddress($url) || strpbrk($url, '?#') !== false) {
            throw new SendError("--to takes {$to->scheme()}://HOST, without parameters");
        }
        $url = rtrim($url, '/');

        return str_ends_with($url, $path) ? $url : $url . $path;
    }
}
