<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\SendError;
use XHProf\Http\HttpClient;
use XHProf\Http\HttpResponse;

/** What a store's answer over HTTP means for the runs that were posted to it. */
final class Acceptance
{
    /** Answers that blame what was posted. 404 and the like blame the address, 401 and 403 the credentials: the runs wait. */
    private const REFUSALS = [400, 406, 409, 411, 413, 414, 415, 422];

    /**
     * @param string                $name    of the store, for messages
     * @param array<string, string> $headers
     * @param bool                  $gzip    false if the body is compressed already
     *
     * @throws Rejected|Unavailable
     */
    public static function post(
        HttpClient $http,
        string $name,
        string $url,
        string $body,
        array $headers = [],
        bool $gzip = true,
    ): HttpResponse {
        try {
            $answer = $http->post($url, $body, $headers, $gzip);
        } catch (SendError $e) {
            throw new Unavailable($e->getMessage(), null, $e);
        }
        self::check($name, $answer, microtime(true));

        return $answer;
    }

    /**
     * @param float $now seconds since 1970
     *
     * @throws Rejected|Unavailable unless it is a success
     */
    public static function check(string $name, HttpResponse $answer, float $now): void
    {
        if ($answer->isSuccess()) {
            return;
        }
        $said = $answer->said() === '' ? '' : ": {$answer->said()}";
        if (in_array($answer->status, self::REFUSALS, true)) {
            throw new Rejected("$name refuses what was sent ($answer->status)$said");
        }
        throw new Unavailable(match (true) {
            $answer->status === 0 => "$name does not answer as a web server does",
            $answer->status === 401, $answer->status === 403 => "$name refuses the user or the password ($answer->status)$said",
            $answer->isRedirect() => "$name redirects ($answer->status): give the address that it leads to",
            default => "$name answers $answer->status$said",
        }, $answer->retryAfter($now));
    }
}
