<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

use XHProf\Fleet\ClickHouse\Client;

/** What is asked of a store. */
abstract class Question
{
    public function __construct(protected readonly Client $client)
    {
    }
}
