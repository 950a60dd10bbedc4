<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A JSON file of the operator that cannot be read, or says what it may not; the message names the file and the line.
 */
final class InvalidJsonFile extends \InvalidArgumentException implements XHProfException
{
}
