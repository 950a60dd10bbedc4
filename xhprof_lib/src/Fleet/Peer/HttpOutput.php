<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Fleet\Acceptance;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;
use XHProf\Http\HttpClient;
use XHProf\Http\HttpResponse;

/** An output that posts to a server, at an address of the form NAME+https://HOST/PATH. */
abstract class HttpOutput implements Output
{
    /** Where the server takes runs; an address may end in it or not. */
    protected const PATH = '';

    /** http or https */
    private readonly string $url;

    private readonly HttpClient $http;

    /** @throws WrongAddress if it is not the address of a server */
    public function __construct(private readonly Destination $to)
    {
        $url = (string) preg_replace('/\A[a-z]+\+/i', '', $to->url);
        if (!HttpClient::isAddress($url) || strpbrk($url, '?#') !== false) {
            throw new WrongAddress("--to takes {$to->scheme()}://HOST, without parameters");
        }
        $url = rtrim($url, '/');

        $this->url = str_ends_with($url, static::PATH) ? $url : $url . static::PATH;
        $this->http = new HttpClient($to->timeout, $to->caFile, $to->user, $to->password);
    }

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
    protected function post(string $body, array $headers, array $query = [], bool $gzip = true): HttpResponse
    {
        $url = $this->url . ($query === [] ? '' : '?' . http_build_query($query));

        return Acceptance::post($this->http, $this->name(), $url, $body, $headers, $gzip);
    }
}
