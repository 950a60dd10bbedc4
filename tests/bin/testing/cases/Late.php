<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin\Testing;

/** A class that only one case loads. */
final class Late
{
    public function __construct()
    {
    }
}
