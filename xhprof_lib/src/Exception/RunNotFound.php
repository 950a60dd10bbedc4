<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * The run folder has no such run.
 */
final class RunNotFound extends \RuntimeException implements XHProfException
{
}
