<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** A heap snapshot is damaged or none; the message names the file, and the line if it is known. */
final class DamagedSnapshot extends \RuntimeException implements XHProfException
{
}
