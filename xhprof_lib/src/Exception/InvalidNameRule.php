<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A rule for names that cannot be read, or is not a regular expression; the message names the variable and the line.
 */
final class InvalidNameRule extends \InvalidArgumentException implements XHProfException
{
}
