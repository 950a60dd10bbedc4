<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A heap snapshot that cannot be read as what it says it is; the message names the file, and the line where it is known.
 */
final class DamagedSnapshot extends \RuntimeException implements XHProfException
{
}
