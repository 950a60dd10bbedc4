<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A server does not start, answer or end. */
final class ServerFailure extends \RuntimeException
{
}
