<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A run file that cannot be read as what its name says; the message names the file.
 */
final class DamagedRun extends \RuntimeException implements XHProfException
{
}
