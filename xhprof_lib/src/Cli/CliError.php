<?php

declare(strict_types=1);

namespace XHProf\Cli;

use RuntimeException;

/** Something the user can correct: its message is the one line printed on stderr. */
class CliError extends RuntimeException
{
}
