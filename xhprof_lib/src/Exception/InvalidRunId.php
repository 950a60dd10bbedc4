<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A run id or source outside the alphabet [A-Za-z0-9_-], or too long. Never touches the disk.
 */
final class InvalidRunId extends \InvalidArgumentException implements XHProfException
{
}
