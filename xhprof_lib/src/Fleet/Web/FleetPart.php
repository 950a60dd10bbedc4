<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Client;

/** A page of the fleet, or what several of them have. */
abstract class FleetPart
{
    protected readonly Client $client;
    protected readonly FleetQuery $query;

    public function __construct(protected readonly FleetContext $asked)
    {
        $this->client = $asked->client;
        $this->query = $asked->query;
    }

    /** A figure of a row. */
    protected static function figure(string|int|float|bool|null $value): int|float|null
    {
        return is_int($value) || is_float($value) ? $value : null;
    }
}
