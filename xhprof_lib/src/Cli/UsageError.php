<?php

declare(strict_types=1);

namespace XHProf\Cli;

/** The command line itself is wrong: an option, a value, or an extra argument. Nothing was done yet; the exit code is 2. */
final class UsageError extends CliError
{
}
