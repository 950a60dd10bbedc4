<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** A wrong option or argument. */
final class UsageError extends Failure
{
}
