<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * Another server could not be reached, or did not take a run.
 */
class SendError extends \RuntimeException implements XHProfException
{
}
