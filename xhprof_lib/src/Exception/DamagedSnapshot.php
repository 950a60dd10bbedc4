<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** A file is a damaged heap snapshot, or no heap snapshot. The message names the file, and the line if it is known. */
final class DamagedSnapshot extends \RuntimeException implements XHProfException
{
}
