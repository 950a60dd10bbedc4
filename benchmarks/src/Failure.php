<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** The benchmark cannot go on; the message is one line for the user. */
class Failure extends \RuntimeException
{
}
