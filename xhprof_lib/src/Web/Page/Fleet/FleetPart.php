<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Web\Fleet\FleetQuery;

/** A page of the fleet, or what several of them have. */
abstract class FleetPart
{
    protected readonly Client $client;
    protected readonly FleetQuery $query;

    public function __construct(protected readonly Asked $asked)
    {
        $this->client = $asked->client;
        $this->query = $asked->query;
    }
}
