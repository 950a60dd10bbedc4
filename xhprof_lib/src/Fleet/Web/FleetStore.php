<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\SendError;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\ClickHouse\QueryFailed;
use XHProf\Fleet\FleetAddress;
use XHProf\Fleet\WrongAddress;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;

/** The store of many hosts that these pages ask. What it says when it fails is for the log, not for the reader. */
final class FleetStore
{
    /** Seconds for which a page waits for it. */
    private const PATIENCE = 15.0;

    private const AWAY = 'The store of many hosts does not answer as it should. The reason is in the error log of the web server.';

    private function __construct()
    {
    }

    public static function isNamed(Request $request): bool
    {
        return $request->setting(FleetAddress::ADDRESS) !== '';
    }

    /**
     * @template T
     * @param \Closure(Client): T $ask
     * @return T
     * @throws HttpError 404 if no store is named, 503 if it fails
     */
    public static function ask(Request $request, \Closure $ask): mixed
    {
        try {
            $destination = FleetAddress::read($request->setting(...), self::PATIENCE)
                ?? throw new HttpError(404, 'These pages have no store of many hosts: ' . FleetAddress::ADDRESS . ' names one.');

            return $ask(Client::fromDestination($destination));
        } catch (SendError | QueryFailed | WrongAddress | InvalidProfile $e) {
            error_log('xhprof_html: ' . $e->getMessage());

            throw new HttpError(503, self::AWAY, $e);
        }
    }
}
