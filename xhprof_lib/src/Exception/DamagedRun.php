<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** A run file does not hold the data that its name promises; the message names the file. */
class DamagedRun extends \RuntimeException implements XHProfException
{
}
