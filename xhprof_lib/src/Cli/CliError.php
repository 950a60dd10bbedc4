<?php

declare(strict_types=1);

namespace XHProf\Cli;

use RuntimeException;

/** An error that the user can correct: its message is the one line printed on stderr. */
class CliError extends RuntimeException
{
}
