<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Fleet\Acceptance;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;
use XHProf\Http\HttpAnswer;
use XHProf\Http\HttpClient;

/** What a server takes runs by, at an address of the form NAME+https://HOST/PATH. */
final class Endpoint
{
    /** http or https */
    private readonly string $url;

    private readonly HttpClient $http;

    /**
     * @param string $path of the server's import; an address may end in it or not
     *
     * @throws WrongAddress if it is no address of a server
     */
    public function __construct(private readonly Destination $to, string $path)
    {
        $url = (string) preg_replace('/\A[a-z]+\+/i', '', $to->url);
        if (!HttpClient::isAddress($url) || strpbrk($url, '?#') !== false) {
            throw new WrongAddress("--to takes {$to->scheme()}://HOST, without parameters");
        }
        $url = rtrim($url, '/');

        $this->url = str_ends_with($url, $path) ? $url : $url . $path;
        $this->http = new HttpClient($to->timeout, $to->caFile, $to->user, $to->password);
    }

    /** Its address as it may be shown. */
    public function name(): string
    {
        return $this->to->shown();
    }

    /**
     * @param array<string, string|int> $query
     * @param array<string, string>     $headers
     *
     * @throws Rejected|Unavailable see Acceptance::post()
     */
    public function post(string $body, array $headers, array $query = [], bool $gzip = true): HttpAnswer
    {
        $url = $this->url . ($query === [] ? '' : '?' . http_build_query($query));

        return Acceptance::post($this->http, $this->name(), $url, $body, $headers, $gzip);
    }
}
