<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * The run folder or a file in it cannot be read or written; the message names it.
 */
final class StoreError extends \RuntimeException implements XHProfException
{
}
